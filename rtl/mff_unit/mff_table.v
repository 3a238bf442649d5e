// mff_table: outstanding blocks of one slice, each with the list of requests that wait for it.
//
// A request {block, payload} is looked up among all outstanding blocks. A match joins that block's
// list; a miss takes a tag and asks for one block read. Lists are LIFO, so an insert is one write
// of {payload, old head} to the register RAM and one write to the head RAM: no tail, no second
// write.
//
// Pipeline, one request per cycle: S1 looks its block up, among all tags (mff_cam) or those of two
// sets (mff_hash); SE has the match; S2 takes a register and, on a miss, a tag; S3 has the old head
// and writes node and head. S1 misses a tag that one of
// the two requests ahead has yet to write in S2, so it compares their blocks too (se_same_q,
// se_prev_q): their tag is that of the request that left S2 last. The head RAM returns old data, so
// S3 forwards the head just written.
//
// The walker works beside the pipeline, through a second copy of the head RAM:
//   detach: takes the whole list of a tag; det_head_o is its first node one cycle later. A request
//           that is in S2 for this tag in the same cycle starts the tag's next list.
//   free:   gives the tag back, unless its list is not empty or S2 is joining it in this very cycle
//           (free_done_o low: the tag's list is or will be non-empty). A request that matched the
//           tag but waits in S2 for a register, or is not yet there, loses its match and becomes a
//           miss: so freeing never waits for S2, and S2 never waits for a free of a tag it matched.
//   list:   list_o tells whether the list of free_tag_i is not empty; it is looked up a cycle
//           ahead, and a detach is seen by what looks two cycles later (Rule 9).
//   join:   join_o follows, by one cycle, a request that began a new list of a held tag; alloc_o
//           one that took a tag.
//   node:   node_re_i reads node node_id_i; its fields hold from the next cycle until the next
//           read.
//   put:    gives a register back.
//
//   Tags 1..4096   Regs 1..65536   PayloadW 1 or more   HasAddr: 1 keeps tag -> block readable
//   Ways: 0: any block may have any tag; 1, 2, 4, 8: hashed, ways of a set (Tags: a power of 2)
// Storage: Tags flops and those of mff_cam or mff_hash; RAM: Regs x (PayloadW + log2 Regs + 1)
// nodes, 2 x Tags x log2 Regs heads, free lists, HasAddr x Tags x BlkW.
`default_nettype none
`include "wf_assert.vh"

