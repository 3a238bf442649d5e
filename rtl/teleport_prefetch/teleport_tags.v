// teleport_tags: the tags of up to 16 ways, one row per set in a 1R1W RAM, and the comparison of a
// block with its set. Each bank of ways has registers of its own for the tag that is written, so
// that no net drives all of them.
//
// Timing: S0 reads the row, S1 compares, the match is a register in S2. A line that is allocated in
// S2 writes its tag at the end of S2. An operation one behind has read the old row and compares at
// that moment; one two behind reads at the same edge and gets the old row too: both take the new
// tag instead.
//
//   Sets 1, 2, 4 .. 64   Ways 1..32   TagW 1..
// Storage: Sets * Ways * TagW bits of RAM; flops 2 * Ways + 2 * TagW + 2.
`default_nettype none

module teleport_tags #(
  parameter integer Sets = 4,
  parameter integer Ways = 16,
  parameter integer TagW = 23,
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1
) (
  input  wire            clk_i,
  input  wire            rst_ni,
  // S0
  input  wire            rd_i,
  input  wire [SetW-1:0] rd_set_i,
  // S1
  input  wire [SetW-1:0] s1_set_i,
  input  wire [TagW-1:0] s1_tag_i,
  // S2
  input  wire [SetW-1:0] s2_set_i,
  input  wire            s2_ask_i,    // a line may be given
  input  wire [Ways-1:0] s2_alloc_i,  // one-hot, or 0
  output wire [Ways-1:0] s2_match_o
);
  reg [TagW-1:0] s2_tag_q;  // the S2 stage of s1_tag_i
  always_ff @(posedge clk_i) s2_tag_q <= s1_tag_i;
  wire [Ways*TagW-1:0] row;
  wf_ram_1r1w #(.Width(Ways * TagW), .Depth(Sets), .PartBits(TagW)) u_tags (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(s2_ask_i), .wr_addr_i(s2_set_i),
    .wr_mask_i(s2_alloc_i), .wr_data_i({Ways{s2_tag_q}}), .rd_en_i(rd_i), .rd_addr_i(rd_set_i),
    .rd_data_o(row)
  );
  // The tag written one edge ago.
  reg [Ways-1:0] last_alloc_q;
  reg [SetW-1:0] last_set_q;
  reg [TagW-1:0] last_tag_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_alloc_q <= '0;
    else last_alloc_q <= s2_alloc_i;
  end
  always_ff @(posedge clk_i) begin
    last_set_q <= s2_set_i;
    last_tag_q <= s2_tag_q;
  end
  wire now_set = s1_set_i == s2_set_i, now_tag = s1_tag_i == s2_tag_q;
  wire last_set = s1_set_i == last_set_q, last_tag = s1_tag_i == last_tag_q;
  reg [Ways-1:0] match_c, match_q;
  always_comb begin
    for (int w = 0; w < Ways; w = w + 1) begin
      match_c[w] = s2_alloc_i[w] && now_set ? now_tag
                 : last_alloc_q[w] && last_set ? last_tag : row[w*TagW +: TagW] == s1_tag_i;
    end
  end
  always_ff @(posedge clk_i) match_q <= match_c;
  assign s2_match_o = match_q;
endmodule
`default_nettype wire
