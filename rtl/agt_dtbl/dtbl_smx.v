// dtbl_smx: what one SMX has free, and its thread block control registers (TBCR). The unit keeps
// these accounts itself: it gives out slots and resources when it places a block, and takes them
// back when the SMX reports the slot's end.
//
// room_o answers for the kernel that is being distributed (need_*_i): a free slot, warps, registers
// and shared memory for one more block. It is a flop, computed from the accounts as they will be: a
// block placed or ended at an edge counts in the cycle after it. A new need must stand for one
// whole cycle before room_o is used.
//
// free_o: warps that no block holds, for a unit that watches the SMX (bubble_power).
//
// The slot's TBCR content lies in RAM; when a block ends it is read and queued for the bookkeeping
// of kernels and groups (end_*). So the slot can be given out again in the next cycle. done_ready_o
// falls when the queue may be full: DoneDepth ends that the bookkeeping has not taken, which serves
// one SMX a cycle.
//
//   MaxTb 1..64   Warps, RegUnits, ShmUnits 1..   TbcrW 1..   DoneDepth 2..
// Storage: RAM MaxTb * TbcrW; flops MaxTb * (1 + bits of the three needs), the three free amounts,
// MaxTb, DoneDepth * TbcrW.
//
// Rules
//   1 A block is placed only where there is room.
//   2 A slot that ends is busy.
//   3 Free amounts never exceed what there is.
`default_nettype none
`include "wf_assert.vh"

