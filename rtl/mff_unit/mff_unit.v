// mff_unit: memory fast-forward unit. Warps of irregular kernels hand it commands that read
// V[C[c_index .. c_index + size)] (gather) or set the bits C[...] of a bit vector (scatter_set) for
// up to 32 lanes; it walks the chains next to the memory partitions and merges all requests for one
// block that are outstanding at the same time. README.md has the page; mff_flits.h the flits.
//
// One slice per memory partition; a block belongs to slice (address / InterleaveBytes) mod
// NSlice, or with Hash to that of wf_slice_hash. Slices exchange C requests, V requests and
// completion tokens over three crossbars.
//
// Why it cannot deadlock (environment: rsp is taken eventually; reads and writes are accepted and
// answered eventually, write acceptance not depending on mem_rsp being taken):
//   1 Tokens are always taken by their home (mff_jobs), so the token crossbar drains.
//   2 V walks wait for rsp, mem_wr and the token crossbar only, so they finish.
//   3 A block at mem_rsp is for C, and has a line reserved since its read, or for V, and then waits
//     for V walks at most; so mem_rsp drains, so every read is answered.
//   4 V inserts wait for tags, registers and reads of V, freed by V walks of landed blocks, so the
//     V crossbar drains.
//   5 C walks wait for the V crossbar only; C inserts for C lines and registers, freed by C walks;
//     the sequencers for the C crossbar. No arrow leads from V to C.
// Fairness: arbiters are round robin, walks rotate over landed lines, so each step is bounded.
//
// Timing: outputs come from registers or FIFO heads; every ready is a function of registers.
`default_nettype none
`include "wf_assert.vh"

