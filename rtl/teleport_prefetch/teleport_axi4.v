// teleport_axi4: teleport_buffer whose fetches are reads of an AXI4 manager
// (wf_axi4; rtl/common/buses.md has the page), and what they bring is written to shared memory
// through a port. The other ports are those of teleport_buffer, with its handshakes, but for these.
//
//   fetch  offers to read block `block` for line `line`; it is ready while no store of this SM that
//          was taken on acc is still on its way to memory, for which the read must not be older.
//   fill   a beat of FillBits for line `line`: beat 0 first, those of a line in a row. The line
//          counts as here at the edge of its last beat. A load that hit it before has to read it
//          before the first beat of its next block comes.
//   bad    high for a cycle: memory answered the read of block `block` with an error. Nothing is
//          written; its line dies as if that block had been stored to, and loads of it go to L1.
//
// Storage, timing and rules: those of the parts.
`default_nettype none

module teleport_axi4 #(
  parameter integer Sets = 4,          // 1, 2, 4 .. 64
  parameter integer Ways = 96,         // 1..128
  parameter integer MaxTb = 8,         // slots of the SM, 1..64
  parameter integer BlockBits = 25,    // of a block's address; over log2 of Sets, to 58
  parameter integer LineBytes = 128,   // of a block, a power of two
  parameter integer PitchBits = 20,    // of the distance of two lines in bytes, 1..
  parameter integer HeightBits = 8,    // of the number of lines; with PitchBits up to an address's
  parameter integer CapBits = 10,      // of cap_i, 1..20
  parameter integer Ranges = 8,        // that wait, 3..64
  parameter integer CounterBits = 40,  // of the performance counters, up to 64; 0: none
  parameter integer KeepUnread = 0,    // 1: lines that no load has found since
                                       // they were asked for go last
  parameter integer BusBits = 256,     // of RDATA: 2^k, 8 .. 1024 and a line's
  parameter integer IdBits = 8,        // of ARID
  parameter integer RdSlots = 16,      // lines on their way at once
  parameter [3:0]   Cache = 4'b0011,   // ARCACHE
  parameter [2:0]   Prot = 3'b000,     // ARPROT
  parameter integer FillBits = 256,    // of a beat to shared memory: 2^k, 8 .. a line's
  localparam integer Beats = 8 * LineBytes / FillBits,
  localparam integer BeatW = Beats > 1 ? $clog2(Beats) : 1,
  localparam integer Lines = Sets * Ways,
  localparam integer LineW = Lines > 1 ? $clog2(Lines) : 1,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer FillW = $clog2(Ways + 1),
  localparam integer AddrBits = BlockBits + $clog2(LineBytes)
) (
  input  wire                         clk_i,
  input  wire                         rst_ni,
  // levels
  input  wire                         overlap_i,
  input  wire [BlockBits-1:0]         bound_lo_i,
  input  wire [BlockBits-1:0]         bound_hi_i,
  input  wire [CapBits-1:0]           cap_i,
  // a kernel begins
  input  wire                         start_valid_i,
  output wire                         start_ready_o,
  input  wire [FillW-1:0]             start_ways_i,
  // ranges
  input  wire                         ask_valid_i,
  output wire                         ask_ready_o,
  input  wire [SlotW-1:0]             ask_slot_i,
  input  wire                         ask_last_i,
  input  wire                         ask_none_i,
  input  wire [AddrBits:0]            ask_low_i,
  input  wire [AddrBits:0]            ask_high_i,
  input  wire [PitchBits-1:0]         ask_pitch_i,
  input  wire [HeightBits-1:0]        ask_lines_i,
  // fetches: whether they may go
  output wire                         fetch_valid_o,
  input  wire                         fetch_ready_i,
  output wire [BlockBits-1:0]         fetch_block_o,
  output wire [LineW-1:0]             fetch_line_o,
  // to shared memory
  output wire                         fill_valid_o,
  input  wire                         fill_ready_i,
  output wire [LineW-1:0]             fill_line_o,
  output wire [BeatW-1:0]             fill_beat_o,
  output wire                         fill_last_o,
  output wire [FillBits-1:0]          fill_data_o,
  output wire                         bad_valid_o,
  output wire [BlockBits-1:0]         bad_block_o,
  // AXI4: the channels of reads
  output wire                         axi_arvalid_o,
  input  wire                         axi_arready_i,
  output wire [IdBits-1:0]            axi_arid_o,
  output wire [AddrBits-1:0]          axi_araddr_o,
  output wire [7:0]                   axi_arlen_o,
  output wire [2:0]                   axi_arsize_o,
  output wire [1:0]                   axi_arburst_o,
  output wire                         axi_arlock_o,
  output wire [3:0]                   axi_arcache_o,
  output wire [2:0]                   axi_arprot_o,
  output wire [3:0]                   axi_arqos_o,
  input  wire                         axi_rvalid_i,
  output wire                         axi_rready_o,
  input  wire [IdBits-1:0]            axi_rid_i,
  input  wire [BusBits-1:0]           axi_rdata_i,
  input  wire [1:0]                   axi_rresp_i,
  input  wire                         axi_rlast_i,
  // loads and stores
  input  wire                         acc_valid_i,
  output wire                         acc_ready_o,
  input  wire                         acc_store_i,
  input  wire [BlockBits-1:0]         acc_block_i,
  output wire                         acc_rsp_valid_o,
  output wire                         acc_rsp_hit_o,
  output wire                         acc_rsp_coming_o,
  output wire [LineW-1:0]             acc_rsp_line_o,
  // thread blocks
  output wire                         go_valid_o,
  input  wire                         go_ready_i,
  output wire [SlotW-1:0]             go_slot_o,
  input  wire                         end_valid_i,
  output wire                         end_ready_o,
  input  wire [SlotW-1:0]             end_slot_i,
  // counters: of the buffer, and of the converter in the order of wf_axi4.ini; snapshot and clear
  // are of both
  input  wire                         cnt_snapshot_i,
  input  wire                         cnt_clear_i,
  input  wire [4:0]                   cnt_index_i,
  output wire [63:0]                  cnt_value_o,
  input  wire [3:0]                   bus_cnt_index_i,
  output wire [63:0]                  bus_cnt_value_o,
  output wire                         idle_o
);
  wire want, rd_ready, rsp_valid, rsp_ready, rsp_last, rsp_error, come, rsp_taken, bus_idle,
       fill_idle, unit_idle;
  wire [BlockBits-1:0] rsp_block, buf_block;
  wire [LineW-1:0] rsp_line;
  wire buf_valid, buf_ready, buf_store, buf_rsp_valid;
  teleport_buffer #(
    .Sets(Sets), .Ways(Ways), .MaxTb(MaxTb), .BlockBits(BlockBits), .LineBytes(LineBytes),
    .PitchBits(PitchBits), .HeightBits(HeightBits), .CapBits(CapBits), .Ranges(Ranges),
    .CounterBits(CounterBits), .KeepUnread(KeepUnread)
  ) u_buffer (
    .clk_i(clk_i), .rst_ni(rst_ni), .overlap_i(overlap_i), .bound_lo_i(bound_lo_i),
    .bound_hi_i(bound_hi_i), .cap_i(cap_i), .start_valid_i(start_valid_i),
    .start_ready_o(start_ready_o), .start_ways_i(start_ways_i), .ask_valid_i(ask_valid_i),
    .ask_ready_o(ask_ready_o), .ask_slot_i(ask_slot_i), .ask_last_i(ask_last_i),
    .ask_none_i(ask_none_i), .ask_low_i(ask_low_i), .ask_high_i(ask_high_i),
    .ask_pitch_i(ask_pitch_i), .ask_lines_i(ask_lines_i), .fetch_valid_o(want),
    .fetch_ready_i(rd_ready && fetch_ready_i), .fetch_block_o(fetch_block_o),
    .fetch_line_o(fetch_line_o), .rsp_valid_i(come), .rsp_ready_o(rsp_taken),
    .rsp_line_i(rsp_line), .acc_valid_i(buf_valid), .acc_ready_o(buf_ready),
    .acc_store_i(buf_store), .acc_block_i(buf_block), .acc_rsp_valid_o(buf_rsp_valid),
    .acc_rsp_hit_o(acc_rsp_hit_o), .acc_rsp_coming_o(acc_rsp_coming_o),
    .acc_rsp_line_o(acc_rsp_line_o), .go_valid_o(go_valid_o), .go_ready_i(go_ready_i),
    .go_slot_o(go_slot_o), .end_valid_i(end_valid_i), .end_ready_o(end_ready_o),
    .end_slot_i(end_slot_i), .cnt_snapshot_i(cnt_snapshot_i), .cnt_clear_i(cnt_clear_i),
    .cnt_index_i(cnt_index_i), .cnt_value_o(cnt_value_o), .idle_o(unit_idle)
  );
  assign fetch_valid_o = want && rd_ready;
  assign fill_line_o = rsp_line;
  assign fill_last_o = rsp_last;
  assign bad_block_o = rsp_block;
  assign idle_o = unit_idle && bus_idle && fill_idle;
  teleport_fill #(.BlockBits(BlockBits), .LineW(LineW)) u_fill (
    .clk_i(clk_i), .rst_ni(rst_ni), .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready),
    .rsp_block_i(rsp_block), .rsp_line_i(rsp_line), .rsp_last_i(rsp_last),
    .rsp_error_i(rsp_error), .fill_valid_o(fill_valid_o), .fill_ready_i(fill_ready_i),
    .come_o(come), .acc_valid_i(acc_valid_i), .acc_ready_o(acc_ready_o),
    .acc_store_i(acc_store_i), .acc_block_i(acc_block_i), .acc_rsp_valid_o(acc_rsp_valid_o),
    .buf_valid_o(buf_valid), .buf_ready_i(buf_ready), .buf_store_o(buf_store),
    .buf_block_o(buf_block), .buf_rsp_valid_i(buf_rsp_valid), .bad_valid_o(bad_valid_o),
    .idle_o(fill_idle)
  );
  wire wr_ready, fence_done, rd_error, wr_error;
  wire no_awvalid;
  wire [IdBits-1:0] no_awid;
  wire [AddrBits-1:0] no_awaddr;
  wire [7:0] no_awlen;
  wire [2:0] no_awsize;
  wire [1:0] no_awburst;
  wire no_awlock;
  wire [3:0] no_awcache;
  wire [2:0] no_awprot;
  wire [3:0] no_awqos;
  wire no_wvalid;
  wire [BusBits-1:0] no_wdata;
  wire [BusBits/8-1:0] no_wstrb;
  wire no_wlast;
  wire no_bready;
  wf_axi4 #(
    .AddrBits(AddrBits), .BlockBytes(LineBytes), .BeatBits(FillBits), .MaskBits(FillBits),
    .TagBits(BlockBits + LineW), .BusBits(BusBits), .IdBits(IdBits), .Cache(Cache), .Prot(Prot),
    .RdSlots(RdSlots), .WrSlots(0), .CounterBits(CounterBits)
  ) u_bus (
    .clk_i(clk_i), .rst_ni(rst_ni), .rd_valid_i(want && fetch_ready_i), .rd_ready_o(rd_ready),
    .rd_addr_i({fetch_block_o, {$clog2(LineBytes){1'b0}}}),
    .rd_tag_i({fetch_block_o, fetch_line_o}), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_tag_o({rsp_block, rsp_line}), .rsp_beat_o(fill_beat_o), .rsp_last_o(rsp_last),
    .rsp_error_o(rsp_error), .rsp_data_o(fill_data_o), .wr_valid_i(1'b0), .wr_ready_o(wr_ready),
    .wr_addr_i(AddrBits'(0)), .wr_mask_i(1'b0), .wr_data_i(FillBits'(0)), .fence_i(1'b0),
    .fence_done_o(fence_done), .rd_error_o(rd_error), .wr_error_o(wr_error),
    .axi_arvalid_o(axi_arvalid_o), .axi_arready_i(axi_arready_i), .axi_arid_o(axi_arid_o),
    .axi_araddr_o(axi_araddr_o), .axi_arlen_o(axi_arlen_o), .axi_arsize_o(axi_arsize_o),
    .axi_arburst_o(axi_arburst_o), .axi_arlock_o(axi_arlock_o), .axi_arcache_o(axi_arcache_o),
    .axi_arprot_o(axi_arprot_o), .axi_arqos_o(axi_arqos_o), .axi_rvalid_i(axi_rvalid_i),
    .axi_rready_o(axi_rready_o), .axi_rid_i(axi_rid_i), .axi_rdata_i(axi_rdata_i),
    .axi_rresp_i(axi_rresp_i), .axi_rlast_i(axi_rlast_i),
    .axi_awvalid_o(no_awvalid), .axi_awready_i(1'b0), .axi_awid_o(no_awid),
    .axi_awaddr_o(no_awaddr), .axi_awlen_o(no_awlen), .axi_awsize_o(no_awsize),
    .axi_awburst_o(no_awburst), .axi_awlock_o(no_awlock), .axi_awcache_o(no_awcache),
    .axi_awprot_o(no_awprot), .axi_awqos_o(no_awqos), .axi_wvalid_o(no_wvalid),
    .axi_wready_i(1'b0), .axi_wdata_o(no_wdata), .axi_wstrb_o(no_wstrb), .axi_wlast_o(no_wlast),
    .axi_bvalid_i(1'b0), .axi_bready_o(no_bready), .axi_bid_i(IdBits'(0)), .axi_bresp_i(2'b00),
    .cnt_snapshot_i(cnt_snapshot_i), .cnt_clear_i(cnt_clear_i), .cnt_index_i(bus_cnt_index_i),
    .cnt_value_o(bus_cnt_value_o), .idle_o(bus_idle)
  );
  wire unused = &{1'b0, wr_ready, fence_done, rd_error, wr_error, rsp_taken, no_awvalid, no_awid,
                    no_awaddr, no_awlen, no_awsize, no_awburst, no_awlock, no_awcache, no_awprot,
                    no_awqos, no_wvalid, no_wdata, no_wstrb, no_wlast, no_bready};
endmodule
`default_nettype wire
