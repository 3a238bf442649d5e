// dtbl_kmu: kernel management unit, one per GPU, beside the scheduler: kernels that threads launch,
// and groups that found no kernel to join, wait here for an entry of the kernel distributor. The
// oldest is dispatched when an entry is free and a way is: Dispatch cycles later the distributor is
// offered it. Ways kernels are on their way at once; 1 is one after the other.
//
// CHANNELS. A transfer is valid and ready at a rising edge; an offer holds until taken; valid may
// not wait for ready.
//   grp    scheduler -> unit. A group that leaves as a kernel (its dk), with what one block needs.
//   launch SMX -> unit. A kernel, with what one of its blocks needs. It waits while a group is
//          offered.
//   kern   unit -> scheduler. The kernel whose dispatch is over, in the order of arrival.
//   side   scheduler -> unit. The scheduler's mem: it goes through to the port, which it has before
//          the kernels, but one of theirs that waits goes after one of the scheduler's.
//   mem    unit -> memory. write 1: 16 bytes at (addr - 16); of kernels mask is all ones. write 0:
//          read; of kernels the 128 bytes at addr. Transfers act in their order as far as they
//          name the same line; a write of kernels may overtake a read of theirs. id: the
//          scheduler's, below a 0; of kernels 0, below a 1.
//   rsp    memory -> unit. A line's words of 16 bytes, beats 0..7 in order; those of kernels are
//          always taken. back: the word is the scheduler's, who sees data, beat and id of rsp.
// Events: kdone_i: an entry of the distributor is free again after this edge (its kdone is taken);
// host_i: one goes to a kernel of the host at this edge.
//
// Nothing here waits for a block to start or to end, as long as no more kernels wait than Ring and
// Entries hold: then grp and launch wait for memory only. A kernel that waits has its parameters in
// memory, so that there are no more than buffers for them.
//
// TIME. A kernel begins when it is the oldest that has not, an entry is its own (that of a kdone_i
// of this cycle is) and a way is free, in the cycle of its transfer at the earliest; one begins a
// cycle. Dispatch cycles later it is offered at kern, and its way is free, taken or not. A kernel
// that is still on its way from memory then is offered when it is there.
//
// CONFIGURATION: ring_base_i, the address of the ring's 32 * Ring bytes, a multiple of that, which
// are the unit's; a level that stays.
//
// IDLE: idle_o: nothing will change until a valid grp, launch or rsp of kernels, or an event: the
// clock may be withheld. Also while kernels wait and no entry is free; and what passes between
// scheduler and memory then needs no edge. launch_ready_o follows grp_valid_i combinationally, what
// passes follows side, mem and rsp, all else flops only.
//
// Storage: that of dtbl_kmu_queue and dtbl_port; flops: Ways * log2(Dispatch) for the ways, and 3
//   counts.
//
// Rules
//   1 An offered kernel or group holds. An entry that comes free was in use. (That the scheduler's
//     request holds is its own rule 3.)
//   2 Kernels leave in the order in which they came, each once; an offer holds.
//   3 No kernel begins without an entry of the distributor of its own, nor without a way.
//   4 What waits, is on its way, or is due, is what is stored.
`default_nettype none
`include "wf_assert.vh"

