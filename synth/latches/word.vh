// A word of wf_latch_words as latches behind a clock gate, for yosys' techmap: flops hold its data
// through the cycle in which the latches are open; equal ones are merged. LIBRARY.v says with which
// cells.
(* techmap_celltype = "$dffe" *)
module wf_latch_word (CLK, EN, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  parameter EN_POLARITY = 1;
  input CLK, EN;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  wire _TECHMAP_FAIL_ = !CLK_POLARITY || !EN_POLARITY;
  wire [WIDTH-1:0] data;
  wire on, open;
  \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(1)) hold (.CLK(CLK), .D(D), .Q(data));
  `LATCH_LOW(enable, CLK, EN, on);
  `AND_GATE(gate, CLK, on, open);
  genvar i;
  generate for (i = 0; i < WIDTH; i = i + 1) begin : bits
    `LATCH_HIGH(latch, open, data[i], Q[i]);
  end endgenerate
endmodule
