// laperm_place: visits the SMXs in rotation, one a cycle, and gives each the block that the policy
// has for it. Holds the accounts of all SMXs (dtbl_smx) and their backup registers.
//
// A visit, three cycles, one begins in each:
//   1 select  the SMX's own context if its queues have an entry, else that of queue 0 if it has
//             one, else (policy 3) that of the recorded backup; if that has nothing, of the first
//             owner behind this one that has something, which is recorded. Policies 0, 1: the
//             common one.
//   2 fit     the context's need is compared with the SMX's account
//   3 offer   if there is room
// A visit without a block costs its cycle, but: it waits while the common context is loaded (that
// of queue 0; in policies 0, 1 there is no other); and if the block before was the last of its grid
// or group, the visit is repeated. (Of two visits in flight that name one entry the younger is.)
//
// When all SMXs were visited since anything changed, the rotation rests where the last block left
// it. With Skip it begins, when blocks have ended, at the first SMX of these; else at the next one.
//
// An SMX whose divert_i bit is set gets no block; the bits are taken into a register. An offer that
// was made and not taken stays.
//
//   NumSmx 1..256   Cluster 1..4: SMXs of an owner   Skip 0, 1   and those of dtbl_smx
// Storage: NumSmx * (dtbl_smx + 4 + bits of an owner), some.
//
// Rules
//   1 An offered block has an SMX with room.
//   2 A new offer is not made to a diverted SMX.
`default_nettype none
`include "wf_assert.vh"

