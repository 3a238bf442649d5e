// mff_table with mff_walk, joined as the C side joins them (a tag is its line), memory and the
// taker of nodes free. One request, any one, is marked: it comes out once, with its block; no two
// tags hold a block; nothing is lost.
`default_nettype none
`include "wf_assert.vh"
module mff_table_props #(
  parameter integer Tags = 2,
  parameter integer Regs = 3,
  parameter integer Ways = 0,
  parameter integer BlockW = 2,         // bits of a block's number
  // Above 0: cycles within which a request is answered, of an environment that serves.
  parameter integer Bound = 0,
  localparam integer TagW = Tags > 1 ? $clog2(Tags) : 1,
  localparam integer RegW = Regs > 1 ? $clog2(Regs) : 1
) (
  input wire clk_i, input wire in_valid, input wire [BlockW-1:0] in_block, input wire in_mark,
  input wire rd_ready, input wire land, input wire [TagW-1:0] land_tag, input wire taker_ready
);
`include "formal.vh"
  wire in_ready, rd_valid, det, free_done, node_re, node_last, put, node_valid, node_mark, empty;
  wire [24:0] rd_blk, addr_blk;
  wire [TagW-1:0] rd_tag, det_tag, node_line;
  wire [RegW-1:0] det_head, node_id, node_next, put_id;
  wire ev_lookup, ev_merge, ev_stall_tag, ev_stall_reg, ev_stall_rd;
  localparam integer TagUsedW = $clog2(Tags + 1), RegUsedW = $clog2(Regs + 1);
  wire [TagUsedW-1:0] tags_used;
  wire [RegUsedW-1:0] regs_used;
  reg free_q;
  reg [TagW-1:0] free_line_q;
  mff_table #(.Tags(Tags), .Regs(Regs), .PayloadW(1), .HasAddr(1), .Ways(Ways)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid), .in_ready_o(in_ready),
    .in_blk_i(25'(in_block)), .in_payload_i(in_mark), .rd_valid_o(rd_valid),
    .rd_ready_i(rd_ready), .rd_blk_o(rd_blk), .rd_tag_o(rd_tag), .det_i(det), .det_tag_i(det_tag),
    .det_head_o(det_head), .free_i(free_q), .free_tag_i(free_line_q),
    .free_next_tag_i(rst_ni && node_valid && taker_ready ? node_line : free_line_q),
    .free_done_o(free_done), .node_re_i(node_re), .node_id_i(node_id), .node_payload_o(node_mark),
    .node_next_o(node_next), .node_last_o(node_last), .put_i(put), .put_id_i(put_id),
    .addr_re_i(land), .addr_tag_i(land_tag), .addr_blk_o(addr_blk), .ev_lookup_o(ev_lookup),
    .ev_merge_o(ev_merge), .ev_stall_tag_o(ev_stall_tag), .ev_stall_reg_o(ev_stall_reg),
    .ev_stall_rd_o(ev_stall_rd), .tags_used_o(tags_used), .regs_used_o(regs_used), .empty_o(empty)
  );
  wire [Tags*TagW-1:0] line_tags;
  generate
    for (genvar i = 0; i < Tags; i = i + 1) begin : g_identity
      assign line_tags[i*TagW +: TagW] = TagW'(i);
    end
  endgenerate
  mff_walk #(.Lines(Tags), .TagW(TagW), .RegW(RegW)) walk (
    .clk_i(clk_i), .rst_ni(rst_ni), .set_land_i(land), .set_land_line_i(land_tag),
    .set_again_i(free_q && !free_done), .set_again_line_i(free_line_q),
    .set_join_i(1'b0), .set_join_line_i({TagW{1'b0}}), .line_tag_i(line_tags), .det_o(det),
    .det_tag_o(det_tag), .det_head_i(det_head), .node_re_o(node_re), .node_id_o(node_id),
    .node_next_i(node_next), .node_last_i(node_last), .put_o(put), .put_id_o(put_id),
    .node_valid_o(node_valid), .node_line_o(node_line), .node_ready_i(taker_ready)
  );
  wire taken = node_valid && taker_ready;
  initial free_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    free_q <= taken && node_last;
    if (taken) free_line_q <= node_line;
  end

  // What the environment sees of tags: read asked for, landed, and the block.
  reg [Tags-1:0] asked_q, out_q;
  reg [Tags*BlockW-1:0] block_q;
  initial asked_q = '0;
  initial out_q = '0;
  wire rd_fire = rd_valid && rd_ready;
  always @(posedge clk_i) if (rst_ni) begin
    if (land) asked_q[land_tag] <= 1'b0;
    if (rd_fire) begin
      asked_q[rd_tag] <= 1'b1;
      out_q[rd_tag] <= 1'b1;
      block_q[rd_tag*BlockW +: BlockW] <= rd_blk[BlockW-1:0];
    end
    if (free_q && free_done) out_q[free_line_q] <= 1'b0;
  end
  `WF_ASSUME(land_asked,
             !land || (rst_ni && {1'b0, land_tag} < (TagW + 1)'(Tags) && asked_q[land_tag]),
             "memory answers reads")
  `WF_ASSERT(tag_once, !rd_fire || !out_q[rd_tag], "a tag has one read outstanding")
  logic same;
  always_comb begin
    same = 1'b0;
    for (int i = 0; i < Tags; i++)
      if (rd_fire && out_q[i] && block_q[i*BlockW +: BlockW] == rd_blk[BlockW-1:0]) same = 1'b1;
  end
  `WF_ASSERT(block_once, !same, "a block that is outstanding is not read again")

  // The marked request.
  reg marked_q, inside_q;
  reg [BlockW-1:0] mark_block_q;
  initial marked_q = 1'b0;
  initial inside_q = 1'b0;
  wire go_in = in_valid && in_ready, mark_in = go_in && in_mark, mark_out = taken && node_mark;
  `WF_ASSUME(one_mark, !(in_valid && in_mark && marked_q), "one request is marked")
  always @(posedge clk_i) if (rst_ni) begin
    if (mark_in) begin
      marked_q <= 1'b1;
      mark_block_q <= in_block;
    end
    inside_q <= mark_in || (inside_q && !mark_out);
  end
  `WF_ASSERT(out_once, !mark_out || inside_q, "a request comes out once, and only if it went in")
  `WF_ASSERT(right_block, !mark_out || block_q[node_line*BlockW +: BlockW] == mark_block_q,
             "a request comes out with its block")
  reg [3:0] count_q;
  initial count_q = 4'd0;
  always @(posedge clk_i) if (rst_ni) count_q <= count_q + {3'd0, go_in} - {3'd0, taken};
  // A register that comes back is counted for one more cycle.
  reg back_q;
  initial back_q = 1'b0;
  always @(posedge clk_i) back_q <= rst_ni && taken;
  (* hierconn *) wire \dut.s1_valid_q , \dut.se_valid_q , \dut.s2_valid_q ;
  `WF_ASSERT(conserved, count_q + {3'd0, back_q} == 4'(regs_used) + {3'd0, \dut.s1_valid_q }
             + {3'd0, \dut.se_valid_q } + {3'd0, \dut.s2_valid_q },
             "requests inside are those in the pipeline and those with a register")
  `WF_ASSERT(empty_right,
             !empty || (count_q == 4'd0 && !inside_q && regs_used == '0 && tags_used == '0),
             "an empty table holds no request, register or tag")
  // An environment that serves: takes reads and nodes at once, memory answers at once.
  reg serves_q;
  reg [6:0] age_q;
  initial serves_q = 1'b1;
  initial age_q = 7'd0;
  always @(posedge clk_i) if (rst_ni) begin
    age_q <= inside_q && !mark_out ? age_q + {6'd0, age_q != 7'd127} : 7'd0;
    if (!(rd_ready && taker_ready && (land || asked_q == '0))) serves_q <= 1'b0;
  end
  `WF_ASSERT(answered, Bound == 0 || !serves_q || age_q <= 7'(Bound),
             "a request is answered in bounded time")
  reg [2:0] rest_q;
  initial rest_q = 3'd0;
  always @(posedge clk_i)
    rest_q <= !rst_ni || !empty ? 3'd0 : rest_q == 3'd7 ? 3'd7 : rest_q + 3'd1;
  `WF_QUIET(empty && rest_q == 3'd7 && !in_valid)
  `WF_COVER(merged_out, mark_out && !node_last)
  `WF_COVER(again, free_q && !free_done && inside_q)
  `WF_COVER(all_full, tags_used == TagUsedW'(Tags) && regs_used == RegUsedW'(Regs))
  reg was_full_q;
  initial was_full_q = 1'b0;
  always @(posedge clk_i) if (rst_ni && regs_used == RegUsedW'(Regs)) was_full_q <= 1'b1;
  `WF_COVER(drained, was_full_q && rest_q == 3'd7)
endmodule
`default_nettype wire
