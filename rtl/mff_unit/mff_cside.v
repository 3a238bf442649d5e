// mff_cside: the C half of a slice. Runs of indexes wait for their C block (mff_table; the tag is
// the line buffer, so a C block that was asked for always has a place to land); landed lines are
// walked and every index of a run becomes a V request, one per cycle.
//
// Pipeline: E1 reads the row that holds the next index; E2 picks the word; E3 adds the base of V or
// of the bit vector; E4 finds the owner slice; E5 offers the request. All stages move together
// (stalled only by vreq_ready_i). A C walk waits for V resources, never the reverse.
//   CLines 1..64   Regs 1 or more   KeyW: {home slice, job}
// Storage: CLines x 1024 line bits and Regs x (KeyW + 21 + log2 Regs + 1) node bits in RAM.
`default_nettype none
`include "wf_assert.vh"

module mff_cside #(
  parameter integer NSlice = 6,
  parameter integer InterleaveBytes = 256,
  parameter integer CLines = 16,
  parameter integer Regs = 128,
  parameter integer KeyW = 9,
  localparam integer RunW = KeyW + 21,        // {key, op, lane, a_offset, start, length - 1}
  localparam integer VPayW = KeyW + 16,       // {key, op, place}
  localparam integer LineW = CLines > 1 ? $clog2(CLines) : 1,
  localparam integer SliceW = NSlice > 1 ? $clog2(NSlice) : 1,
  localparam integer TagUsedW = $clog2(CLines + 1)
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire [31:0]         v_base_i,
  input  wire [31:0]         b_base_i,
  // runs
  input  wire                run_valid_i,
  output wire                run_ready_o,
  input  wire [24:0]         run_blk_i,
  input  wire [RunW-1:0]     run_i,
  // block reads and landing beats (always accepted)
  output wire                rd_valid_o,
  input  wire                rd_ready_i,
  output wire [24:0]         rd_blk_o,
  output wire [LineW-1:0]    rd_line_o,
  input  wire                land_valid_i,
  input  wire [LineW-1:0]    land_line_i,
  input  wire [1:0]          land_beat_i,
  input  wire [255:0]        land_data_i,
  // V requests; place: gather {a_offset, lane, word}, scatter {5'd0, word, bit}
  output wire                vreq_valid_o,
  input  wire                vreq_ready_i,
  output wire [SliceW-1:0]   vreq_dest_o,
  output wire [24:0]         vreq_blk_o,
  output wire [VPayW-1:0]    vreq_payload_o,
  output wire                ev_lookup_o,
  output wire                ev_merge_o,
  output wire                ev_stall_tag_o,
  output wire                ev_stall_reg_o,
  output wire                ev_element_o,
  output wire                ev_stall_out_o,
  output wire [TagUsedW-1:0] lines_used_o,
  output wire                empty_o
);
  localparam integer RegW = Regs > 1 ? $clog2(Regs) : 1;
  localparam integer RegUsedW = $clog2(Regs + 1);
  localparam integer Rows = CLines * 4;
  localparam integer RowW = $clog2(Rows);

  wire det, node_re, put, node_valid, node_last, free_done;
  wire [LineW-1:0] det_tag, node_line;
  wire [RegW-1:0] det_head, node_id, node_next, put_id;
  wire [RunW-1:0] node_run;
  wire node_ready;
  reg free_q;
  reg [LineW-1:0] free_line_q;
  wire [24:0] addr_blk;
  wire [RegUsedW-1:0] regs_used;
  wire ev_stall_rd;
  wire unused = &{1'b0, addr_blk, regs_used, ev_stall_rd};

  mff_table #(.Tags(CLines), .Regs(Regs), .PayloadW(RunW), .HasAddr(0)) u_table (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .in_valid_i(run_valid_i), .in_ready_o(run_ready_o), .in_blk_i(run_blk_i),
    .in_payload_i(run_i),
    .rd_valid_o(rd_valid_o), .rd_ready_i(rd_ready_i), .rd_blk_o(rd_blk_o), .rd_tag_o(rd_line_o),
    .det_i(det), .det_tag_i(det_tag), .det_head_o(det_head),
    .free_i(free_q), .free_tag_i(free_line_q), .free_done_o(free_done),
    .node_re_i(node_re), .node_id_i(node_id), .node_payload_o(node_run),
    .node_next_o(node_next), .node_last_o(node_last), .put_i(put), .put_id_i(put_id),
    .addr_re_i(1'b0), .addr_tag_i({LineW{1'b0}}), .addr_blk_o(addr_blk),
    .ev_lookup_o(ev_lookup_o), .ev_merge_o(ev_merge_o), .ev_stall_tag_o(ev_stall_tag_o),
    .ev_stall_reg_o(ev_stall_reg_o), .ev_stall_rd_o(ev_stall_rd),
    .tags_used_o(lines_used_o), .regs_used_o(regs_used), .empty_o(empty_o)
  );

  wire [CLines*LineW-1:0] line_tags;
  generate
    for (genvar i = 0; i < CLines; i = i + 1) begin : g_identity
      localparam integer LineI = i;
      assign line_tags[i*LineW +: LineW] = LineI[LineW-1:0];
    end
  endgenerate

  mff_walk #(.Lines(CLines), .TagW(LineW), .RegW(RegW)) u_walk (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .set_land_i(land_valid_i && land_beat_i == 2'd3), .set_land_line_i(land_line_i),
    .set_again_i(free_q && !free_done), .set_again_line_i(free_line_q),
    .line_tag_i(line_tags), .det_o(det), .det_tag_o(det_tag), .det_head_i(det_head),
    .node_re_o(node_re), .node_id_o(node_id), .node_next_i(node_next), .node_last_i(node_last),
    .put_o(put), .put_id_o(put_id), .node_valid_o(node_valid), .node_line_o(node_line),
    .node_ready_i(node_ready)
  );

  // E1: next index of the run.
  wire [KeyW-1:0] run_key;
  wire run_op;
  wire [4:0] run_lane, run_a, run_start, run_len1;
  assign {run_key, run_op, run_lane, run_a, run_start, run_len1} = node_run;
  reg [4:0] k_q;
  wire [4:0] word = run_start + k_q;
  wire run_end = k_q == run_len1;
  wire en;
  wire e1_fire = node_valid && en;
  assign node_ready = en && run_end;

  wire [LineW+1:0] rd_row_full = {node_line, word[4:3]};
  wire [LineW+1:0] wr_row_full = {land_line_i, land_beat_i};
  wire [255:0] row;
  wf_ram_1r1w #(.Width(256), .Depth(Rows)) u_lines (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(land_valid_i), .wr_mask_i(1'b1), .wr_addr_i(wr_row_full[RowW-1:0]),
    .wr_data_i(land_data_i),
    .rd_en_i(e1_fire), .rd_addr_i(rd_row_full[RowW-1:0]), .rd_data_o(row)
  );

  reg e2_valid_q, e3_valid_q, e4_valid_q, e5_valid_q;
  reg [KeyW-1:0] e2_key_q, e3_key_q, e4_key_q, e5_key_q;
  reg e2_op_q, e3_op_q, e4_op_q, e5_op_q;
  reg [9:0] e2_at_q, e3_at_q, e4_at_q;        // {a_offset, lane}
  reg [2:0] e2_sel_q;
  reg [31:0] e3_index_q;
  reg [29:0] e4_waddr_q;                      // word address
  reg [4:0] e4_bit_q;
  reg [24:0] e5_blk_q;
  reg [14:0] e5_place_q;
  reg [SliceW-1:0] e5_dest_q;
  wire [SliceW-1:0] e4_dest;

  wire [29:0] e3_base = e3_op_q ? b_base_i[31:2] : v_base_i[31:2];
  wire [29:0] e3_step = e3_op_q ? {3'd0, e3_index_q[31:5]} : e3_index_q[29:0];

  localparam integer ChunkShift = $clog2(InterleaveBytes / 128);
  wf_mod_slice #(.Bits(25 - ChunkShift), .NSlice(NSlice), .Stages(0)) u_owner (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(1'b1),
    .block_i(e4_waddr_q[29:5+ChunkShift]), .slice_o(e4_dest)
  );

  assign en = !e5_valid_q || vreq_ready_i;
  assign vreq_valid_o = e5_valid_q;
  assign vreq_dest_o = e5_dest_q;
  assign vreq_blk_o = e5_blk_q;
  assign vreq_payload_o = {e5_key_q, e5_op_q, e5_place_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      k_q <= '0;
      e2_valid_q <= 1'b0;
      e3_valid_q <= 1'b0;
      e4_valid_q <= 1'b0;
      e5_valid_q <= 1'b0;
      free_q <= 1'b0;
    end else begin
      if (e1_fire) k_q <= run_end ? '0 : k_q + 1'b1;
      free_q <= e1_fire && run_end && node_last;
      if (en) begin
        e2_valid_q <= node_valid;
        e3_valid_q <= e2_valid_q;
        e4_valid_q <= e3_valid_q;
        e5_valid_q <= e4_valid_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (e1_fire) begin
      e2_key_q <= run_key;
      e2_op_q <= run_op;
      e2_at_q <= {run_a + k_q, run_lane};
      e2_sel_q <= word[2:0];
      free_line_q <= node_line;
    end
    if (en && e2_valid_q) begin
      e3_index_q <= row[e2_sel_q*32 +: 32];
      e3_key_q <= e2_key_q;
      e3_op_q <= e2_op_q;
      e3_at_q <= e2_at_q;
    end
    if (en && e3_valid_q) begin
      e4_waddr_q <= e3_base + e3_step;
      e4_bit_q <= e3_index_q[4:0];
      e4_key_q <= e3_key_q;
      e4_op_q <= e3_op_q;
      e4_at_q <= e3_at_q;
    end
    if (en && e4_valid_q) begin
      e5_blk_q <= e4_waddr_q[29:5];
      e5_place_q <= e4_op_q ? {5'd0, e4_waddr_q[4:0], e4_bit_q} : {e4_at_q, e4_waddr_q[4:0]};
      e5_dest_q <= e4_dest;
      e5_key_q <= e4_key_q;
      e5_op_q <= e4_op_q;
    end
  end

  assign ev_element_o = e5_valid_q && vreq_ready_i;
  assign ev_stall_out_o = e5_valid_q && !vreq_ready_i;

  wire unused_base = &{1'b0, v_base_i[1:0], b_base_i[1:0], rd_row_full, wr_row_full};
  initial if (CLines < 1 || CLines > 64) $fatal(1, "mff_cside: CLines must be 1..64");
  `WF_ASSERT(rule1, !node_valid || {1'b0, run_start} + {1'b0, run_len1} < 6'd32,
             "Rule 1: a run stays within its block")
endmodule

`default_nettype wire
