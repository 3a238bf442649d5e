// spref_reads: two read ports of an SM's instruction buffers, of the warps that spref_edge names:
// of a load all that it may say, of a warp's next instruction what it writes. Combinational.
//
// Parameters
//   NumWarp 1..  LoadW, NextW 1..: bits of either
// Storage: none.
`default_nettype none

module spref_reads #(
  parameter integer NumWarp = 48,
  parameter integer LoadW = 103,
  parameter integer NextW = 8
) (
  input  wire [NumWarp-1:0]       load_bit_i,
  input  wire [NumWarp-1:0]       next_bit_i,
  input  wire [NumWarp*LoadW-1:0] word_i,
  input  wire [NumWarp*NextW-1:0] next_i,
  output reg  [LoadW-1:0]         word_o,
  output reg  [NextW-1:0]         next_o
);
  always_comb begin
    word_o = '0;
    next_o = '0;
    for (int w = 0; w < NumWarp; w = w + 1) begin
      word_o = word_o | (word_i[w*LoadW +: LoadW] & {LoadW{load_bit_i[w]}});
      next_o = next_o | (next_i[w*NextW +: NextW] & {NextW{next_bit_i[w]}});
    end
  end
endmodule
`default_nettype wire
