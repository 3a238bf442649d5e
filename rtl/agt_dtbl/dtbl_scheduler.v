// dtbl_scheduler: dynamic thread block launch, one per GPU: the kernel distributor with its FCFS
// queue, the aggregated group table, and the SMX scheduler that decides every thread block's place.
// README.md has the page, with figures and the protocol of a whole run; this header is the contract
// for whoever connects it.
//
// CHANNELS. A transfer is valid and ready at a rising edge; an offer holds until taken; valid may
// not wait for ready.
//   kern   KMU -> unit. A kernel: {pc, grid x y z, tbdim: dimensions of a block (opaque, compared
//          only), parameter address, smem: its shared memory size (opaque, compared only), need of
//          one block: warps, regs, shm in the units of WarpUnits, RegUnits, ShmUnits, host (1) or
//          device (0), prio}. kern_kdei_o tells in the cycle of the transfer which entry it got:
//          that number names the kernel until its kdone. Not ready: all entries are taken, or a
//          group is about to join.
//   agg    SMX -> unit. One aggregated group, a beat of a warp's aggregation command: {smx, last:
//          last beat of the command, pc, tbdim, smem, AggDim x y z, parameter address, tid:
//          hardware thread number in its SMX, need of one block: warps, regs, shm, as of kern,
//          prio}.
//          The 16 bytes below the parameter address belong to the unit until the group's first
//          block is offered. (With Ring only while that is full.)
//   dk     unit -> KMU. A group that found no eligible kernel, or its pool full, as it came: to be
//          launched as a device kernel.
//   mem    unit -> memory. write 1: 16 bytes at (addr - 16), words whose mask bit is set; write 0:
//          read these 16 bytes. Words: x; {z, y}; Next; parameter address. Transfers act in their
//          order, as far as they name the same addr.
//   rsp    memory -> unit. Answer to the read; one read is in flight at most.
//          With Lines, which keeps lines of records (dtbl_lines.v): write 0: read the 128 bytes at
//          addr, id names the line until its last beat; rsp is a record of line id: beats 0..7 in
//          order, lines may interleave and overtake; several are in flight. Lines that hold no
//          record are asked for, too: any answer will do, but one must come. Parameter addresses
//          are multiples of 16. Without Lines id is 0, and id and beat of rsp are ignored.
//   tb     unit -> SMX. A block: {smx, slot, kdei, group, link, pc, dim: grid or AggDim, blk:
//          NextBL, param, first and last of its grid or group, prio}. link tells the group: bit 0
//          set: entry link >> 1 of the table; else the address behind its record. It starts in
//          this cycle.
//   done   SMX s -> unit, lane s: the block in slot has ended. Its resources can be given out in
//          the next cycle.
//   kdone  unit -> KMU. All blocks of the kernel and of all groups that joined it have ended; the
//          entry is free after the transfer.
//
// RULE. Blocks leave in this order: kernels first come, first served; its own grid (x fastest),
// then its groups in the order in which they came. Each goes to the next SMX behind the last one
// (at first: SMX 0) that has a free slot and the resources, and is not diverted: at most one a
// cycle, in the cycle after the one that made the room; the slot is the lowest free one. A kernel
// waits while no SMX has room for it: none overtakes.
// Its first block is offered in the fourth cycle after the transfer at kern.
//
// CONFIGURATION: divert_i, a level: from the cycle after next no offer begins to an SMX whose bit
// is set. At least one bit must be clear for blocks to leave. free_o: warps that no block holds;
// room_o: room for the block that waits (wait_o), or for one as the last. prio fields are carried
// and must be 0.
//
// With Ring: ring_base_i, the address of the ring's 16 * Ring bytes, a multiple of that, which are
// the unit's; a level that stays.
//
// IDLE: idle_o: nothing will change until a valid input or a change of divert_i: the clock may be
// withheld. (Also while a block waits for room.) It follows divert_i combinationally; tb, mem, dk
// and the readies follow flops only.
`default_nettype none
`include "wf_assert.vh"

