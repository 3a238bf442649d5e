// A bit of wf_hold as yosys has it, for its pass `extract`.
module wf_hold_bit (CLK, HOLD, IN, OUT);
  input CLK, HOLD, IN;
  output OUT;
  wire held;
  \$_DFF_P_ flop (.C(CLK), .D(OUT), .Q(held));
  \$_MUX_ mux (.A(IN), .B(held), .S(HOLD), .Y(OUT));
endmodule
