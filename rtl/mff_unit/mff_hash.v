// mff_hash: which blocks hold a tag of a table, and the tags that are free, as mff_cam, in RAM: two
// banks of sets, each with a hash of its own. A block may have a tag of its set in either bank, and
// takes one in the bank whose set has more room. A request for which both sets are full waits until
// one of those tags is freed: so the table's owner frees tags when a request waits, not only when
// none is left.
//
// S1, SE and S2 are the stages of mff_table. S1 hashes the block, reads its two sets and looks up
// which of their ways are held; SE compares, and keeps what it knows of the ways true while others
// take and free them, and picks the way that S2 takes; if there is none, S2 picks again in each
// cycle. A block that S2 has yet to write is not found: mff_table compares the requests ahead.
//   Tags 1..4096, a power of two   Ways of a set 1, 2, 4, 8 (fewer if there are fewer tags)
//   Tag number: {bank, way, set}
// Storage: RAM Tags x BlkW; flops Tags, 4 for each of the 2 x Ways ways, and four set numbers.
`default_nettype none
`include "wf_assert.vh"

module mff_hash #(
  parameter integer Tags = 256,
  parameter integer Ways = 4,
  parameter integer BlkW = 25,
  localparam integer TagW = Tags > 1 ? $clog2(Tags) : 1,
  localparam integer UsedW = $clog2(Tags + 1)
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  // the request in S1, if there is one, moves on to SE
  input  wire             look_i,
  input  wire [BlkW-1:0]      s1_blk_i,
  // the request in SE, and whether it moves on to S2
  input  wire             se_valid_i,
  input  wire             se_move_i,
  input  wire [BlkW-1:0]      se_blk_i,
  output wire             hit_o,
  output wire [TagW-1:0]  hit_tag_o,
  output wire             hit_frees_o,      // its tag is free_tag_i
  // the request in S2
  input  wire             s2_valid_i,
  input  wire [BlkW-1:0]      s2_blk_i,
  output wire             avail_o,
  output wire [TagW-1:0]  new_o,
  input  wire             take_i,
  // a tag is given back
  input  wire             free_i,
  input  wire [TagW-1:0]  free_tag_i,
  output wire [Tags-1:0]  held_o,
  output wire [UsedW-1:0] used_o
);
  localparam integer Banks = Tags > 1 ? 2 : 1;
  localparam integer PerBank = Tags / Banks;
  localparam integer W = Ways < PerBank ? Ways : PerBank;
  localparam integer Sets = PerBank / W;
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1;
  localparam integer N = Banks * W;         // ways in all

  wire [Tags-1:0] held_q;
  assign held_o = held_q;
  wire [TagW-1:0] free_set = Sets > 1 ? free_tag_i & TagW'(Sets - 1) : '0;
  wire [TagW-1:0] free_way = free_tag_i >> $clog2(Sets);
  wire [N-1:0] frees = free_i ? N'(1) << free_way : '0;

  wire [N-1:0] match, match_frees;
  wire [N*TagW-1:0] tag;                    // of each way: its number in SE's sets
  // Ways that are held: as SE knows, and if S2 takes its own now, which comes late.
  wire [N-1:0] se_held, se_after, s2_held;
  wire [N-1:0] se_pick, after_pick, s2_pick;
  wire [TagW-1:0] se_new, after_new, s2_new;
  wire [Banks*SetW-1:0] se_set, s2_set;
  reg [N-1:0] pick_q;                       // of the request in S2: one bit at most
  reg avail_q;                              // there is one
  reg [TagW-1:0] new_q;
  wire [N-1:0] took = take_i ? pick_q : '0;
  wire [Banks-1:0] unlike;
  mff_ways #(.Banks(Banks), .Ways(W), .Sets(Sets), .SetW(SetW), .TagW(TagW)) u_se (
    .held_i(se_held), .set_i(se_set), .pick_o(se_pick), .tag_o(se_new)
  );
  mff_ways #(.Banks(Banks), .Ways(W), .Sets(Sets), .SetW(SetW), .TagW(TagW)) u_after (
    .held_i(se_after), .set_i(se_set), .pick_o(after_pick), .tag_o(after_new)
  );
  mff_ways #(.Banks(Banks), .Ways(W), .Sets(Sets), .SetW(SetW), .TagW(TagW)) u_s2 (
    .held_i(s2_held), .set_i(s2_set), .pick_o(s2_pick), .tag_o(s2_new)
  );
  always_ff @(posedge clk_i) begin
    pick_q <= !se_move_i ? s2_pick : take_i ? after_pick : se_pick;
    new_q <= !se_move_i ? s2_new : take_i ? after_new : se_new;
    avail_q <= !se_move_i ? s2_held != '1 : take_i ? se_after != '1 : se_held != '1;
  end

  generate
    for (genvar b = 0; b < Banks; b = b + 1) begin : g_bank
      // S1: bank 0 adds the block's fields, bank 1 turns field k by k places first.
      reg [SetW-1:0] mixed, se_set_q, s2_set_q;
      always_comb begin
        mixed = '0;
        for (int k = 0; k < (BlkW + SetW - 1) / SetW; k = k + 1)
          mixed = mixed ^ SetW'({2{SetW'(s1_blk_i >> k * SetW)}} >> (SetW - (k * b) % SetW));
      end
      wire [SetW-1:0] s1_set = Sets > 1 ? mixed : '0;
      wire s1_freed = s1_set == free_set[SetW-1:0];
      wire se_freed = se_set_q == free_set[SetW-1:0];
      wire s2_freed = s2_set_q == free_set[SetW-1:0];
      wire s1_near = s1_set == s2_set_q;
      wire se_near = se_set_q == s2_set_q;
      wire [W*BlkW-1:0] row;
      reg [W-1:0] s1_held;
      always_comb begin
        s1_held = '0;
        for (int w = 0; w < W; w = w + 1)
          s1_held[w] = (held_q[(b * W + w) * Sets +: Sets] & (Sets'(1) << s1_set)) != '0;
      end
      // What is held: of the request in SE when its sets were read, and now; of that in S2 now.
      reg [W-1:0] se_read_q, se_held_q, s2_held_q;
      wire [W-1:0] way_frees = frees[b*W +: W];
      wire [W-1:0] se_gone = se_freed ? way_frees : '0;
      wire [W-1:0] se_now = (se_held_q & ~se_gone) | (se_near ? took[b*W +: W] : '0);
      assign se_held[b*W +: W] = se_held_q;
      assign se_after[b*W +: W] = se_held_q | (se_near ? pick_q[b*W +: W] : '0);
      assign s2_held[b*W +: W] = s2_held_q;
      assign se_set[b*SetW +: SetW] = se_set_q;
      assign s2_set[b*SetW +: SetW] = s2_set_q;
      wire [W-1:0] s1_now = s1_held & ~(s1_freed ? way_frees : '0);
      always_ff @(posedge clk_i) begin
        if (look_i) begin
          se_set_q <= s1_set;
          se_read_q <= s1_now;
          se_held_q <= s1_now | (s1_near ? took[b*W +: W] : '0);
        end else begin
          se_read_q <= se_read_q & ~se_gone;
          se_held_q <= se_now;
        end
        if (se_move_i) begin
          s2_set_q <= se_set_q;
          s2_held_q <= se_now;
        end else begin
          s2_held_q <= s2_held_q & ~(s2_freed ? way_frees : '0);
        end
      end
      wf_ram_1r1w #(.Width(W * BlkW), .Depth(Sets), .PartBits(BlkW)) u_blocks (
        .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(took[b*W +: W] != '0),
        .wr_mask_i(took[b*W +: W]), .wr_addr_i(s2_set_q), .wr_data_i({W{s2_blk_i}}),
        .rd_en_i(look_i), .rd_addr_i(s1_set), .rd_data_o(row)
      );
      for (genvar w = 0; w < W; w = w + 1) begin : g_way
        localparam integer FirstI = (b * W + w) * Sets;
        assign match[b*W+w] = se_valid_i && se_read_q[w] && row[w*BlkW +: BlkW] == se_blk_i;
        assign match_frees[b*W+w] = match[b*W+w] && se_freed && free_way == TagW'(b * W + w);
        assign tag[(b*W+w)*TagW +: TagW] = FirstI[TagW-1:0] + TagW'(se_set_q);
      end
      // For rule 3.
      reg [W-1:0] held_c;
      always_comb begin
        held_c = '0;
        for (int w = 0; w < W; w = w + 1)
          held_c[w] = held_q[TagW'((b * W + w) * Sets) + TagW'(s2_set_q)];
      end
      assign unlike[b] = s2_held_q != held_c;
    end
  endgenerate

  reg [TagW-1:0] hit_tag;
  always_comb begin
    hit_tag = '0;
    for (int n = 0; n < N; n = n + 1) if (match[n]) hit_tag = hit_tag | tag[n*TagW +: TagW];
  end
  assign hit_o = match != '0;
  assign hit_tag_o = hit_tag;
  assign hit_frees_o = match_frees != '0;
  assign avail_o = avail_q;
  assign new_o = new_q;

  mff_flags #(.N(Tags)) u_held (
    .clk_i(clk_i), .rst_ni(rst_ni), .set_i(take_i), .set_at_i(new_o), .clear_i(free_i),
    .clear_at_i(free_tag_i), .flags_o(held_q)
  );

  // Tags that came back in the cycle before are counted.
  reg [UsedW-1:0] used_q;
  reg back_q;
  assign used_o = used_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      back_q <= 1'b0;
    end else begin
      back_q <= free_i;
      if (take_i != back_q) used_q <= take_i ? used_q + 1'b1 : used_q - 1'b1;
    end
  end

  wire unused = &{1'b0, free_set, unlike};
  initial if (Tags < 1 || (Tags & (Tags - 1)) != 0)
    $fatal(1, "mff_hash: Tags must be a power of two");
  initial if (Ways != 1 && Ways != 2 && Ways != 4 && Ways != 8)
    $fatal(1, "mff_hash: Ways must be 1, 2, 4 or 8");
  `WF_ASSERT_PROVEN(rule1, (match & (match - 1'b1)) == '0,
                    "Rule 1: a request matches one tag at most")
  `WF_ASSERT(rule2, !take_i || (pick_q != '0 && (pick_q & (pick_q - 1'b1)) == '0),
             "Rule 2: the tag that is taken is one")
  `WF_ASSERT_PROVEN(rule4, !s2_valid_i || avail_q == (pick_q != '0),
                    "Rule 4: a tag is there if one is picked")
  `WF_ASSERT_PROVEN(rule3, !s2_valid_i || unlike == '0, "Rule 3: S2 knows which ways are held")
endmodule

`default_nettype wire
