// For techmap in verify/mutate/netlist: a zero, wherever it is shifted, is zero. Bit writes to a
// register at a variable place bring such cells, which Yosys' own optimization keeps.
(* techmap_celltype = "$shift $shl" *)
module shift_zero (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter _TECHMAP_CONSTMSK_A_ = 0;
  parameter _TECHMAP_CONSTVAL_A_ = 0;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  generate
    if (&_TECHMAP_CONSTMSK_A_ && !(|_TECHMAP_CONSTVAL_A_)) assign Y = 0;
    else wire _TECHMAP_FAIL_ = 1'b1;
  endgenerate
endmodule
