// mff_fence: completions of scatters that wait until their bits are in memory. The unit sends one
// when memory has accepted its writes; over a bus they are in memory when they were answered. A
// completion that is offered starts a fence over the writes of all slices, or waits for the next if
// one runs; then it is let pass. What follows it in its slice waits behind it.
//
// Timing: with no write on its way a completion waits two edges.
// Storage: 2 * N + 1 flops.
//
// Rules
//   1 An offer stays until it is taken, which it is not before it may.
`default_nettype none
`include "wf_assert.vh"

module mff_fence #(
  parameter integer N = 6  // slices
) (
  input  wire         clk_i,
  input  wire         rst_ni,
  input  wire [N-1:0] wait_i,    // a completion of a scatter is offered, and stays
  input  wire [N-1:0] taken_i,   // it is taken at this edge
  output wire [N-1:0] pass_o,    // it may be
  output wire         fence_o,   // a fence begins at this edge
  input  wire         done_i     // it is over
);
  reg run_q;
  reg [N-1:0] cover_q, pass_q;
  wire [N-1:0] want = wait_i & ~pass_q;
  wire over = run_q && done_i;
  assign fence_o = !run_q && want != '0;
  assign pass_o = pass_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      run_q <= 1'b0;
      cover_q <= '0;
      pass_q <= '0;
    end else begin
      if (fence_o) begin
        run_q <= 1'b1;
        cover_q <= want;
      end else if (over) run_q <= 1'b0;
      pass_q <= (pass_q | (over ? cover_q : '0)) & ~taken_i;
    end
  end
  `WF_ASSERT(rule_1_pass, (pass_q & ~wait_i) == '0, "Rule 1: who may pass is there until taken")
  `WF_ASSUME(rule_1_taken, (taken_i & ~(wait_i & pass_o)) == '0,
             "Rule 1: what is taken was offered and let pass")
endmodule
`default_nettype wire
