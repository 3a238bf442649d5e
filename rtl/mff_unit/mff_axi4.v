// mff_axi4: mff_unit whose memory side is an AXI4 manager, one port for each slice, by a
// converter of its own (wf_axi4; rtl/common/buses.md has the page). The other ports are those of
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

module mff_axi4 #(
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
  parameter integer BusBits = 256,          // of an AXI port's data: 2^k, 8..1024
  parameter integer IdBits = 8,             // of its IDs
  parameter integer RdSlots = 32,           // reads of a slice on their way
  parameter integer WrSlots = 8,            // writes of a slice on their way, from 1
  parameter [3:0]   Cache = 4'b0011,        // ARCACHE, AWCACHE
  parameter [2:0]   Prot = 3'b000           // ARPROT, AWPROT
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
  // AXI4
  output wire [NSlice-1:0]             axi_arvalid_o,
  input  wire [NSlice-1:0]             axi_arready_i,
  output wire [NSlice*IdBits-1:0]      axi_arid_o,
  output wire [NSlice*AddrBits-1:0]    axi_araddr_o,
  output wire [NSlice*8-1:0]           axi_arlen_o,
  output wire [NSlice*3-1:0]           axi_arsize_o,
  output wire [NSlice*2-1:0]           axi_arburst_o,
  output wire [NSlice-1:0]             axi_arlock_o,
  output wire [NSlice*4-1:0]           axi_arcache_o,
  output wire [NSlice*3-1:0]           axi_arprot_o,
  output wire [NSlice*4-1:0]           axi_arqos_o,
  input  wire [NSlice-1:0]             axi_rvalid_i,
  output wire [NSlice-1:0]             axi_rready_o,
  input  wire [NSlice*IdBits-1:0]      axi_rid_i,
  input  wire [NSlice*BusBits-1:0]     axi_rdata_i,
  input  wire [NSlice*2-1:0]           axi_rresp_i,
  input  wire [NSlice-1:0]             axi_rlast_i,
  output wire [NSlice-1:0]             axi_awvalid_o,
  input  wire [NSlice-1:0]             axi_awready_i,
  output wire [NSlice*IdBits-1:0]      axi_awid_o,
  output wire [NSlice*AddrBits-1:0]    axi_awaddr_o,
  output wire [NSlice*8-1:0]           axi_awlen_o,
  output wire [NSlice*3-1:0]           axi_awsize_o,
  output wire [NSlice*2-1:0]           axi_awburst_o,
  output wire [NSlice-1:0]             axi_awlock_o,
  output wire [NSlice*4-1:0]           axi_awcache_o,
  output wire [NSlice*3-1:0]           axi_awprot_o,
  output wire [NSlice*4-1:0]           axi_awqos_o,
  output wire [NSlice-1:0]             axi_wvalid_o,
  input  wire [NSlice-1:0]             axi_wready_i,
  output wire [NSlice*BusBits-1:0]     axi_wdata_o,
  output wire [NSlice*(BusBits/8)-1:0] axi_wstrb_o,
  output wire [NSlice-1:0]             axi_wlast_o,
  input  wire [NSlice-1:0]             axi_bvalid_i,
  output wire [NSlice-1:0]             axi_bready_o,
  input  wire [NSlice*IdBits-1:0]      axi_bid_i,
  input  wire [NSlice*2-1:0]           axi_bresp_i,
  output wire [NSlice-1:0]             mem_error_o,
  // Counters: of the unit, and of a slice's converter in the order of wf_axi4.ini; snapshot and
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
      wf_axi4 #(
        .AddrBits(AddrBits), .BlockBytes(BlockBytes), .BeatBits(256), .MaskBits(32), .TagBits(16),
        .BusBits(BusBits), .IdBits(IdBits), .Cache(Cache), .Prot(Prot),
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
        .axi_arvalid_o(axi_arvalid_o[s]), .axi_arready_i(axi_arready_i[s]),
        .axi_arid_o(axi_arid_o[s*IdBits +: IdBits]),
        .axi_araddr_o(axi_araddr_o[s*AddrBits +: AddrBits]),
        .axi_arlen_o(axi_arlen_o[s*8 +: 8]), .axi_arsize_o(axi_arsize_o[s*3 +: 3]),
        .axi_arburst_o(axi_arburst_o[s*2 +: 2]), .axi_arlock_o(axi_arlock_o[s]),
        .axi_arcache_o(axi_arcache_o[s*4 +: 4]), .axi_arprot_o(axi_arprot_o[s*3 +: 3]),
        .axi_arqos_o(axi_arqos_o[s*4 +: 4]), .axi_rvalid_i(axi_rvalid_i[s]),
        .axi_rready_o(axi_rready_o[s]), .axi_rid_i(axi_rid_i[s*IdBits +: IdBits]),
        .axi_rdata_i(axi_rdata_i[s*BusBits +: BusBits]), .axi_rresp_i(axi_rresp_i[s*2 +: 2]),
        .axi_rlast_i(axi_rlast_i[s]), .axi_awvalid_o(axi_awvalid_o[s]),
        .axi_awready_i(axi_awready_i[s]), .axi_awid_o(axi_awid_o[s*IdBits +: IdBits]),
        .axi_awaddr_o(axi_awaddr_o[s*AddrBits +: AddrBits]), .axi_awlen_o(axi_awlen_o[s*8 +: 8]),
        .axi_awsize_o(axi_awsize_o[s*3 +: 3]), .axi_awburst_o(axi_awburst_o[s*2 +: 2]),
        .axi_awlock_o(axi_awlock_o[s]), .axi_awcache_o(axi_awcache_o[s*4 +: 4]),
        .axi_awprot_o(axi_awprot_o[s*3 +: 3]), .axi_awqos_o(axi_awqos_o[s*4 +: 4]),
        .axi_wvalid_o(axi_wvalid_o[s]), .axi_wready_i(axi_wready_i[s]),
        .axi_wdata_o(axi_wdata_o[s*BusBits +: BusBits]),
        .axi_wstrb_o(axi_wstrb_o[s*(BusBits/8) +: (BusBits/8)]), .axi_wlast_o(axi_wlast_o[s]),
        .axi_bvalid_i(axi_bvalid_i[s]), .axi_bready_o(axi_bready_o[s]),
        .axi_bid_i(axi_bid_i[s*IdBits +: IdBits]), .axi_bresp_i(axi_bresp_i[s*2 +: 2]),
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