module mff_unit #(
  parameter integer NSlice = 6,             // memory partitions, 1..24
  parameter integer NumSm = 15,             // SMs that may send commands, 1..256
  parameter integer NumWarp = 48,           // warps of an SM, 1..64
  parameter integer TagEntries = 256,       // tags per slice, C lines included
  parameter integer VWays = 4,              // ways of a set of V tags in each bank: 1, 2, 4, 8
  parameter integer CLines = 16,            // of these, C blocks (each with its line buffer)
  parameter integer VLines = 4,             // line buffers per slice for V blocks
  parameter integer WorkRegs = 8192,        // work registers of the unit, C registers included
  parameter integer CRegs = 768,            // of these, C registers (one per run)
  parameter integer JobEntries = 256,       // jobs of the unit
  parameter integer LaneRows = 24,          // rows of six lanes in a slice, 6..6144
  parameter integer InterleaveBytes = 256,  // consecutive bytes owned by one slice: a power of two
  parameter integer Hash = 0,               // 1: slices are found by wf_slice_hash
  parameter integer PackWords = 5,          // elements per response flit, 1..5, or 3 of 8 bytes
  parameter integer PackEntries = 16,       // warps whose words are packed at once, per slice
  parameter integer VQueue = 4,             // V requests queued between each two slices: 1, 2, 4, 8
  parameter integer Keep = 1,               // 1: blocks stay in their lines until those are wanted
  parameter integer AddrBits = 32,          // of an address, 32..64
  parameter integer BlockBytes = 128,       // of a memory block: 64, 128, 256
  parameter integer ElemBytes = 4,          // of an element of V: 4, 8
  parameter integer CounterBits = 40,       // width of the performance counters, up to 64; 0: none
  localparam integer BeatW = BlockBytes == 64 ? 1 : BlockBytes == 256 ? 3 : 2
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  // Configuration: taken while no command is in the unit.
  input  wire                    cfg_valid_i,
  output wire                    cfg_ready_o,
  input  wire [3:0]              cfg_addr_i,
  input  wire [31:0]             cfg_data_i,
  // Commands and responses, one 256-bit flit per beat (sim/units/mff/mff_flits.h).
  input  wire [NSlice-1:0]       cmd_valid_i,
  output wire [NSlice-1:0]       cmd_ready_o,
  input  wire [NSlice*256-1:0]   cmd_data_i,
  output wire [NSlice-1:0]       rsp_valid_o,
  input  wire [NSlice-1:0]       rsp_ready_i,
  output wire [NSlice*256-1:0]   rsp_data_o,
  // Memory: block reads, their beats (32 B, a block's in a row and in order), sector
  // writes (32 B with a word mask; last marks the final sector of a block's write-back).
  output wire [NSlice-1:0]       mem_rd_valid_o,
  input  wire [NSlice-1:0]       mem_rd_ready_i,
  output wire [NSlice*AddrBits-1:0] mem_rd_addr_o,
  output wire [NSlice*16-1:0]    mem_rd_id_o,
  input  wire [NSlice-1:0]       mem_rsp_valid_i,
  output wire [NSlice-1:0]       mem_rsp_ready_o,
  input  wire [NSlice*16-1:0]    mem_rsp_id_i,
  input  wire [NSlice*BeatW-1:0] mem_rsp_beat_i,
  input  wire [NSlice*256-1:0]   mem_rsp_data_i,
  output wire [NSlice-1:0]       mem_wr_valid_o,
  input  wire [NSlice-1:0]       mem_wr_ready_i,
  output wire [NSlice*AddrBits-1:0] mem_wr_addr_o,
  output wire [NSlice*8-1:0]     mem_wr_mask_o,
  output wire [NSlice-1:0]       mem_wr_last_o,
  output wire [NSlice*256-1:0]   mem_wr_data_o,
  // Counters (wf_counter_ram): snapshot copies all, clear zeroes the running ones, one counter per
  // cycle; a snapshot can be read 35 cycles later (66 if the other was asked for just before). The
  // value follows slice and index by one edge. Order of the counters: README.md.
  input  wire                    cnt_snapshot_i,
  input  wire                    cnt_clear_i,
  input  wire [4:0]              cnt_slice_i,
  input  wire [5:0]              cnt_index_i,
  output wire [63:0]             cnt_value_o,
  output wire [31:0]             error_count_o,
  // No command, block or response is in the unit: the clock may be withheld until an input is
  // valid.
  output wire                    idle_o
);
  localparam integer SliceW = NSlice > 1 ? $clog2(NSlice) : 1;
  localparam integer Jobs = JobEntries > 0 ? (JobEntries + NSlice - 1) / NSlice : 1;
  localparam integer JobW = Jobs > 1 ? $clog2(Jobs) : 1;
  localparam integer KeyW = SliceW + JobW;
  localparam integer WhoW = NumSm > 64 ? 22 : 20;   // {tag, warp, SM}
  // Values out of range are refused below; here they only must not break the elaboration before
  // that.
  // Sets are powers of two.
  localparam integer VTags = TagEntries > CLines ? 1 << $clog2(TagEntries - CLines) : 1;
  localparam integer VRegsPer = WorkRegs > CRegs ? (WorkRegs - CRegs + NSlice - 1) / NSlice : 1;
  localparam integer CRegsPer = CRegs > 0 ? (CRegs + NSlice - 1) / NSlice : 1;
  localparam integer CReqW = AddrBits + KeyW + 14;
  localparam integer VReqW = AddrBits + KeyW + 33;
  localparam integer TokW = JobW + 11;
  localparam integer IncW = $clog2((VRegsPer > Jobs ? VRegsPer : Jobs)
                                   + (TagEntries > 8 ? TagEntries : 8)) + 1;

  initial begin
    if (NSlice < 1 || NSlice > 24) $fatal(1, "mff_unit: NSlice must be 1..24");
    if (NumSm < 1 || NumSm > 256) $fatal(1, "mff_unit: NumSm must be 1..256 (8-bit field)");
    if (NumWarp < 1 || NumWarp > 64) $fatal(1, "mff_unit: NumWarp must be 1..64 (6-bit field)");
    if (Hash != 0 && Hash != 1) $fatal(1, "mff_unit: Hash must be 0 or 1");
    if (CLines < 1 || CLines > 64) $fatal(1, "mff_unit: CLines must be 1..64");
    if (TagEntries <= CLines || VTags > 4096)
      $fatal(1, "mff_unit: TagEntries must be CLines+1..CLines+4096, so that V has a tag");
    if (VWays != 1 && VWays != 2 && VWays != 4 && VWays != 8)
      $fatal(1, "mff_unit: VWays must be 1, 2, 4 or 8");
    if (VLines < 1 || VLines > 64) $fatal(1, "mff_unit: VLines must be 1..64");
    if (Keep != 0 && Keep != 1) $fatal(1, "mff_unit: Keep must be 0 or 1");
    if (CRegs < NSlice) $fatal(1, "mff_unit: CRegs must be at least NSlice, one per slice");
    if (WorkRegs - CRegs < NSlice || VRegsPer > 65536)
      $fatal(1, "mff_unit: WorkRegs must leave 1..65536 registers per slice beside CRegs");
    if (JobEntries < 1 || Jobs > 1024) $fatal(1, "mff_unit: JobEntries must be 1..1024*NSlice");
    if (LaneRows < 6 || LaneRows > 6144)
      $fatal(1, "mff_unit: LaneRows must be 6..6144: the lanes of a command, and of all");
    if (BlockBytes != 64 && BlockBytes != 128 && BlockBytes != 256)
      $fatal(1, "mff_unit: BlockBytes must be 64, 128 or 256");
    if (ElemBytes != 4 && ElemBytes != 8) $fatal(1, "mff_unit: ElemBytes must be 4 or 8");
    if (InterleaveBytes < BlockBytes || (InterleaveBytes & (InterleaveBytes - 1)) != 0)
      $fatal(1, "mff_unit: InterleaveBytes must be a power of two, BlockBytes or more");
    if (AddrBits < 32 || AddrBits > 64) $fatal(1, "mff_unit: AddrBits must be 32..64");
    if (PackWords < 1 || PackWords > (ElemBytes == 8 ? 3 : 5))
      $fatal(1, "mff_unit: PackWords must be 1..5, or 1..3 of 8 bytes");
    if (PackEntries < 1 || PackEntries > 64) $fatal(1, "mff_unit: PackEntries must be 1..64");
    if (CounterBits != 0 && (CounterBits < IncW || CounterBits > 64))
      $fatal(1, "mff_unit: CounterBits must be 0 or between an increment's width and 64");
  end

  // Configuration.
  reg [AddrBits-1:0] c_base_q, v_base_q, b_base_q;
  reg [31:0] error_count_q;
  wire [NSlice-1:0] slice_idle, slice_error, jobs_empty;
  wire all_idle = &slice_idle;
  reg busy_q;                             // !all_idle, which comes late, for the counters
  wire cfg_take = cfg_valid_i && cfg_ready_o;
  // What lies above the lower 32 bits of a base has a register of its own, four further.
  wire cfg_high = AddrBits > 32 && cfg_addr_i[3:2] == 2'd1;
  wire [3:0] cfg_base = cfg_high ? {2'd0, cfg_addr_i[1:0]} : cfg_addr_i;
  wire [2:0] cfg_align = cfg_base == 4'd1 ? ALIGN : 3'd3;
  wire cfg_error = cfg_take
                   && (cfg_base > 4'd2 || (!cfg_high && (cfg_data_i[2:0] & cfg_align) != '0));
  localparam integer AlignI = ElemBytes - 1;
  localparam [2:0] ALIGN = AlignI[2:0];   // bits of a base of V that must be 0
  localparam [AddrBits-1:0] LOW = AddrBits'(32'hffff_ffff);
  wire [AddrBits-1:0] cfg_data = AddrBits'(cfg_data_i) << (cfg_high ? 32 : 0);
  wire [AddrBits-1:0] cfg_kept = cfg_high ? LOW : ~LOW;
  reg cfg_error_q;                        // all_idle comes late: counted a cycle later
  reg [4:0] errors;
  always_comb begin
    errors = {4'd0, cfg_error_q};
    for (int i = 0; i < NSlice; i = i + 1) errors = errors + {4'd0, slice_error[i]};
  end
  assign cfg_ready_o = all_idle;
  assign error_count_o = error_count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      c_base_q <= '0;
      v_base_q <= '0;
      b_base_q <= '0;
      error_count_q <= '0;
      cfg_error_q <= 1'b0;
      busy_q <= 1'b0;
    end else begin
      busy_q <= !all_idle;
      cfg_error_q <= cfg_error;
      if (cfg_take && cfg_base == 4'd0) c_base_q <= (c_base_q & cfg_kept) | cfg_data;
      if (cfg_take && cfg_base == 4'd1) v_base_q <= (v_base_q & cfg_kept) | cfg_data;
      if (cfg_take && cfg_base == 4'd2) b_base_q <= (b_base_q & cfg_kept) | cfg_data;
      error_count_q <= error_count_q + {27'd0, errors};
    end
  end
  wire c_bad = c_base_q[1:0] != 2'd0;
  wire gather_bad = c_bad || (v_base_q[2:0] & ALIGN) != '0;
  wire scatter_bad = c_bad || b_base_q[1:0] != 2'd0;

  // Kept blocks are given back when the last command is done: what they hold may change after that.
  reg flush_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flush_q <= 1'b0;
    else flush_q <= &jobs_empty;
  end

  // The clock may stop a few cycles after the last event: free lists refill their output registers.
  reg [2:0] rest_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rest_q <= '0;
    else if (!all_idle) rest_q <= '0;
    else if (rest_q != 3'd7) rest_q <= rest_q + 3'd1;
  end
  assign idle_o = all_idle && rest_q == 3'd7 && !cfg_error_q;

  // Announcements: one per cycle, in rotation, to all slices.
  wire [NSlice-1:0] ann_valid, ann_ready;
  wire [NSlice*JobW-1:0] ann_job;
  wire [NSlice*WhoW-1:0] ann_who;
  reg ann_all_valid_q;
  reg [KeyW-1:0] ann_all_key_q;
  reg [WhoW-1:0] ann_all_who_q;
  wire [SliceW-1:0] ann_pick;
  wire ann_any;
  wf_arb_rr #(.N(NSlice)) u_ann (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(ann_valid), .advance_i(1'b1), .gnt_o(ann_ready),
    .gnt_index_o(ann_pick), .gnt_valid_o(ann_any)
  );
  wf_fair #(.N(NSlice)) u_ann_fair (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i(ann_valid), .served_i(ann_ready)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ann_all_valid_q <= 1'b0;
    else ann_all_valid_q <= ann_any;
  end
  always_ff @(posedge clk_i) begin
    if (ann_any) begin
      ann_all_key_q <= {ann_pick, ann_job[ann_pick*JobW +: JobW]};
      ann_all_who_q <= ann_who[ann_pick*WhoW +: WhoW];
    end
  end

  // Crossbars.
  wire [NSlice-1:0] co_valid, co_ready, ci_valid, ci_ready;
  wire [NSlice-1:0] vo_valid, vo_ready, vi_valid, vi_ready;
  wire [NSlice-1:0] to_valid, to_ready, ti_valid;
  wire [NSlice*SliceW-1:0] co_dest, vo_dest, to_dest;
  wire [NSlice*CReqW-1:0] co_data, ci_data;
  wire [NSlice*VReqW-1:0] vo_data, vi_data;
  wire [NSlice*TokW-1:0] to_data, ti_data;
  mff_xbar #(.N(NSlice), .Width(CReqW)) u_xc (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(co_valid), .in_ready_o(co_ready),
    .in_dest_i(co_dest), .in_data_i(co_data), .out_valid_o(ci_valid), .out_ready_i(ci_ready),
    .out_data_o(ci_data)
  );
  mff_xbar #(.N(NSlice), .Width(VReqW), .Depth(VQueue)) u_xv (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(vo_valid), .in_ready_o(vo_ready),
    .in_dest_i(vo_dest), .in_data_i(vo_data), .out_valid_o(vi_valid), .out_ready_i(vi_ready),
    .out_data_o(vi_data)
  );
  mff_xbar #(.N(NSlice), .Width(TokW)) u_xt (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(to_valid), .in_ready_o(to_ready),
    .in_dest_i(to_dest), .in_data_i(to_data), .out_valid_o(ti_valid), .out_ready_i({NSlice{1'b1}}),
    .out_data_o(ti_data)
  );

  wire [NSlice*64-1:0] cnt_value;
  generate
    for (genvar s = 0; s < NSlice; s = s + 1) begin : slice
      localparam integer HomeI = s;
      localparam [SliceW-1:0] HOME = HomeI[SliceW-1:0];
      mff_slice #(
        .NSlice(NSlice), .NumSm(NumSm), .NumWarp(NumWarp), .VTags(VTags), .VWays(VWays),
        .CLines(CLines), .VLines(VLines), .VRegs(VRegsPer), .CRegs(CRegsPer), .Jobs(Jobs),
        .LaneRows(LaneRows), .InterleaveBytes(InterleaveBytes), .Hash(Hash),
        .PackWords(PackWords), .PackEntries(PackEntries),
        .Keep(Keep), .IncW(IncW), .CounterBits(CounterBits), .AddrBits(AddrBits),
        .BlockBytes(32 << BeatW), .ElemBytes(ElemBytes)
      ) u_slice (
        .clk_i(clk_i), .rst_ni(rst_ni), .home_i(HOME), .c_base_i(c_base_q), .v_base_i(v_base_q),
        .b_base_i(b_base_q), .gather_bad_i(gather_bad), .scatter_bad_i(scatter_bad),
        .cmd_valid_i(cmd_valid_i[s]), .cmd_ready_o(cmd_ready_o[s]),
        .cmd_data_i(cmd_data_i[s*256 +: 256]),
        .rsp_valid_o(rsp_valid_o[s]), .rsp_ready_i(rsp_ready_i[s]),
        .rsp_data_o(rsp_data_o[s*256 +: 256]),
        .mem_rd_valid_o(mem_rd_valid_o[s]), .mem_rd_ready_i(mem_rd_ready_i[s]),
        .mem_rd_addr_o(mem_rd_addr_o[s*AddrBits +: AddrBits]),
        .mem_rd_id_o(mem_rd_id_o[s*16 +: 16]),
        .mem_rsp_valid_i(mem_rsp_valid_i[s]), .mem_rsp_ready_o(mem_rsp_ready_o[s]),
        .mem_rsp_id_i(mem_rsp_id_i[s*16 +: 16]), .mem_rsp_beat_i(mem_rsp_beat_i[s*BeatW +: BeatW]),
        .mem_rsp_data_i(mem_rsp_data_i[s*256 +: 256]),
        .mem_wr_valid_o(mem_wr_valid_o[s]), .mem_wr_ready_i(mem_wr_ready_i[s]),
        .mem_wr_addr_o(mem_wr_addr_o[s*AddrBits +: AddrBits]),
        .mem_wr_mask_o(mem_wr_mask_o[s*8 +: 8]),
        .mem_wr_last_o(mem_wr_last_o[s]), .mem_wr_data_o(mem_wr_data_o[s*256 +: 256]),
        .ann_valid_o(ann_valid[s]), .ann_ready_i(ann_ready[s]),
        .ann_job_o(ann_job[s*JobW +: JobW]), .ann_who_o(ann_who[s*WhoW +: WhoW]),
        .ann_all_valid_i(ann_all_valid_q), .ann_all_key_i(ann_all_key_q),
        .ann_all_who_i(ann_all_who_q),
        .c_valid_o(co_valid[s]), .c_ready_i(co_ready[s]), .c_dest_o(co_dest[s*SliceW +: SliceW]),
        .c_data_o(co_data[s*CReqW +: CReqW]), .c_valid_i(ci_valid[s]), .c_ready_o(ci_ready[s]),
        .c_data_i(ci_data[s*CReqW +: CReqW]),
        .v_valid_o(vo_valid[s]), .v_ready_i(vo_ready[s]), .v_dest_o(vo_dest[s*SliceW +: SliceW]),
        .v_data_o(vo_data[s*VReqW +: VReqW]), .v_valid_i(vi_valid[s]), .v_ready_o(vi_ready[s]),
        .v_data_i(vi_data[s*VReqW +: VReqW]),
        .t_valid_o(to_valid[s]), .t_ready_i(to_ready[s]), .t_dest_o(to_dest[s*SliceW +: SliceW]),
        .t_data_o(to_data[s*TokW +: TokW]), .t_valid_i(ti_valid[s]),
        .t_data_i(ti_data[s*TokW +: TokW]),
        .busy_i(busy_q), .flush_i(flush_q), .cnt_snapshot_i(cnt_snapshot_i),
        .cnt_clear_i(cnt_clear_i), .cnt_index_i(cnt_index_i[4:0]),
        .cnt_value_o(cnt_value[s*64 +: 64]),
        .jobs_empty_o(jobs_empty[s]), .error_o(slice_error[s]), .idle_o(slice_idle[s])
      );
    end
  endgenerate

  reg cnt_high_q;
  reg [4:0] cnt_slice_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cnt_high_q <= 1'b0;
      cnt_slice_q <= '0;
    end else begin
      cnt_high_q <= cnt_index_i[5];
      cnt_slice_q <= cnt_slice_i;
    end
  end
  reg [63:0] cnt_pick;
  always_comb begin
    cnt_pick = '0;
    for (int i = 0; i < NSlice; i = i + 1)
      if (cnt_slice_q == 5'(i) && !cnt_high_q) cnt_pick = cnt_value[i*64 +: 64];
  end
  assign cnt_value_o = cnt_pick;
  wire unused_cnt = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i};

  `WF_ASSERT(rule1, !all_idle || (to_valid == '0 && vo_valid == '0 && co_valid == '0
                                  && ti_valid == '0 && vi_valid == '0 && ci_valid == '0),
             "Rule 1: an idle unit holds no request and no token")
endmodule

`default_nettype wire
