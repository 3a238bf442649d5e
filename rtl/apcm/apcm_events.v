// apcm_events: which events of warps matter, and the order in which they act.
//
// Asked: a warp that protects nothing, and has no request inside that may change that, need not
// tell of its loads' ends; nor of its exit, unless it is watched. An event that is not asked for in
// the cycle in which it would be offered, while no request of the warp is being taken, changes
// nothing.
//
// Order: an exit of a loop that is due goes first; of a load's end and a warp's exit the one that
// was offered first, and the load's if they came together. One event is read in one cycle (rd_o)
// and acts in the next.
//
//   done   taken in the first cycle of the offer, into a register (done_q), and read at that edge
//          if its turn is then.
//   exit   taken in the cycle in which it acts: the SM holds it until then.
//   left   of apcm_loops, which holds it.
//
// Timing: ready and the vectors depend on registers only.
//
//   NumWarp 1..64   Ids 2..64
// Storage: 5 + 2 * clog2(NumWarp) + clog2(Ids) flops.
//
// Rules
//   1 One event acts at a time.
//   2 A warp's exit that acts is still offered.
`default_nettype none
`include "wf_assert.vh"

module apcm_events #(
  parameter integer NumWarp = 48,
  parameter integer Ids = 16,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire               go_i,
  // offers
  input  wire               done_valid_i,
  output wire               done_ready_o,
  input  wire [WarpW-1:0]   done_warp_i,
  input  wire [IdW-1:0]     done_id_i,
  input  wire               exit_valid_i,
  output wire               exit_ready_o,
  input  wire [WarpW-1:0]   exit_warp_i,
  input  wire               left_valid_i,
  input  wire [WarpW-1:0]   left_warp_i,
  // the event that is read, and in the next cycle acts
  output wire               rd_o,
  output wire [WarpW-1:0]   rd_warp_o,
  output wire [WarpW-1:0]   warp_o,      // of the one that acts
  output wire [IdW-1:0]     id_o,
  output wire               done_o,
  output wire               left_o,
  output wire               exit_o,
  // whose events are asked for
  input  wire [NumWarp-1:0] psb_i,
  input  wire               acc_i,       // a request is inside
  input  wire [WarpW-1:0]   acc_warp_i,
  input  wire               mon_i,       // a warp is watched
  input  wire [WarpW-1:0]   mon_warp_i,
  output wire [NumWarp-1:0] ask_done_o,
  output wire [NumWarp-1:0] ask_exit_o,
  output wire               busy_o
);
  reg full_q, done_q, left_q, exit_q, first_q;
  reg [WarpW-1:0] warp_q, act_warp_q;
  reg [IdW-1:0] id_q;
  wire none = !done_q && !left_q && !exit_q;
  assign done_ready_o = go_i && !full_q;
  assign exit_ready_o = exit_q;
  wire take = done_valid_i && done_ready_o;

  // Whose turn it is, if nothing acts.
  wire turn = go_i && none;
  wire pick_exit = exit_valid_i && (first_q || !(full_q || done_valid_i));
  wire left_turn = turn && left_valid_i;
  wire exit_turn = turn && !left_valid_i && pick_exit;
  wire done_turn = turn && !left_valid_i && !pick_exit && (full_q || done_valid_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {full_q, done_q, left_q, exit_q, first_q} <= '0;
    else begin
      full_q <= take || (full_q && !done_q);
      done_q <= done_turn;
      left_q <= left_turn;
      exit_q <= exit_turn;
      first_q <= pick_exit && !exit_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      warp_q <= done_warp_i;
      id_q <= done_id_i;
    end
  end
  assign rd_o = left_turn || done_turn || exit_turn;
  assign rd_warp_o = left_valid_i ? left_warp_i : pick_exit ? exit_warp_i
                     : full_q ? warp_q : done_warp_i;
  always_ff @(posedge clk_i) if (rd_o) act_warp_q <= rd_warp_o;
  assign warp_o = act_warp_q;
  assign id_o = id_q;
  assign done_o = done_q;
  assign left_o = left_q;
  assign exit_o = exit_q;
  assign busy_o = !none || full_q;

  wire [31:0] acc_warp = 32'(acc_warp_i), mon_warp = 32'(mon_warp_i);
  reg [NumWarp-1:0] inside_c, watched_c;
  always_comb begin
    for (int n = 0; n < NumWarp; n = n + 1) begin
      inside_c[n] = acc_i && acc_warp == n;
      watched_c[n] = mon_i && mon_warp == n;
    end
  end
  assign ask_done_o = psb_i | inside_c;
  assign ask_exit_o = psb_i | inside_c | watched_c;

  `WF_ASSERT(rule1, !(done_q && left_q) && !(done_q && exit_q) && !(left_q && exit_q)
             && (!done_q || full_q), "Rule 1: one event acts at a time")
  `WF_ASSUME(rule2, !exit_q || exit_valid_i, "Rule 2: a warp's exit that acts is still offered")
endmodule
`default_nettype wire
