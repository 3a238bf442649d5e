// mff_freelist: a number is with one holder at a time, none is lost, a returned one is soon offered
// again.
`default_nettype none
`include "wf_assert.vh"
module mff_freelist_props #(
  parameter integer Entries = 3,
  localparam integer IdW = Entries > 1 ? $clog2(Entries) : 1,
  localparam integer UsedW = $clog2(Entries + 1)
) (
  input wire clk_i, input wire want, input wire give, input wire [IdW-1:0] give_id
);
`include "formal.vh"
  wire valid;
  wire [IdW-1:0] id;
  wire [UsedW-1:0] used;
  wire take = want && valid && rst_ni, put = give && rst_ni;
  mff_freelist #(.Entries(Entries)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_o(valid), .id_o(id), .take_i(take), .put_i(put),
    .put_id_i(give_id), .used_o(used)
  );
  reg [Entries-1:0] out_q;  // who is out
  initial out_q = '0;
  always @(posedge clk_i) if (rst_ni) begin
    if (take) out_q[id] <= 1'b1;
    if (put) out_q[give_id] <= 1'b0;
  end
  `WF_ASSUME(held, !put || ({1'b0, give_id} < (IdW + 1)'(Entries) && out_q[give_id]),
             "only what is out is put back")
  logic [UsedW-1:0] count;
  always_comb begin
    count = '0;
    for (int i = 0; i < Entries; i++) count = count + UsedW'(out_q[i]);
  end
  `WF_ASSERT(one_holder, !valid || ({1'b0, id} < (IdW + 1)'(Entries) && !out_q[id]),
             "what is offered is with nobody")
  // A number that comes back is counted for one more cycle: its return is registered first.
  reg back_q;
  initial back_q = 1'b0;
  always @(posedge clk_i) back_q <= put;
  `WF_ASSERT(used_right, {1'b0, used} == {1'b0, count} + {{UsedW{1'b0}}, back_q},
             "used_o counts what is out")
  reg [2:0] short_q;  // cycles with a free number and none offered
  initial short_q = 3'd0;
  always @(posedge clk_i)
    if (!rst_ni || valid || count == UsedW'(Entries)) short_q <= 3'd0;
    else short_q <= short_q + 3'd1;
  `WF_ASSERT(none_lost, short_q < 3'd4, "a free number is offered within four cycles")
  reg [2:0] still_q;
  initial still_q = 3'd0;
  always @(posedge clk_i)
    still_q <= !rst_ni || take || put ? 3'd0 : still_q == 3'd7 ? 3'd7 : still_q + 3'd1;
  `WF_QUIET(still_q == 3'd7 && !take && !put)
  `WF_COVER(all_out, out_q == '1)
  reg full_q;
  initial full_q = 1'b0;
  always @(posedge clk_i) if (rst_ni && out_q == '1) full_q <= 1'b1;
  `WF_COVER(all_back, full_q && out_q == '0 && still_q == 3'd7)
  `WF_COVER(both, take && put)
endmodule
`default_nettype wire
