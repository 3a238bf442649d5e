// Cells of latches and of clock gates for wf_latch_words, for yosys' techmap. Flops hold a word's
// data through the cycle in which its latches are open; equal ones are merged.
// latches: DLL_X1 DLH_X1
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
  DLL_X1 enable (.GN(CLK), .D(EN), .Q(on));
  AND2_X1 gate (.A1(CLK), .A2(on), .ZN(open));
  genvar i;
  generate for (i = 0; i < WIDTH; i = i + 1) begin : bits
    DLH_X1 latch (.G(open), .D(data[i]), .Q(Q[i]));
  end endgenerate
endmodule
