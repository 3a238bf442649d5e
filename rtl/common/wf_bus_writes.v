// Writes that are on their way over a bus: the half of wf_axi4 and wf_tlul that knows which sectors
// memory has not yet answered for, so that nothing overtakes them.
//
//   clash_o   sector_i has a write on its way: a second one could pass the first
//   held_o    block_i has one in one of its sectors: a read could pass it
//   fence_i   from the next edge on: fence_done_o is low until all writes that are on their way at
//             this edge, or are taken at it, are answered; later ones do not matter
//
// Timing: take_i at an edge takes slot_o, which free_o allows. An answer frees at its edge: a slot
// is seen as free after it. clash_o and held_o are comparators behind the inputs, all in one cycle.
//
// Parameters
//   Slots       1 ..   writes on their way
//   SectorBits  1 ..   of a sector's address
//   BlockShift  0 ..   log2 of the sectors of a block, below SectorBits
//   Parts       1 ..   answers that a write may need, one for each part that is sent
// Storage: Slots * (SectorBits + Parts + 1) flops: all are compared at once.
//
// Rules
//   1 An answer is for a part that is on its way.
//   2 A slot is taken only if it is free.
//   3 No two writes of one sector are on their way.
`default_nettype none
`include "wf_assert.vh"

module wf_bus_writes #(
  parameter integer Slots = 8,
  parameter integer SectorBits = 27,
  parameter integer BlockShift = 2,
  parameter integer Parts = 1,
  localparam integer SlotW = Slots > 1 ? $clog2(Slots) : 1,
  localparam integer PartW = Parts > 1 ? $clog2(Parts) : 1
) (
  input  wire                             clk_i,
  input  wire                             rst_ni,
  output wire                             free_o,
  output wire [SlotW-1:0]                 slot_o,
  input  wire                             take_i,
  input  wire [SectorBits-1:0]            sector_i,
  input  wire [Parts-1:0]                 parts_i,  // those that are sent
  output wire                             clash_o,
  input  wire [SectorBits-BlockShift-1:0] block_i,
  output wire                             held_o,
  input  wire                             ack_valid_i,
  input  wire [SlotW-1:0]                 ack_slot_i,
  input  wire [PartW-1:0]                 ack_part_i,
  input  wire                             fence_i,
  output wire                             fence_done_o,
  output wire                             idle_o
);
  initial begin
    if (Slots < 1) $fatal(1, "wf_bus_writes: Slots is %0d, must be 1 or more", Slots);
    if (BlockShift < 0 || SectorBits <= BlockShift)
      $fatal(1, "wf_bus_writes: BlockShift is %0d, must be 0 .. SectorBits - 1", BlockShift);
    if (Parts < 1) $fatal(1, "wf_bus_writes: Parts is %0d, must be 1 or more", Parts);
  end

  (* mem2reg *) reg [SectorBits-1:0] sector_q [Slots];
  (* mem2reg *) reg [Parts-1:0] part_q [Slots];  // on their way
  reg [Slots-1:0] old_q;           // the fence waits for them
  wire [Slots-1:0] busy, later, same, near, pick;
  wire any_free;
  assign free_o = busy != '1;
  wf_priority_enc #(.N(Slots)) u_free (
    .bits_i(~busy), .onehot_o(pick), .index_o(slot_o), .any_o(any_free)
  );
  generate
    for (genvar s = 0; s < Slots; s = s + 1) begin : g_slot
      localparam [SlotW-1:0] THIS = SlotW'(s);
      wire [Parts-1:0] acked;
      for (genvar p = 0; p < Parts; p = p + 1) begin : g_part
        localparam [PartW-1:0] PART = PartW'(p);
        assign acked[p] = ack_valid_i && ack_slot_i == THIS && ack_part_i == PART;
      end
      wire [Parts-1:0] left = take_i && pick[s] ? parts_i : part_q[s] & ~acked;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) part_q[s] <= '0;
        else part_q[s] <= left;
      end
      always_ff @(posedge clk_i) if (take_i && pick[s]) sector_q[s] <= sector_i;
      assign busy[s] = part_q[s] != '0;
      assign later[s] = left != '0;
      assign same[s] = busy[s] && sector_q[s] == sector_i;
      assign near[s] = busy[s] && sector_q[s][SectorBits-1:BlockShift] == block_i;
    end
  endgenerate
  assign clash_o = same != '0;
  assign held_o = near != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) old_q <= '0;
    else old_q <= (fence_i ? later : old_q & later);
  end
  assign fence_done_o = old_q == '0;
  assign idle_o = busy == '0;

  `WF_ASSUME(rule_1_waits, !ack_valid_i || part_q[ack_slot_i][ack_part_i],
             "Rule 1: an answer is for a part that is on its way")
  `WF_ASSUME(rule_2_free, !take_i || free_o, "Rule 2: a slot is taken only if it is free")
  `WF_ASSUME(rule_3_single, !take_i || !clash_o,
             "Rule 3: no two writes of one sector are on their way")
  wire unused = &{1'b0, any_free};
endmodule
`default_nettype wire
