// dtbl_place: on which SMX the next thread block runs: round robin, the next one behind the last
// that has room. Holds the accounts of all SMXs.
//
// An SMX whose divert_i bit is set gets no block; the bits are taken into a register, so they act
// from the cycle after the edge. An offer that was made and not taken stays as it is, even if its
// SMX is diverted meanwhile. (This is the place of the diversion registers, and of SMX-bound
// scheduling: a mask per priority queue.) free_o, room_o: what each SMX has, for whoever sets them.
//
// Timing: the choice is combinational from flops. An end reported at an edge makes room for the
// choice of the next cycle.
//
//   NumSmx 1..256, and those of dtbl_smx.
// Storage: NumSmx * (dtbl_smx + 4).
//
// Rules
//   1 An offered block has an SMX with room.
//   2 A new offer is not made to a diverted SMX.
`default_nettype none
`include "wf_assert.vh"

module dtbl_place #(
  parameter integer NumSmx = 13,
  parameter integer MaxTb = 16,
  parameter integer Warps = 64,
  parameter integer RegUnits = 256,
  parameter integer ShmUnits = 384,
  parameter integer TbcrW = 16,
  parameter integer DoneDepth = 4,
  localparam integer SmxW = NumSmx > 1 ? $clog2(NumSmx) : 1,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer WarpW = $clog2(Warps + 1),
  localparam integer RegW = $clog2(RegUnits + 1),
  localparam integer ShmW = $clog2(ShmUnits + 1)
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  input  wire [NumSmx-1:0]       divert_i,
  input  wire                    want_i,       // there is a block to place
  input  wire [WarpW-1:0]        need_warps_i,
  input  wire [RegW-1:0]         need_regs_i,
  input  wire [ShmW-1:0]         need_shm_i,
  input  wire [TbcrW-1:0]        tbcr_i,
  output wire                    valid_o,
  input  wire                    ready_i,
  output wire [SmxW-1:0]         smx_o,
  output wire [SlotW-1:0]        slot_o,
  output wire [NumSmx*WarpW-1:0] free_o,       // warps of each SMX
  output wire [NumSmx-1:0]       room_o,       // for the block to place, or one as the last
  // ends of blocks, a lane per SMX
  input  wire [NumSmx-1:0]       done_valid_i,
  output wire [NumSmx-1:0]       done_ready_o,
  input  wire [NumSmx*SlotW-1:0] done_slot_i,
  // their bookkeeping, one a cycle
  output wire                    end_valid_o,
  input  wire                    end_ready_i,
  output wire [TbcrW-1:0]        end_tbcr_o,
  output wire                    quiet_o
);
  reg [NumSmx-1:0] divert_q, offer_q;
  wire [NumSmx-1:0] room, gnt, end_valid, end_gnt, smx_quiet;
  wire [NumSmx*SlotW-1:0] slots;
  wire [NumSmx*TbcrW-1:0] tbcrs;
  wire take = valid_o && ready_i;

  wire [NumSmx-1:0] can = room & (~divert_q | offer_q);
  wire [NumSmx-1:0] req = can & {NumSmx{want_i}};
  wire granted;
  assign valid_o = want_i && can != '0;  // == granted, without the choice's way
  wf_arb_rr #(.N(NumSmx), .Hold(1)) u_next (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(req), .advance_i(ready_i), .gnt_o(gnt),
    .gnt_index_o(smx_o), .gnt_valid_o(granted)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      divert_q <= '0;
      offer_q <= '0;
    end else begin
      divert_q <= divert_i;
      offer_q <= ready_i ? '0 : gnt;
    end
  end

  generate
    for (genvar s = 0; s < NumSmx; s = s + 1) begin : g_smx
      dtbl_smx #(
        .MaxTb(MaxTb), .Warps(Warps), .RegUnits(RegUnits), .ShmUnits(ShmUnits), .TbcrW(TbcrW),
        .DoneDepth(DoneDepth)
      ) u_smx (
        .clk_i(clk_i), .rst_ni(rst_ni), .take_i(take && gnt[s]), .offer_i(gnt[s]),
        .hold_i(offer_q[s]), .need_warps_i(need_warps_i), .need_regs_i(need_regs_i),
        .need_shm_i(need_shm_i), .tbcr_i(tbcr_i), .room_o(room[s]),
        .free_o(free_o[s*WarpW +: WarpW]), .slot_o(slots[s*SlotW +: SlotW]),
        .done_valid_i(done_valid_i[s]),
        .done_ready_o(done_ready_o[s]), .done_slot_i(done_slot_i[s*SlotW +: SlotW]),
        .end_valid_o(end_valid[s]), .end_ready_i(end_ready_i && end_gnt[s]),
        .end_tbcr_o(tbcrs[s*TbcrW +: TbcrW]), .quiet_o(smx_quiet[s])
      );
    end
  endgenerate

  // Ends in turn, as wf_arb_rr has it. Of the first behind the last one and of the first of all it
  // is known late which counts: what each tells is picked out before.
  reg [NumSmx-1:0] after_q;  // ones behind the end that was taken last
  wire [NumSmx-1:0] behind = end_valid & after_q;
  wire [NumSmx-1:0] first_behind = behind & (~behind + 1'b1);
  wire [NumSmx-1:0] first = end_valid & (~end_valid + 1'b1);
  wire is_behind = behind != '0;
  assign end_gnt = is_behind ? first_behind : first;
  assign end_valid_o = end_valid != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) after_q <= '0;
    else if (end_ready_i && end_valid_o) after_q <= ~(end_gnt | (end_gnt - 1'b1));
  end
  reg [SlotW-1:0] slot_c;
  reg [TbcrW-1:0] behind_c, first_c;
  always_comb begin
    slot_c = '0;
    behind_c = '0;
    first_c = '0;
    for (int s = 0; s < NumSmx; s = s + 1) begin
      slot_c = slot_c | (slots[s*SlotW +: SlotW] & {SlotW{gnt[s]}});
      behind_c = behind_c | (tbcrs[s*TbcrW +: TbcrW] & {TbcrW{first_behind[s]}});
      first_c = first_c | (tbcrs[s*TbcrW +: TbcrW] & {TbcrW{first[s]}});
    end
  end
  assign slot_o = slot_c;
  assign room_o = room;
  assign end_tbcr_o = is_behind ? behind_c : first_c;
  assign quiet_o = smx_quiet == '1 && divert_q == divert_i;
  wire unused = &{1'b0, granted};

  wf_fair #(.N(NumSmx)) u_fair (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i(req), .served_i(gnt & {NumSmx{take}})
  );
  wf_fair #(.N(NumSmx)) u_fair_ends (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i(end_valid), .served_i(end_gnt & {NumSmx{end_ready_i}})
  );
  `WF_ASSERT(rule1_grant, valid_o == granted, "Rule 1: an offered block has an SMX")
  `WF_ASSERT(rule1_room, !valid_o || (gnt & room) != '0,
             "Rule 1: an offered block has an SMX with room")
  `WF_ASSERT(rule2_divert, !valid_o || offer_q != '0 || (gnt & divert_q) == '0,
             "Rule 2: a new offer is not made to a diverted SMX")
endmodule
`default_nettype wire
