// apcm_psb: the bit of a warp, any one, is set by a set and stays until what ends it: the last
// load's end, leaving the loop, the warp's exit or a new kernel; then it is clear at the next edge.
`default_nettype none
`include "wf_assert.vh"
module apcm_psb_props #(
  parameter integer NumWarp = 3,
  parameter integer Ids = 2,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1
) (
  input wire clk_i, input wire clear, input wire want, input wire acc_read,
  input wire line, input wire [WarpW-1:0] acc_take, input wire loops, input wire [IdW-1:0] acc_last,
  input wire [1:0] kind, input wire ev_read, input wire [WarpW-1:0] take_warp,
  input wire [IdW-1:0] ev_id
);
`include "formal.vh"
  reg ev_there_q, acc_there_q;
  wire acc_rd = acc_read && rst_ni, ev_rd = ev_read && rst_ni && !ev_there_q;
  reg [WarpW-1:0] ev_warp_q, acc_warp;  // read a cycle before
  initial {ev_there_q, acc_there_q} = 2'd0;
  always @(posedge clk_i) begin
    {ev_there_q, acc_there_q} <= {ev_rd, acc_rd};
    if (ev_rd) ev_warp_q <= take_warp;
    if (acc_rd) acc_warp <= acc_take;
  end
  (* anyconst *) wire [WarpW-1:0] warp;
  wire may, set, ends;
  wire [NumWarp-1:0] on;
  wire wants = want && acc_there_q && !clear;
  wire done = ev_there_q && kind == 2'd1, leave = ev_there_q && kind == 2'd2,
       gone = ev_there_q && kind == 2'd3;
  apcm_psb #(.NumWarp(NumWarp), .Ids(Ids)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .acc_rd_i(acc_rd), .acc_rd_warp_i(acc_take),
    .acc_warp_i(acc_warp), .acc_loop_i(loops), .acc_last_i(acc_last), .may_o(may),
    .want_i(wants), .line_i(line && !clear), .set_o(set), .done_i(done), .loop_i(leave),
    .exit_i(gone), .ev_rd_i(ev_rd), .ev_rd_warp_i(take_warp), .ev_warp_i(ev_warp_q),
    .ev_id_i(ev_id), .end_o(ends), .protect_o(on)
  );
  `WF_ASSUME(warps, {1'b0, acc_take} < (WarpW + 1)'(NumWarp)
             && {1'b0, take_warp} < (WarpW + 1)'(NumWarp) && {1'b0, warp} < (WarpW + 1)'(NumWarp),
             "warps are below NumWarp")
  // What the bit must be, from the rules of the README.
  reg on_q, loop_q;
  reg [IdW-1:0] last_q;
  initial on_q = 1'b0;
  wire sets = set && acc_warp == warp;
  wire now = on_q || sets;
  wire now_loop = sets ? loops : loop_q;
  wire [IdW-1:0] now_last = sets ? acc_last : last_q;
  wire over = ev_warp_q == warp && (gone || (done && !now_loop && ev_id == now_last)
                                  || (leave && now_loop));
  always @(posedge clk_i) if (rst_ni) begin
    on_q <= now && !over && !clear;
    last_q <= now_last;
    loop_q <= now_loop;
  end
  `WF_ASSERT(bit_right, on[warp] == on_q, "set until what ends it, then clear")
  `WF_ASSERT(may_right, !acc_there_q || acc_warp != warp
             || may == (!on_q || (last_q == acc_last && loop_q == loops)),
             "one load of a warp is protected at a time")
  `WF_ASSERT(set_right, !wants || acc_warp != warp || set == (line && !on_q),
             "a set: of what wants it, has a line, and finds the bit clear")
  reg was_gone_q;
  initial was_gone_q = 1'b0;
  always @(posedge clk_i) was_gone_q <= rst_ni && gone && ev_warp_q == warp;
  `WF_ASSERT(gone_is_gone, !was_gone_q || !on[warp], "a warp that ended protects nothing")
  `WF_COVER(ended_by_load, on_q && !loop_q && done && over)
  `WF_COVER(ended_by_loop, on_q && loop_q && leave && over)
  `WF_COVER(kept_in_loop, on_q && loop_q && done && ev_warp_q == warp && ev_id == last_q)
  `WF_COVER(set_and_ended, sets && over)
  reg was_q;
  initial was_q = 1'b1;
  always @(posedge clk_i) was_q <= acc_there_q || ev_there_q || clear || !rst_ni;
  `WF_QUIET(!was_q && !wants && !clear && !acc_rd && !ev_rd && !ev_there_q && !acc_there_q)
endmodule
`default_nettype wire
