// mff_cam: which blocks hold a tag of a table, and the tags that are free. All blocks are compared
// with a request at once: any block may have any tag, so a tag can be a line of its own.
//
// S1, SE and S2 are the stages of mff_table. A look-up (look_i) compares what S1 holds; hit_o and
// hit_tag_o show its match in SE, until the next one, and lose it when the tag is freed. new_o is a
// tag for the request in S2.
//   Tags 1..4096   BlkW: bits of a block's number
// Storage: Tags x (BlkW + 1) flops, and twice that in the match; the free list's RAM.
`default_nettype none
`include "wf_assert.vh"

module mff_cam #(
  parameter integer Tags = 48,
  parameter integer BlkW = 25,
  localparam integer TagW = Tags > 1 ? $clog2(Tags) : 1,
  localparam integer UsedW = $clog2(Tags + 1)
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  // the request in S1 moves on to SE
  input  wire             s1_valid_i,
  input  wire             look_i,
  input  wire [BlkW-1:0]      s1_blk_i,
  // the request in SE
  input  wire             se_valid_i,
  output wire             hit_o,
  output wire [TagW-1:0]  hit_tag_o,
  output wire             hit_frees_o,      // its tag is free_tag_i
  // the request in S2
  input  wire [BlkW-1:0]      s2_blk_i,
  output wire             avail_o,
  output wire [TagW-1:0]  new_o,
  input  wire             take_i,
  // a tag is given back
  input  wire             free_i,
  input  wire [TagW-1:0]  free_tag_i,
  input  wire [TagW-1:0]  free_next_tag_i,  // free_tag_i of the next cycle
  output wire [Tags-1:0]  held_o,
  output wire [UsedW-1:0] used_o
);
  reg [BlkW-1:0] tag_q [0:Tags-1];
  reg [Tags-1:0] held_q;
  reg [Tags-1:0] match_q;             // one bit at most
  assign held_o = held_q;

  // S1: compare. The loop is over 32-bit groups because wide vectors are slow to build bit by bit.
  localparam integer Groups = (Tags + 31) / 32;
  reg [Groups*32-1:0] match_c;
  reg [31:0] group_c;
  always_comb begin
    match_c = '0;
    group_c = '0;
    if (s1_valid_i) begin
      for (int g = 0; g < Groups; g = g + 1) begin
        group_c = '0;
        for (int i = 0; i < 32; i = i + 1)
          if (g * 32 + i < Tags) group_c[i] = tag_q[g*32+i] == s1_blk_i;
        match_c[g*32 +: 32] = group_c;
      end
    end
  end
  wire unused_match = &{1'b0, match_c};

  // SE: encode.
  // coverage: evaluated when the design is elaborated
  function automatic [Tags-1:0] index_bit(input integer b);
    for (int i = 0; i < Tags; i = i + 1) index_bit[i] = ((i >> b) & 1) != 0;
  endfunction
  generate
    for (genvar b = 0; b < TagW; b = b + 1) begin : g_enc
      localparam [Tags-1:0] MASK = index_bit(b);
      assign hit_tag_o[b] = se_valid_i ? |(match_q & MASK) : 1'b0;
    end
  endgenerate
  assign hit_o = se_valid_i ? |match_q : 1'b0;

  // free_tag_i, decoded half by half a cycle ahead.
  localparam integer LowW = (TagW + 1) / 2;
  localparam integer Low = 1 << LowW;
  localparam integer HighN = ((Tags - 1) >> LowW) + 1;
  reg [Low-1:0] free_low_q;
  reg [HighN-1:0] free_high_q;
  wire [TagW-1:0] free_next_high = free_next_tag_i >> LowW;
  always_ff @(posedge clk_i) begin
    free_low_q <= Low'(1) << free_next_tag_i[LowW-1:0];
    free_high_q <= HighN'(1) << free_next_high;
  end
  wire [HighN*Low-1:0] match_all = (HighN * Low)'(match_q);
  reg hit_frees;
  always_comb begin
    hit_frees = 1'b0;
    if (se_valid_i)
      for (int h = 0; h < HighN; h = h + 1)
        if (free_high_q[h] && (match_all[h*Low +: Low] & free_low_q) != '0) hit_frees = 1'b1;
  end
  assign hit_frees_o = hit_frees;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
    end else begin
      if (free_i) held_q[free_tag_i] <= 1'b0;
      if (take_i) held_q[new_o] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (look_i) match_q <= match_c[Tags-1:0] & held_q;
    if (free_i) match_q[free_tag_i] <= 1'b0;
    if (take_i) tag_q[new_o] <= s2_blk_i;
  end

  mff_freelist #(.Entries(Tags)) u_tags (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_o(avail_o), .id_o(new_o), .take_i(take_i),
    .put_i(free_i), .put_id_i(free_tag_i), .used_o(used_o)
  );

  `WF_ASSERT(rule1, !se_valid_i || (match_q & (match_q - 1'b1)) == '0,
             "Rule 1: a request matches one tag at most")
  `WF_ASSERT(rule2, !free_i || (free_low_q == Low'(1) << free_tag_i[LowW-1:0]
                          && free_high_q == HighN'(1) << (free_tag_i >> LowW)),
             "Rule 2: the tag to free was told a cycle ahead")
endmodule

`default_nettype wire
