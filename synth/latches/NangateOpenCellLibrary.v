// Cells for word.vh: NAME(instance, clock or input, data or input, output).
// latches: DLL_X1 DLH_X1
`define LATCH_LOW(name, clk, d, q) DLL_X1 name (.GN(clk), .D(d), .Q(q))
`define LATCH_HIGH(name, clk, d, q) DLH_X1 name (.G(clk), .D(d), .Q(q))
`define AND_GATE(name, a, b, y) AND2_X1 name (.A1(a), .A2(b), .ZN(y))
`include "word.vh"