module dtbl_smx #(
  parameter integer MaxTb = 16,
  parameter integer Warps = 64,
  parameter integer RegUnits = 256,
  parameter integer ShmUnits = 384,
  parameter integer TbcrW = 16,
  parameter integer DoneDepth = 4,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer WarpW = $clog2(Warps + 1),
  localparam integer RegW = $clog2(RegUnits + 1),
  localparam integer ShmW = $clog2(ShmUnits + 1)
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             take_i,        // a block is placed here
  input  wire             offer_i,       // a block is offered to this SMX
  input  wire             hold_i,        // the offer made in the cycle before
                                         // stands: so does its slot
  input  wire [WarpW-1:0] need_warps_i,  // of one block
  input  wire [RegW-1:0]  need_regs_i,
  input  wire [ShmW-1:0]  need_shm_i,
  input  wire [TbcrW-1:0] tbcr_i,
  output wire             room_o,
  output wire [WarpW-1:0] free_o,
  output wire [SlotW-1:0] slot_o,        // that the next block gets
  input  wire             done_valid_i,
  output wire             done_ready_o,
  input  wire [SlotW-1:0] done_slot_i,
  output wire             end_valid_o,
  input  wire             end_ready_i,
  output wire [TbcrW-1:0] end_tbcr_o,
  output wire             quiet_o        // no end waits for bookkeeping
);
  localparam integer NeedW = WarpW + RegW + ShmW;
  localparam integer CountW = $clog2(DoneDepth + 1);

  reg [MaxTb-1:0] busy_q;
  (* mem2reg *) reg [NeedW-1:0] held_q [0:MaxTb-1];
  reg [WarpW-1:0] warps_q;
  reg [RegW-1:0] regs_q;
  reg [ShmW-1:0] shm_q;
  reg room_q;

  wire done = done_valid_i && done_ready_o;
  wire [MaxTb-1:0] lowest;
  reg [MaxTb-1:0] offered_q;
  wire [MaxTb-1:0] slot1 = hold_i ? offered_q : lowest;
  wire [SlotW-1:0] lowest_at;
  wire any, some;
  wf_priority_enc #(.N(MaxTb)) u_lowest (
    .bits_i(~busy_q), .onehot_o(lowest), .index_o(lowest_at), .any_o(any)
  );
  wf_onehot_enc #(.N(MaxTb)) u_slot (.onehot_i(slot1), .index_o(slot_o), .any_o(some));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) offered_q <= '0;
    else if (offer_i) offered_q <= slot1;
  end
  reg [MaxTb-1:0] done1_c;
  always_comb begin
    for (int s = 0; s < MaxTb; s = s + 1) done1_c[s] = done && done_slot_i == SlotW'(s);
  end

  // After what ends; then with one block of the present need placed, or not.
  wire [NeedW-1:0] back = done ? held_q[done_slot_i] : '0;
  wire [WarpW-1:0] warps_up = warps_q + back[NeedW-1 -: WarpW];
  wire [RegW-1:0] regs_up = regs_q + back[ShmW +: RegW];
  wire [ShmW-1:0] shm_up = shm_q + back[ShmW-1:0];
  wire [MaxTb-1:0] free_up = ~busy_q | done1_c;
  wire one = free_up != '0 && warps_up >= need_warps_i && regs_up >= need_regs_i
             && shm_up >= need_shm_i;
  wire two = (free_up & ~slot1) != '0 && {1'b0, warps_up} >= {need_warps_i, 1'b0}
             && {1'b0, regs_up} >= {need_regs_i, 1'b0} && {1'b0, shm_up} >= {need_shm_i, 1'b0};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      room_q <= 1'b0;
      warps_q <= WarpW'(Warps);
      regs_q <= RegW'(RegUnits);
      shm_q <= ShmW'(ShmUnits);
    end else begin
      busy_q <= (busy_q & ~done1_c) | (slot1 & {MaxTb{take_i}});
      room_q <= take_i ? two : one;
      warps_q <= take_i ? warps_up - need_warps_i : warps_up;
      regs_q <= take_i ? regs_up - need_regs_i : regs_up;
      shm_q <= take_i ? shm_up - need_shm_i : shm_up;
    end
  end
  always_ff @(posedge clk_i) if (take_i) held_q[slot_o] <= {need_warps_i, need_regs_i, need_shm_i};
  assign room_o = room_q;
  assign free_o = warps_q;

  // Ends wait for their bookkeeping.
  reg read_q;
  wire [TbcrW-1:0] tbcr;
  wire [CountW-1:0] count;
  wire queue_ready;
  assign done_ready_o = {1'b0, count} + {{CountW{1'b0}}, read_q} < (CountW + 1)'(DoneDepth);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= 1'b0;
    else read_q <= done;
  end
  wf_ram_1r1w #(.Width(TbcrW), .Depth(MaxTb)) u_tbcr (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(take_i), .wr_addr_i(slot_o), .wr_mask_i(1'b1),
    .wr_data_i(tbcr_i), .rd_en_i(done), .rd_addr_i(done_slot_i), .rd_data_o(tbcr)
  );
  wf_fifo #(.Width(TbcrW), .Depth(DoneDepth)) u_ends (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(read_q), .in_ready_o(queue_ready), .in_data_i(tbcr),
    .out_valid_o(end_valid_o), .out_ready_i(end_ready_i), .out_data_o(end_tbcr_o), .count_o(count)
  );
  assign quiet_o = !read_q && count == '0;
  wire unused = &{1'b0, any, some, lowest_at, queue_ready};

  `WF_ASSERT(rule1_room, !take_i || (room_q && some && warps_q >= need_warps_i
                                     && regs_q >= need_regs_i && shm_q >= need_shm_i),
             "Rule 1: a block is placed only where there is room")
  `WF_ASSUME(rule2_busy, !done || busy_q[done_slot_i], "Rule 2: a slot that ends is busy")
  `WF_ASSERT(rule3_amounts,
             {1'b0, warps_q} < (WarpW + 1)'(Warps + 1) && {1'b0, regs_q} < (RegW + 1)'(RegUnits + 1)
             && {1'b0, shm_q} < (ShmW + 1)'(ShmUnits + 1),
             "Rule 3: free amounts never exceed what there is")
  `WF_ASSERT(rule3_all, busy_q != '0
             || ({1'b0, warps_q} == (WarpW + 1)'(Warps) && {1'b0, regs_q} == (RegW + 1)'(RegUnits)
                 && {1'b0, shm_q} == (ShmW + 1)'(ShmUnits)),
             "Rule 3: an empty SMX has everything free")
  `WF_ASSERT(rule4_queue, !read_q || queue_ready, "Rule 4: an end finds room in the queue")
endmodule
`default_nettype wire
