// wf_mod_slice: slice(0) = 0 and slice(x + 1) = slice(x) + 1 modulo NSlice, for all x: so it is x
// mod NSlice.
`default_nettype none
`include "wf_assert.vh"
module wf_mod_slice_props #(
  parameter integer Bits = 25,
  parameter integer NSlice = 6,
  localparam integer SliceBits = (NSlice > 1) ? $clog2(NSlice) : 1
) (
  input wire clk_i, input wire [Bits-1:0] x
);
`include "formal.vh"
  wire [SliceBits-1:0] of_x, of_next, of_zero;
  wire [Bits-1:0] next = x + 1'b1;
  wf_mod_slice #(.Bits(Bits), .NSlice(NSlice)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(1'b1), .block_i(x), .slice_o(of_x));
  wf_mod_slice #(.Bits(Bits), .NSlice(NSlice)) other (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(1'b1), .block_i(next), .slice_o(of_next));
  wf_mod_slice #(.Bits(Bits), .NSlice(NSlice)) zero (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(1'b1), .block_i('0), .slice_o(of_zero));
  localparam [SliceBits-1:0] LAST = NSlice - 1;
  `WF_ASSERT(starts, of_zero == '0, "0 belongs to slice 0")
  `WF_ASSERT(steps, x == '1 || of_next == (of_x == LAST ? '0 : of_x + 1'b1),
             "the next block, the next slice")
  `WF_COVER(wraps, x != '1 && of_x == LAST && of_next == '0)
endmodule
`default_nettype wire
