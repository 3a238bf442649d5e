// apcm_events: no end of a load is lost or acts twice; one event acts at a time, after it was read;
// loops' exits go first, and of the others the one that came first.
`default_nettype none
`include "wf_assert.vh"
module apcm_events_props #(
  parameter integer NumWarp = 3,
  parameter integer Ids = 2,
  localparam integer WarpW = 2, localparam integer IdW = 1
) (
  input wire clk_i, input wire go, input wire done_valid, input wire [WarpW-1:0] done_warp,
  input wire [IdW-1:0] done_id, input wire exit_valid, input wire [WarpW-1:0] exit_warp,
  input wire left_valid, input wire [WarpW-1:0] left_warp, input wire [NumWarp-1:0] psb,
  input wire acc, input wire [WarpW-1:0] acc_warp, input wire mon, input wire [WarpW-1:0] mon_warp
);
`include "formal.vh"
  wire done_ready, exit_ready, read, acts_done, acts_left, acts_exit, busy;
  wire [WarpW-1:0] warp, read_warp;
  wire [IdW-1:0] id;
  wire [NumWarp-1:0] ask_done, ask_exit;
  wire done = done_valid && rst_ni, exits = exit_valid && rst_ni, left = left_valid && rst_ni;
  apcm_events #(.NumWarp(NumWarp), .Ids(Ids)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .go_i(go && rst_ni), .done_valid_i(done),
    .done_ready_o(done_ready), .done_warp_i(done_warp), .done_id_i(done_id), .exit_valid_i(exits),
    .exit_ready_o(exit_ready), .exit_warp_i(exit_warp), .left_valid_i(left),
    .left_warp_i(left_warp), .rd_o(read), .rd_warp_o(read_warp), .warp_o(warp), .id_o(id),
    .done_o(acts_done), .left_o(acts_left), .exit_o(acts_exit), .psb_i(psb), .acc_i(acc),
    .acc_warp_i(acc_warp), .mon_i(mon), .mon_warp_i(mon_warp), .ask_done_o(ask_done),
    .ask_exit_o(ask_exit), .busy_o(busy)
  );
  // Offers hold: an end until it is taken, an exit and a loop's exit until they act.
  reg done_q, exit_q, left_q, read_q, exit_chosen_q;
  reg [WarpW-1:0] done_warp_q, exit_warp_q, left_warp_q, warp_q;
  reg [IdW-1:0] done_id_q;
  initial {done_q, exit_q, left_q, read_q} = 4'd0;
  always @(posedge clk_i) begin
    done_q <= done && !done_ready;
    exit_q <= exits && !acts_exit;
    left_q <= left && !acts_left;
    read_q <= read && rst_ni;
    {done_warp_q, done_id_q, exit_warp_q, left_warp_q, warp_q} <=
      {done_warp, done_id, exit_warp, left_warp, read_warp};
  end
  `WF_ASSUME(hold, (!done_q || (done && done_warp == done_warp_q && done_id == done_id_q))
             && (!exit_q || (exits && exit_warp == exit_warp_q))
             && (!left_q || (left && left_warp == left_warp_q)), "offers hold")
  // The end that was taken last, until it acts.
  reg in_q;
  reg [WarpW-1:0] in_warp_q;
  reg [IdW-1:0] in_id_q;
  initial in_q = 1'b0;
  wire take = done && done_ready;
  always @(posedge clk_i) if (rst_ni) begin
    in_q <= take || (in_q && !acts_done);
    if (take) {in_warp_q, in_id_q} <= {done_warp, done_id};
  end
  `WF_ASSERT(done_once, !acts_done || in_q, "an end acts once, after it was taken")
  `WF_ASSERT(done_kept, !take || !in_q, "and is not overwritten before")
  `WF_ASSERT(done_right, !acts_done || (warp == in_warp_q && id == in_id_q), "as it was told")
  `WF_ASSERT(exit_right, !acts_exit || (exits && exit_ready && warp == exit_warp),
             "an exit acts while it is offered, and is taken then")
  `WF_ASSERT(exit_taken, !exit_ready || acts_exit, "and not else")
  `WF_ASSERT(left_right, !acts_left || warp == left_warp, "a loop's exit is of its warp")
  `WF_ASSERT(one, acts_done + acts_left + acts_exit <= 2'd1, "one event acts at a time")
  `WF_ASSERT(read_before, (acts_done || acts_left || acts_exit) == read_q
             && (!read_q || warp == warp_q), "what acts was read in the cycle before")
  // Who goes first.
  reg left_before_q, exit_before_q;
  initial {left_before_q, exit_before_q} = 2'd0;
  wire none = !acts_done && !acts_left && !acts_exit;
  always @(posedge clk_i) begin
    left_before_q <= left && go && none && rst_ni;
    if (!rst_ni || acts_exit || !exits) exit_before_q <= 1'b0;
    else if (!in_q && !done) exit_before_q <= 1'b1;  // it came first
  end
  `WF_ASSERT(left_first, !left_before_q || acts_left, "a loop's exit goes before all others")
  `WF_ASSERT(first_come, !(acts_done && exit_before_q), "an exit that came first goes first")
  `WF_ASSERT(no_rest, !(go && none && (left || in_q || done || exits)) || read,
             "while something waits something is read")
  `WF_ASSERT(busy_right, busy == (in_q || !none), "busy until all has acted")
  // Whose events are asked for.
  (* anyconst *) wire [WarpW-1:0] w;
  `WF_ASSUME(is_warp, w < 2'd3, "a warp")
  `WF_ASSERT(ask_done_right, ask_done[w] == (psb[w] || (acc && acc_warp == w)),
             "ends: of warps that protect, or have a request inside")
  `WF_ASSERT(ask_exit_right, ask_exit[w] == (ask_done[w] || (mon && mon_warp == w)),
             "exits: of the watched warp too")
  `WF_COVER(all_wait, left && done && exits && none && go)
  `WF_COVER(exit_over_done, acts_exit && in_q)
  `WF_COVER(done_over_exit, acts_done && exits && exit_q)
  `WF_QUIET(!busy && !done && !exits && !left)
endmodule
`default_nettype wire
