// wf_latch_words: a few words that are all seen at once; one of them is written per cycle. It is
// meant for tables that are compared as a whole, too small or too wide open for a RAM.
//
// Timing: a word that wr_i names at an edge is wr_data_i after that edge, as a flop is. It is not
// reset.
//
// Mapping: written as flops, which simulators, proofs and FPGAs see. Where synth/latches has cells
// of the library, `make synth` makes of it one register of Width flops for what is written, and
// behind it a latch per bit, open in the first half of the cycle after, with a clock gate per word.
// tests/synth proves the two equal.
//
//   Width 1..   Depth 1..
// Storage: Depth * (Width + 1) latches (one a gate), Width flops; or Depth * Width flops.
//
// Rules
//   1 One word is written at most.
`default_nettype none
`include "wf_assert.vh"

module wf_latch_words #(
  parameter integer Width = 12,
  parameter integer Depth = 16
) (
  input  wire                   clk_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire                   rst_ni,  // for the assertions only
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire [Depth-1:0]       wr_i,
  input  wire [Width-1:0]       wr_data_i,
  output wire [Depth*Width-1:0] words_o
);
  generate
    for (genvar d = 0; d < Depth; d = d + 1) begin : g_word
      reg [Width-1:0] word_q;
      always_ff @(posedge clk_i) if (wr_i[d]) word_q <= wr_data_i;
      assign words_o[d*Width +: Width] = word_q;
    end
  endgenerate
  `WF_ASSERT(rule1, (wr_i & (wr_i - 1'b1)) == '0, "Rule 1: one word is written at most")
endmodule
`default_nettype wire
