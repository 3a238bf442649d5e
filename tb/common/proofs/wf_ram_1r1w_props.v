// wf_ram_1r1w: a read gives what was last written before that edge, part by part; the output holds.
`default_nettype none
`include "wf_assert.vh"
module wf_ram_1r1w_props #(
  parameter integer Width = 4,
  parameter integer Depth = 3,
  parameter integer PartBits = 2,
  localparam integer AddrBits = (Depth > 1) ? $clog2(Depth) : 1,
  localparam integer Parts = Width / PartBits
) (
  input wire clk_i, input wire wr_en, input wire [AddrBits-1:0] wr_addr,
  input wire [Parts-1:0] wr_mask, input wire [Width-1:0] wr_data, input wire rd_en,
  input wire [AddrBits-1:0] rd_addr
);
`include "formal.vh"
  wire [Width-1:0] rd_data;
  `WF_ASSUME(wr_range, {1'b0, wr_addr} < (AddrBits + 1)'(Depth), "addresses below Depth")
  `WF_ASSUME(rd_range, {1'b0, rd_addr} < (AddrBits + 1)'(Depth), "addresses below Depth")
  wf_ram_1r1w #(.Width(Width), .Depth(Depth), .PartBits(PartBits)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(wr_en && rst_ni), .wr_addr_i(wr_addr),
    .wr_mask_i(wr_mask), .wr_data_i(wr_data), .rd_en_i(rd_en && rst_ni), .rd_addr_i(rd_addr),
    .rd_data_o(rd_data)
  );
  (* anyconst *) wire [AddrBits-1:0] at;
  reg [Width-1:0] word_q, read_q;
  reg [Parts-1:0] known_q, read_known_q;
  initial known_q = '0;
  initial read_known_q = '0;
  always @(posedge clk_i) if (rst_ni) begin
    for (int p = 0; p < Parts; p++) if (wr_en && wr_addr == at && wr_mask[p]) begin
      word_q[p*PartBits +: PartBits] <= wr_data[p*PartBits +: PartBits];
      known_q[p] <= 1'b1;
    end
    if (rd_en) begin
      read_q <= word_q;
      read_known_q <= rd_addr == at ? known_q : '0;
    end
  end
  logic right;
  always_comb begin
    right = 1'b1;
    for (int p = 0; p < Parts; p++)
      if (read_known_q[p] && rd_data[p*PartBits +: PartBits] != read_q[p*PartBits +: PartBits])
        right = 1'b0;
  end
  `WF_ASSERT(word_right, right, "a read gives the word before that edge, and holds it")
  `WF_COVER(same_edge, rd_en && wr_en && rd_addr == at && wr_addr == at && known_q == '1)
  `WF_COVER(read_all, read_known_q == '1)
  `WF_QUIET(!rd_en && !wr_en)
endmodule
`default_nettype wire