module mff_table #(
  parameter integer Tags = 240,
  parameter integer Regs = 1237,
  parameter integer PayloadW = 25,
  parameter integer BlkW = 25,            // bits of a block's number
  parameter integer HasAddr = 1,
  parameter integer Ways = 0,
  localparam integer TagW = Tags > 1 ? $clog2(Tags) : 1,
  localparam integer RegW = Regs > 1 ? $clog2(Regs) : 1,
  localparam integer TagUsedW = $clog2(Tags + 1),
  localparam integer RegUsedW = $clog2(Regs + 1)
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  // requests
  input  wire                in_valid_i,
  output wire                in_ready_o,
  input  wire [BlkW-1:0]         in_blk_i,
  input  wire [PayloadW-1:0] in_payload_i,
  // block reads
  output wire                rd_valid_o,
  input  wire                rd_ready_i,
  output wire [BlkW-1:0]         rd_blk_o,
  output wire [TagW-1:0]     rd_tag_o,
  // walker
  input  wire                det_i,
  input  wire [TagW-1:0]     det_tag_i,
  output wire [RegW-1:0]     det_head_o,
  input  wire                free_i,
  input  wire [TagW-1:0]     free_tag_i,
  input  wire [TagW-1:0]     free_next_tag_i, // free_tag_i of the next cycle
  output wire                free_done_o,
  output wire                list_o,
  // the request inserted in the cycle before: it asked for a block, or was the first of a new list
  output wire                alloc_o,
  output wire                join_o,
  output wire [TagW-1:0]     join_tag_o,
  input  wire                node_re_i,
  input  wire [RegW-1:0]     node_id_i,
  output wire [PayloadW-1:0] node_payload_o,
  output wire [RegW-1:0]     node_next_o,
  output wire                node_last_o,
  input  wire                put_i,
  input  wire [RegW-1:0]     put_id_i,
  // block of a tag, one cycle after the request
  input  wire                addr_re_i,
  input  wire [TagW-1:0]     addr_tag_i,
  output wire [BlkW-1:0]         addr_blk_o,
  // events of this cycle, and occupancy
  output wire                ev_lookup_o,
  output wire                ev_merge_o,
  output wire                ev_stall_tag_o,
  output wire                ev_stall_reg_o,
  output wire                ev_stall_rd_o,
  output wire [TagUsedW-1:0] tags_used_o,
  output wire [RegUsedW-1:0] regs_used_o,
  output wire                quiet_o,     // no request waits
  output wire                empty_o
);
  localparam integer NodeW = PayloadW + RegW + 1;

  wire [Tags-1:0] held;
  wire [Tags-1:0] nonempty_q;
  mff_flags #(.N(Tags)) u_nonempty (
    .clk_i(clk_i), .rst_ni(rst_ni), .set_i(s2_fire), .set_at_i(s2_tag), .clear_i(clear),
    .clear_at_i(det_tag_q), .flags_o(nonempty_q)
  );

  reg s1_valid_q, se_valid_q, s2_valid_q, s3_valid_q;
  reg [BlkW-1:0] s1_blk_q, se_blk_q, s2_blk_q;
  reg [PayloadW-1:0] s1_payload_q, se_payload_q, s2_payload_q, s3_payload_q;
  reg se_same_q;                      // same block as the request before, which was in SE or S2
  reg se_prev_q;                      // same block as the one before that, which
                                      // left S2 when this left S1
  reg s2_hit_q;
  reg [TagW-1:0] s2_tag_q;
  reg s2_same_q;                      // same block as the request before, whose tag is s3_tag_q
  reg [TagW-1:0] s3_tag_q;
  reg [RegW-1:0] s3_reg_q, s3_fwd_head_q;
  reg s3_chain_q, s3_fwd_q, s3_hit_q;

  wire tag_avail, reg_avail, rdq_ready;
  wire [TagW-1:0] tag_new;
  wire [RegW-1:0] reg_new;
  wire se_hit, se_frees;              // se_frees: the tag that SE matched is free_tag_i
  wire [TagW-1:0] se_tag;

  // A neighbour's tag is s3_tag_q: that of the request before if it left S2 already, else that of
  // the one before that.
  wire se_near = (se_same_q && !s2_valid_q) || se_prev_q;
  wire s3_is_free = s3_tag_q == free_tag_i;
  wire se_lost = se_near ? s3_is_free : se_frees;

  // S2: decide.
  wire s2_hit = s2_same_q || s2_hit_q;
  wire [TagW-1:0] s2_tag = s2_same_q ? s3_tag_q : s2_hit_q ? s2_tag_q : tag_new;
  wire s2_fire = s2_valid_q && reg_avail && (s2_hit || (tag_avail && rdq_ready));
  wire s2_alloc = s2_valid_q && reg_avail && !s2_hit && tag_avail && rdq_ready;
  wire s2_is_free = s2_tag_q == free_tag_i;
  wire s2_uses_free = s2_same_q ? s3_is_free : s2_hit_q && s2_is_free;
  // A detach clears its bit a cycle late. Whether the list of s3_tag_q is empty is told by a bit of
  // its own.
  reg s3_list_q;
  wire s3_keeps = s3_list_q && !(det_i && s3_tag_q == det_tag_i);
  reg det_q;
  reg [TagW-1:0] det_tag_q;
  wire clear = det_q && !(s3_valid_q && s3_tag_q == det_tag_q);
  wire s2_keeps = s2_hit_q && nonempty_q[s2_tag_q] && !(clear && s2_tag_q == det_tag_q);
  wire s2_chain = s2_same_q ? s3_list_q : s2_keeps;
  // A detach in the cycle in which the request left S2 comes too late for S2: it counts here.
  wire s3_chain = s3_chain_q && !(det_q && s3_tag_q == det_tag_q);
  wire se_move = se_valid_q && (!s2_valid_q || s2_fire);
  wire s1_move = s1_valid_q && (!se_valid_q || se_move);

  reg list_q;
  assign list_o = list_q || (s3_valid_q && s3_is_free);
  assign alloc_o = s3_valid_q && !s3_hit_q;
  assign join_o = s3_valid_q && s3_hit_q && !s3_chain;
  assign join_tag_o = s3_tag_q;

  assign in_ready_o = !s1_valid_q || s1_move;
  assign free_done_o = free_i && !list_o
                       && !(s2_valid_q && s2_uses_free && reg_avail);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s1_valid_q <= 1'b0;
      se_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s3_valid_q <= 1'b0;
      det_q <= 1'b0;
    end else begin
      if (in_ready_o) s1_valid_q <= in_valid_i;
      if (s1_move || se_move) se_valid_q <= s1_move;
      if (se_move || s2_fire) s2_valid_q <= se_move;
      s3_valid_q <= s2_fire;
      det_q <= det_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i && in_ready_o) begin
      s1_blk_q <= in_blk_i;
      s1_payload_q <= in_payload_i;
    end
    if (s1_move) begin
      se_blk_q <= s1_blk_q;
      se_payload_q <= s1_payload_q;
      se_same_q <= se_valid_q ? s1_blk_q == se_blk_q : s2_valid_q && s1_blk_q == s2_blk_q;
      se_prev_q <= se_valid_q && s2_valid_q && s1_blk_q == s2_blk_q;
    end else if (free_done_o && s3_is_free) begin
      se_prev_q <= 1'b0;
    end
    if (se_move) begin
      s2_blk_q <= se_blk_q;
      s2_payload_q <= se_payload_q;
      s2_same_q <= se_same_q && s2_valid_q;
      s2_hit_q <= (se_near || se_hit) && !(free_done_o && se_lost);
      s2_tag_q <= se_near ? s3_tag_q : se_tag;
    end else if (free_done_o && s2_uses_free) begin
      s2_same_q <= 1'b0;
      s2_hit_q <= 1'b0;
    end
    if (!s2_fire) s3_list_q <= s3_keeps;
    det_tag_q <= det_tag_i;
    list_q <= nonempty_q[free_next_tag_i];
    if (s2_fire) begin
      s3_tag_q <= s2_tag;
      s3_list_q <= 1'b1;
      s3_reg_q <= reg_new;
      s3_payload_q <= s2_payload_q;
      s3_chain_q <= s2_chain;
      s3_hit_q <= s2_hit;
      s3_fwd_q <= s3_valid_q && s2_tag == s3_tag_q;
      s3_fwd_head_q <= s3_reg_q;
    end
  end

  // S3: node and head.
  wire [RegW-1:0] s3_ram_head;
  wire [RegW-1:0] s3_old_head = s3_fwd_q ? s3_fwd_head_q : s3_ram_head;
  wire [NodeW-1:0] node;

  wf_ram_1r1w #(.Width(RegW), .Depth(Tags)) u_heads (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(s3_valid_q), .wr_mask_i(1'b1), .wr_addr_i(s3_tag_q),
    .wr_data_i(s3_reg_q), .rd_en_i(s2_fire), .rd_addr_i(s2_tag), .rd_data_o(s3_ram_head)
  );

  wire [RegW-1:0] det_ram_head;
  reg det_fwd_q;
  reg [RegW-1:0] det_fwd_head_q;
  wf_ram_1r1w #(.Width(RegW), .Depth(Tags)) u_heads_walk (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(s3_valid_q), .wr_mask_i(1'b1), .wr_addr_i(s3_tag_q),
    .wr_data_i(s3_reg_q), .rd_en_i(det_i), .rd_addr_i(det_tag_i), .rd_data_o(det_ram_head)
  );
  always_ff @(posedge clk_i) begin
    if (det_i) begin
      det_fwd_q <= s3_valid_q && s3_tag_q == det_tag_i;
      det_fwd_head_q <= s3_reg_q;
    end
  end
  assign det_head_o = det_fwd_q ? det_fwd_head_q : det_ram_head;

  wf_ram_1r1w #(.Width(NodeW), .Depth(Regs)) u_nodes (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(s3_valid_q), .wr_mask_i(1'b1), .wr_addr_i(s3_reg_q),
    .wr_data_i({!s3_chain, s3_old_head, s3_payload_q}),
    .rd_en_i(node_re_i), .rd_addr_i(node_id_i), .rd_data_o(node)
  );
  assign {node_last_o, node_next_o, node_payload_o} = node;

  generate
    if (HasAddr != 0) begin : g_addr
      wf_ram_1r1w #(.Width(BlkW), .Depth(Tags)) u_addr (
        .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(s2_alloc), .wr_mask_i(1'b1), .wr_addr_i(tag_new),
        .wr_data_i(s2_blk_q), .rd_en_i(addr_re_i), .rd_addr_i(addr_tag_i), .rd_data_o(addr_blk_o)
      );
    end else begin : g_no_addr
      wire unused = &{1'b0, addr_re_i, addr_tag_i};
      assign addr_blk_o = '0;
    end
  endgenerate

  generate
    if (Ways == 0) begin : g_cam
      mff_cam #(.Tags(Tags), .BlkW(BlkW)) u_tags (
        .clk_i(clk_i), .rst_ni(rst_ni), .s1_valid_i(s1_valid_q), .look_i(s1_move),
        .s1_blk_i(s1_blk_q), .se_valid_i(se_valid_q), .hit_o(se_hit), .hit_tag_o(se_tag),
        .hit_frees_o(se_frees), .s2_blk_i(s2_blk_q), .avail_o(tag_avail), .new_o(tag_new),
        .take_i(s2_alloc), .free_i(free_done_o), .free_tag_i(free_tag_i),
        .free_next_tag_i(free_next_tag_i), .held_o(held), .used_o(tags_used_o)
      );
    end else begin : g_hash
      mff_hash #(.Tags(Tags), .Ways(Ways), .BlkW(BlkW)) u_tags (
        .clk_i(clk_i), .rst_ni(rst_ni), .look_i(s1_move && s1_valid_q),
        .s1_blk_i(s1_blk_q), .se_valid_i(se_valid_q), .se_move_i(se_move), .se_blk_i(se_blk_q),
        .hit_o(se_hit), .hit_tag_o(se_tag), .hit_frees_o(se_frees), .s2_valid_i(s2_valid_q),
        .s2_blk_i(s2_blk_q),
        .avail_o(tag_avail), .new_o(tag_new), .take_i(s2_alloc), .free_i(free_done_o),
        .free_tag_i(free_tag_i), .held_o(held), .used_o(tags_used_o)
      );
    end
  endgenerate
  mff_freelist #(.Entries(Regs)) u_regs (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_o(reg_avail), .id_o(reg_new), .take_i(s2_fire),
    .put_i(put_i), .put_id_i(put_id_i), .used_o(regs_used_o)
  );
  wf_skid #(.Width(BlkW + TagW)) u_rdq (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(s2_alloc), .in_ready_o(rdq_ready),
    .in_data_i({s2_blk_q, tag_new}), .out_valid_o(rd_valid_o), .out_ready_i(rd_ready_i),
    .out_data_o({rd_blk_o, rd_tag_o})
  );

  assign ev_lookup_o = s2_fire;
  assign ev_merge_o = s2_fire && s2_hit;
  assign ev_stall_reg_o = s2_valid_q && !reg_avail;
  assign ev_stall_tag_o = s2_valid_q && reg_avail && !s2_hit && !tag_avail;
  assign ev_stall_rd_o = s2_valid_q && reg_avail && !s2_hit && tag_avail && !rdq_ready;
  assign quiet_o = regs_used_o == '0 && !s1_valid_q && !se_valid_q && !s2_valid_q;
  assign empty_o = tags_used_o == '0 && !s1_valid_q && !se_valid_q && !s2_valid_q;

