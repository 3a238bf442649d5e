// laperm_scheduler: locality-aware scheduler of thread blocks, one per GPU: kernel distributor,
// priority queues per SMX, and the choice of every block's SMX. Blocks that threads launch run soon
// after the block that launched them (its data are still in L2), and on its SMX (in L1).
// README.md has the page; this header is the contract for whoever connects it.
//
// CHANNELS. A transfer is valid and ready at a rising edge; an offer holds until taken; valid may
// not wait for ready.
//   kern   KMU -> unit. A kernel: {pc, grid x y z, tbdim, parameter address, smem, need of one
//          block: warps, regs, shm, host (1) or device (0), smx and prio of the block that launched
//          it (of device kernels)}. kern_kdei_o names it until its kdone.
//   agg    SMX -> unit. A group of thread blocks: {smx, last of the command, pc, tbdim, smem,
//          x y z, parameter address, prio: of the block that launches}. The parameter address is
//          a multiple of 16; the 16 bytes below it are the unit's until the group's first block
//          is offered.
//   dk     unit -> KMU. A group that found no kernel, or its pool full, as it came: to be launched
//          as a kernel.
//   mem    unit -> memory. write 1: 16 bytes at (addr - 16), words whose mask bit is set. write 0:
//          without Lines these 16 bytes are read; with Lines the 128 bytes at addr, id names the
//          line. Transfers act in their order, as far as they name the same addr.
//   rsp    memory -> unit. The answer, or with Lines a record (beat) of line id: beats 0..7 in
//          order, lines may interleave and overtake; of addresses where nothing lies anything may
//          come, but something must.
//   tb     unit -> SMX. A block: {smx, slot, kdei, group, pc, dim, blk, param, first and last of
//          its grid or group, prio: its level}. It starts in this cycle.
//   done   SMX s -> unit, lane s: the block in slot has ended.
//   kdone  unit -> KMU. All blocks of the kernel and of its groups have ended; kdei is free after
//          the transfer.
//
// LEVELS. A host's kernel has level 0. A launched group or kernel has that of the block that
// launched it and one more, Levels at most; all its blocks have it.
//
// POLICY: policy_i, a level; changes only while nothing is in the unit, one cycle or more before
// anything is offered.
//   0  kernels first come, first served; a kernel's own grid, then its groups; any SMX
//   1  the highest level, first come, first served in it; any SMX
//   2  a launched block only on the SMX (cluster) of the block that launched it; there the highest
//      level; kernels of the host on SMXs whose own queues are empty
//   3  as 2; an SMX for which nothing is there takes from its backup's queues
// SMXs are visited in rotation (laperm_place.v). divert_i, ring_base_i, free_o, room_o as in
// dtbl_scheduler; wait_o: a block waits that any SMX may take; bound_o: one that only this one may.
//
// DEADLOCK: no launch waits for a block to start or to end: groups go to memory if there is no
// entry, and to dk if 2^PoolBits - 1 of their kernel wait. dk must be taken without waiting for
// this unit; mem, rsp likewise.
//
// IDLE: idle_o: nothing will change until a valid input or a change of divert_i or policy_i. It
// follows these two combinationally; all else follows flops and RAMs only.
`default_nettype none
`include "wf_assert.vh"

