// mff_hash: a request finds the tag of its block if one is held, and no other; a tag that is taken
// was free; a request waits only while its sets are full. The stages around it are any that
// mff_table may be: requests for one block as one of the two before are left out, since mff_table
// compares those itself.
`default_nettype none
`include "wf_assert.vh"
module mff_hash_props #(
  parameter integer Tags = 4,
  parameter integer Ways = 1,
  parameter integer BlockW = 3,
  localparam integer TagW = Tags > 1 ? $clog2(Tags) : 1,
  localparam integer UsedW = $clog2(Tags + 1)
) (
  input wire clk_i, input wire look, input wire [BlockW-1:0] s1_blk, input wire go,
  input wire free, input wire [TagW-1:0] free_tag
);
`include "formal.vh"
  reg se_valid_q, s2_valid_q, s2_hit_q;
  reg [BlockW-1:0] se_blk_q, s2_blk_q;
  initial {se_valid_q, s2_valid_q} = '0;
  reg [Tags-1:0] out_q;                       // tags that are held, and their blocks
  reg [Tags*BlockW-1:0] block_q;
  initial out_q = '0;

  wire hit, hit_frees, avail;
  wire [TagW-1:0] hit_tag, new_tag;
  wire [Tags-1:0] held;
  wire [UsedW-1:0] used;
  wire fire = s2_valid_q && go && (s2_hit_q || avail);
  wire take = fire && !s2_hit_q;
  wire se_move = se_valid_q && (!s2_valid_q || fire);
  wire looks = look && rst_ni && (!se_valid_q || se_move);
  wire frees = free && rst_ni;
  mff_hash #(.Tags(Tags), .Ways(Ways)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .look_i(looks), .s1_blk_i(25'(s1_blk)),
    .se_valid_i(se_valid_q), .se_move_i(se_move), .se_blk_i(25'(se_blk_q)), .hit_o(hit),
    .hit_tag_o(hit_tag), .hit_frees_o(hit_frees), .s2_valid_i(s2_valid_q),
    .s2_blk_i(25'(s2_blk_q)), .avail_o(avail), .new_o(new_tag), .take_i(take), .free_i(frees),
    .free_tag_i(free_tag), .held_o(held), .used_o(used)
  );
  `WF_ASSUME(apart, !looks || (!(se_valid_q && s1_blk == se_blk_q)
                               && !(s2_valid_q && s1_blk == s2_blk_q)),
             "neighbours are mff_table's")
  `WF_ASSUME(held_tags, !frees || out_q[free_tag], "a held tag is freed")
  always @(posedge clk_i) if (rst_ni) begin
    if (looks || se_move) se_valid_q <= looks;
    if (looks) se_blk_q <= s1_blk;
    if (se_move || fire) s2_valid_q <= se_move;
    if (se_move) begin
      s2_blk_q <= se_blk_q;
      s2_hit_q <= hit && !(frees && hit_frees);
    end
    if (frees) out_q[free_tag] <= 1'b0;
    if (take) begin
      out_q[new_tag] <= 1'b1;
      block_q[new_tag*BlockW +: BlockW] <= s2_blk_q;
    end
  end
  logic there;
  always_comb begin
    there = 1'b0;
    for (int i = 0; i < Tags; i++)
      if (out_q[i] && block_q[i*BlockW +: BlockW] == se_blk_q) there = 1'b1;
  end
  `WF_ASSERT(found, !se_valid_q || hit == there, "a block is found while it holds a tag")
  `WF_ASSERT(right, !hit || (out_q[hit_tag] && block_q[hit_tag*BlockW +: BlockW] == se_blk_q),
             "the tag that is found is the block's")
  `WF_ASSERT(frees_right, hit_frees == (hit && hit_tag == free_tag), "its tag is the one freed")
  `WF_ASSERT(was_free, !take || !out_q[new_tag], "a tag that is taken was free")
  `WF_ASSERT(agree, held == out_q, "held_o has the tags that are held")
  // Two cycles without a tag that comes back: no tag is free that would do.
  reg [1:0] wait_q;
  initial wait_q = 2'd0;
  always @(posedge clk_i)
    wait_q <= !rst_ni || se_move || frees || !s2_valid_q ? 2'd0 : wait_q + {1'b0, wait_q != 2'd3};
  `WF_ASSERT(waits, wait_q != 2'd3 || avail || out_q != '0, "a request waits for held tags only")
  reg back_q;
  initial back_q = 1'b0;
  always @(posedge clk_i) back_q <= frees;
  logic [UsedW-1:0] count;
  always_comb begin
    count = '0;
    for (int i = 0; i < Tags; i++) count = count + UsedW'(out_q[i]);
  end
  `WF_ASSERT(counted, {1'b0, used} == {1'b0, count} + {{UsedW{1'b0}}, back_q},
             "used_o counts tags that are held")
  `WF_COVER(all_held, out_q == '1)
  `WF_COVER(sets_full, wait_q == 2'd3 && !avail && out_q != '1)
endmodule
`default_nettype wire
