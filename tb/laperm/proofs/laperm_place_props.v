// laperm_place: a block goes to an SMX with a free slot, warps and room for it, that is not
// diverted; a bound one only where it is bound, queue 0's only where no bound one waits, a backup's
// only where neither does, and until the backup's queues were empty; when nothing moves no SMX is
// left beside a block that it may take. Contexts come, go and change as laperm_context lets them;
// blocks end when they like.
//
// With Live: no head of a queue starves. Whatever other SMXs and queues do, one that an empty SMX
// may have, and before which the SMX has nothing else to take, leaves within Wait cycles in which
// visits go on, counted from the last launch that overtook a context. Queue 0 waits where SMXs
// always have bound work: the cover `zero_waits` has it passed over by two blocks of each SMX.
`default_nettype none
`include "wf_assert.vh"
module laperm_place_props #(
  parameter integer NumSmx = 2,
  parameter integer MaxTb = 2,
  parameter integer Warps = 2,
  parameter integer Skip = 0,
  // Cycles in which nothing changes before all SMXs were visited.
  parameter integer Still = NumSmx + 4,
  parameter integer Live = 0,
  parameter integer Wait = 3 * NumSmx + 4,
  localparam integer Owners = NumSmx,
  localparam integer Contexts = Owners + 1,
  localparam integer CtxW = $clog2(Contexts),
  localparam integer SmxW = NumSmx > 1 ? $clog2(NumSmx) : 1,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer WarpW = $clog2(Warps + 1),
  localparam integer NeedW = WarpW + 2
) (
  input wire clk_i, input wire [NumSmx-1:0] divert, input wire [Contexts-1:0] comes,
  input wire [Contexts-1:0] loads, input wire [Contexts-1:0] overtaken,
  input wire [WarpW-1:0] need, input wire last, input wire another, input wire ready,
  input wire [NumSmx-1:0] done, input wire [NumSmx*SlotW-1:0] done_slot, input wire color
);
`include "formal.vh"
  (* anyconst *) wire shared;
  (* anyconst *) wire adaptive;
  `WF_ASSUME(one_policy, !(shared && adaptive), "a policy")

  // Contexts: an owner has a block; it is loaded; a higher queue's entry replaces it. One is loaded
  // at a time.
  reg [Contexts-1:0] have_q, valid_q, match_q;
  reg [WarpW-1:0] need_q [0:Contexts-1];
  reg changed_q;
  reg [1:0] was_changed_q;
  initial have_q = '0;
  initial valid_q = '0;
  initial changed_q = 1'b0;
  wire [CtxW-1:0] fit_ctx, ctx;
  wire fit_rd, take, valid, end_valid, end_tbcr, void, quiet, waits;
  wire [Contexts-1:0] hold;
  wire [SmxW-1:0] smx;
  wire [SlotW-1:0] slot;
  wire [1:0] stage;
  wire [NumSmx-1:0] room, bound, done_ready;
  wire [NumSmx*WarpW-1:0] free;
  wire [Contexts-1:0] usable = have_q & valid_q & match_q;
  wire [Contexts-1:0] there = shared ? Contexts'(1) << Owners : '1;  // contexts that are used
  wire [WarpW-1:0] a_need = need == '0 || {1'b0, need} > (WarpW+1)'(Warps) ? WarpW'(1) : need;
  wire [Contexts-1:0] load1 = loads & (~loads + 1'b1) & have_q & there
                              & ~(valid_q & (match_q | hold));
  wire over = take && last;

  reg [NumSmx*MaxTb-1:0] busy_q;
  reg [WarpW-1:0] warps_q [0:NumSmx*MaxTb-1];
  initial busy_q = '0;
  reg [NumSmx-1:0] do_done_c;
  always_comb begin
    for (int s = 0; s < NumSmx; s = s + 1)
      do_done_c[s] = rst_ni && done[s]
                     && 32'(done_slot[s*SlotW +: SlotW]) < MaxTb
                     && busy_q[s*MaxTb + 32'(done_slot[s*SlotW +: SlotW])];
  end
  wire [NumSmx-1:0] ends = do_done_c & done_ready;
  laperm_place #(
    .NumSmx(NumSmx), .Cluster(1), .MaxTb(MaxTb), .Warps(Warps), .RegUnits(1), .ShmUnits(1),
    .TbcrW(1), .DoneDepth(2), .Skip(Skip)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .divert_i(divert), .shared_i(shared), .adaptive_i(adaptive),
    .changed_i(changed_q), .have_i(have_q), .usable_i(usable), .valid_i(valid_q),
    .fit_ctx_o(fit_ctx), .fit_need_i({need_q[fit_ctx], 2'b00}), .fit_rd_o(fit_rd), .hold_o(hold),
    .ctx_o(ctx), .take_o(take), .tbcr_i(color), .valid_o(valid), .ready_i(ready), .smx_o(smx),
    .slot_o(slot), .stage_o(stage), .free_o(free), .room_o(room), .wait_o(waits),
    .bound_o(bound), .done_valid_i(do_done_c), .done_ready_o(done_ready),
    .done_slot_i(done_slot), .end_valid_o(end_valid), .end_tbcr_o(end_tbcr), .ev_void_o(void),
    .quiet_o(quiet)
  );

  // Accounts.
  reg [WarpW+2:0] used_c [0:NumSmx-1];
  reg [NumSmx-1:0] empty_c;
  always_comb begin
    for (int s = 0; s < NumSmx; s = s + 1) begin
      used_c[s] = '0;
      for (int t = 0; t < MaxTb; t = t + 1)
        if (busy_q[s*MaxTb+t]) used_c[s] = used_c[s] + (WarpW+3)'(warps_q[s*MaxTb+t]);
      empty_c[s] = busy_q[s*MaxTb +: MaxTb] == '0;
    end
  end
  reg divert_smx_q;                        // as it was when the offer was made
  reg held_q;
  reg [NumSmx-1:0] divert_q;
  initial held_q = 1'b0;
  initial divert_q = '0;

  // For how many cycles in which visits go on an owner had something.
  reg [2:0] since_q [0:Contexts-1];
  wire moves = !(valid && !ready) && !(have_q[Owners] && !usable[Owners]);
  reg [NumSmx-1:0] backed_q, emptied_q;
  reg [CtxW-1:0] backup_q [0:NumSmx-1];
  initial backed_q = '0;
  reg [3:0] still_q;
  initial still_q = '0;
  wire moved = changed_q || was_changed_q != '0 || valid || ends != '0 || divert_q != divert
               || comes != '0 || (have_q & ~usable) != '0 || (overtaken & valid_q) != '0;
  reg servable_c;                          // some SMX may take what the policy has for it
  reg [CtxW-1:0] for_c;
  always_comb begin
    servable_c = 1'b0;
    for_c = '0;
    for (int s = 0; s < NumSmx; s = s + 1) begin
      for_c = shared || !have_q[s] ? CtxW'(Owners) : CtxW'(s);
      if (!divert_q[s] && empty_c[s] && usable[for_c]) servable_c = 1'b1;
      if (!divert_q[s] && empty_c[s] && adaptive && !have_q[s] && !have_q[Owners]
          && have_q[Owners-1:0] != '0 && (have_q[Owners-1:0] & ~usable[Owners-1:0]) == '0)
        servable_c = 1'b1;
    end
  end
  wire [1:0] stage_want = shared ? 2'd0 : ctx == CtxW'(Owners) ? 2'd2
                        : ctx == CtxW'(smx) ? 2'd1 : 2'd3;
  always @(posedge clk_i) begin
    held_q <= rst_ni && valid && !ready;
    divert_q <= divert;
    was_changed_q <= {was_changed_q[0], changed_q};
    for (int c = 0; c < Contexts; c = c + 1) if (load1[c]) need_q[c] <= a_need;
    if (!rst_ni) begin
      have_q <= '0;
      valid_q <= '0;
      match_q <= '0;
      changed_q <= 1'b0;
      busy_q <= '0;
      backed_q <= '0;
      still_q <= '0;
      divert_q <= '0;
    end else begin
      changed_q <= comes != '0 || load1 != '0 || (overtaken & valid_q) != '0;
      for (int c = 0; c < Contexts; c = c + 1) begin
        have_q[c] <= there[c]
                     && (comes[c] || (have_q[c] && !(over && ctx == CtxW'(c) && !another)));
        valid_q[c] <= load1[c] || (valid_q[c] && !(over && ctx == CtxW'(c))
                                   && (match_q[c] || hold[c]));
        match_q[c] <= load1[c] || (match_q[c] && !overtaken[c]);
        since_q[c] <= !have_q[c] ? '0 : moves && since_q[c] != '1 ? since_q[c] + 1'b1 : since_q[c];
      end
      if (take) begin
        busy_q[32'(smx)*MaxTb + 32'(slot)] <= 1'b1;
        warps_q[32'(smx)*MaxTb + 32'(slot)] <= need_q[ctx];
      end
      for (int s = 0; s < NumSmx; s = s + 1) begin
        if (ends[s]) busy_q[s*MaxTb + 32'(done_slot[s*SlotW +: SlotW])] <= 1'b0;
        if (take && stage == 2'd3 && smx == SmxW'(s)) begin
          backed_q[s] <= 1'b1;
          backup_q[s] <= ctx;
          emptied_q[s] <= 1'b0;
        end else if (!have_q[backup_q[s]]) emptied_q[s] <= 1'b1;
      end
      still_q <= moved ? '0 : still_q != '1 ? still_q + 1'b1 : still_q;
    end
  end

  // Ends: as many are booked as there were.
  reg [3:0] owed_q;
  initial owed_q = '0;
  reg [3:0] n_ends_c;
  always_comb begin
    n_ends_c = '0;
    for (int s = 0; s < NumSmx; s = s + 1) n_ends_c = n_ends_c + 4'(ends[s]);
  end
  always @(posedge clk_i) owed_q <= !rst_ni ? '0 : owed_q + n_ends_c - 4'(end_valid);

  // Live: of any SMX and any context.
  generate if (Live != 0) begin : g_live
    (* anyconst *) wire [SmxW-1:0] who;
    (* anyconst *) wire [CtxW-1:0] of;
    `WF_ASSUME(there_is, {1'b0, who} < (SmxW+1)'(NumSmx) && {1'b0, of} < (CtxW+1)'(Contexts),
               "an SMX and a context")
    wire own = !shared && have_q[who];
    wire its = own ? of == CtxW'(who)
             : have_q[Owners] ? of == CtxW'(Owners)
             : adaptive && have_q == Contexts'(1) << of;
    wire may = empty_c[who] && !divert_q[who] && its && usable[of];
    reg [4:0] wait_q;
    initial wait_q = '0;
    reg [1:0] passed_q [0:NumSmx-1];       // blocks of an SMX while queue 0 had one
    reg all_passed_c;
    always_comb begin
      all_passed_c = 1'b1;
      for (int s = 0; s < NumSmx; s = s + 1) all_passed_c = all_passed_c && passed_q[s] == 2'd2;
    end
    always @(posedge clk_i) begin
      wait_q <= !rst_ni || !may || (take && ctx == of) || (overtaken & valid_q) != '0 ? '0
              : moves && wait_q != '1 ? wait_q + 1'b1 : wait_q;
      for (int s = 0; s < NumSmx; s = s + 1)
        if (!rst_ni || !usable[Owners] || (take && stage != 2'd1)) passed_q[s] <= '0;
        else if (take && smx == SmxW'(s) && passed_q[s] != 2'd2) passed_q[s] <= passed_q[s] + 1'b1;
    end
    `WF_ASSERT(no_starving, wait_q < 5'(Wait), "a queue's head that an empty SMX may have goes")
    `WF_COVER(zero_waits, all_passed_c)
    `WF_COVER(long_wait, wait_q == 5'(NumSmx + 2))
  end endgenerate

  `WF_ASSERT(has_block, !valid || valid_q[ctx], "a block that is offered is there")
  `WF_ASSERT(slot_free, !valid || !busy_q[32'(smx)*MaxTb + 32'(slot)], "its slot is free")
  `WF_ASSERT(fits, !valid || used_c[smx] + (WarpW+3)'(need_q[ctx]) <= (WarpW+3)'(Warps),
             "it fits")
  `WF_ASSERT(not_diverted, !(valid && !held_q) || !divert_q[smx], "its SMX is not diverted")
  `WF_ASSERT(held, !valid || hold[ctx], "its context is told to stay")
  `WF_ASSERT(stage_right, !valid || stage == stage_want, "the counters are told whose it is")
  `WF_ASSERT(shared_only, !(valid && shared) || ctx == CtxW'(Owners),
             "who binds nothing has one order")
  `WF_ASSERT(bound_only, !(valid && !shared && !adaptive) || ctx == CtxW'(smx)
                         || ctx == CtxW'(Owners), "under policy 2 a bound block goes home")
  `WF_ASSERT(own_first, !(valid && !shared && !held_q && ctx != CtxW'(smx)) || since_q[smx] <= 3'd3,
             "an SMX's own queues come first")
  `WF_ASSERT(zero_second, !(valid && !held_q && stage == 2'd3) || since_q[Owners] <= 3'd3,
             "then queue 0")
  `WF_ASSERT(sticky, !(valid && !held_q && stage == 2'd3 && backed_q[smx])
                     || ctx == backup_q[smx] || emptied_q[smx] || !have_q[backup_q[smx]],
             "a backup is kept until its queues are empty")
  `WF_ASSERT(not_idle, still_q < 4'(Still) || valid || !servable_c,
             "no empty SMX is left beside a block that it may take")
  `WF_ASSERT(ends_booked, !end_valid || owed_q != '0, "an end is booked once")
  `WF_ASSERT(ends_kept, owed_q == '0 || !quiet, "none is lost")
  `WF_COVER(to_both, busy_q == '1)
  `WF_COVER(own, take && stage == 2'd1)
  `WF_COVER(from_zero, take && stage == 2'd2)
  `WF_COVER(from_backup, take && stage == 2'd3)
  `WF_COVER(backup_again, take && stage == 2'd3 && backed_q[smx] && ctx == backup_q[smx]
                          && have_q[smx])
  `WF_COVER(repeated, over && another && fit_rd)
  `WF_COVER(rests, still_q == 4'(Still) && have_q != '0)
endmodule
`default_nettype wire
