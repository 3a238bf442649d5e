// Cells for word.vh: NAME(instance, clock or input, data or input, output).
// latches: DLLx1_ASAP7_75t_R DHLx1_ASAP7_75t_R
`define LATCH_LOW(name, clk, d, q) DLLx1_ASAP7_75t_R name (.CLK(clk), .D(d), .Q(q))
`define LATCH_HIGH(name, clk, d, q) DHLx1_ASAP7_75t_R name (.CLK(clk), .D(d), .Q(q))
`define AND_GATE(name, a, b, y) AND2x2_ASAP7_75t_R name (.A(a), .B(b), .Y(y))
`include "word.vh"