module laperm_scheduler #(
  parameter integer NumSmx = 13,        // 1..256
  parameter integer Cluster = 1,        // SMXs that share queues, 1..4
  parameter integer MaxTb = 16,         // blocks per SMX, 1..64
  parameter integer WarpUnits = 64,     // 1..1024
  parameter integer RegUnits = 256,
  parameter integer ShmUnits = 384,
  parameter integer NumKde = 32,        // 1..32
  parameter integer Entries = 128,      // groups on chip for each SMX, 4..1024
  parameter integer Levels = 3,         // 1..7
  parameter integer Skip = 0,           // 1: visits begin where blocks have ended
  parameter integer SearchSlots = 8,    // 1..32
  parameter integer PoolBits = 16,      // of the number of groups that wait in a kernel
  parameter integer PcBits = 32,
  parameter integer TbDimBits = 29,
  parameter integer SmemBits = 17,
  parameter integer AddrBits = 32,      // 6..32
  parameter integer XBits = 31,         // up to 31
  parameter integer YBits = 16,         // up to 16
  parameter integer ZBits = 16,         // up to 16
  parameter integer DoneDepth = 4,      // ends of an SMX that wait for bookkeeping, 2..64
  parameter integer Lines = 0,          // 128-byte lines of records kept, 2..64; 0: none
  parameter integer Reads = 1,          // owners that wait for a line each, 1..Lines-1
  parameter integer Ring = 0,           // places of records, 2^k from 16; 0: below parameters only
  parameter integer CounterBits = 40,   // 0: no performance counters
  localparam integer SmxW = NumSmx > 1 ? $clog2(NumSmx) : 1,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer LineIdW = Lines > 1 ? $clog2(Lines) : 1,
  localparam integer LevW = $clog2(Levels + 1),
  localparam integer WarpW = $clog2(WarpUnits + 1),
  localparam integer RegW = $clog2(RegUnits + 1),
  localparam integer ShmW = $clog2(ShmUnits + 1)
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  input  wire [1:0]              policy_i,
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
  input  wire [SmxW-1:0]         kern_smx_i,
  input  wire [LevW-1:0]         kern_prio_i,
  output wire [KdeW-1:0]         kern_kdei_o,
  // groups
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
  input  wire [LevW-1:0]         agg_prio_i,
  // those without a kernel
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
  output wire [LevW-1:0]         dk_prio_o,
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
  output wire [LevW-1:0]         tb_prio_o,
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
  output wire [NumSmx-1:0]       bound_o,
  // counters: snapshot copies all, clear zeroes the running ones; order in unit.ini
  input  wire                    cnt_snapshot_i,
  input  wire                    cnt_clear_i,
  input  wire [4:0]              cnt_index_i,
  output wire [63:0]             cnt_value_o,
  output wire                    idle_o
);
  localparam integer Owners = (NumSmx + Cluster - 1) / Cluster;
  localparam integer OwnEntries = Entries * Cluster;
  localparam integer OwnW = Owners > 1 ? $clog2(Owners) : 1;
  localparam integer Lists = (Owners * Levels > NumKde ? Owners * Levels : NumKde) + 1;
  localparam integer ListW = $clog2(Lists);
  localparam integer Contexts = Owners + 1;
  localparam integer CtxW = $clog2(Contexts);
  localparam integer DimW = XBits + YBits + ZBits;
  localparam integer NeedW = WarpW + RegW + ShmW;
  localparam integer KeyW = PcBits + TbDimBits + SmemBits;
  localparam integer GroupW = DimW + AddrBits;
  localparam integer InfoW = PcBits + NeedW + GroupW;
  localparam integer BodyW = LevW + SmxW + GroupW;
  localparam integer ExeBits = $clog2(NumSmx * (MaxTb + DoneDepth) + 1);
  localparam integer MemW = 1 + AddrBits + 4 + 128;
  localparam integer NCount = 31;
  localparam integer LineSlots = Lines != 0 ? Lines : 2;
  localparam integer Reach = Lines > 1 ? Lines / 2 : 1;     // lines that are fetched ahead
  localparam integer LeftW = $clog2(Reach + 1);
  localparam integer Chunk = Ring != 0 && Ring < 128 ? Ring / 2 : 64;  // places of a list
  localparam [ListW-1:0] ZERO = ListW'(Lists - 1);

  initial begin
    if (NumSmx < 1 || NumSmx > 256) $fatal(1, "laperm_scheduler: NumSmx must be 1..256");
    if (Cluster < 1 || Cluster > 4) $fatal(1, "laperm_scheduler: Cluster must be 1..4");
    if (MaxTb < 1 || MaxTb > 64) $fatal(1, "laperm_scheduler: MaxTb must be 1..64");
    if (WarpUnits < 1 || WarpUnits > 1024) $fatal(1, "laperm_scheduler: WarpUnits must be 1..1024");
    if (RegUnits < 1 || RegUnits > 1048576)
      $fatal(1, "laperm_scheduler: RegUnits must be 1..2^20");
    if (ShmUnits < 1 || ShmUnits > 1048576)
      $fatal(1, "laperm_scheduler: ShmUnits must be 1..2^20");
    if (NumKde < 1 || NumKde > 32) $fatal(1, "laperm_scheduler: NumKde must be 1..32");
    if (Entries < 4 || Entries > 1024) $fatal(1, "laperm_scheduler: Entries must be 4..1024");
    if (Levels < 1 || Levels > 7) $fatal(1, "laperm_scheduler: Levels must be 1..7");
    if (Owners * Levels > 511)
      $fatal(1, "laperm_scheduler: NumSmx / Cluster * Levels must be 511 or less");
    if (Skip < 0 || Skip > 1) $fatal(1, "laperm_scheduler: Skip must be 0 or 1");
    if (SearchSlots < 1 || SearchSlots > 32)
      $fatal(1, "laperm_scheduler: SearchSlots must be 1..32");
    if (PoolBits < 2 || PoolBits > 32) $fatal(1, "laperm_scheduler: PoolBits must be 2..32");
    if (AddrBits < 6 || AddrBits > 32) $fatal(1, "laperm_scheduler: AddrBits must be 6..32");
    if (XBits < 1 || XBits > 31 || YBits < 1 || YBits > 16 || ZBits < 1 || ZBits > 16)
      $fatal(1, "laperm_scheduler: XBits must be 1..31, YBits and ZBits 1..16");
    if (PcBits < 1 || TbDimBits < 1 || SmemBits < 1)
      $fatal(1, "laperm_scheduler: PcBits, TbDimBits and SmemBits must be 1 or more");
    if (DoneDepth < 2 || DoneDepth > 64) $fatal(1, "laperm_scheduler: DoneDepth must be 2..64");
    if (Lines < 0 || Lines == 1 || Lines > 64)
      $fatal(1, "laperm_scheduler: Lines must be 0 or 2..64");
    if (Lines != 0 && AddrBits < 8)
      $fatal(1, "laperm_scheduler: with Lines AddrBits must be 8 or more");
    if (Ring != 0 && (Ring < 16 || (Ring & (Ring - 1)) != 0 || Lines == 0))
      $fatal(1, "laperm_scheduler: Ring must be 0, or 2^k from 16 with Lines");
    if (Reads < 1 || (Lines != 0 && Reads >= Lines))
      $fatal(1, "laperm_scheduler: Reads must be 1..Lines-1");
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "laperm_scheduler: CounterBits must be 0..64");
  end

  reg [1:0] policy_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) policy_q <= 2'd0;
    else policy_q <= policy_i;
  end
  wire in_order = policy_q == 2'd0;
  wire shared = !policy_q[1];
  wire adaptive = policy_q == 2'd3;

  // Of a launching block: its owner, the level of what it launches.
  function automatic [OwnW-1:0] owner_of(input [SmxW-1:0] smx);
    owner_of = '0;
    for (int s = 0; s < NumSmx; s = s + 1) if (smx == SmxW'(s)) owner_of = OwnW'(s / Cluster);
  endfunction
  // Its first queue.
  function automatic [ListW-1:0] base_of(input [SmxW-1:0] smx);
    base_of = '0;
    for (int s = 0; s < NumSmx; s = s + 1)
      if (smx == SmxW'(s)) base_of = ListW'(s / Cluster * Levels);
  endfunction
  function automatic [LevW-1:0] level_of(input [LevW-1:0] prio);
    level_of = prio >= LevW'(Levels) ? LevW'(Levels) : prio + 1'b1;
  endfunction

  // Search.
  wire scan_rd, kern_take, s_valid, s_hit, s_pop, search_step, search_quiet;
  wire [KdeW-1:0] scan_at, s_kdei;
  wire [KeyW-1:0] scan_key, s_key;
  wire [BodyW-1:0] s_body;
  wire [NumKde-1:0] open, pin;
  dtbl_search #(.NumKde(NumKde), .Slots(SearchSlots), .KeyW(KeyW), .BodyW(BodyW)) u_search (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(agg_valid_i), .in_ready_o(agg_ready_o),
    .in_key_i({agg_pc_i, agg_tbdim_i, agg_smem_i}),
    .in_body_i({agg_prio_i, agg_smx_i, agg_z_i, agg_y_i, agg_x_i, agg_param_i}),
    .scan_rd_o(scan_rd), .scan_at_o(scan_at), .scan_key_i(scan_key), .open_i(open),
    .wr_i(kern_take), .wr_at_i(kern_kdei_o), .pin_o(pin), .out_valid_o(s_valid), .out_hit_o(s_hit),
    .out_kdei_o(s_kdei), .out_key_o(s_key), .out_body_o(s_body), .out_pop_i(s_pop),
    .step_o(search_step), .quiet_o(search_quiet)
  );
  wire [GroupW-1:0] s_info;
  assign {dk_prio_o, dk_smx_o, s_info} = s_body;
  assign {dk_pc_o, dk_tbdim_o, dk_smem_o} = s_key;
  assign {dk_z_o, dk_y_o, dk_x_o, dk_param_o} = s_info;

  // Where a group waits.
  wire [Lists-1:0] some, far;
  wire [Owners-1:0] full, refill;
  wire alloc, alloc_far, commit, join_busy, join_push, join_again, join_full, marked, op_valid,
       op_front, append_done, front_done, front_fail, far_claim, far_push, ev_over, ev_spill,
       remark;
  wire [KdeW-1:0] join_kdei;
  wire [ListW-1:0] join_list, op_list;
  wire [OwnW-1:0] join_owner;
  laperm_join #(.NumKde(NumKde), .Owners(Owners), .Levels(Levels)) u_join (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_order_i(in_order), .shared_i(shared), .grp_valid_i(s_valid),
    .grp_hit_i(s_hit), .grp_kdei_i(s_kdei), .grp_owner_i(owner_of(dk_smx_o)),
    .grp_level_i(level_of(dk_prio_o)), .grp_pop_o(s_pop), .dk_valid_o(dk_valid_o),
    .dk_ready_i(dk_ready_i), .pool_full_i(join_full), .marked_i(marked), .kdei_o(join_kdei),
    .commit_o(commit), .busy_o(join_busy), .full_i(full), .alloc_i(alloc), .some_i(some),
    .push_taken_i(far_claim), .push_o(join_push), .push_kernel_o(join_again), .list_o(join_list),
    .owner_o(join_owner), .far_i(far), .op_valid_o(op_valid), .op_front_o(op_front),
    .op_list_o(op_list), .append_done_i(append_done), .front_done_i(front_done),
    .front_fail_i(front_fail), .ev_over_o(ev_over), .ev_spill_o(ev_spill), .remark_o(remark)
  );

  // Queues in memory.
  wire back, back_take, back_ok, ring_look, ring_room, ring_take, through, through_last, sm_valid,
       sm_ready, sm_write, ans_valid, ans_ready, later, far_wait, far_idle;
  wire [LineIdW-1:0] later_id;
  wire [LineSlots-1:0] arrived, wanted;
  wire [LeftW-1:0] depth;
  wire [KdeW-1:0] back_kdei, far_kdei, zero_kdei;
  wire [GroupW-1:0] q_info, far_info;
  wire [ListW-1:0] far_list;
  wire [OwnW-1:0] far_owner;
  wire [AddrBits-1:0] ring_pointer, through_at, sm_addr;
  wire [3:0] sm_mask;
  wire [127:0] sm_data, ans;
  laperm_spill #(
    .NumKde(NumKde), .Owners(Owners), .Levels(Levels), .AddrW(AddrBits), .XBits(XBits),
    .YBits(YBits), .ZBits(ZBits), .Lines(LineSlots), .Reads(Reads), .Reach(Reach)
  ) u_spill (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_order_i(in_order), .head_valid_i(some[Lists-1]),
    .head_kdei_i(zero_kdei), .op_valid_i(op_valid), .op_front_i(op_front), .op_list_i(op_list),
    .op_kdei_i(join_kdei), .op_info_i(s_info), .append_done_o(append_done),
    .front_done_o(front_done), .front_fail_o(front_fail),
    .some_o(far), .back_o(back), .back_take_o(back_take), .back_ok_i(back_ok),
    .back_kdei_i(back_kdei), .back_info_i(q_info), .room_i(refill), .alloc_i(alloc_far),
    .claim_o(far_claim), .push_o(far_push), .push_list_o(far_list), .push_owner_o(far_owner),
    .push_kdei_o(far_kdei), .push_info_o(far_info), .ring_look_o(ring_look),
    .ring_room_i(ring_room), .ring_pointer_i(ring_pointer), .ring_take_o(ring_take),
    .through_o(through), .through_last_o(through_last), .through_at_o(through_at),
    .mem_valid_o(sm_valid), .mem_ready_i(sm_ready), .mem_write_o(sm_write), .mem_addr_o(sm_addr),
    .mem_mask_o(sm_mask), .mem_data_o(sm_data), .ans_valid_i(ans_valid), .ans_ready_o(ans_ready),
    .ans_data_i(ans), .later_i(later), .later_id_i(later_id), .arrived_i(arrived),
    .wanted_o(wanted), .depth_o(depth), .wait_o(far_wait), .idle_o(far_idle)
  );

  // Queues on chip: one push a cycle, of who comes from memory, of who joins, of a kernel. Whose it
  // would be is known from flops; whether there is one comes later.
  wire kern_zero = kern_host_i || in_order;
  wire [ListW-1:0] kern_base = shared ? '0 : base_of(kern_smx_i);
  wire [LevW-1:0] kern_above = kern_prio_i >= LevW'(Levels) ? LevW'(Levels - 1) : kern_prio_i;
  wire [ListW-1:0] kern_list = kern_zero ? ZERO : kern_base + ListW'(kern_above);
  wire push = far_push || join_push || kern_take;
  wire look_rd, look_ready, look_kernel, pop, pop_zero, group_over;
  wire [Lists-1:0] look1;
  wire [ListW-1:0] pop_list;
  wire [KdeW-1:0] look_kdei;
  wire [OwnW-1:0] pop_owner;
  laperm_queue #(
    .NumKde(NumKde), .Owners(Owners), .OwnEntries(OwnEntries), .Levels(Levels), .InfoW(GroupW)
  ) u_queue (
    .clk_i(clk_i), .rst_ni(rst_ni), .shared_i(shared), .reserve_i(in_order), .push_i(push),
    .push_list_i(far_push ? far_list : join_busy ? join_list : kern_list),
    .push_group_i(far_push || (join_push && !join_again)),
    .push_kernel_i(!far_push && (!join_busy || join_again)),
    .push_kdei_i(far_push ? far_kdei : join_busy ? join_kdei : kern_kdei_o),
    .push_owner_i(far_push ? far_owner : join_owner), .push_info_i(far_push ? far_info : s_info),
    .alloc_o(alloc), .alloc_far_o(alloc_far), .full_o(full), .refill_o(refill), .pop_i(pop),
    .pop_list_i(pop_list),
    .pop_group_i(group_over), .pop_owner_i(pop_owner), .pop_zero_i(pop_zero),
    .look1_i(look1), .look_kdei_o(look_kdei), .look_kernel_o(look_kernel),
    .look_rd_i(look_rd), .look_ready_o(look_ready), .info_o(q_info), .zero_kdei_o(zero_kdei),
    .back_i(back), .back_list_i(op_list), .back_take_i(back_take), .back_ok_o(back_ok),
    .back_kdei_o(back_kdei), .some_o(some)
  );

  // Kernel distributor. Its links are not used: queues have their own.
  wire info_rd, run_first, run_some, run_more, native, group_last, unmark, kde_quiet, tb_take,
       end_valid, join_some;
  wire [KdeW-1:0] info_kdei, run_kdei, end_kdei;
  wire [NumKde-1:0] run1;
  wire [InfoW-1:0] info;
  wire [1:0] unused_link;
  dtbl_kde #(
    .NumKde(NumKde), .KeyW(KeyW), .InfoW(InfoW), .LinkW(1), .ExeBits(ExeBits), .PoolBits(PoolBits)
  ) u_kde (
    .clk_i(clk_i), .rst_ni(rst_ni), .kern_valid_i(kern_valid_i), .kern_ready_o(kern_ready_o),
    .kern_kdei_o(kern_kdei_o), .kern_key_i({kern_pc_i, kern_tbdim_i, kern_smem_i}),
    .kern_info_i({kern_pc_i, kern_warps_i, kern_regs_i, kern_shm_i, kern_z_i, kern_y_i, kern_x_i,
                  kern_param_i}),
    .kern_host_i(kern_host_i), .kern_take_o(kern_take), .scan_rd_i(scan_rd), .scan_at_i(scan_at),
    .scan_key_o(scan_key), .open_o(open), .pin_i(pin), .join_busy_i(join_busy || far_claim),
    .ask_kdei_i(s_kdei), .ask_full_o(join_full), .join_rd_i(1'b0), .join_kdei_i(join_kdei),
    .join_last_o(unused_link[0]), .join_some_o(join_some), .join_marked_o(marked),
    .join_commit_i(commit), .join_link_i(1'b0), .info_rd_i(info_rd), .info_kdei_i(info_kdei),
    .info_o(info), .run_kdei_i(run_kdei), .run1_i(run1), .run_first_o(run_first),
    .run_some_o(run_some), .run_more_o(run_more), .native_i(native), .pop_i(group_over),
    .head_o(unused_link[1]), .unmark_i(unmark), .start_i(tb_take), .end_i(end_valid),
    .end_kdei_i(end_kdei), .kdone_valid_o(kdone_valid_o), .kdone_ready_i(kdone_ready_i),
    .kdone_kdei_o(kdone_kdei_o), .kdone_host_o(kdone_host_o), .quiet_o(kde_quiet)
  );

  // Contexts.
  wire [Contexts-1:0] have, usable, valid, hold;
  wire [CtxW-1:0] fit_ctx, ctx;
  wire [NeedW-1:0] fit_need;
  wire fit_rd, ev_load, ev_preempt, ctx_quiet;
  wire [DimW-1:0] dim, block;
  laperm_context #(
    .NumKde(NumKde), .Owners(Owners), .Levels(Levels), .NeedW(NeedW), .PcBits(PcBits),
    .XBits(XBits), .YBits(YBits), .ZBits(ZBits), .AddrW(AddrBits)
  ) u_context (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_order_i(in_order), .shared_i(shared), .some_i(some),
    .look1_o(look1), .look_kdei_i(look_kdei), .look_kernel_i(look_kernel),
    .look_rd_o(look_rd), .look_ready_i(look_ready), .look_info_i(q_info), .zero_kdei_i(zero_kdei),
    .pop_o(pop), .pop_list_o(pop_list), .pop_owner_o(pop_owner),
    .pop_zero_o(pop_zero), .kern_valid_i(kern_take), .kern_kdei_i(kern_kdei_o), .info_rd_o(info_rd),
    .info_kdei_o(info_kdei), .info_i(info), .run_kdei_o(run_kdei), .run1_o(run1),
    .run_first_i(run_first), .run_some_i(run_some), .run_more_i(run_more), .native_o(native),
    .group_last_o(group_last), .unmark_o(unmark), .joins_i(commit && join_kdei == run_kdei),
    .have_o(have), .usable_o(usable), .valid_o(valid), .fit_ctx_i(fit_ctx), .fit_need_o(fit_need),
    .fit_rd_i(fit_rd), .hold_i(hold), .ctx_i(ctx), .take_i(tb_take), .group_o(tb_group_o),
    .pc_o(tb_pc_o), .level_o(tb_prio_o), .dim_o(dim), .block_o(block), .param_o(tb_param_o),
    .first_o(tb_first_o), .last_o(tb_last_o), .ev_load_o(ev_load), .ev_preempt_o(ev_preempt),
    .quiet_o(ctx_quiet)
  );
  assign group_over = tb_take && group_last;   // not by way of the context, where much hangs on it
  assign tb_kdei_o = run_kdei;
  assign {tb_dim_z_o, tb_dim_y_o, tb_dim_x_o} = dim;
  assign {tb_z_o, tb_y_o, tb_x_o} = block;

  // Visits, accounts, ends. What a load or a push changes shows in the cycle after it.
  reg changed_q;
  wire place_quiet, ev_void;
  wire [1:0] stage;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) changed_q <= 1'b0;
    else changed_q <= push || ev_load || back_take;
  end
  laperm_place #(
    .NumSmx(NumSmx), .Cluster(Cluster), .MaxTb(MaxTb), .Warps(WarpUnits), .RegUnits(RegUnits),
    .ShmUnits(ShmUnits), .TbcrW(KdeW), .DoneDepth(DoneDepth), .Skip(Skip)
  ) u_place (
    .clk_i(clk_i), .rst_ni(rst_ni), .divert_i(divert_i), .shared_i(shared), .adaptive_i(adaptive),
    .free_o(free_o), .room_o(room_o), .wait_o(wait_o), .bound_o(bound_o),
    .changed_i(changed_q), .have_i(have), .usable_i(usable), .valid_i(valid), .fit_ctx_o(fit_ctx),
    .fit_need_i(fit_need), .fit_rd_o(fit_rd), .hold_o(hold), .ctx_o(ctx), .take_o(tb_take),
    .tbcr_i(run_kdei), .valid_o(tb_valid_o), .ready_i(tb_ready_i), .smx_o(tb_smx_o),
    .slot_o(tb_slot_o), .stage_o(stage), .done_valid_i(done_valid_i), .done_ready_o(done_ready_o),
    .done_slot_i(done_slot_i), .end_valid_o(end_valid), .end_tbcr_o(end_kdei),
    .ev_void_o(ev_void), .quiet_o(place_quiet)
  );

  // Memory.
  wire mq_valid, mq_take, mq_write;
  wire [1:0] mq_count;
  wire [AddrBits-1:0] mq_addr;
  wire [3:0] mq_mask;
  wire [127:0] mq_data;
  // Of lines a record's own address is looked up: made here, it is not on the way to a hit.
  wire [AddrBits-1:0] rq_addr = sm_addr - (Lines != 0 ? AddrBits'(16) : '0);
  wf_fifo #(.Width(MemW), .Depth(2)) u_mem (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(sm_valid), .in_ready_o(sm_ready),
    .in_data_i({sm_write, rq_addr, sm_mask, sm_data}), .out_valid_o(mq_valid),
    .out_ready_i(mq_take), .out_data_o({mq_write, mq_addr, mq_mask, mq_data}), .count_o(mq_count)
  );
  wire lines_hit, lines_ahead, lines_quiet;
  generate
    if (Lines != 0) begin : g_lines
      dtbl_lines #(
        .Lines(Lines), .Reach(Reach), .ChunkLines(Chunk / 8), .Later(1), .AddrW(AddrBits)
      ) u_lines (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_valid_i(mq_valid), .req_ready_o(mq_take),
        .req_write_i(mq_write), .req_addr_i(mq_addr), .req_mask_i(mq_mask), .req_data_i(mq_data),
        .ans_valid_o(ans_valid), .ans_ready_i(ans_ready), .ans_data_o(ans), .later_o(later),
        .later_id_o(later_id), .arrived_o(arrived), .wanted_i(wanted), .depth_i(depth),
        .mem_valid_o(mem_valid_o), .mem_ready_i(mem_ready_i), .mem_write_o(mem_write_o),
        .mem_addr_o(mem_addr_o), .mem_mask_o(mem_mask_o), .mem_data_o(mem_data_o),
        .mem_id_o(mem_id_o), .rsp_valid_i(rsp_valid_i), .rsp_ready_o(rsp_ready_o),
        .rsp_id_i(rsp_id_i), .rsp_beat_i(rsp_beat_i), .rsp_data_i(rsp_data_i), .ev_hit_o(lines_hit),
        .ev_ahead_o(lines_ahead), .quiet_o(lines_quiet)
      );
    end else begin : g_no_lines
      assign {mem_valid_o, mem_write_o, mem_addr_o, mem_mask_o, mem_data_o} =
          {mq_valid, mq_write, mq_addr, mq_mask, mq_data};
      assign mq_take = mem_ready_i;
      assign mem_id_o = '0;
      assign {ans_valid, ans} = {rsp_valid_i, rsp_data_i};
      assign {later, later_id, arrived} = '0;
      assign rsp_ready_o = ans_ready;
      assign {lines_hit, lines_ahead, lines_quiet} = 3'b001;
      wire unused_lines = &{1'b0, rsp_id_i, rsp_beat_i, wanted, depth};
    end
  endgenerate
  wire ring_quiet;
  generate
    if (Ring != 0) begin : g_ring
      laperm_chunks #(
        .Records(Ring), .Chunk(Chunk), .Lists(Lists), .AddrW(AddrBits)
      ) u_chunks (
        .clk_i(clk_i), .rst_ni(rst_ni), .base_i(ring_base_i), .look_i(ring_look),
        .list_i(op_list), .room_o(ring_room), .pointer_o(ring_pointer), .take_i(ring_take),
        .free_i(through), .free_last_i(through_last), .free_list_i(far_list),
        .free_pointer_i(through_at), .quiet_o(ring_quiet)
      );
    end else begin : g_no_ring
      assign {ring_room, ring_pointer, ring_quiet} = {1'b0, {AddrBits{1'b0}}, 1'b1};
      wire unused_ring = &{1'b0, ring_base_i, ring_look, ring_take, through, through_last,
                            through_at};
    end
  endgenerate

  assign idle_o = search_quiet && !join_busy && far_idle && kde_quiet && ctx_quiet && place_quiet
                  && mq_count == 2'd0 && lines_quiet && ring_quiet && !changed_q
                  && policy_q == policy_i;

  // Counters: the order is that of unit.ini.
  generate
    if (CounterBits != 0) begin : g_count
      wire [NCount-1:0] inc = {
        ring_take, lines_ahead, lines_hit, dk_valid_o && !dk_ready_i, search_step,
        kern_valid_i && !kern_ready_o, far_wait, tb_valid_o && !tb_ready_i, ev_void, ev_preempt,
        ev_load, mem_valid_o && mem_ready_i && mem_write_o,
        mem_valid_o && mem_ready_i && !mem_write_o, end_valid, tb_take && stage == 2'd3,
        tb_take && stage == 2'd2, tb_take && stage == 2'd1, tb_take && tb_group_o,
        tb_take && !tb_group_o, remark, far_push, ev_spill, ev_over, commit && !ev_over,
        dk_valid_o && dk_ready_i, commit, agg_valid_i && agg_ready_o && agg_last_i,
        agg_valid_i && agg_ready_o, kdone_valid_o && kdone_ready_i, kern_take && !kern_host_i,
        kern_take};
      wf_counters #(.N(NCount), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused_count = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, far_wait, search_step,
                            ev_over, ev_spill, remark, ev_void, ev_preempt, stage, lines_hit,
                            lines_ahead, agg_last_i};
      assign cnt_value_o = '0;
    end
  endgenerate
  wire unused = &{1'b0, unused_link, join_some};

  `WF_ASSUME_STABLE(rule1_kern, kern_valid_i, kern_ready_o,
                    {kern_pc_i, kern_x_i, kern_y_i, kern_z_i, kern_param_i},
                    PcBits + DimW + AddrBits,
                    "Rule 1: an offered kernel holds")
  `WF_ASSUME_STABLE(rule1_agg, agg_valid_i, agg_ready_o,
                    {agg_pc_i, agg_x_i, agg_y_i, agg_z_i, agg_param_i, agg_prio_i},
                    PcBits + DimW + AddrBits + LevW,
                    "Rule 1: an offered group holds")
  `WF_ASSUME(rule2_need, !kern_valid_i
             || (kern_warps_i != '0 && {1'b0, kern_warps_i} < (WarpW + 1)'(WarpUnits + 1)
                 && {1'b0, kern_regs_i} < (RegW + 1)'(RegUnits + 1)
                 && {1'b0, kern_shm_i} < (ShmW + 1)'(ShmUnits + 1)),
             "Rule 2: one block of a kernel fits into an empty SMX")
  `WF_ASSUME(rule2_grid, !kern_valid_i || (kern_x_i != '0 && kern_y_i != '0 && kern_z_i != '0),
             "Rule 2: a kernel has a block")
  `WF_ASSUME(rule2_group, !agg_valid_i || (agg_x_i != '0 && agg_y_i != '0 && agg_z_i != '0),
             "Rule 2: a group has a block")
  `WF_ASSUME(rule2_smx, (!agg_valid_i || {1'b0, agg_smx_i} < (SmxW + 1)'(NumSmx))
                        && (!kern_valid_i || kern_host_i
                            || {1'b0, kern_smx_i} < (SmxW + 1)'(NumSmx)),
             "Rule 2: who launches runs on an SMX that there is")
  `WF_ASSERT_STABLE(rule3_tb, tb_valid_o, tb_ready_i,
                    {tb_smx_o, tb_slot_o, tb_kdei_o, tb_param_o, block},
                    SmxW + SlotW + KdeW + AddrBits + DimW,
                    "Rule 3: an offered block holds")
  `WF_ASSERT_STABLE(rule3_dk, dk_valid_o, dk_ready_i, s_body, BodyW,
                    "Rule 3: an offered device kernel holds")
  `WF_ASSERT_STABLE(rule3_mem, mem_valid_o, mem_ready_i,
                    {mem_write_o, mem_addr_o, mem_mask_o, mem_data_o}, MemW,
                    "Rule 3: an offered memory request holds")
  `WF_ASSERT(rule4_one, {1'b0, far_push} + {1'b0, join_push} + {1'b0, kern_take} < 2'd2,
             "Rule 4: one is queued at a time")
endmodule
`default_nettype wire
