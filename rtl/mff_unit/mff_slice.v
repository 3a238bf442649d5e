// mff_slice: everything of the unit that belongs to one memory partition: home of the commands that
// arrive here, and owner of the blocks that lie here. The three crossbars are outside (mff_unit).
//
//   cmd -> mff_jobs -> mff_seq -> C crossbar -> mff_cside -> V crossbar -> mff_vside
//       -> mff_pack -> rsp
//       tokens (delivered elements) -> token crossbar -> mff_jobs of the home
//
// Responses: data flits and done flits share the port in rotation. A data flit is loaded only when
// its token has a place, so the port never waits for the token crossbar while it offers.
`default_nettype none
`include "wf_assert.vh"
// An input that remains a variable in Verilator's model: where it is replaced by what drives it,
// the code of the slices differs, and there is one copy for each.
`define KEPT /*verilator public_flat_rd*/

module mff_slice #(
  parameter integer NSlice = 6,
  parameter integer NumSm = 15,
  parameter integer NumWarp = 48,
  parameter integer VTags = 256,
  parameter integer VWays = 4,
  parameter integer CLines = 16,
  parameter integer VLines = 4,
  parameter integer VRegs = 1238,
  parameter integer CRegs = 128,
  parameter integer Jobs = 43,
  parameter integer LaneRows = 258,
  parameter integer InterleaveBytes = 256,
  parameter integer Hash = 0,
  parameter integer PackWords = 5,
  parameter integer PackEntries = 16,
  parameter integer Keep = 1,
  parameter integer IncW = 12,
  parameter integer CounterBits = 40,
  parameter integer AddrBits = 32,
  parameter integer BlockBytes = 128,
  parameter integer ElemBytes = 4,
  localparam integer PlaceW = $clog2(BlockBytes / 4), // of a word in its block
  localparam integer BlkW = AddrBits - 2 - PlaceW,
  localparam integer BeatW = $clog2(BlockBytes / 32),
  localparam integer IndexW = AddrBits < 34 ? AddrBits - 2 : 32,
  localparam integer SmW = NumSm > 64 ? 8 : 6,
  localparam integer WhoW = SmW + 14,         // {tag, warp, sm}
  localparam integer NCount = 31,
  localparam integer JobW = Jobs > 1 ? $clog2(Jobs) : 1,
  localparam integer SliceW = NSlice > 1 ? $clog2(NSlice) : 1,
  localparam integer KeyW = SliceW + JobW,
  localparam integer RunW = KeyW + 16 + PlaceW,
  localparam integer CReqW = BlkW + RunW,
  localparam integer VPayW = KeyW + 35 + PlaceW,
  localparam integer VReqW = BlkW + VPayW,
  localparam integer TokW = JobW + 11
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  input  wire [SliceW-1:0]      home_i `KEPT, // this slice's number: a port, not a parameter
  input  wire [AddrBits-1:0]    c_base_i,
  input  wire [AddrBits-1:0]    v_base_i,
  input  wire [AddrBits-1:0]    b_base_i,
  input  wire                   gather_bad_i,
  input  wire                   scatter_bad_i,
  input  wire                   cmd_valid_i `KEPT,
  output wire                   cmd_ready_o,
  input  wire [255:0]           cmd_data_i `KEPT,
  output wire                   rsp_valid_o,
  input  wire                   rsp_ready_i `KEPT,
  output wire [255:0]           rsp_data_o,
  output wire                   mem_rd_valid_o,
  input  wire                   mem_rd_ready_i `KEPT,
  output wire [AddrBits-1:0]    mem_rd_addr_o,
  output wire [15:0]            mem_rd_id_o,
  input  wire                   mem_rsp_valid_i `KEPT,
  output wire                   mem_rsp_ready_o,
  input  wire [15:0]            mem_rsp_id_i `KEPT,
  input  wire [BeatW-1:0]       mem_rsp_beat_i `KEPT,
  input  wire [255:0]           mem_rsp_data_i `KEPT,
  output wire                   mem_wr_valid_o,
  input  wire                   mem_wr_ready_i `KEPT,
  output wire [AddrBits-1:0]    mem_wr_addr_o,
  output wire [7:0]             mem_wr_mask_o,
  output wire                   mem_wr_last_o,
  output wire [255:0]           mem_wr_data_o,
  // announcements: this slice's, and all slices'
  output wire                   ann_valid_o,
  input  wire                   ann_ready_i `KEPT,
  output wire [JobW-1:0]        ann_job_o,
  output wire [WhoW-1:0]        ann_who_o,
  input  wire                   ann_all_valid_i,
  input  wire [KeyW-1:0]        ann_all_key_i,
  input  wire [WhoW-1:0]        ann_all_who_i,
  // crossbars
  output wire                   c_valid_o,
  input  wire                   c_ready_i `KEPT,
  output wire [SliceW-1:0]      c_dest_o,
  output wire [CReqW-1:0]       c_data_o,
  input  wire                   c_valid_i `KEPT,
  output wire                   c_ready_o,
  input  wire [CReqW-1:0]       c_data_i `KEPT,
  output wire                   v_valid_o,
  input  wire                   v_ready_i `KEPT,
  output wire [SliceW-1:0]      v_dest_o,
  output wire [VReqW-1:0]       v_data_o,
  input  wire                   v_valid_i `KEPT,
  output wire                   v_ready_o,
  input  wire [VReqW-1:0]       v_data_i `KEPT,
  output wire                   t_valid_o,
  input  wire                   t_ready_i `KEPT,
  output wire [SliceW-1:0]      t_dest_o,
  output wire [TokW-1:0]        t_data_o,
  input  wire                   t_valid_i `KEPT,
  input  wire [TokW-1:0]        t_data_i `KEPT,
  input  wire                   busy_i,        // work anywhere in the unit: counters run
  input  wire                   cnt_snapshot_i `KEPT,
  input  wire                   cnt_clear_i `KEPT,
  input  wire [4:0]             cnt_index_i `KEPT,
  output wire [63:0]            cnt_value_o,
  input  wire                   flush_i,       // no command is in the unit: kept
                                               // blocks are given back
  output wire                   jobs_empty_o,  // no command whose home is here
  output wire                   error_o,
  output wire                   idle_o         // no command whose home is here, no block
);
  // One copy of the code serves all slices of a simulation model: smaller and faster. No function
  // may be inlined here: Verilator numbers what becomes of its variables.
  /* verilator no_inline_module */
  localparam integer VTagW = VTags > 1 ? $clog2(VTags) : 1;
  localparam integer LineW = CLines > 1 ? $clog2(CLines) : 1;

  // Commands.
  wire cmd_valid, cmd_ready, work_valid, work_ready, work_op;
  wire row_valid, row_ready, row_keep, row_drop;
  wire [255:0] cmd_data;
  wire [1:0] cmd_fill;
  wire [6*(6+IndexW)-1:0] row;
  wire [JobW-1:0] work_job;
  wire [31:0] work_mask;
  wire done_valid, done_ready, jobs_empty, free_job;
  wire [JobW-1:0] done_job, free_job_id;
  wire [255:0] done_data;
  wire ev_command, ev_error, ev_stall_job, ev_run;
  localparam integer JobUsedW = $clog2(Jobs + 1);
  wire [JobUsedW-1:0] jobs_used;

  wf_fifo #(.Width(256), .Depth(2)) u_cmd (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(cmd_valid_i), .in_ready_o(cmd_ready_o),
    .in_data_i(cmd_data_i), .out_valid_o(cmd_valid), .out_ready_i(cmd_ready),
    .out_data_o(cmd_data), .count_o(cmd_fill)
  );
  mff_jobs #(.Jobs(Jobs), .NumSm(NumSm), .NumWarp(NumWarp), .IndexW(IndexW)) u_jobs (
    .clk_i(clk_i), .rst_ni(rst_ni), .gather_bad_i(gather_bad_i), .scatter_bad_i(scatter_bad_i),
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_data_i(cmd_data),
    .ann_valid_o(ann_valid_o), .ann_ready_i(ann_ready_i), .ann_job_o(ann_job_o),
    .ann_who_o(ann_who_o), .row_valid_o(row_valid), .row_ready_i(row_ready), .row_o(row),
    .row_keep_o(row_keep), .row_drop_o(row_drop),
    .work_valid_o(work_valid), .work_ready_i(work_ready), .work_job_o(work_job),
    .work_op_o(work_op), .work_mask_o(work_mask),
    .tok_valid_i(t_valid_i), .tok_job_i(t_data_i[TokW-1:11]), .tok_count_i(t_data_i[10:0]),
    .done_valid_o(done_valid), .done_ready_i(done_ready), .done_job_o(done_job),
    .done_data_o(done_data), .free_i(free_job), .free_job_i(free_job_id),
    .ev_command_o(ev_command), .ev_error_o(ev_error), .ev_stall_job_o(ev_stall_job),
    .used_o(jobs_used), .empty_o(jobs_empty)
  );
  mff_seq #(
    .NSlice(NSlice), .Hash(Hash), .InterleaveBytes(InterleaveBytes), .Jobs(Jobs), .Rows(LaneRows),
    .AddrBits(AddrBits), .BlockBytes(BlockBytes)
  ) u_seq (
    .clk_i(clk_i), .rst_ni(rst_ni), .home_i(home_i), .c_base_i(c_base_i),
    .row_valid_i(row_valid), .row_ready_o(row_ready), .row_i(row), .row_keep_i(row_keep),
    .row_drop_i(row_drop), .work_valid_i(work_valid),
    .work_ready_o(work_ready), .work_job_i(work_job), .work_op_i(work_op), .work_mask_i(work_mask),
    .run_valid_o(c_valid_o), .run_ready_i(c_ready_i), .run_dest_o(c_dest_o),
    .run_blk_o(c_data_o[CReqW-1 -: BlkW]), .run_o(c_data_o[RunW-1:0]), .ev_run_o(ev_run)
  );

  // Landing beats.
  wire land_valid, land_ready, land_v_ready;
  wire [15:0] land_id;
  wire [BeatW-1:0] land_beat;
  wire [1:0] land_fill;
  wire [255:0] land_data;
  wf_fifo #(.Width(16 + BeatW + 256), .Depth(2)) u_land (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(mem_rsp_valid_i), .in_ready_o(mem_rsp_ready_o),
    .in_data_i({mem_rsp_id_i, mem_rsp_beat_i, mem_rsp_data_i}), .out_valid_o(land_valid),
    .out_ready_i(land_ready), .out_data_o({land_id, land_beat, land_data}), .count_o(land_fill)
  );
  wire land_c = land_valid && land_id[15];
  wire land_v = land_valid && !land_id[15];
  assign land_ready = land_id[15] || land_v_ready;

  // C side.
  wire c_rd_valid, c_rd_ready, c_empty;
  wire [BlkW-1:0] c_rd_blk;
  wire [LineW-1:0] c_rd_line;
  wire ev_c_lookup, ev_c_merge, ev_c_stall_tag, ev_c_stall_reg, ev_c_stall_out;
  wire [2:0] ev_elements;
  localparam integer LineUsedW = $clog2(CLines + 1);
  wire [LineUsedW-1:0] c_used;
  mff_cside #(
    .NSlice(NSlice), .Hash(Hash), .InterleaveBytes(InterleaveBytes), .CLines(CLines), .Regs(CRegs),
    .KeyW(KeyW),
    .AddrBits(AddrBits), .Keep(Keep), .BlockBytes(BlockBytes), .ElemBytes(ElemBytes)
  ) u_c (
    .clk_i(clk_i), .rst_ni(rst_ni), .flush_i(flush_i), .v_base_i(v_base_i), .b_base_i(b_base_i),
    .run_valid_i(c_valid_i), .run_ready_o(c_ready_o), .run_blk_i(c_data_i[CReqW-1 -: BlkW]),
    .run_i(c_data_i[RunW-1:0]),
    .rd_valid_o(c_rd_valid), .rd_ready_i(c_rd_ready), .rd_blk_o(c_rd_blk), .rd_line_o(c_rd_line),
    .land_valid_i(land_c), .land_line_i(land_id[LineW-1:0]), .land_beat_i(land_beat),
    .land_data_i(land_data),
    .vreq_valid_o(v_valid_o), .vreq_ready_i(v_ready_i), .vreq_dest_o(v_dest_o),
    .vreq_blk_o(v_data_o[VReqW-1 -: BlkW]), .vreq_payload_o(v_data_o[VPayW-1:0]),
    .ev_lookup_o(ev_c_lookup), .ev_merge_o(ev_c_merge), .ev_stall_tag_o(ev_c_stall_tag),
    .ev_stall_reg_o(ev_c_stall_reg), .ev_elements_o(ev_elements), .ev_stall_out_o(ev_c_stall_out),
    .lines_used_o(c_used), .empty_o(c_empty)
  );

  // V side.
  wire v_rd_valid, v_rd_ready, v_quiet, v_empty;
  wire [BlkW-1:0] v_rd_blk;
  wire [VTagW-1:0] v_rd_tag;
  wire word_valid, word_ready, stok_valid, stok_ready;
  wire [KeyW-1:0] word_key, stok_key;
  wire [1:0] word_n1;
  wire [9:0] word_at;
  wire [32*ElemBytes-1:0] words;
  wire [10:0] stok_count;
  wire [BlkW+BeatW-1:0] wr_sector;
  wire ev_v_lookup, ev_v_merge, ev_v_stall_tag, ev_v_stall_reg, ev_v_stall_rd;
  wire ev_node, ev_stall_line, ev_stall_walk, ev_early;
  localparam integer TagUsedW = $clog2(VTags + 1);
  localparam integer RegUsedW = $clog2(VRegs + 1);
  wire [TagUsedW-1:0] v_used;
  wire [RegUsedW-1:0] v_regs;
  mff_vside #(
    .Tags(VTags), .Ways(VWays), .Regs(VRegs), .VLines(VLines), .KeyW(KeyW), .Keep(Keep),
    .BlkW(BlkW), .BlockBytes(BlockBytes), .ElemBytes(ElemBytes)
  ) u_v (
    .clk_i(clk_i), .rst_ni(rst_ni), .flush_i(flush_i),
    .req_valid_i(v_valid_i), .req_ready_o(v_ready_o), .req_blk_i(v_data_i[VReqW-1 -: BlkW]),
    .req_payload_i(v_data_i[VPayW-1:0]),
    .rd_valid_o(v_rd_valid), .rd_ready_i(v_rd_ready), .rd_blk_o(v_rd_blk), .rd_tag_o(v_rd_tag),
    .land_valid_i(land_v), .land_ready_o(land_v_ready), .land_tag_i(land_id[VTagW-1:0]),
    .land_beat_i(land_beat), .land_data_i(land_data),
    .wr_valid_o(mem_wr_valid_o), .wr_ready_i(mem_wr_ready_i), .wr_sector_o(wr_sector),
    .wr_mask_o(mem_wr_mask_o), .wr_last_o(mem_wr_last_o), .wr_data_o(mem_wr_data_o),
    .word_valid_o(word_valid), .word_ready_i(word_ready), .word_key_o(word_key),
    .word_n1_o(word_n1), .word_at_o(word_at), .words_o(words),
    .tok_valid_o(stok_valid), .tok_ready_i(stok_ready), .tok_key_o(stok_key),
    .tok_count_o(stok_count),
    .ev_lookup_o(ev_v_lookup), .ev_merge_o(ev_v_merge), .ev_stall_tag_o(ev_v_stall_tag),
    .ev_stall_reg_o(ev_v_stall_reg), .ev_stall_rd_o(ev_v_stall_rd), .ev_node_o(ev_node),
    .ev_stall_line_o(ev_stall_line), .ev_stall_walk_o(ev_stall_walk), .ev_early_o(ev_early),
    .tags_used_o(v_used), .regs_used_o(v_regs), .quiet_o(v_quiet), .empty_o(v_empty)
  );
  assign mem_wr_addr_o = {wr_sector, 5'd0};

  // Block reads: C and V in rotation.
  reg rd_valid_q, rd_c_q;                  // rd_c_q: the last one was for C
  reg [BlkW-1:0] rd_blk_q;
  reg [14:0] rd_id_q;
  wire rd_load = !rd_valid_q || mem_rd_ready_i;
  wire rd_pick_c = c_rd_valid && (!v_rd_valid || !rd_c_q);
  assign c_rd_ready = rd_load && rd_pick_c;
  assign v_rd_ready = rd_load && !rd_pick_c;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_valid_q <= 1'b0;
      rd_c_q <= 1'b0;
    end else if (rd_load) begin
      rd_valid_q <= c_rd_valid || v_rd_valid;
      if (c_rd_valid || v_rd_valid) rd_c_q <= rd_pick_c;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rd_load && (c_rd_valid || v_rd_valid)) begin
      rd_blk_q <= rd_pick_c ? c_rd_blk : v_rd_blk;
      rd_id_q <= rd_pick_c ? {{(15-LineW){1'b0}}, c_rd_line} : {{(15-VTagW){1'b0}}, v_rd_tag};
    end
  end
  assign mem_rd_valid_o = rd_valid_q;
  assign mem_rd_addr_o = {rd_blk_q, {(PlaceW+2){1'b0}}};
  assign mem_rd_id_o = {rd_c_q, rd_id_q};

  // Responses.
  wire pk_valid, pk_ready;
  wire [255:0] pk_data;
  wire [KeyW-1:0] pk_key;
  wire [2:0] pk_count;
  mff_pack #(
    .Entries(PackEntries), .PackWords(PackWords), .KeyW(KeyW), .ElemBytes(ElemBytes), .SmW(SmW)
  ) u_pack (
    .clk_i(clk_i), .rst_ni(rst_ni), .ann_valid_i(ann_all_valid_i), .ann_key_i(ann_all_key_i),
    .ann_who_i(ann_all_who_i), .word_valid_i(word_valid), .word_ready_o(word_ready),
    .word_key_i(word_key), .word_n1_i(word_n1), .word_at_i(word_at), .words_i(words),
    .flush_i(v_quiet), .rsp_valid_o(pk_valid), .rsp_ready_i(pk_ready), .rsp_data_o(pk_data),
    .rsp_key_o(pk_key), .rsp_count_o(pk_count)
  );
  reg rsp_valid_q, rsp_done_q;
  reg [255:0] rsp_data_q;
  reg [KeyW-1:0] rsp_key_q;
  reg [2:0] rsp_count_q;
  wire rtok_valid, rtok_ready, rtok_room;
  wire [KeyW-1:0] rtok_key;
  wire [2:0] rtok_count, rtok_fill;
  wire rsp_take = rsp_valid_q && rsp_ready_i;
  wire rsp_load = !rsp_valid_q || rsp_ready_i;
  wire pk_ok = pk_valid && rtok_fill + {2'd0, rsp_valid_q && !rsp_done_q} < 3'd4;
  wire pick_done = done_valid && (!pk_ok || !rsp_done_q);
  assign done_ready = rsp_load && pick_done;
  assign pk_ready = rsp_load && pk_ok && !pick_done;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_valid_q <= 1'b0;
      rsp_done_q <= 1'b0;
    end else if (rsp_load) begin
      rsp_valid_q <= pick_done || pk_ok;
      if (pick_done || pk_ok) rsp_done_q <= pick_done;
    end
  end
  always_ff @(posedge clk_i) begin
    if (done_ready || pk_ready) begin
      rsp_data_q <= pick_done ? done_data : pk_data;
      rsp_key_q <= pick_done ? {{SliceW{1'b0}}, done_job} : pk_key;
      rsp_count_q <= pk_count;
    end
  end
  assign rsp_valid_o = rsp_valid_q;
  assign rsp_data_o = rsp_data_q;
  assign free_job = rsp_take && rsp_done_q;
  assign free_job_id = rsp_key_q[JobW-1:0];

  // Tokens: of words taken at the port, and of bits written.
  wf_fifo #(.Width(KeyW + 3), .Depth(4)) u_rtok (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(rsp_take && !rsp_done_q), .in_ready_o(rtok_room),
    .in_data_i({rsp_key_q, rsp_count_q}), .out_valid_o(rtok_valid), .out_ready_i(rtok_ready),
    .out_data_o({rtok_key, rtok_count}), .count_o(rtok_fill)
  );
  reg tok_s_q;                             // the last token was a scatter's
  wire tok_valid = stok_valid || rtok_valid;
  wire tok_ready;
  wire pick_s = stok_valid && (!rtok_valid || !tok_s_q);
  assign stok_ready = tok_ready && pick_s;
  assign rtok_ready = tok_ready && !pick_s;
  // Whether the crossbar has room depends on the destination: too late for what chooses it.
  wire [1:0] tok_fill;
  wf_fifo #(.Width(KeyW + 11), .Depth(2)) u_tok (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(tok_valid && tok_ready), .in_ready_o(tok_ready),
    .in_data_i(pick_s ? {stok_key, stok_count} : {rtok_key, 8'd0, rtok_count}),
    .out_valid_o(t_valid_o), .out_ready_i(t_ready_i), .out_data_o({t_dest_o, t_data_o}),
    .count_o(tok_fill)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tok_s_q <= 1'b0;
    else if (tok_valid && tok_ready) tok_s_q <= pick_s;
  end

  assign jobs_empty_o = jobs_empty;
  // Only a command ends the rest of a unit, so all but the arrival of one may be seen a cycle late.
  wire rests = jobs_empty && c_empty && v_empty && cmd_fill == '0 && land_fill == '0
               && !rsp_valid_q;
  reg rests_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rests_q <= 1'b1;
    else rests_q <= rests;
  end
  assign idle_o = rests_q && cmd_fill == '0;

  // Counters, in the order of README.md. Only occupancies may add more than 7 in a cycle.
  localparam [NCount-1:0] WIDE = 31'h000c_0408;
  reg [3*NCount-1:0] inc_q;                       // 0 where an occupancy is counted
  reg [IncW-1:0] jobs_q, c_lines_q, v_tags_q, v_regs_q;
  wire inc_any = {inc_q, jobs_q, c_lines_q, v_tags_q, v_regs_q} != '0;
  wire [2:0] rsp_words = rsp_take && !rsp_done_q ? rsp_count_q : 3'd0;
  wire wr_take = mem_wr_valid_o && mem_wr_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {inc_q, jobs_q, c_lines_q, v_tags_q, v_regs_q} <= '0;
    end else if (busy_i || inc_any) begin
      jobs_q <= IncW'(jobs_used);
      c_lines_q <= IncW'(c_used);
      v_tags_q <= IncW'(v_used);
      v_regs_q <= IncW'(v_regs);
      inc_q <= {
        3'(rsp_valid_q && !rsp_ready_i), 3'(rsp_take && rsp_done_q), rsp_words,
        3'(rsp_take && !rsp_done_q), 3'(ev_early), 3'(wr_take && mem_wr_last_o), 3'(wr_take),
        3'(mem_rd_valid_o && mem_rd_ready_i), 3'(ev_stall_walk), 3'(ev_stall_line), 3'(ev_node),
        3'd0, 3'd0, 3'(ev_v_stall_rd), 3'(ev_v_stall_reg), 3'(ev_v_stall_tag), 3'(ev_v_merge),
        3'(ev_v_lookup), 3'(ev_c_stall_out), ev_elements, 3'd0, 3'(ev_c_stall_reg),
        3'(ev_c_stall_tag), 3'(ev_c_merge), 3'(ev_c_lookup), 3'(ev_run), 3'(ev_stall_job), 3'd0,
        3'(ev_error), 3'(ev_command), 3'(busy_i)
      };
    end
  end
  assign error_o = inc_q[2*3];
  generate
    if (CounterBits != 0) begin : g_count
      wire [NCount*IncW-1:0] inc;
      for (genvar i = 0; i < NCount; i = i + 1) begin : g_inc
        if (!WIDE[i]) assign inc[i*IncW +: IncW] = IncW'(inc_q[3*i +: 3]);
      end
      assign inc[3*IncW +: IncW] = jobs_q;
      assign inc[10*IncW +: IncW] = c_lines_q;
      assign inc[18*IncW +: IncW] = v_tags_q;
      assign inc[19*IncW +: IncW] = v_regs_q;
      wire [CounterBits-1:0] value;
      wire counting;
      wire unused_counting = &{1'b0, counting};
      wf_counter_ram #(
        .N(NCount), .Width(CounterBits), .IncBits(IncW), .Wide(WIDE), .NarrowBits(3)
      ) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(value), .busy_o(counting)
      );
      assign cnt_value_o = 64'(value);
    end else begin : g_no_count
      wire unused_count = &{1'b0, inc_any, cnt_snapshot_i, cnt_clear_i, cnt_index_i};
      assign cnt_value_o = '0;
    end
  endgenerate

  // Rotations at the three ports.
  wf_fair #(.N(2)) u_rd_fair (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i({c_rd_valid, v_rd_valid}),
    .served_i({c_rd_valid && c_rd_ready, v_rd_valid && v_rd_ready})
  );
  wf_fair #(.N(2)) u_rsp_fair (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i({done_valid, pk_ok}),
    .served_i({done_valid && done_ready, pk_ready})
  );
  wf_fair #(.N(2)) u_tok_fair (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i({stok_valid, rtok_valid}),
    .served_i({stok_valid && stok_ready, rtok_valid && rtok_ready})
  );

  wire unused = &{1'b0, land_id[14:0], tok_fill};
  `WF_ASSERT(rule1, !(rsp_take && !rsp_done_q) || rtok_room,
             "Rule 1: a token has a place when its flit is taken")
  `WF_ASSERT(rule2, !jobs_empty || !(pk_valid && NSlice == 1),
             "Rule 2: no word is left when no job is")
  `WF_ASSUME_STABLE(rule3, mem_rsp_valid_i, mem_rsp_ready_o, mem_rsp_data_i, 256,
                    "Rule 3: a memory beat is offered until it is taken")
endmodule
`undef KEPT

`default_nettype wire
