// bubble_smx: the registers and the state machine of one SMX.
//
//   state    dvr drn dvfs busy   blocks   leaves to
//   Normal    0   0   0    0     yes      Drain
//   Drain     1   1   0    0     no       Down (Parked) if empty; Normal after W samples, resumed
//   Parked    1   0   0    0     no       Normal when resumed; Down where DVFS is on
//   Down      1   0   1    1     no       Low at the regulator's end
//   Low       1   0   1    0     no       Up when resumed
//   Up        0   0   1    1     no       Normal at the regulator's end
//
// In a cycle with decide_i low_i, zero_i and what follows from them are of the sample's snapshot;
// in a cycle with check_i zero_i is of a later one, taken when no block can come any more.
//
// With W = 0 none is diverted. After a drain of W samples in vain the SMX stays Normal until it was
// no bubble at a sample, or W samples have passed (hold_q).
//
//   DrainBits 1..16
// Storage: DrainBits + 5 flops.
//
// Rules
//   1 Draining is diverted.
//   2 A transition belongs to DVFS; what goes up is not diverted.
//   3 No transition is asked for while one is under way.
//   4 A drain lasts W samples at most.
`default_nettype none
`include "wf_assert.vh"

module bubble_smx #(
  parameter integer DrainBits = 6
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 decide_i,
  input  wire                 check_i,
  input  wire                 on_i,       // diversion
  input  wire                 dvfs_i,     // and DVFS
  input  wire                 at_once_i,  // without draining
  input  wire [DrainBits-1:0] drain_i,    // W
  input  wire                 low_i,      // fewer warps than the threshold
  input  wire                 zero_i,     // none
  input  wire                 bound_i,    // a block waits that may only run here
  input  wire                 target_i,   // another SMX takes what is diverted
  input  wire                 resume_i,   // with decide_i: chosen
  input  wire                 park_i,     // with decide_i: the whole GPU goes down, all are empty
  input  wire                 clear_i,    // the whole GPU goes up
  input  wire                 done_i,     // the regulator's end
  output wire                 normal_o,
  output wire                 drain_o,
  output wire                 dvr_o,
  output wire                 drn_o,
  output wire                 dvfs_o,
  output wire                 busy_o,
  // events
  output wire                 ev_divert_o,
  output wire                 ev_down_o,
  output wire                 ev_emptied_o,  // a drain found the SMX empty
  output wire                 ev_vain_o,     // a drain ended without that
  output wire                 ev_no_target_o
);
  reg dvr_q, drn_q, dvfs_q, busy_q, hold_q;
  reg [DrainBits-1:0] count_q;

  wire [DrainBits:0] next = {1'b0, count_q} + 1'b1;
  wire last = next >= {1'b0, drain_i};
  wire normal = !dvr_q && !dvfs_q;
  wire held = hold_q && !last;
  wire bubble = decide_i && on_i && normal && low_i && !held && !bound_i;
  wire divert = bubble && target_i && drain_i != '0;
  wire vain = decide_i && drn_q && !zero_i && last && !resume_i;
  wire resume = decide_i && dvr_q && !busy_q && resume_i;
  wire confirm = check_i && dvr_q && !dvfs_q && (zero_i || at_once_i);
  wire down = confirm && dvfs_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      dvr_q <= 1'b0;
      drn_q <= 1'b0;
      dvfs_q <= 1'b0;
      busy_q <= 1'b0;
      hold_q <= 1'b0;
      count_q <= '0;
    end else begin
      if (clear_i || resume || vain) dvr_q <= 1'b0;
      else if (divert) dvr_q <= 1'b1;
      if (clear_i || resume || vain || confirm || (decide_i && park_i)) drn_q <= 1'b0;
      else if (divert) drn_q <= !at_once_i;
      if (clear_i || (busy_q && done_i && !dvr_q)) dvfs_q <= 1'b0;
      else if (down) dvfs_q <= 1'b1;
      if (down || (resume && dvfs_q)) busy_q <= 1'b1;
      else if (done_i) busy_q <= 1'b0;
      if (vain) hold_q <= 1'b1;
      else if (decide_i && normal && (!low_i || last)) hold_q <= 1'b0;
      if (divert || vain) count_q <= '0;
      else if (decide_i && (drn_q || hold_q) && !last) count_q <= next[DrainBits-1:0];
    end
  end
  assign normal_o = normal;
  assign drain_o = drn_q;
  assign dvr_o = dvr_q;
  assign drn_o = drn_q;
  assign dvfs_o = dvfs_q;
  assign busy_o = busy_q;
  assign ev_divert_o = divert;
  assign ev_down_o = down;
  assign ev_emptied_o = confirm && drn_q;
  assign ev_vain_o = vain;
  assign ev_no_target_o = bubble && !divert;

  `WF_ASSERT(rule1_drain, !drn_q || (dvr_q && !dvfs_q), "Rule 1: draining is diverted")
  `WF_ASSERT(rule2_dvfs, !busy_q || dvfs_q, "Rule 2: a transition belongs to DVFS")
  `WF_ASSERT(rule2_up, !dvfs_q || dvr_q || busy_q, "Rule 2: what is not diverted goes up")
  `WF_ASSERT(rule3_busy, !busy_q || !(down || resume),
             "Rule 3: no transition is asked for while one is under way")
  `WF_ASSERT(rule4_drain, !drn_q || !decide_i || zero_i || !last || vain || resume,
             "Rule 4: a drain lasts W samples at most")
  `WF_ASSUME(rule5_done, !done_i || busy_q, "Rule 5: what ends was under way")
  `WF_ASSUME(rule6_clear, !clear_i || !busy_q, "Rule 6: no SMX is in transition when all go up")
endmodule
`default_nettype wire
