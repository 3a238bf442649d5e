// mff_tlul: mff_unit whose memory side is a TileLink-UL client, one port for each slice, by a
// converter of its own (wf_tlul; rtl/common/buses.md has the page). The other ports are those of
// mff_unit, with its handshakes; vectors are flattened, slice 0 lowest.
//
// What mff_unit asks of memory the converters keep: a read sees what was written to its block
// before; the beats of a block come in a row; writes wait for no answer of a read. Completions of
// scatters wait until memory has answered for their bits (mff_fence).
//
// Answers with an error: a read's words are 0, a write is lost; mem_error_o is high for a cycle
// with each of a slice. What the unit delivers after one is not to be trusted.
//
// Storage, timing and rules: those of the parts.
`default_nettype none

module mff_tlul #(
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
  parameter integer BusBits = 128,          // of a TileLink port's data: 2^k, 8..1024
  parameter integer SourceBits = 9,         // of its sources
  parameter integer SizeBits = 3,           // of a message's size
  parameter integer RdSlots = 32,           // reads of a slice on their way
  parameter integer WrSlots = 8             // writes of a slice on their way, from 1
) (
  input  wire                          clk_i,
  input  wire                          rst_ni,
  input  wire                          cfg_valid_i,
  output wire                          cfg_ready_o,
  input  wire [3:0]                    cfg_addr_i,
  input  wire [31:0]                   cfg_data_i,
  input  wire [NSlice-1:0]             cmd_valid_i,
  output wire [NSlice-1:0]             cmd_ready_o,
  input  wire [NSlice*256-1:0]         cmd_data_i,
  output wire [NSlice-1:0]             rsp_valid_o,
  input  wire [NSlice-1:0]             rsp_ready_i,
  output wire [NSlice*256-1:0]         rsp_data_o,
  // TileLink-UL
  output wire [NSlice-1:0]             tl_a_valid_o,
  input  wire [NSlice-1:0]             tl_a_ready_i,
  output wire [NSlice*3-1:0]           tl_a_opcode_o,
  output wire [NSlice*3-1:0]           tl_a_param_o,
  output wire [NSlice*SizeBits-1:0]    tl_a_size_o,
  output wire [NSlice*SourceBits-1:0]  tl_a_source_o,
  output wire [NSlice*AddrBits-1:0]    tl_a_address_o,
  output wire [NSlice*(BusBits/8)-1:0] tl_a_mask_o,
  output wire [NSlice*BusBits-1:0]     tl_a_data_o,
  output wire [NSlice-1:0]             tl_a_corrupt_o,
  input  wire [NSlice-1:0]             tl_d_valid_i,
  output wire [NSlice-1:0]             tl_d_ready_o,
  input  wire [NSlice*3-1:0]           tl_d_opcode_i,
  input  wire [NSlice*SourceBits-1:0]  tl_d_source_i,
  input  wire [NSlice-1:0]             tl_d_denied_i,
  input  wire [NSlice*BusBits-1:0]     tl_d_data_i,
  input  wire [NSlice-1:0]             tl_d_corrupt_i,
  output wire [NSlice-1:0]             mem_error_o,
  // Counters: of the unit, and of a slice's converter in the order of wf_tlul.ini; snapshot and
  // clear are of both.
  input  wire                          cnt_snapshot_i,
  input  wire                          cnt_clear_i,
  input  wire [4:0]                    cnt_slice_i,
  input  wire [5:0]                    cnt_index_i,
  output wire [63:0]                   cnt_value_o,
  input  wire [3:0]                    bus_cnt_index_i,
  output wire [63:0]                   bus_cnt_value_o,
  output wire [31:0]                   error_count_o,
  output wire                          idle_o
);
  wire [NSlice-1:0] rd_valid, rd_ready, rsp_valid, rsp_ready, wr_valid, wr_ready, wr_last;
  wire [NSlice*AddrBits-1:0] rd_addr, wr_addr;
  wire [NSlice*16-1:0] rd_id, rsp_id;
  localparam integer BeatW = BlockBytes == 64 ? 1 : BlockBytes == 256 ? 3 : 2;
  wire [NSlice*BeatW-1:0] rsp_beat;
  wire [NSlice*256-1:0] rsp_data, wr_data;
  wire [NSlice*8-1:0] wr_mask;
  wire [NSlice-1:0] out_valid, out_ready, scattered, pass, fence_done, bus_idle;
  wire fence, unit_idle;
  mff_unit #(
    .NSlice(NSlice), .NumSm(NumSm), .NumWarp(NumWarp), .TagEntries(TagEntries), .VWays(VWays),
    .CLines(CLines), .VLines(VLines), .WorkRegs(WorkRegs), .CRegs(CRegs), .JobEntries(JobEntries),
    .LaneRows(LaneRows), .InterleaveBytes(InterleaveBytes), .Hash(Hash),
    .PackWords(PackWords),
    .PackEntries(PackEntries), .VQueue(VQueue), .Keep(Keep), .AddrBits(AddrBits),
    .BlockBytes(BlockBytes), .ElemBytes(ElemBytes), .CounterBits(CounterBits)
  ) u_unit (
    .clk_i(clk_i), .rst_ni(rst_ni), .cfg_valid_i(cfg_valid_i), .cfg_ready_o(cfg_ready_o),
    .cfg_addr_i(cfg_addr_i), .cfg_data_i(cfg_data_i), .cmd_valid_i(cmd_valid_i),
    .cmd_ready_o(cmd_ready_o), .cmd_data_i(cmd_data_i), .rsp_valid_o(out_valid),
    .rsp_ready_i(out_ready), .rsp_data_o(rsp_data_o), .mem_rd_valid_o(rd_valid),
    .mem_rd_ready_i(rd_ready), .mem_rd_addr_o(rd_addr), .mem_rd_id_o(rd_id),
    .mem_rsp_valid_i(rsp_valid), .mem_rsp_ready_o(rsp_ready), .mem_rsp_id_i(rsp_id),
    .mem_rsp_beat_i(rsp_beat), .mem_rsp_data_i(rsp_data), .mem_wr_valid_o(wr_valid),
    .mem_wr_ready_i(wr_ready), .mem_wr_addr_o(wr_addr), .mem_wr_mask_o(wr_mask),
    .mem_wr_last_o(wr_last), .mem_wr_data_o(wr_data), .cnt_snapshot_i(cnt_snapshot_i),
    .cnt_clear_i(cnt_clear_i), .cnt_slice_i(cnt_slice_i), .cnt_index_i(cnt_index_i),
    .cnt_value_o(cnt_value_o), .error_count_o(error_count_o), .idle_o(unit_idle)
  );
  assign rsp_valid_o = out_valid & (~scattered | pass);
  assign out_ready = rsp_ready_i & (~scattered | pass);
  mff_fence #(.N(NSlice)) u_fence (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i(scattered), .taken_i(scattered & out_ready),
    .pass_o(pass), .fence_o(fence), .done_i(&fence_done)
  );
  assign idle_o = unit_idle && &bus_idle;

  wire [NSlice*64-1:0] bus_count;
  generate
    for (genvar s = 0; s < NSlice; s = s + 1) begin : g_slice
      wire rd_error, wr_error, rsp_last, rsp_error;
      // A flit: [224] it is a completion, [16] of a scatter.
      assign scattered[s] = out_valid[s] && rsp_data_o[s*256+224] && rsp_data_o[s*256+16];
      assign mem_error_o[s] = rd_error || wr_error;
      wf_tlul #(
        .AddrBits(AddrBits), .BlockBytes(BlockBytes), .BeatBits(256), .MaskBits(32), .TagBits(16),
        .BusBits(BusBits), .SourceBits(SourceBits), .SizeBits(SizeBits),
        .RdSlots(RdSlots), .WrSlots(WrSlots), .CounterBits(CounterBits)
      ) u_bus (
        .clk_i(clk_i), .rst_ni(rst_ni), .rd_valid_i(rd_valid[s]), .rd_ready_o(rd_ready[s]),
        .rd_addr_i(rd_addr[s*AddrBits +: AddrBits]), .rd_tag_i(rd_id[s*16 +: 16]),
        .rsp_valid_o(rsp_valid[s]),
        .rsp_ready_i(rsp_ready[s]), .rsp_tag_o(rsp_id[s*16 +: 16]),
        .rsp_beat_o(rsp_beat[s*BeatW +: BeatW]), .rsp_last_o(rsp_last), .rsp_error_o(rsp_error),
        .rsp_data_o(rsp_data[s*256 +: 256]), .wr_valid_i(wr_valid[s]), .wr_ready_o(wr_ready[s]),
        .wr_addr_i(wr_addr[s*AddrBits +: AddrBits]), .wr_mask_i(wr_mask[s*8 +: 8]),
        .wr_data_i(wr_data[s*256 +: 256]), .fence_i(fence), .fence_done_o(fence_done[s]),
        .rd_error_o(rd_error), .wr_error_o(wr_error),
        .tl_a_valid_o(tl_a_valid_o[s]), .tl_a_ready_i(tl_a_ready_i[s]),
        .tl_a_opcode_o(tl_a_opcode_o[s*3 +: 3]), .tl_a_param_o(tl_a_param_o[s*3 +: 3]),
        .tl_a_size_o(tl_a_size_o[s*SizeBits +: SizeBits]),
        .tl_a_source_o(tl_a_source_o[s*SourceBits +: SourceBits]),
        .tl_a_address_o(tl_a_address_o[s*AddrBits +: AddrBits]),
        .tl_a_mask_o(tl_a_mask_o[s*(BusBits/8) +: (BusBits/8)]),
        .tl_a_data_o(tl_a_data_o[s*BusBits +: BusBits]), .tl_a_corrupt_o(tl_a_corrupt_o[s]),
        .tl_d_valid_i(tl_d_valid_i[s]), .tl_d_ready_o(tl_d_ready_o[s]),
        .tl_d_opcode_i(tl_d_opcode_i[s*3 +: 3]),
        .tl_d_source_i(tl_d_source_i[s*SourceBits +: SourceBits]),
        .tl_d_denied_i(tl_d_denied_i[s]), .tl_d_data_i(tl_d_data_i[s*BusBits +: BusBits]),
        .tl_d_corrupt_i(tl_d_corrupt_i[s]),
        .cnt_snapshot_i(cnt_snapshot_i), .cnt_clear_i(cnt_clear_i),
        .cnt_index_i(bus_cnt_index_i), .cnt_value_o(bus_count[s*64 +: 64]), .idle_o(bus_idle[s])
      );
      wire unused = &{1'b0, rsp_last, rsp_error, wr_last[s]};
    end
  endgenerate

  reg [4:0] cnt_slice_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cnt_slice_q <= '0;
    else cnt_slice_q <= cnt_slice_i;
  end
  reg [63:0] cnt_pick;
  always_comb begin
    cnt_pick = '0;
    for (int i = 0; i < NSlice; i = i + 1)
      if (cnt_slice_q == 5'(i)) cnt_pick = bus_count[i*64 +: 64];
  end
  assign bus_cnt_value_o = cnt_pick;
endmodule
`default_nettype wire
