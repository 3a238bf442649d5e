// Situations inside bubble_power that its tests must have met, bound into models built for
// coverage: the ports do not show them. Those that they do show are in bubble_bench.h.
/* verilator lint_off DECLFILENAME */
`default_nettype none
`include "wf_assert.vh"

module bubble_power_cover (
  input wire clk_i, input wire rst_ni, input wire decide, input wire stuck, input wire some_picked,
  input wire drains, input wire others, input wire own, input wire target, input wire asleep,
  input wire tick
);
  `WF_COVER(stuck_and_nobody_to_wake, decide && stuck && !some_picked)
  `WF_COVER(a_drain_goes_before_a_low_one, decide && stuck && drains && others)
  `WF_COVER(own_work_though_others_have_room, decide && own && !stuck && some_picked)
  `WF_COVER(own_work_before_the_stuck, decide && own && stuck && some_picked)
  `WF_COVER(a_target_while_one_is_woken, decide && target && some_picked)
  `WF_COVER(sleeps, asleep)
  `WF_COVER(wakes_from_sleep, tick && !asleep)
endmodule
bind bubble_power bubble_power_cover u_cover (
  .clk_i(clk_i), .rst_ni(rst_ni), .decide(decide), .stuck(stuck), .some_picked(some_picked),
  .drains(drains != '0), .others(others != '0), .own((bound_q & dvr) != '0), .target(target),
  .asleep(asleep), .tick(tick && gpu_is_low)
);
`default_nettype wire
