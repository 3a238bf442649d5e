// wf_hold: a word stays for one that takes it later. While hold_i is low the output is the input;
// while it is high, what the input was in the last cycle with hold_i low.
//
// Timing: combinational from in_i while hold_i is low. hold_i comes from a flop.
//
// Mapping: written as flops, which simulators, proofs and FPGAs see. Where synth/latches has cells
// of the library, `make synth` makes of it one latch a bit, open in the second half of cycles with
// hold_i low: out_o is there at the next edge, not before. tests/synth proves the two equal there.
//
//   Width 1..
// Storage: Width latches, or Width flops.
`default_nettype none

module wf_hold #(
  parameter integer Width = 8
) (
  input  wire             clk_i,
  input  wire             hold_i,
  input  wire [Width-1:0] in_i,
  output wire [Width-1:0] out_o
);
  initial if (Width < 1) $fatal(1, "wf_hold: Width is %0d, must be 1 or more", Width);

  reg [Width-1:0] held_q;
  always_ff @(posedge clk_i) if (!hold_i) held_q <= in_i;
  assign out_o = hold_i ? held_q : in_i;
endmodule
`default_nettype wire
