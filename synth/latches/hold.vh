// A bit of wf_hold (hold_bit.v) as a latch, for yosys' techmap: open while the clock is low and
// nothing is held. Whether something is comes from a flop, so that the gate's output, which all
// bits share, does not move while the clock is low. LIBRARY.v says with which cells.
module wf_hold_bit (CLK, HOLD, IN, OUT);
  input CLK, HOLD, IN;
  output OUT;
  wire closed = CLK | HOLD;
  `LATCH_LOW(latch, closed, IN, OUT);
endmodule