module laperm_place #(
  parameter integer NumSmx = 13,
  parameter integer Cluster = 1,
  parameter integer MaxTb = 16,
  parameter integer Warps = 64,
  parameter integer RegUnits = 256,
  parameter integer ShmUnits = 384,
  parameter integer TbcrW = 5,
  parameter integer DoneDepth = 4,
  parameter integer Skip = 0,
  localparam integer Owners = (NumSmx + Cluster - 1) / Cluster,
  localparam integer Contexts = Owners + 1,
  localparam integer CtxW = $clog2(Contexts),
  localparam integer OwnW = Owners > 1 ? $clog2(Owners) : 1,
  localparam integer SmxW = NumSmx > 1 ? $clog2(NumSmx) : 1,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer WarpW = $clog2(Warps + 1),
  localparam integer RegW = $clog2(RegUnits + 1),
  localparam integer ShmW = $clog2(ShmUnits + 1),
  localparam integer NeedW = WarpW + RegW + ShmW
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  input  wire [NumSmx-1:0]       divert_i,
  input  wire                    shared_i,     // policies 0, 1
  input  wire                    adaptive_i,   // policy 3
  input  wire                    changed_i,    // queues or contexts change at this edge
  // contexts
  input  wire [Contexts-1:0]     have_i,
  input  wire [Contexts-1:0]     usable_i,
  input  wire [Contexts-1:0]     valid_i,
  output wire [CtxW-1:0]         fit_ctx_o,
  input  wire [NeedW-1:0]        fit_need_i,   // {warps, registers, shared memory}
  output wire                    fit_rd_o,
  output wire [Contexts-1:0]     hold_o,
  output wire [CtxW-1:0]         ctx_o,
  output wire                    take_o,
  input  wire [TbcrW-1:0]        tbcr_i,
  // the block
  output wire                    valid_o,
  input  wire                    ready_i,
  output wire [SmxW-1:0]         smx_o,
  output wire [SlotW-1:0]        slot_o,
  output wire [1:0]              stage_o,      // 1: own, 2: queue 0, 3: backup; 0: common
  output wire [NumSmx*WarpW-1:0] free_o,       // warps of each SMX
  output wire [NumSmx-1:0]       room_o,       // for the block that was visited last
  output wire                    wait_o,       // some block may go to any SMX
  output wire [NumSmx-1:0]       bound_o,      // one may go there alone (policy 2)
  // ends of blocks, a lane per SMX
  input  wire [NumSmx-1:0]       done_valid_i,
  output wire [NumSmx-1:0]       done_ready_o,
  input  wire [NumSmx*SlotW-1:0] done_slot_i,
  // their bookkeeping, one a cycle
  output wire                    end_valid_o,
  output wire [TbcrW-1:0]        end_tbcr_o,
  output wire                    ev_void_o,    // a visit gave nothing
  output wire                    quiet_o
);
  localparam integer CountW = $clog2(NumSmx + 1);
  localparam [SmxW-1:0] LAST_SMX = SmxW'(NumSmx - 1);
  localparam [CtxW-1:0] COMMON = CtxW'(Owners);

  function automatic [OwnW-1:0] owner_of(input [SmxW-1:0] smx);
    owner_of = '0;
    for (int s = 0; s < NumSmx; s = s + 1) if (smx == SmxW'(s)) owner_of = OwnW'(s / Cluster);
  endfunction
  function automatic [SmxW-1:0] behind(input [SmxW-1:0] smx);
    behind = smx == LAST_SMX ? '0 : smx + 1'b1;
  endfunction

  reg [NumSmx-1:0] divert_q;
  reg [SmxW-1:0] smx_q, home_q;            // to be visited; behind the last block
  reg [CountW-1:0] visits_q;               // since something changed
  reg fit_q, offer_q, held_q;
  reg [SmxW-1:0] fit_smx_q, offer_smx_q;
  reg [CtxW-1:0] fit_ctx_q, offer_ctx_q;
  reg [NumSmx-1:0] offer_smx1_q;           // the same, a bit each
  reg [Contexts-1:0] offer_ctx1_q;
  reg [1:0] fit_stage_q, offer_stage_q;
  reg [NeedW-1:0] offer_need_q;
  wire [NumSmx-1:0] room, end_valid, end_gnt, smx_quiet;
  wire [NumSmx*SlotW-1:0] slots;
  wire [NumSmx*TbcrW-1:0] tbcrs;

  // 3: offer.
  wire there = (valid_i & offer_ctx1_q) != '0;
  wire fits_now = (room & ~divert_q & offer_smx1_q) != '0;
  assign valid_o = offer_q && (held_q || (there && fits_now));
  wire take = valid_o && ready_i;
  wire stall = valid_o && !ready_i;
  wire repeats = offer_q && !there;        // the block before was the last

  // 2: fit.
  wire fits = usable_i[fit_ctx_q];
  wire fit_waits = fit_q && (stall || (fit_ctx_q == COMMON && !fits && have_i[Owners]));
  wire fit_goes = fit_q && !stall && fits && !repeats;

  // 1: select.
  wire [OwnW-1:0] owner = owner_of(smx_q);
  reg [NumSmx-1:0] backed_q;
  (* mem2reg *) reg [OwnW-1:0] backup_q [0:NumSmx-1];
  wire own = have_i[CtxW'(owner)];
  wire recorded = backed_q[smx_q] && have_i[CtxW'(backup_q[smx_q])];
  wire [Owners-1:0] bound = have_i[Owners-1:0];
  reg [Owners-1:0] after_c;
  always_comb begin
    for (int o = 0; o < Owners; o = o + 1) after_c[o] = bound[o] && OwnW'(o) > owner;
  end
  wire [Owners-1:0] lowest;
  wire [OwnW-1:0] next_owner;
  wire some_bound;
  wf_priority_enc #(.N(Owners)) u_backup (
    .bits_i(after_c != '0 ? after_c : bound), .onehot_o(lowest), .index_o(next_owner),
    .any_o(some_bound)
  );
  wire zero = have_i[Owners];
  wire third = !shared_i && !own && !zero && adaptive_i && some_bound;
  wire found = zero || (!shared_i && own) || third;
  wire [OwnW-1:0] backup = recorded ? backup_q[smx_q] : next_owner;
  wire [CtxW-1:0] ctx = shared_i ? COMMON : own ? CtxW'(owner) : zero ? COMMON : CtxW'(backup);
  wire rests = visits_q == CountW'(NumSmx);
  wire resting = rests && !fit_q && !offer_q;
  wire visit = !rests && !fit_waits && !repeats && !(stall && smx_q == offer_smx_q)
               && (NumSmx > 1 || (!fit_q && !offer_q));
  wire done = (done_valid_i & done_ready_o) != '0;
  wire changed = changed_i || done || take || repeats || divert_q != divert_i;

  // Where the rotation begins again.
  wire [SmxW-1:0] wake_at;
  generate
    if (Skip != 0) begin : g_skip
      reg [NumSmx-1:0] done_after_c;
      always_comb begin
        for (int s = 0; s < NumSmx; s = s + 1)
          done_after_c[s] = done_valid_i[s] && done_ready_o[s] && SmxW'(s) >= home_q;
      end
      wire [SmxW-1:0] first;
      wire any;
      wire [NumSmx-1:0] one;
      wf_priority_enc #(.N(NumSmx)) u_first (
        .bits_i(done_after_c != '0 ? done_after_c : done_valid_i & done_ready_o), .onehot_o(one),
        .index_o(first), .any_o(any)
      );
      assign wake_at = any ? first : home_q;
      wire unused_skip = &{1'b0, one};
    end else begin : g_all
      assign wake_at = home_q;
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      divert_q <= '0;
      smx_q <= '0;
      home_q <= '0;
      visits_q <= CountW'(NumSmx);
      fit_q <= 1'b0;
      offer_q <= 1'b0;
      held_q <= 1'b0;
      backed_q <= '0;
    end else begin
      divert_q <= divert_i;
      if (changed) visits_q <= '0;
      else if (visit) visits_q <= visits_q + 1'b1;
      if (repeats) smx_q <= offer_smx_q;
      else if (resting) smx_q <= wake_at;
      else if (visit) smx_q <= behind(smx_q);
      if (take) home_q <= behind(offer_smx_q);
      if (repeats) fit_q <= 1'b0;
      else if (!fit_waits) fit_q <= visit && found && !divert_q[smx_q];
      if (!stall) offer_q <= fit_goes;
      held_q <= stall;
      if (visit && third) backed_q[smx_q] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (visit && third) backup_q[smx_q] <= backup;
    if (!fit_waits) begin
      fit_smx_q <= smx_q;
      fit_ctx_q <= ctx;
      fit_stage_q <= shared_i ? 2'd0 : own ? 2'd1 : zero ? 2'd2 : 2'd3;
    end
    if (fit_goes) begin
      offer_smx_q <= fit_smx_q;
      offer_ctx_q <= fit_ctx_q;
      for (int s = 0; s < NumSmx; s = s + 1) offer_smx1_q[s] <= fit_smx_q == SmxW'(s);
      for (int c = 0; c < Contexts; c = c + 1) offer_ctx1_q[c] <= fit_ctx_q == CtxW'(c);
      offer_stage_q <= fit_stage_q;
      offer_need_q <= fit_need_i;
    end
  end
  assign fit_ctx_o = fit_ctx_q;
  assign fit_rd_o = fit_goes;
  assign ctx_o = offer_ctx_q;
  assign take_o = take;
  assign smx_o = offer_smx_q;
  assign stage_o = offer_stage_q;
  assign hold_o = offer_ctx1_q & {Contexts{offer_q}};

  // The accounts.
  wire [NumSmx-1:0] here, offered;
  generate
    for (genvar s = 0; s < NumSmx; s = s + 1) begin : g_smx
      assign here[s] = offer_q && offer_smx1_q[s];
      assign offered[s] = here[s] && valid_o;
      wire [NeedW-1:0] need = here[s] ? offer_need_q : fit_need_i;
      dtbl_smx #(
        .MaxTb(MaxTb), .Warps(Warps), .RegUnits(RegUnits), .ShmUnits(ShmUnits), .TbcrW(TbcrW),
        .DoneDepth(DoneDepth)
      ) u_smx (
        .clk_i(clk_i), .rst_ni(rst_ni), .take_i(here[s] && take), .offer_i(offered[s]),
        .hold_i(offer_smx1_q[s] && held_q), .need_warps_i(need[NeedW-1 -: WarpW]),
        .need_regs_i(need[ShmW +: RegW]), .need_shm_i(need[ShmW-1:0]), .tbcr_i(tbcr_i),
        .room_o(room[s]), .free_o(free_o[s*WarpW +: WarpW]), .slot_o(slots[s*SlotW +: SlotW]),
        .done_valid_i(done_valid_i[s]),
        .done_ready_o(done_ready_o[s]), .done_slot_i(done_slot_i[s*SlotW +: SlotW]),
        .end_valid_o(end_valid[s]), .end_ready_i(end_gnt[s]), .end_tbcr_o(tbcrs[s*TbcrW +: TbcrW]),
        .quiet_o(smx_quiet[s])
      );
    end
  endgenerate
  wire [SmxW-1:0] end_smx;
  wf_arb_rr #(.N(NumSmx)) u_ends (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(end_valid), .advance_i(1'b1), .gnt_o(end_gnt),
    .gnt_index_o(end_smx), .gnt_valid_o(end_valid_o)
  );
  reg [TbcrW-1:0] end_tbcr_c;
  reg [SlotW-1:0] slot_c;
  always_comb begin
    end_tbcr_c = '0;
    slot_c = '0;
    for (int s = 0; s < NumSmx; s = s + 1) begin
      end_tbcr_c = end_tbcr_c | (tbcrs[s*TbcrW +: TbcrW] & {TbcrW{end_gnt[s]}});
      slot_c = slot_c | (slots[s*SlotW +: SlotW] & {SlotW{offer_smx1_q[s]}});
    end
  end
  assign end_tbcr_o = end_tbcr_c;
  assign slot_o = slot_c;
  assign room_o = room;
  assign wait_o = zero || (adaptive_i && bound != '0);
  reg [NumSmx-1:0] bound_c;
  always_comb begin
    for (int s = 0; s < NumSmx; s = s + 1)
      bound_c[s] = !shared_i && !adaptive_i && have_i[s / Cluster];
  end
  assign bound_o = bound_c;
  assign ev_void_o = offer_q && !valid_o && there;
  assign quiet_o = smx_quiet == '1 && divert_q == divert_i && resting;
  wire unused = &{1'b0, end_smx, lowest};

  `WF_ASSERT(rule1_room, !valid_o || room[offer_smx_q],
             "Rule 1: an offered block has an SMX with room")
  `WF_ASSERT(rule2_divert, !valid_o || held_q || !divert_q[offer_smx_q],
             "Rule 2: a new offer is not made to a diverted SMX")
  `WF_ASSERT(rule3_apart, !(fit_q && offer_q) || fit_smx_q != offer_smx_q,
             "Rule 3: visits in flight are of different SMXs")
endmodule
`default_nettype wire