module dtbl_kmu #(
  parameter integer NumKde = 32,         // 1..64
  parameter integer Ways = 1,            // kernels that are dispatched at once, 1..NumKde
  parameter integer Dispatch = 283,      // cycles of a dispatch, 5..2^20
  parameter integer Burst = 32,          // kernels that come at once, 3..256
  parameter integer Entries = 16,        // the oldest that wait, on chip, 8..256
  parameter integer Ring = 262144,       // that wait in memory, 2^k from 8
  parameter integer WarpUnits = 64,      // as of the scheduler
  parameter integer RegUnits = 256,
  parameter integer ShmUnits = 384,
  parameter integer PcBits = 32,
  parameter integer TbDimBits = 29,
  parameter integer SmemBits = 17,
  parameter integer AddrBits = 32,       // over log2(32 * Ring), up to 32
  parameter integer XBits = 32,          // up to 32
  parameter integer YBits = 16,          // up to 16
  parameter integer ZBits = 16,          // up to 16
  parameter integer SideIdBits = 4,      // of the scheduler's id, 1..6
  parameter integer CounterBits = 40,    // 0: no performance counters
  localparam integer WarpW = $clog2(WarpUnits + 1),
  localparam integer RegW = $clog2(RegUnits + 1),
  localparam integer ShmW = $clog2(ShmUnits + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire [AddrBits-1:0]  ring_base_i,
  // groups that leave as kernels
  input  wire                 grp_valid_i,
  output wire                 grp_ready_o,
  input  wire [PcBits-1:0]    grp_pc_i,
  input  wire [TbDimBits-1:0] grp_tbdim_i,
  input  wire [SmemBits-1:0]  grp_smem_i,
  input  wire [XBits-1:0]     grp_x_i,
  input  wire [YBits-1:0]     grp_y_i,
  input  wire [ZBits-1:0]     grp_z_i,
  input  wire [AddrBits-1:0]  grp_param_i,
  input  wire [WarpW-1:0]     grp_warps_i,
  input  wire [RegW-1:0]      grp_regs_i,
  input  wire [ShmW-1:0]      grp_shm_i,
  // kernels that threads launch
  input  wire                 launch_valid_i,
  output wire                 launch_ready_o,
  input  wire [PcBits-1:0]    launch_pc_i,
  input  wire [TbDimBits-1:0] launch_tbdim_i,
  input  wire [SmemBits-1:0]  launch_smem_i,
  input  wire [XBits-1:0]     launch_x_i,
  input  wire [YBits-1:0]     launch_y_i,
  input  wire [ZBits-1:0]     launch_z_i,
  input  wire [AddrBits-1:0]  launch_param_i,
  input  wire [WarpW-1:0]     launch_warps_i,
  input  wire [RegW-1:0]      launch_regs_i,
  input  wire [ShmW-1:0]      launch_shm_i,
  // to the distributor
  output wire                 kern_valid_o,
  input  wire                 kern_ready_i,
  output wire [PcBits-1:0]    kern_pc_o,
  output wire [TbDimBits-1:0] kern_tbdim_o,
  output wire [SmemBits-1:0]  kern_smem_o,
  output wire [XBits-1:0]     kern_x_o,
  output wire [YBits-1:0]     kern_y_o,
  output wire [ZBits-1:0]     kern_z_o,
  output wire [AddrBits-1:0]  kern_param_o,
  output wire [WarpW-1:0]     kern_warps_o,
  output wire [RegW-1:0]      kern_regs_o,
  output wire [ShmW-1:0]      kern_shm_o,
  // its entries
  input  wire                 kdone_i,
  input  wire                 host_i,
  // the scheduler's way to memory
  input  wire                 side_valid_i,
  output wire                 side_ready_o,
  input  wire                 side_write_i,
  input  wire [AddrBits-1:0]  side_addr_i,
  input  wire [3:0]           side_mask_i,
  input  wire [127:0]         side_data_i,
  input  wire [SideIdBits-1:0] side_id_i,
  output wire                 back_valid_o,
  input  wire                 back_ready_i,
  // memory
  output wire                 mem_valid_o,
  input  wire                 mem_ready_i,
  output wire                 mem_write_o,
  output wire [AddrBits-1:0]  mem_addr_o,
  output wire [3:0]           mem_mask_o,
  output wire [127:0]         mem_data_o,
  output wire [SideIdBits:0]  mem_id_o,
  input  wire                 rsp_valid_i,
  output wire                 rsp_ready_o,
  input  wire [127:0]         rsp_data_i,
  input  wire [SideIdBits:0]  rsp_id_i,
  input  wire [2:0]           rsp_beat_i,
  // counters: snapshot copies all, clear zeroes the running ones; order in dtbl_kmu.ini
  input  wire                 cnt_snapshot_i,
  input  wire                 cnt_clear_i,
  input  wire [2:0]           cnt_index_i,
  output wire [63:0]          cnt_value_o,
  output wire                 idle_o
);
  localparam integer KernelW = PcBits + TbDimBits + SmemBits + XBits + YBits + ZBits + AddrBits
                               + WarpW + RegW + ShmW;
  localparam integer MemW = 1 + AddrBits + 4 + 128;
  localparam integer HalfW = (KernelW + 1) / 2;
  localparam integer HeldW = $clog2(Burst + Entries + Ring + 1);
  localparam integer TimeW = $clog2(Dispatch + 1);
  localparam integer KdeW = $clog2(NumKde + 1);
  localparam integer WayW = $clog2(Ways + 1);
  localparam integer NCount = 8;

  initial begin
    if (NumKde < 1 || NumKde > 64) $fatal(1, "dtbl_kmu: NumKde must be 1..64");
    if (Ways < 1 || Ways > NumKde) $fatal(1, "dtbl_kmu: Ways must be 1..NumKde");
    if (Dispatch < 5 || Dispatch > 1048576) $fatal(1, "dtbl_kmu: Dispatch must be 5..2^20");
    if (Burst < 3 || Burst > 256) $fatal(1, "dtbl_kmu: Burst must be 3..256");
    if (Entries < 8 || Entries > 256) $fatal(1, "dtbl_kmu: Entries must be 8..256");
    if (WarpUnits < 1 || RegUnits < 1 || ShmUnits < 1)
      $fatal(1, "dtbl_kmu: WarpUnits, RegUnits and ShmUnits must be 1 or more");
    if (PcBits < 1 || TbDimBits < 1 || SmemBits < 1 || XBits < 1 || YBits < 1 || ZBits < 1)
      $fatal(1, "dtbl_kmu: PcBits, TbDimBits, SmemBits, XBits, YBits and ZBits must be 1 or more");
    if (AddrBits > 32) $fatal(1, "dtbl_kmu: AddrBits must be up to 32");
    if (KernelW > 256) $fatal(1, "dtbl_kmu: a kernel must fit into 256 bits");
    if (SideIdBits < 1 || SideIdBits > 6) $fatal(1, "dtbl_kmu: SideIdBits must be 1..6");
    if (CounterBits < 0 || CounterBits > 64) $fatal(1, "dtbl_kmu: CounterBits must be 0..64");
  end

  // What waits.
  wire put_ready;
  // Who is offered to the queue may change while it takes none: it is offered what it takes.
  wire put = (grp_valid_i || launch_valid_i) && put_ready;
  wire [KernelW-1:0] grp = {grp_pc_i, grp_tbdim_i, grp_smem_i, grp_z_i, grp_y_i, grp_x_i,
                            grp_param_i, grp_warps_i, grp_regs_i, grp_shm_i};
  wire [KernelW-1:0] launch = {launch_pc_i, launch_tbdim_i, launch_smem_i, launch_z_i, launch_y_i,
                               launch_x_i, launch_param_i, launch_warps_i, launch_regs_i,
                               launch_shm_i};
  wire [KernelW-1:0] kernel = grp_valid_i ? grp : launch;
  assign grp_ready_o = put_ready;
  assign launch_ready_o = put_ready && !grp_valid_i;
  wire out_valid, kern_take, spill, line, refill, queue_quiet;
  wire own_valid, own_ready, own_write, own_rsp;
  wire [AddrBits-1:0] own_addr;
  wire [127:0] own_data;
  wire [2*HalfW-1:0] out;
  wire [HeldW-1:0] held;
  dtbl_kmu_queue #(
    .HalfW(HalfW), .Burst(Burst), .Entries(Entries), .Ring(Ring), .AddrW(AddrBits)
  ) u_queue (
    .clk_i(clk_i), .rst_ni(rst_ni), .base_i(ring_base_i),
    .in_valid_i(put), .in_ready_o(put_ready),
    .in_data_i((2*HalfW)'(kernel)), .out_valid_o(out_valid),
    .out_ready_i(kern_take), .out_data_o(out), .mem_valid_o(own_valid),
    .mem_ready_i(own_ready), .mem_write_o(own_write), .mem_addr_o(own_addr),
    .mem_data_o(own_data), .rsp_valid_i(own_rsp), .rsp_data_i(rsp_data_i),
    .rsp_beat_i(rsp_beat_i), .held_o(held), .ev_spill_o(spill), .ev_read_o(line),
    .ev_refill_o(refill), .quiet_o(queue_quiet)
  );
  assign {kern_pc_o, kern_tbdim_o, kern_smem_o, kern_z_o, kern_y_o, kern_x_o, kern_param_o,
          kern_warps_o, kern_regs_o, kern_shm_o} = out[KernelW-1:0];

  // The port of memory.
  dtbl_port #(.PayW(MemW), .IdW(SideIdBits)) u_port (
    .clk_i(clk_i), .rst_ni(rst_ni), .a_valid_i(side_valid_i), .a_ready_o(side_ready_o),
    .a_data_i({side_write_i, side_addr_i, side_mask_i, side_data_i}), .a_id_i(side_id_i),
    .a_rsp_valid_o(back_valid_o), .a_rsp_ready_i(back_ready_i), .b_valid_i(own_valid),
    .b_ready_o(own_ready), .b_data_i({own_write, own_addr, {4{own_write}}, own_data}),
    .b_rsp_valid_o(own_rsp), .b_rsp_ready_i(1'b1), .mem_valid_o(mem_valid_o),
    .mem_ready_i(mem_ready_i), .mem_data_o({mem_write_o, mem_addr_o, mem_mask_o, mem_data_o}),
    .mem_id_o(mem_id_o), .rsp_valid_i(rsp_valid_i), .rsp_ready_o(rsp_ready_o),
    .rsp_b_i(rsp_id_i[SideIdBits])
  );

  // Who begins, and whose dispatch is over.
  reg [HeldW-1:0] wait_q;   // have not begun
  reg [KdeW-1:0] free_q;    // entries that nobody has, nor is on his way to
  reg [KdeW-1:0] due_q;     // dispatched, not taken
  reg [TimeW-1:0] now_q;
  wire way, over_valid;
  wire [TimeW-1:0] over_at;
  wire [WayW-1:0] ways_used;
  wire some = wait_q != '0 || put;
  wire entry = free_q != '0 || kdone_i;
  wire begins = some && entry && way;
  wire over = over_valid && over_at == now_q;
  wf_fifo #(.Width(TimeW), .Depth(Ways)) u_ways (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(begins), .in_ready_o(way),
    .in_data_i(now_q + TimeW'(Dispatch - 1)), .out_valid_o(over_valid), .out_ready_i(over),
    .out_data_o(over_at), .count_o(ways_used)
  );
  assign kern_valid_o = due_q != '0 && out_valid;
  assign kern_take = due_q != '0 && kern_ready_i;

  reg no_entry_q;
  wire no_entry = wait_q != '0 && !entry;
  wire taken = kern_valid_o && kern_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q <= '0;
      free_q <= KdeW'(NumKde);
      due_q <= '0;
      now_q <= '0;
      no_entry_q <= 1'b0;
    end else begin
      if (put != begins) wait_q <= put ? wait_q + 1'b1 : wait_q - 1'b1;
      free_q <= free_q + KdeW'(kdone_i) - KdeW'(begins) - KdeW'(host_i);
      if (over != taken) due_q <= over ? due_q + 1'b1 : due_q - 1'b1;
      if (begins || over_valid) now_q <= now_q + 1'b1;
      no_entry_q <= no_entry;
    end
  end

  assign idle_o = queue_quiet && !over_valid && due_q == '0
                  && (wait_q == '0 ? !no_entry_q : free_q == '0 && no_entry_q);

  // Counters: the order is that of dtbl_kmu.ini.
  generate
    if (CounterBits != 0) begin : g_count
      wire [NCount-1:0] inc = {
        kern_valid_o && !kern_ready_i, refill, line, spill, no_entry && !no_entry_q, taken,
        grp_valid_i && grp_ready_o, launch_valid_i && launch_ready_o};
      wf_counters #(.N(NCount), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused_count = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, refill, line, spill};
      assign cnt_value_o = '0;
    end
  endgenerate
  wire unused = &{1'b0, out, rsp_id_i, ways_used, held};

  `WF_ASSUME_STABLE(rule1_grp, grp_valid_i, grp_ready_o, grp, KernelW,
                    "Rule 1: an offered group holds")
  `WF_ASSUME_STABLE(rule1_launch, launch_valid_i, launch_ready_o, launch, KernelW,
                    "Rule 1: an offered kernel holds")
  `WF_ASSUME(rule1_kdone, !kdone_i || free_q != KdeW'(NumKde),
             "Rule 1: an entry that comes free was in use")
  `WF_ASSUME(rule1_host, !host_i || (free_q != '0 && !some),
             "Rule 1: a kernel of the host comes while none waits, and there is an entry")
  `WF_ASSERT_STABLE(rule2_kern, kern_valid_o, kern_ready_i, out[KernelW-1:0], KernelW,
                    "Rule 2: an offered kernel holds")
  `WF_ASSERT(rule3_entry, KdeW'(ways_used) + due_q <= KdeW'(NumKde) - free_q,
             "Rule 3: none begins without an entry of its own")
  `WF_ASSERT(rule4_all, held == wait_q + HeldW'(ways_used) + HeldW'(due_q),
             "Rule 4: what waits, is on its way or is due, is what is stored")
endmodule
`default_nettype wire