`ifdef WF_ASSERT_LIVE
  reg [BlkW-1:0] blk_q [0:Tags-1];
  always_ff @(posedge clk_i) if (s2_alloc) blk_q[tag_new] <= s2_blk_q;
  reg twice_c;
  always_comb begin
    twice_c = 1'b0;
    if (s2_alloc)
      // coverage: the branch is taken when rule 1 is broken
      for (int i = 0; i < Tags; i = i + 1) if (held[i] && blk_q[i] == s2_blk_q) twice_c = 1'b1;
  end
`endif
  `WF_ASSERT(rule1, !twice_c, "Rule 1: no two tags hold the same block")
  `WF_ASSERT(rule2, !s2_alloc || !held[tag_new], "Rule 2: a tag given out was free")
  `WF_ASSERT(rule3, !det_i || (held[det_tag_i] && nonempty_q[det_tag_i]),
             "Rule 3: only a held, non-empty list is detached")
  `WF_ASSERT(rule4, !free_i || held[free_tag_i], "Rule 4: only a held tag is freed")
  `WF_ASSERT(rule5, !free_done_o || !(s2_fire && s2_tag == free_tag_i),
             "Rule 5: no request joins a tag in the cycle it is freed")
  `WF_ASSERT(rule6, !s2_fire || (s2_alloc ? !s2_hit : held[s2_tag]),
             "Rule 6: a merge joins a held tag")
`ifdef WF_ASSERT_LIVE
  reg near_q;                         // a tag was detached in the cycle before the last
  reg [TagW-1:0] near_tag_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) near_q <= 1'b0;
    else near_q <= det_q;
  end
  always_ff @(posedge clk_i) near_tag_q <= det_tag_q;
`endif
  `WF_ASSERT(rule9,
             !free_i || !((det_i && det_tag_i == free_tag_i) || (det_q && det_tag_q == free_tag_i)
                          || (near_q && near_tag_q == free_tag_i)),
             "Rule 9: a tag is freed three cycles after its list was detached, or later")
  `WF_ASSERT(rule11, !s2_valid_q || !s2_same_q
             || s3_list_q == (nonempty_q[s3_tag_q] && !(clear && s3_tag_q == det_tag_q)),
             "Rule 11: the list that the request before joined is as its bit says")
  `WF_ASSERT(rule7, tags_used_o != '0 || regs_used_o == '0,
             "Rule 7: no register is held without a tag")
endmodule

`default_nettype wire