module dtbl_scheduler #(
  parameter integer NumSmx = 13,        // 1..256
  parameter integer MaxTb = 16,         // blocks per SMX, 1..64
  parameter integer WarpUnits = 64,     // warps of an SMX, 1..1024
  parameter integer RegUnits = 256,     // registers of an SMX in units of the
                                        // socket's choice (256 registers)
  parameter integer ShmUnits = 384,     // shared memory of an SMX, likewise (128 bytes)
  parameter integer NumKde = 32,        // 1..64
  parameter integer AgtEntries = 1024,  // 2^k, 2..2^TidBits
  parameter integer TidBits = 11,
  parameter integer SearchSlots = 8,    // groups under search at once, 1..32
  parameter integer PoolBits = 16,      // of the number of groups that wait in a kernel's pool
  parameter integer PcBits = 32,
  parameter integer TbDimBits = 29,
  parameter integer SmemBits = 17,
  parameter integer AddrBits = 32,      // over clog2(AgtEntries), up to 32
  parameter integer XBits = 32,         // up to 32
  parameter integer YBits = 16,         // up to 16
  parameter integer ZBits = 16,         // up to 16
  parameter integer BlockBits = 31,     // of the number of blocks of a group
  parameter integer PrioBits = 2,
  parameter integer DoneDepth = 4,      // ends of an SMX that wait for bookkeeping, 2..64
  parameter integer Lines = 0,          // 128-byte lines of groups' records kept, 2..64; 0: none
  parameter integer Ring = 0,           // places of a ring of records, 2^k from 16; 0: none, and
                                        // records lie below the parameters. With Lines only
  parameter integer CounterBits = 40,   // 0: no performance counters
  localparam integer SmxW = NumSmx > 1 ? $clog2(NumSmx) : 1,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer LineIdW = Lines > 1 ? $clog2(Lines) : 1,
  localparam integer WarpW = $clog2(WarpUnits + 1),
  localparam integer RegW = $clog2(RegUnits + 1),
  localparam integer ShmW = $clog2(ShmUnits + 1)
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  input  wire [NumSmx-1:0]       divert_i,
  input  wire [AddrBits-1:0]     ring_base_i,
  // kernels
  input  wire                    kern_valid_i,
  output wire                    kern_ready_o,
  input  wire [PcBits-1:0]       kern_pc_i,
  input  wire [XBits-1:0]        kern_x_i,
  input  wire [YBits-1:0]        kern_y_i,
  input  wire [ZBits-1:0]        kern_z_i,
  input  wire [TbDimBits-1:0]    kern_tbdim_i,
  input  wire [AddrBits-1:0]     kern_param_i,
  input  wire [SmemBits-1:0]     kern_smem_i,
  input  wire [WarpW-1:0]        kern_warps_i,
  input  wire [RegW-1:0]         kern_regs_i,
  input  wire [ShmW-1:0]         kern_shm_i,
  input  wire                    kern_host_i,
  input  wire [PrioBits-1:0]     kern_prio_i,
  output wire [KdeW-1:0]         kern_kdei_o,
  // aggregated groups
  input  wire                    agg_valid_i,
  output wire                    agg_ready_o,
  input  wire [SmxW-1:0]         agg_smx_i,
  input  wire                    agg_last_i,
  input  wire [PcBits-1:0]       agg_pc_i,
  input  wire [TbDimBits-1:0]    agg_tbdim_i,
  input  wire [SmemBits-1:0]     agg_smem_i,
  input  wire [XBits-1:0]        agg_x_i,
  input  wire [YBits-1:0]        agg_y_i,
  input  wire [ZBits-1:0]        agg_z_i,
  input  wire [AddrBits-1:0]     agg_param_i,
  input  wire [TidBits-1:0]      agg_tid_i,
  input  wire [WarpW-1:0]        agg_warps_i,
  input  wire [RegW-1:0]         agg_regs_i,
  input  wire [ShmW-1:0]         agg_shm_i,
  input  wire [PrioBits-1:0]     agg_prio_i,
  // those without a kernel, or without room in its pool
  output wire                    dk_valid_o,
  input  wire                    dk_ready_i,
  output wire [SmxW-1:0]         dk_smx_o,
  output wire [PcBits-1:0]       dk_pc_o,
  output wire [TbDimBits-1:0]    dk_tbdim_o,
  output wire [SmemBits-1:0]     dk_smem_o,
  output wire [XBits-1:0]        dk_x_o,
  output wire [YBits-1:0]        dk_y_o,
  output wire [ZBits-1:0]        dk_z_o,
  output wire [AddrBits-1:0]     dk_param_o,
  output wire [WarpW-1:0]        dk_warps_o,
  output wire [RegW-1:0]         dk_regs_o,
  output wire [ShmW-1:0]         dk_shm_o,
  output wire [PrioBits-1:0]     dk_prio_o,
  // memory
  output wire                    mem_valid_o,
  input  wire                    mem_ready_i,
  output wire                    mem_write_o,
  output wire [AddrBits-1:0]     mem_addr_o,
  output wire [3:0]              mem_mask_o,
  output wire [127:0]            mem_data_o,
  output wire [LineIdW-1:0]      mem_id_o,
  input  wire                    rsp_valid_i,
  output wire                    rsp_ready_o,
  input  wire [127:0]            rsp_data_i,
  input  wire [LineIdW-1:0]      rsp_id_i,
  input  wire [2:0]              rsp_beat_i,
  // thread blocks
  output wire                    tb_valid_o,
  input  wire                    tb_ready_i,
  output wire [SmxW-1:0]         tb_smx_o,
  output wire [SlotW-1:0]        tb_slot_o,
  output wire [KdeW-1:0]         tb_kdei_o,
  output wire                    tb_group_o,
  output wire [AddrBits-1:0]     tb_link_o,
  output wire [PcBits-1:0]       tb_pc_o,
  output wire [XBits-1:0]        tb_dim_x_o,
  output wire [YBits-1:0]        tb_dim_y_o,
  output wire [ZBits-1:0]        tb_dim_z_o,
  output wire [XBits-1:0]        tb_x_o,
  output wire [YBits-1:0]        tb_y_o,
  output wire [ZBits-1:0]        tb_z_o,
  output wire [AddrBits-1:0]     tb_param_o,
  output wire                    tb_first_o,
  output wire                    tb_last_o,
  output wire [PrioBits-1:0]     tb_prio_o,
  // their ends
  input  wire [NumSmx-1:0]       done_valid_i,
  output wire [NumSmx-1:0]       done_ready_o,
  input  wire [NumSmx*SlotW-1:0] done_slot_i,
  // kernels that are over
  output wire                    kdone_valid_o,
  input  wire                    kdone_ready_i,
  output wire [KdeW-1:0]         kdone_kdei_o,
  output wire                    kdone_host_o,
  // what a unit that sets divert_i watches
  output wire [NumSmx*WarpW-1:0] free_o,
  output wire [NumSmx-1:0]       room_o,
  output wire                    wait_o,
  // counters: snapshot copies all, clear zeroes the running ones; order in unit.ini
  input  wire                    cnt_snapshot_i,
  input  wire                    cnt_clear_i,
  input  wire [4:0]              cnt_index_i,
  output wire [63:0]             cnt_value_o,
  output wire                    idle_o
);
  localparam integer IdxW = $clog2(AgtEntries);
  localparam integer DimW = XBits + YBits + ZBits;
  localparam integer NeedW = WarpW + RegW + ShmW;
  localparam integer KeyW = PcBits + TbDimBits + SmemBits;
  localparam integer InfoW = PcBits + PrioBits + NeedW + DimW + AddrBits;
  localparam integer GroupW = DimW + AddrBits;
  localparam integer BodyW = PrioBits + IdxW + GroupW;
  localparam integer AsideW = SmxW + NeedW;
  localparam integer TbcrW = KdeW + 1 + IdxW;
  // Those that run, and whose end is not booked yet.
  localparam integer ExeBits = $clog2(NumSmx * (MaxTb + DoneDepth) + 1);
  localparam integer MemW = 1 + AddrBits + 4 + 128;
  localparam integer Reach = Lines > 1 ? Lines / 2 : 1;     // lines that are fetched ahead
  localparam integer LeftW = $clog2(Reach + 1);
  localparam integer NCount = 27;

  initial begin
    if (NumSmx < 1 || NumSmx > 256) $fatal(1, "dtbl_scheduler: NumSmx must be 1..256");
    if (MaxTb < 1 || MaxTb > 64) $fatal(1, "dtbl_scheduler: MaxTb must be 1..64");
    if (WarpUnits < 1 || WarpUnits > 1024) $fatal(1, "dtbl_scheduler: WarpUnits must be 1..1024");
    if (RegUnits < 1 || RegUnits > 1048576) $fatal(1, "dtbl_scheduler: RegUnits must be 1..2^20");
    if (ShmUnits < 1 || ShmUnits > 1048576) $fatal(1, "dtbl_scheduler: ShmUnits must be 1..2^20");
    if (NumKde < 1 || NumKde > 64) $fatal(1, "dtbl_scheduler: NumKde must be 1..64");
    if (AgtEntries < 2 || (AgtEntries & (AgtEntries - 1)) != 0)
      $fatal(1, "dtbl_scheduler: AgtEntries must be 2^k, k >= 1");
    if (TidBits < IdxW || TidBits > 16)
      $fatal(1, "dtbl_scheduler: TidBits must be log2 of AgtEntries or more, up to 16");
    if (SearchSlots < 1 || SearchSlots > 32) $fatal(1, "dtbl_scheduler: SearchSlots must be 1..32");
    if (PoolBits < 2 || PoolBits > 32) $fatal(1, "dtbl_scheduler: PoolBits must be 2..32");
    if (AddrBits <= IdxW + 1 || AddrBits > 32)
      $fatal(1, "dtbl_scheduler: AddrBits must exceed log2 of AgtEntries by 2, up to 32");
    if (XBits < 1 || XBits > 32 || YBits < 1 || YBits > 16 || ZBits < 1 || ZBits > 16)
      $fatal(1, "dtbl_scheduler: XBits must be 1..32, YBits and ZBits 1..16");
    if (BlockBits < 2 || BlockBits > 62) $fatal(1, "dtbl_scheduler: BlockBits must be 2..62");
    if (PcBits < 1 || TbDimBits < 1 || SmemBits < 1 || PrioBits < 1)
      $fatal(1, "dtbl_scheduler: PcBits, TbDimBits, SmemBits and PrioBits must be 1 or more");
    if (DoneDepth < 2 || DoneDepth > 64) $fatal(1, "dtbl_scheduler: DoneDepth must be 2..64");
    if (Lines < 0 || Lines == 1 || Lines > 64)
      $fatal(1, "dtbl_scheduler: Lines must be 0 or 2..64");
    if (Lines != 0 && AddrBits < 8)
      $fatal(1, "dtbl_scheduler: with Lines AddrBits must be 8 or more");
    if (Ring != 0 && (Ring < 16 || (Ring & (Ring - 1)) != 0 || Lines == 0))
      $fatal(1, "dtbl_scheduler: Ring must be 0, or 2^k from 16 with Lines");
    if (CounterBits < 0 || CounterBits > 64) $fatal(1, "dtbl_scheduler: CounterBits must be 0..64");
  end

  // Search.
  wire scan_rd, kern_take, s_valid, s_hit, s_pop, search_step, search_quiet;
  wire [KdeW-1:0] scan_at, s_kdei;
  wire [KeyW-1:0] scan_key, s_key;
  wire [BodyW-1:0] s_body;
  wire [NumKde-1:0] open, pin;
  dtbl_search #(.NumKde(NumKde), .Slots(SearchSlots), .KeyW(KeyW), .BodyW(BodyW)) u_search (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(agg_valid_i), .in_ready_o(agg_ready_o),
    .in_key_i({agg_pc_i, agg_tbdim_i, agg_smem_i}),
    .in_body_i({agg_prio_i, agg_tid_i[IdxW-1:0], agg_z_i, agg_y_i, agg_x_i, agg_param_i}),
    .scan_rd_o(scan_rd), .scan_at_o(scan_at), .scan_key_i(scan_key), .open_i(open),
    .wr_i(kern_take), .wr_at_i(kern_kdei_o), .pin_o(pin), .out_valid_o(s_valid), .out_hit_o(s_hit),
    .out_kdei_o(s_kdei), .out_key_o(s_key), .out_body_o(s_body), .out_pop_i(s_pop),
    .step_o(search_step), .quiet_o(search_quiet)
  );
  wire [AddrBits-1:0] s_param;
  wire [XBits-1:0] s_x;
  wire [YBits-1:0] s_y;
  wire [ZBits-1:0] s_z;
  wire [IdxW-1:0] s_idx;
  wire [PrioBits-1:0] s_prio;
  assign {s_prio, s_idx, s_z, s_y, s_x, s_param} = s_body;
  assign {dk_pc_o, dk_tbdim_o, dk_smem_o} = s_key;
  assign dk_x_o = s_x;
  assign dk_y_o = s_y;
  assign dk_z_o = s_z;
  assign dk_param_o = s_param;
  assign dk_prio_o = s_prio;

  // What only the KMU is told of a group lies in RAM beside its slot. A group that came is there
  // after two cycles, as it is answered at the earliest.
  wire aside_ready, aside_valid;
  wire [$clog2(SearchSlots + 1)-1:0] aside_count;
  wf_fifo #(.Width(AsideW), .Depth(SearchSlots), .Ram(1)) u_aside (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(agg_valid_i && agg_ready_o),
    .in_ready_o(aside_ready), .in_data_i({agg_smx_i, agg_warps_i, agg_regs_i, agg_shm_i}),
    .out_valid_o(aside_valid), .out_ready_i(s_pop),
    .out_data_o({dk_smx_o, dk_warps_o, dk_regs_o, dk_shm_o}), .count_o(aside_count)
  );

  // Coalescing.
  wire alloc_valid, alloc_ready, alloc_got, put, link_wr, jm_valid, jm_link, jm_ready, join_busy,
       join_rd, join_some, join_full, join_marked, commit, remark, ev_hit, ev_over, ring_room,
       ring_take;
  wire [IdxW-1:0] link_idx;
  wire [KdeW-1:0] join_kdei;
  wire [AddrBits-1:0] jm_addr, join_last, new_link, ring_pointer;
  dtbl_join #(.NumKde(NumKde), .AgtEntries(AgtEntries), .AddrW(AddrBits)) u_join (
    .clk_i(clk_i), .rst_ni(rst_ni), .grp_valid_i(s_valid), .grp_hit_i(s_hit), .grp_kdei_i(s_kdei),
    .grp_idx_i(s_idx), .grp_param_i(s_param), .grp_pop_o(s_pop), .ring_room_i(ring_room),
    .ring_pointer_i(ring_pointer), .ring_take_o(ring_take), .dk_valid_o(dk_valid_o),
    .dk_ready_i(dk_ready_i), .alloc_valid_o(alloc_valid), .alloc_ready_i(alloc_ready),
    .alloc_got_i(alloc_got), .put_o(put), .link_o(link_wr), .link_idx_o(link_idx),
    .mem_valid_o(jm_valid), .mem_link_o(jm_link), .mem_addr_o(jm_addr), .mem_ready_i(jm_ready),
    .busy_o(join_busy), .rd_o(join_rd), .kdei_o(join_kdei), .last_i(join_last), .some_i(join_some),
    .full_i(join_full), .marked_i(join_marked), .commit_o(commit), .new_link_o(new_link),
    .remark_o(remark), .ev_hit_o(ev_hit), .ev_over_o(ev_over)
  );

  // Kernel distributor and FCFS queue.
  wire info_rd, run_first, run_some, run_more, native, pop, unmark, end_take, kde_quiet, fcfs_valid,
       fcfs_pop, tb_take, tb_took;  // the kernel's count learns of a block an edge late
  wire [KdeW-1:0] fcfs_kdei, run_kdei, end_kdei;
  wire [NumKde-1:0] run1;
  wire [InfoW-1:0] info;
  wire [AddrBits-1:0] head;
  dtbl_kde #(
    .NumKde(NumKde), .KeyW(KeyW), .InfoW(InfoW), .LinkW(AddrBits), .ExeBits(ExeBits),
    .PoolBits(PoolBits)
  ) u_kde (
    .clk_i(clk_i), .rst_ni(rst_ni), .kern_valid_i(kern_valid_i), .kern_ready_o(kern_ready_o),
    .kern_kdei_o(kern_kdei_o), .kern_key_i({kern_pc_i, kern_tbdim_i, kern_smem_i}),
    .kern_info_i({kern_pc_i, kern_prio_i, kern_warps_i, kern_regs_i, kern_shm_i, kern_z_i, kern_y_i,
                  kern_x_i, kern_param_i}),
    .kern_host_i(kern_host_i), .kern_take_o(kern_take), .scan_rd_i(scan_rd), .scan_at_i(scan_at),
    .scan_key_o(scan_key), .open_o(open), .pin_i(pin), .join_busy_i(join_busy), .ask_kdei_i(s_kdei),
    .ask_full_o(join_full), .join_rd_i(join_rd), .join_kdei_i(join_kdei), .join_last_o(join_last),
    .join_some_o(join_some), .join_marked_o(join_marked), .join_commit_i(commit),
    .join_link_i(new_link), .info_rd_i(info_rd), .info_kdei_i(fcfs_kdei), .info_o(info),
    .run_kdei_i(run_kdei), .run1_i(run1), .run_first_o(run_first), .run_some_o(run_some),
    .run_more_o(run_more), .native_i(native), .pop_i(pop), .head_o(head), .unmark_i(unmark),
    .start_i(tb_took), .end_i(end_take), .end_kdei_i(end_kdei), .kdone_valid_o(kdone_valid_o),
    .kdone_ready_i(kdone_ready_i), .kdone_kdei_o(kdone_kdei_o), .kdone_host_o(kdone_host_o),
    .quiet_o(kde_quiet)
  );
  dtbl_fcfs #(.NumKde(NumKde), .PrioBits(PrioBits)) u_fcfs (
    .clk_i(clk_i), .rst_ni(rst_ni), .push_i(kern_take || remark),
    .push_kdei_i(remark ? join_kdei : kern_kdei_o), .push_prio_i(remark ? s_prio : kern_prio_i),
    .valid_o(fcfs_valid), .pop_i(fcfs_pop), .kdei_o(fcfs_kdei)
  );

  // Aggregated group table.
  wire clearing, fin, end_agt, agt_done_ready, get, agt_freed, agt_quiet, end_valid;
  wire [IdxW-1:0] fin_idx, end_idx, get_idx;
  wire [BlockBits-1:0] fin_n;
  wire [GroupW-1:0] group_info;
  wire [AddrBits-1:0] group_next;
  dtbl_agt #(.Entries(AgtEntries), .InfoW(GroupW), .LinkW(AddrBits), .CountW(BlockBits)) u_agt (
    .clk_i(clk_i), .rst_ni(rst_ni), .clearing_o(clearing), .fin_valid_i(fin), .fin_idx_i(fin_idx),
    .fin_n_i(fin_n), .done_valid_i(end_valid && end_agt), .done_ready_o(agt_done_ready),
    .done_idx_i(end_idx), .alloc_valid_i(alloc_valid), .alloc_ready_o(alloc_ready),
    .alloc_idx_i(s_idx), .alloc_got_o(alloc_got), .put_i(put), .put_idx_i(s_idx),
    .put_info_i({s_z, s_y, s_x, s_param}), .link_i(link_wr), .link_idx_i(link_idx),
    .link_next_i(new_link), .get_i(get), .get_idx_i(get_idx), .info_o(group_info),
    .next_o(group_next), .freed_o(agt_freed), .quiet_o(agt_quiet)
  );

  // SMX scheduler.
  wire sm_valid, sm_ready, ans_valid, ans_ready, want, waiting, sscr_idle, ev_native, ev_mem_wait,
       record_through;
  wire [AddrBits-1:0] sm_addr;
  wire [127:0] ans;
  wire [NeedW-1:0] need;
  wire [DimW-1:0] dim, block;
  dtbl_sscr #(
    .NumKde(NumKde), .AgtEntries(AgtEntries), .AddrW(AddrBits), .XBits(XBits), .YBits(YBits),
    .ZBits(ZBits), .CountW(BlockBits), .NeedW(NeedW), .PcBits(PcBits), .PrioBits(PrioBits)
  ) u_sscr (
    .clk_i(clk_i), .rst_ni(rst_ni), .kern_valid_i(fcfs_valid), .kern_pop_o(fcfs_pop),
    .kern_kdei_i(fcfs_kdei), .info_rd_o(info_rd), .info_i(info), .kdei_o(run_kdei), .run1_o(run1),
    .first_i(run_first), .some_i(run_some), .more_i(run_more), .native_o(native), .pop_o(pop),
    .head_i(head), .unmark_o(unmark), .joining_i(join_busy && join_kdei == run_kdei), .get_o(get),
    .get_idx_o(get_idx), .info_group_i(group_info), .next_i(group_next), .fin_o(fin),
    .fin_idx_o(fin_idx), .fin_n_o(fin_n), .mem_valid_o(sm_valid), .mem_ready_i(sm_ready),
    .mem_addr_o(sm_addr), .rsp_valid_i(ans_valid), .rsp_ready_o(ans_ready),
    .rsp_dim_i({ans[48 +: ZBits], ans[32 +: YBits], ans[0 +: XBits]}),
    .rsp_param_i(ans[96 +: AddrBits]), .rsp_next_i(ans[64 +: AddrBits]), .through_o(record_through),
    .want_o(want), .take_i(tb_take), .took_o(tb_took), .need_o(need),
    .group_o(tb_group_o), .link_o(tb_link_o), .pc_o(tb_pc_o), .prio_o(tb_prio_o), .dim_o(dim),
    .block_o(block), .param_o(tb_param_o), .first_o(tb_first_o), .last_o(tb_last_o),
    .waiting_o(waiting), .idle_o(sscr_idle), .ev_native_o(ev_native), .ev_mem_wait_o(ev_mem_wait)
  );
  assign tb_kdei_o = run_kdei;
  assign {tb_dim_z_o, tb_dim_y_o, tb_dim_x_o} = dim;
  assign {tb_z_o, tb_y_o, tb_x_o} = block;
  assign tb_take = tb_valid_o && tb_ready_i;

  // Placement, accounts, ends.
  wire place_quiet;
  wire [TbcrW-1:0] end_tbcr;
  dtbl_place #(
    .NumSmx(NumSmx), .MaxTb(MaxTb), .Warps(WarpUnits), .RegUnits(RegUnits), .ShmUnits(ShmUnits),
    .TbcrW(TbcrW), .DoneDepth(DoneDepth)
  ) u_place (
    .clk_i(clk_i), .rst_ni(rst_ni), .divert_i(divert_i), .want_i(want), .free_o(free_o),
    .room_o(room_o),
    .need_warps_i(need[NeedW-1 -: WarpW]), .need_regs_i(need[ShmW +: RegW]),
    .need_shm_i(need[ShmW-1:0]), .tbcr_i({run_kdei, tb_link_o[0], tb_link_o[IdxW:1]}),
    .valid_o(tb_valid_o), .ready_i(tb_ready_i), .smx_o(tb_smx_o), .slot_o(tb_slot_o),
    .done_valid_i(done_valid_i), .done_ready_o(done_ready_o), .done_slot_i(done_slot_i),
    .end_valid_o(end_valid), .end_ready_i(!end_agt || agt_done_ready), .end_tbcr_o(end_tbcr),
    .quiet_o(place_quiet)
  );
  assign {end_kdei, end_agt, end_idx} = end_tbcr;
  assign end_take = end_valid && (!end_agt || agt_done_ready);

  assign wait_o = want;

  // Memory: joins and the scheduler share a queue, so that a read comes after the writes of the
  // group it reads.
  wire mq_ready;
  wire [1:0] mq_count;
  wire mq_valid, mq_take, mq_write;
  wire [AddrBits-1:0] mq_addr;
  wire [3:0] mq_mask;
  wire [127:0] mq_data, mq_out;
  reg [127:0] mq_data_c;
  always_comb begin
    mq_data_c = '0;
    mq_data_c[0 +: XBits] = s_x;
    mq_data_c[32 +: YBits] = s_y;
    mq_data_c[48 +: ZBits] = s_z;
    mq_data_c[64 +: AddrBits] = new_link;
    mq_data_c[96 +: AddrBits] = s_param;
    if (jm_link) begin
      mq_data_c[63:0] = '0;
      mq_data_c[127:96] = '0;
    end else begin
      mq_data_c[95:64] = '0;
    end
    if (!jm_valid) mq_data_c = '0;
  end
  assign mq_data = mq_data_c;
  // Of lines a record's own address is looked up: made here, it is not on the way to a hit.
  wire [AddrBits-1:0] rq_addr = (jm_valid ? jm_addr : sm_addr) - (Lines != 0 ? AddrBits'(16) : '0);
  assign jm_ready = mq_ready;
  assign sm_ready = mq_ready && !jm_valid;
  wf_fifo #(.Width(MemW), .Depth(2)) u_mem (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(jm_valid || (sm_valid && mq_ready)),
    .in_ready_o(mq_ready),
    .in_data_i({jm_valid, rq_addr,
                !jm_valid ? 4'b0000 : jm_link ? 4'b0100 : 4'b1011, mq_data}),
    .out_valid_o(mq_valid), .out_ready_i(mq_take),
    .out_data_o({mq_write, mq_addr, mq_mask, mq_out}), .count_o(mq_count)
  );

  // Lines of records, between the queue and the port.
  wire lines_hit, lines_ahead, lines_quiet;
  generate
    if (Lines != 0) begin : g_lines
      wire later;
      wire [LineIdW-1:0] later_id;
      wire [Lines-1:0] arrived;
      dtbl_lines #(.Lines(Lines), .Reach(Reach), .AddrW(AddrBits)) u_lines (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_valid_i(mq_valid), .req_ready_o(mq_take),
        .req_write_i(mq_write), .req_addr_i(mq_addr), .req_mask_i(mq_mask), .req_data_i(mq_out),
        .ans_valid_o(ans_valid), .ans_ready_i(ans_ready), .ans_data_o(ans),
        .later_o(later), .later_id_o(later_id), .arrived_o(arrived), .wanted_i({Lines{1'b0}}),
        .depth_i(LeftW'(Reach)), .mem_valid_o(mem_valid_o), .mem_ready_i(mem_ready_i),
        .mem_write_o(mem_write_o), .mem_addr_o(mem_addr_o), .mem_mask_o(mem_mask_o),
        .mem_data_o(mem_data_o), .mem_id_o(mem_id_o), .rsp_valid_i(rsp_valid_i),
        .rsp_ready_o(rsp_ready_o), .rsp_id_i(rsp_id_i), .rsp_beat_i(rsp_beat_i),
        .rsp_data_i(rsp_data_i), .ev_hit_o(lines_hit), .ev_ahead_o(lines_ahead),
        .quiet_o(lines_quiet)
      );
      wire unused_later = &{1'b0, later, later_id, arrived};
    end else begin : g_no_lines
      assign {mem_valid_o, mem_write_o, mem_addr_o, mem_mask_o, mem_data_o} =
          {mq_valid, mq_write, mq_addr, mq_mask, mq_out};
      assign mq_take = mem_ready_i;
      assign mem_id_o = '0;
      assign {ans_valid, ans} = {rsp_valid_i, rsp_data_i};
      assign rsp_ready_o = ans_ready;
      assign {lines_hit, lines_ahead, lines_quiet} = 3'b001;
      wire unused_lines = &{1'b0, rsp_id_i, rsp_beat_i};
    end
  endgenerate

  // Places of records.
  wire ring_quiet;
  generate
    if (Ring != 0) begin : g_ring
      dtbl_ring #(.Records(Ring), .AddrW(AddrBits)) u_ring (
        .clk_i(clk_i), .rst_ni(rst_ni), .base_i(ring_base_i), .room_o(ring_room),
        .pointer_o(ring_pointer), .take_i(ring_take), .free_i(record_through),
        .free_pointer_i(tb_link_o), .quiet_o(ring_quiet)
      );
    end else begin : g_no_ring
      assign {ring_room, ring_pointer, ring_quiet} = {1'b0, {AddrBits{1'b0}}, 1'b1};
      wire unused_ring = &{1'b0, ring_base_i, ring_take, record_through};
    end
  endgenerate

  // A block that finds no room when it is its turn waits, once.
  reg waited_q;
  wire no_room = waiting && !tb_valid_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= 1'b0;
    else waited_q <= no_room;
  end
  assign idle_o = search_quiet && !join_busy && kde_quiet && agt_quiet && place_quiet
                  && mq_count == 2'd0 && lines_quiet && ring_quiet
                  && ((sscr_idle && !waited_q) || (no_room && waited_q));

  // Counters: the order is that of unit.ini.
  generate
    if (CounterBits != 0) begin : g_count
      wire [NCount-1:0] inc = {
        ring_take, lines_ahead, lines_hit, clearing, dk_valid_o && !dk_ready_i, search_step,
        kern_valid_i && !kern_ready_o, ev_mem_wait, tb_valid_o && !tb_ready_i, no_room && !waited_q,
        agt_freed, mem_valid_o && mem_ready_i && mem_write_o,
        mem_valid_o && mem_ready_i && !mem_write_o, end_take,
        tb_take && tb_group_o && !tb_link_o[0], tb_take && tb_group_o, tb_take && !tb_group_o,
        remark, ev_over, ev_hit, dk_valid_o && dk_ready_i, commit,
        agg_valid_i && agg_ready_o && agg_last_i, agg_valid_i && agg_ready_o,
        kdone_valid_o && kdone_ready_i,
        kern_take && !kern_host_i, kern_take};
      wf_counters #(.N(NCount), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused_count = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, ev_mem_wait,
                            search_step, agt_freed, clearing, agg_last_i, ev_over, ev_hit,
                            lines_hit, lines_ahead, ring_take};
      assign cnt_value_o = '0;
    end
  endgenerate
  wire unused = &{1'b0, agg_tid_i, ans, ev_native, clearing, aside_count};

  `WF_ASSUME_STABLE(rule1_kern, kern_valid_i, kern_ready_o,
                    {kern_pc_i, kern_x_i, kern_y_i, kern_z_i, kern_param_i},
                    PcBits + DimW + AddrBits,
                    "Rule 1: an offered kernel holds")
  `WF_ASSUME_STABLE(rule1_agg, agg_valid_i, agg_ready_o,
                    {agg_pc_i, agg_x_i, agg_y_i, agg_z_i, agg_param_i, agg_tid_i, agg_warps_i,
                     agg_regs_i, agg_shm_i},
                    PcBits + DimW + AddrBits + TidBits + NeedW,
                    "Rule 1: an offered group holds")
  `WF_ASSUME(rule2_need, !kern_valid_i
             || (kern_warps_i != '0 && {1'b0, kern_warps_i} < (WarpW + 1)'(WarpUnits + 1)
                 && {1'b0, kern_regs_i} < (RegW + 1)'(RegUnits + 1)
                 && {1'b0, kern_shm_i} < (ShmW + 1)'(ShmUnits + 1)),
             "Rule 2: one block of a kernel fits into an empty SMX")
  `WF_ASSUME(rule2_group_need, !agg_valid_i
             || (agg_warps_i != '0 && {1'b0, agg_warps_i} < (WarpW + 1)'(WarpUnits + 1)
                 && {1'b0, agg_regs_i} < (RegW + 1)'(RegUnits + 1)
                 && {1'b0, agg_shm_i} < (ShmW + 1)'(ShmUnits + 1)),
             "Rule 2: one block of a group fits into an empty SMX")
  `WF_ASSUME(rule2_grid, !kern_valid_i || (kern_x_i != '0 && kern_y_i != '0 && kern_z_i != '0),
             "Rule 2: a kernel has a block")
  `WF_ASSUME(rule2_group, !agg_valid_i || (agg_x_i != '0 && agg_y_i != '0 && agg_z_i != '0),
             "Rule 2: a group has a block")
  `WF_ASSUME(rule2_prio, !(kern_valid_i && kern_prio_i != '0) && !(agg_valid_i && agg_prio_i != '0),
             "Rule 2: priorities are 0")
  `WF_ASSERT_STABLE(rule3_tb, tb_valid_o, tb_ready_i,
                    {tb_smx_o, tb_slot_o, tb_kdei_o, tb_link_o, block},
                    SmxW + SlotW + KdeW + AddrBits + DimW,
                    "Rule 3: an offered block holds")
  `WF_ASSERT_STABLE(rule3_dk, dk_valid_o, dk_ready_i,
                    {s_body, dk_smx_o, dk_warps_o, dk_regs_o, dk_shm_o}, BodyW + AsideW,
                    "Rule 3: an offered device kernel holds")
  `WF_ASSERT_STABLE(rule3_mem, mem_valid_o, mem_ready_i,
                    {mem_write_o, mem_addr_o, mem_mask_o, mem_data_o}, MemW,
                    "Rule 3: an offered memory request holds")
  `WF_ASSERT_STABLE(rule3_kdone, kdone_valid_o, kdone_ready_i, {kdone_host_o, kdone_kdei_o},
                    1 + KdeW,
                    "Rule 3: an offered kernel done holds")
  `WF_ASSERT(rule4_one, !(kern_take && remark), "Rule 4: one kernel is queued at a time")
  `WF_ASSERT(rule5_aside, (!s_valid || aside_valid) && (aside_ready || !agg_ready_o),
             "Rule 5: what lies aside is there when its group is answered")
endmodule
`default_nettype wire
