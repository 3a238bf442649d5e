// Performance counters: each counts up by a small increment per cycle; a snapshot copies all at one
// edge, so that a slow reader sees one moment; the read port answers from the snapshot.
//
// Timing: inc_i is added at the edge. snapshot_i copies the values before that edge's increments.
// clear_i zeroes the live counters (increments of that edge are lost), the snapshot stays; both at
// once read and restart. value_o is combinational from index_i; an index of N or more reads 0.
// Counters wrap at 2^Width. Before the first snapshot value_o is undefined.
//
// Parameters
//   N        1 ..           counters
//   Width    IncBits .. 64  bits of a counter
//   IncBits  1 ..           bits of an increment
// Storage: 2 * N * Width flops.
//
// Rules
//   1 Without increments and clear the counters hold (an idle unit is stable).
`default_nettype none
`include "wf_assert.vh"

module wf_counter_bank #(
  parameter integer N       = 8,
  parameter integer Width   = 48,
  parameter integer IncBits = 4,
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [N*IncBits-1:0] inc_i,
  input  wire                  snapshot_i,
  input  wire                  clear_i,
  input  wire  [IndexBits-1:0] index_i,
  output logic [Width-1:0]     value_o
);
  initial if (N < 1) $fatal(1, "wf_counter_bank: N is %0d, must be 1 or more", N);
  initial if (Width > 64 || Width < IncBits)
    $fatal(1, "wf_counter_bank: Width is %0d, must be IncBits (%0d) to 64", Width, IncBits);

  // Registers, not RAM: all move at once.
  (* mem2reg *) logic [Width-1:0] count_q [N];
  (* mem2reg *) logic [Width-1:0] shot_q [N];
  wire some = inc_i != '0;

  // The common condition comes first: a quiet bank costs a simulator two tests.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < N; i++) count_q[i] <= '0;
    end else if (clear_i) begin
      for (int i = 0; i < N; i++) count_q[i] <= '0;
    end else if (some) begin
      for (int i = 0; i < N; i++) count_q[i] <= count_q[i] + Width'(inc_i[i*IncBits +: IncBits]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (snapshot_i) for (int i = 0; i < N; i++) shot_q[i] <= count_q[i];
  end

  assign value_o = ({1'b0, index_i} < (IndexBits + 1)'(N)) ? shot_q[index_i] : '0;

`ifdef WF_ASSERT_LIVE
  logic             quiet_q;
  logic [Width-1:0] first_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) quiet_q <= 1'b0;
    else quiet_q <= !some && !clear_i;
  end
  always_ff @(posedge clk_i) first_q <= count_q[0];
`endif
  `WF_ASSERT(rule_1_hold, !quiet_q || count_q[0] == first_q,
             "Rule 1: without increments and clear the counters hold")
endmodule
`default_nettype wire
