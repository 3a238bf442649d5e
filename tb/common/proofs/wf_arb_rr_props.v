// wf_arb_rr: one grant, to a requester, whenever there is one; a waiting requester sees at most N -
// 1 used grants go to others.
`default_nettype none
`include "wf_assert.vh"
module wf_arb_rr_props #(parameter integer N = 4, parameter integer Hold = 0) (
  input wire clk_i, input wire [N-1:0] req, input wire advance
);
`include "formal.vh"
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1;
  wire [N-1:0] gnt;
  wire [IndexBits-1:0] index;
  wire some;
  wf_arb_rr #(.N(N), .Hold(Hold)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(req), .advance_i(advance), .gnt_o(gnt),
    .gnt_index_o(index), .gnt_valid_o(some)
  );
  (* anyconst *) wire [IndexBits-1:0] who;
  localparam [3:0] MOST = N;
  `WF_ASSUME(who_range, {{(4 - IndexBits){1'b0}}, who} < MOST, "a requester")
  reg [3:0] passed_q;
  initial passed_q = 4'd0;
  always @(posedge clk_i)
    if (!rst_ni || !req[who] || (advance && gnt[who])) passed_q <= 4'd0;
    else if (advance) passed_q <= passed_q + 4'd1;
  `WF_ASSERT(fair, passed_q < MOST, "others are served at most N - 1 times while one waits")
  `WF_ASSERT(index_right, !some || gnt == ({{(N-1){1'b0}}, 1'b1} << index),
             "the index is the grant's")
  `WF_ASSERT(valid_right, some == (req != '0), "a grant whenever there is a request")
  `WF_COVER(waited, passed_q == MOST - 4'd1 && gnt[who])
  // How far the search has come: those that may still go first.
  (* hierconn *) wire [N-1:0] \dut.after_q ;
  `WF_ASSERT(thermometer, (\dut.after_q & ((~\dut.after_q + 1'b1) - 1'b1)) == '0
             && ((~\dut.after_q ) & ((~\dut.after_q ) + 1'b1)) == '0,
             "the mask is ones above a place")
endmodule
`default_nettype wire
