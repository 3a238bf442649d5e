// latch_bank: words in latches that are written and read one at a time, as a RAM is, by one or two
// readers: what a small table of APCM would cost if no compiler made RAM so small.
//
// Timing: as wf_ram_1r1w, whose rd_data_o holds while rd_en_i is low.
//
//   Width 1..   Depth 2..   Reads 1..2
// Storage: what wf_latch_words has, and Reads * Width flops for what is read.
`default_nettype none

module latch_bank #(
  parameter integer Width = 5,
  parameter integer Depth = 48,
  parameter integer Reads = 2,
  localparam integer AddrBits = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  wire                      clk_i,
  input  wire                      rst_ni,
  input  wire                      wr_en_i,
  input  wire [AddrBits-1:0]       wr_addr_i,
  input  wire [Width-1:0]          wr_data_i,
  input  wire [Reads-1:0]          rd_en_i,
  input  wire [Reads*AddrBits-1:0] rd_addr_i,
  output reg  [Reads*Width-1:0]    rd_data_o
);
  wire [Depth*Width-1:0] words;
  reg [Depth-1:0] wr_c;
  reg [Reads*Width-1:0] read_c;
  always_comb begin
    read_c = '0;
    for (int d = 0; d < Depth; d = d + 1) begin
      wr_c[d] = wr_en_i && wr_addr_i == AddrBits'(d);
      for (int r = 0; r < Reads; r = r + 1)
        if (rd_addr_i[r*AddrBits +: AddrBits] == AddrBits'(d))
          read_c[r*Width +: Width] = words[d*Width +: Width];
    end
  end
  wf_latch_words #(.Width(Width), .Depth(Depth)) u_words (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_i(wr_c), .wr_data_i(wr_data_i), .words_o(words)
  );
  always_ff @(posedge clk_i) begin
    for (int r = 0; r < Reads; r = r + 1)
      if (rd_en_i[r]) rd_data_o[r*Width +: Width] <= read_c[r*Width +: Width];
  end
endmodule
`default_nettype wire
