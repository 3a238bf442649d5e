// Checker, no hardware: of those that wait for the same thing, none is served twice while another
// waits. It sits beside round-robin arbiters and rotations, whose users may so wait for N - 1
// others at most.
//
// Parameters
//   N       1 ..  waiters
//   Proven  0, 1  1: its user is proven to keep the rule, for any number of cycles
// Storage: none. Proofs look at all pairs, in N * N flops. A simulator, where that would be most of
// a unit's time, looks at one waiter after the other, in 2 * N flops: from when it is chosen to its
// turn.
//
// Rules
//   1 While one waits, each of the others is served at most once.
`default_nettype none
`include "wf_assert.vh"

module wf_fair #(
  parameter integer N = 4,
  parameter integer Proven = 0
) (
  input wire         clk_i,
  input wire         rst_ni,
  input wire [N-1:0] wait_i,    // waits
  input wire [N-1:0] served_i   // is served in this cycle
);
`ifdef FORMAL
  reg [N*N-1:0] passed_q;       // bit i * N + j: j was served since i waits
  reg unfair_c;
  always_comb begin
    unfair_c = 1'b0;
    for (int i = 0; i < N; i = i + 1)
      if (wait_i[i] && !served_i[i] && (passed_q[i*N +: N] & served_i) != '0)
        unfair_c = 1'b1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) passed_q <= '0;
    else
      for (int i = 0; i < N; i = i + 1)
        passed_q[i*N +: N] <= wait_i[i] && !served_i[i] ? passed_q[i*N +: N] | served_i : '0;
  end
`elsif WF_ASSERT_LIVE
  reg [N-1:0] watched_q;        // one of them
  reg [N-1:0] passed_q;         // were served since it waits and is watched
  wire waits = (watched_q & wait_i & ~served_i) != '0;
  wire unfair_c = waits && (passed_q & served_i) != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      watched_q <= N'(1);
      passed_q <= '0;
    end else begin
      if (!waits) watched_q <= N'({watched_q, watched_q} >> (N - 1));
      passed_q <= waits ? passed_q | served_i : '0;
    end
  end
`else
  wire unused = &{1'b0, clk_i, rst_ni, wait_i, served_i};
`endif
  generate
    if (Proven != 0) begin : g_proven
      `WF_ASSERT_PROVEN(rule_1_fair, !unfair_c,
                        "Rule 1: while one waits, each of the others is served at most once")
    end else begin : g_checked
      `WF_ASSERT(rule_1_fair, !unfair_c,
                 "Rule 1: while one waits, each of the others is served at most once")
    end
  endgenerate
endmodule
`default_nettype wire
