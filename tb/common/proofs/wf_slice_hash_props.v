// wf_slice_hash: of block x = row * NSlice + at, with what row folds to = rest + many * NSlice, the
// slice is at + rest modulo NSlice. The four numbers are any that fit: no division is needed.
`default_nettype none
`include "wf_assert.vh"
module wf_slice_hash_props #(
  parameter integer Bits = 14,
  parameter integer NSlice = 10,
  localparam integer SliceBits = (NSlice > 1) ? $clog2(NSlice) : 1
) (
  input wire clk_i, input wire [Bits-1:0] row, input wire [SliceBits-1:0] at,
  input wire [Bits-1:0] many, input wire [SliceBits-1:0] rest
);
`include "formal.vh"
  localparam integer WideW = Bits + SliceBits + 1;
  localparam [WideW-1:0] N = NSlice;
  wire [WideW-1:0] x = WideW'(row) * N + WideW'(at);
  wire [Bits-1:0] folded = row ^ row >> 4 ^ row >> 9 ^ row >> 15;
  `WF_ASSUME(fits, x < (WideW'(1) << Bits) && WideW'(at) < N, "a block of Bits bits")
  `WF_ASSUME(divides, WideW'(many) * N + WideW'(rest) == WideW'(folded) && WideW'(rest) < N,
             "what the fold leaves")
  wire [SliceBits-1:0] slice;
  wf_slice_hash #(.Bits(Bits), .NSlice(NSlice), .Stages(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(1'b1), .block_i(x[Bits-1:0]), .slice_o(slice));
  wire [SliceBits:0] sum = {1'b0, at} + {1'b0, rest};
  `WF_ASSERT(right, {1'b0, slice} == (sum >= (SliceBits + 1)'(NSlice)
                                      ? sum - (SliceBits + 1)'(NSlice) : sum),
             "the slice is x modulo NSlice, turned by what the row folds to")
  `WF_COVER(turns, rest != '0 && many != '0 && {1'b0, slice} < {1'b0, at})
endmodule
`default_nettype wire
