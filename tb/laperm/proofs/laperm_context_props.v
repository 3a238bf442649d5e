// laperm_context: whatever is pushed, overtaken and loaded again, the blocks of the first of each
// queue leave in order, each once; the last one takes it out of its queue, and nothing else out of
// any; a kernel is given up exactly when nothing of it waits; none is shown that has a higher one
// of its owner in front of it; what a context should hold is loaded soon. Queues, kernels, visits
// do what they may in the unit.
`default_nettype none
`include "wf_assert.vh"
module laperm_context_props #(
  // 0: policy 0; 1: policy 1; 2: policies 2 and 3
  parameter integer Policy = 2,
  parameter integer Owners = 1,
  // Cycles from the last push until each context that has something can be used.
  parameter integer Loads = 2 * Owners + 3,
  localparam integer Levels = 2,
  localparam integer Lists = Owners * Levels + 1,
  localparam integer ListW = $clog2(Lists),
  localparam integer LevW = 2,
  localparam integer Contexts = Owners + 1,
  localparam integer CtxW = $clog2(Contexts),
  localparam integer OwnW = Owners > 1 ? $clog2(Owners) : 1
) (
  input wire clk_i, input wire push, input wire [ListW-1:0] push_list, input wire push_kdei,
  input wire [1:0] push_x, input wire memory, input wire kern, input wire look_ready,
  input wire fit, input wire [CtxW-1:0] fit_at, input wire take, input wire stand,
  input wire [ListW-1:0] any_list, input wire again
);
`include "formal.vh"
  localparam [0:0] InOrder = Policy == 0;
  localparam [0:0] Shared = Policy < 2;
  localparam [ListW-1:0] ZERO = ListW'(Lists - 1);

  wire look_rd, pop, pop_zero, info_rd, info_kdei, run_kdei, native, group_last, unmark,
       group, pc, first, last, load, preempt, quiet, fit_need;
  wire [1:0] run1;
  wire [Lists-1:0] look1;
  wire [ListW-1:0] its_list;
  wire [OwnW-1:0] pop_owner;
  wire [Contexts-1:0] have, usable, valid;
  wire [LevW-1:0] level;
  wire [3:0] dim, block, param;

  // Kernels: its own grid is to come; it is marked; groups of it that are not over, and of these in
  // memory.
  reg [1:0] used_q, first_q, marked_q;
  reg [1:0] grid_q [0:1];
  reg [1:0] pool_q [0:1];
  reg [1:0] memory_q [0:1];
  initial used_q = '0;
  initial first_q = '0;
  initial marked_q = '0;

  // Queues of two: {kernel, its number, blocks}; of the first, the block that goes next.
  reg [1:0] count_q [0:Lists-1];
  reg [3:0] head_q [0:Lists-1];
  reg [3:0] second_q [0:Lists-1];
  reg [1:0] at_q [0:Lists-1];
  reg [Lists-1:0] some_c;
  always_comb begin
    for (int l = 0; l < Lists; l = l + 1) some_c[l] = count_q[l] != 2'd0;
  end

  // One thing is pushed at a time; a kernel that had nothing to come is put into queue 0 again.
  reg again_q, again_kdei_q;
  initial again_q = 1'b0;
  wire list_ok = {1'b0, push_list} < (ListW+1)'(Lists)
                 && (!Shared || push_list < 2 || push_list == ZERO);
  wire place = rst_ni && push && list_ok && count_q[push_list] != 2'd2 && push_x != '0;
  wire do_kern = place && kern && !again_q && (push_list == ZERO || !InOrder)
                 && (!used_q[push_kdei]
                     || (!marked_q[push_kdei] && pool_q[push_kdei] == '0));
  wire to_chip = place && !kern && push_list != ZERO && used_q[push_kdei]
                 && (!InOrder || push_list == ListW'(push_kdei));
  wire refill = to_chip && memory && memory_q[push_kdei] != '0;
  wire join_chip = to_chip && !refill && !again_q && pool_q[push_kdei] != '1;
  wire join_memory = rst_ni && !push && memory && !again_q && used_q[push_kdei]
                     && pool_q[push_kdei] != '1;
  wire do_again = rst_ni && again_q && again && !push && count_q[Lists-1] != 2'd2;
  wire commit = join_chip || join_memory;
  wire pushes = do_kern || refill || join_chip || do_again;
  wire [ListW-1:0] onto = do_again ? ZERO : push_list;
  wire [3:0] entry = do_again ? {2'b11 & {1'b1, again_kdei_q}, grid_q[again_kdei_q]}
                              : {do_kern, push_kdei, push_x};

  // Visits: what fits is shown in the next cycle; it is taken, stands, or goes.
  reg offer_q;
  reg [CtxW-1:0] ctx_q;
  reg [Lists-1:0] some_fit_q;
  initial offer_q = 1'b0;
  wire there = valid[ctx_q];
  wire do_take = rst_ni && offer_q && there && take;
  wire stall = offer_q && there && !take && stand;
  wire fit_ok = {1'b0, fit_at} < (CtxW+1)'(Contexts);
  wire fit_rd = rst_ni && fit && fit_ok && usable[fit_at] && !stall && !(offer_q && !there);

  // Looks, answered after the edge.
  reg [3:0] look_q, info_q;
  reg [3:0] look;
  always_comb begin
    look = '0;
    for (int l = 0; l < Lists; l = l + 1) look = look | (head_q[l] & {4{look1[l]}});
  end
  wire [1:0] info_grid = info_q[1:0];
  laperm_context #(
    .NumKde(2), .Owners(Owners), .Levels(Levels), .NeedW(1), .PcBits(1), .XBits(2), .YBits(1),
    .ZBits(1), .AddrW(4)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_order_i(InOrder), .shared_i(Shared), .some_i(some_c),
    .look1_o(look1), .look_kdei_i(look[2]), .look_kernel_i(look[3]),
    .look_rd_o(look_rd), .look_ready_i(look_ready), .look_info_i({2'b11, look_q[1:0], look_q}),
    .zero_kdei_i(head_q[Lists-1][2]), .pop_o(pop), .pop_list_o(its_list),
    .pop_owner_o(pop_owner), .pop_zero_o(pop_zero), .kern_valid_i(do_kern),
    .kern_kdei_i(push_kdei), .info_rd_o(info_rd), .info_kdei_o(info_kdei),
    .info_i({info_q[2], info_q[2], 2'b11, info_grid, info_q}), .run_kdei_o(run_kdei),
    .run1_o(run1), .run_first_i(first_q[run_kdei]), .run_some_i(pool_q[run_kdei] != '0),
    .run_more_i(pool_q[run_kdei] > 2'd1), .native_o(native), .group_last_o(group_last),
    .unmark_o(unmark), .joins_i(commit && push_kdei == run_kdei), .have_o(have),
    .usable_o(usable), .valid_o(valid), .fit_ctx_i(fit_ok ? fit_at : '0), .fit_need_o(fit_need),
    .fit_rd_i(fit_rd), .hold_i(offer_q ? Contexts'(1) << ctx_q : '0), .ctx_i(ctx_q),
    .take_i(do_take), .group_o(group), .pc_o(pc), .level_o(level), .dim_o(dim), .block_o(block),
    .param_o(param), .first_o(first), .last_o(last), .ev_load_o(load), .ev_preempt_o(preempt),
    .quiet_o(quiet)
  );

  wire group_over = do_take && group_last;
  wire shown = offer_q && there;
  wire [3:0] its = head_q[its_list];
  wire [1:0] its_at = at_q[its_list];
  wire its_last = its_at + 1'b1 == its[1:0];
  wire over = do_take && its_last;
  wire nothing = !(first_q[its[2]] && !its[3]) && !(commit && push_kdei == its[2])
                 && pool_q[its[2]] == 2'(!its[3]);      // waits of its kernel behind this one
  reg [Lists-1:0] before_c;                // queues of the same context that go before this one
  always_comb begin
    before_c = '0;
    for (int l = 0; l < Lists - 1; l = l + 1)
      before_c[l] = !InOrder && (Shared ? l < Levels : l / Levels == its_list / Levels)
                    && (its_list == ZERO ? Shared : ListW'(l) > its_list);
  end
  reg [CtxW-1:0] right_ctx_c;
  always_comb begin
    right_ctx_c = CtxW'(Owners);
    for (int o = 0; o < Owners; o = o + 1)
      if (!Shared && its_list / Levels == ListW'(o)) right_ctx_c = CtxW'(o);
    if (its_list == ZERO) right_ctx_c = CtxW'(Owners);
  end
  reg [3:0] wait_q;
  reg popped_q;
  reg since_q;                             // a queue's first left, and no block since
  reg [ListW-1:0] popped_list_q;
  initial wait_q = '0;
  initial popped_q = 1'b0;
  initial since_q = 1'b0;
  wire waits = (have & ~usable) != '0;
  always @(posedge clk_i) begin
    if (look_rd) look_q <= look;
    if (info_rd) info_q <= {1'b1, info_kdei, grid_q[info_kdei]};
    popped_q <= rst_ni && pop;
    since_q <= rst_ni && (pop || (since_q && !do_take));
    popped_list_q <= its_list;
    if (fit_rd) some_fit_q <= some_c;
    if (!rst_ni) begin
      used_q <= '0;
      first_q <= '0;
      marked_q <= '0;
      again_q <= 1'b0;
      offer_q <= 1'b0;
      wait_q <= '0;
      for (int l = 0; l < Lists; l = l + 1) count_q[l] <= '0;
      for (int k = 0; k < 2; k = k + 1) begin
        pool_q[k] <= '0;
        memory_q[k] <= '0;
      end
    end else begin
      if (!stall) offer_q <= fit_rd;
      if (!stall && fit_rd) ctx_q <= fit_at;
      // Kernels.
      for (int k = 0; k < 2; k = k + 1) begin
        if (do_kern && push_kdei == 1'(k)) begin
          used_q[k] <= 1'b1;
          first_q[k] <= 1'b1;
          grid_q[k] <= push_x;
          marked_q[k] <= 1'b1;
        end else begin
          if (native && run_kdei == 1'(k)) first_q[k] <= 1'b0;
          if (commit && push_kdei == 1'(k)) marked_q[k] <= 1'b1;
          else if (unmark && run_kdei == 1'(k)) marked_q[k] <= 1'b0;
        end
        pool_q[k] <= pool_q[k] + 2'(commit && push_kdei == 1'(k))
                     - 2'(group_over && run_kdei == 1'(k));
        memory_q[k] <= memory_q[k] + 2'(join_memory && push_kdei == 1'(k))
                       - 2'(refill && push_kdei == 1'(k));
      end
      again_q <= (again_q && !do_again) || (InOrder && commit && !marked_q[push_kdei]);
      if (commit) again_kdei_q <= push_kdei;
      // Queues.
      for (int l = 0; l < Lists; l = l + 1) begin
        count_q[l] <= count_q[l] + 2'(pushes && onto == ListW'(l))
                      - 2'(pop && (its_list == ListW'(l) || (pop_zero && l == Lists - 1)));
        if (pop && (its_list == ListW'(l) || (pop_zero && l == Lists - 1))) begin
          head_q[l] <= count_q[l] == 2'd2 ? second_q[l] : entry;
          second_q[l] <= entry;
        end else if (pushes && onto == ListW'(l)) begin
          if (count_q[l] == 2'd0) head_q[l] <= entry;
          else second_q[l] <= entry;
        end
        if (pop && its_list == ListW'(l)) at_q[l] <= '0;
        else if (do_take && its_list == ListW'(l)) at_q[l] <= its_last ? '0 : its_at + 1'b1;
        else if (pushes && onto == ListW'(l) && count_q[l] == 2'd0) at_q[l] <= '0;
      end
      wait_q <= pushes || pop || !waits || !look_ready || offer_q || load && wait_q == '0
                ? '0 : wait_q != '1 ? wait_q + 1'b1 : wait_q;
    end
  end

  `WF_ASSERT(is_there, !shown || (some_c[its_list] && ctx_q == right_ctx_c),
             "what is shown is the first of a queue of this context")
  `WF_ASSERT(whole, !shown || (pc == its[2] && run_kdei == its[2] && group == !its[3]
                               && dim == {2'b11, its[1:0]} && param == its),
             "with all that is known of it")
  `WF_ASSERT(in_order_once, !shown || (block == {2'b00, its_at} && first == (its_at == '0)
                                       && last == its_last),
             "its blocks leave in order, each once")
  `WF_ASSERT(level_right, !shown || level == (InOrder || its_list == ZERO ? '0
                                              : LevW'(its_list % Levels) + 1'b1),
             "at its level")
  `WF_ASSERT(highest, !shown || (some_fit_q & before_c) == '0,
             "none of a lower queue is chosen while a higher one has something")
  `WF_ASSERT(popped_right, pop == (over && (!InOrder || group || unmark))
                           && (!pop || (!group == its[3]
                                        && (Shared || its_list == ZERO
                                            || ListW'(pop_owner) == its_list / Levels))),
             "it leaves its queue with its last block")
  `WF_ASSERT(not_twice, !(pop && popped_q) || its_list != popped_list_q,
             "a queue's next one is known when it goes")
  `WF_ASSERT(zero_right, !pop_zero || (InOrder && unmark && some_c[Lists-1] && its_list != ZERO
                                       && count_q[its_list] == 2'd1
                                       && head_q[Lists-1][2] == its[2]),
             "with its last group a kernel leaves queue 0")
  `WF_ASSERT(told, native == (over && its[3]) && group_over == (over && !its[3]),
             "kernels are told what is over")
  `WF_ASSERT(unmark_right, unmark == (over && nothing),
             "a kernel is given up exactly when nothing of it waits")
  `WF_ASSERT(grid_first, !(shown && InOrder) || (its[2] == head_q[Lists-1][2]
                                                 && first_q[its[2]] == its[3]),
             "under policy 0 the first kernel's own grid goes, then its groups")
  `WF_ASSERT(grid_once, !(shown && its[3]) || first_q[its[2]], "a grid runs once")
  `WF_ASSERT(loaded, wait_q < 4'(Loads), "what should be shown is loaded")
  // Under policy 0 nothing is overtaken: a kernel that was given up is queued again.
  generate if (Policy == 0) begin : g_order
    `WF_COVER(queued_again, do_again)
  end else begin : g_level
    `WF_COVER(overtaken, preempt)
    `WF_COVER(went_on, shown && its_at != '0 && since_q)
  end endgenerate
  `WF_COVER(group_then_kernel, native && pool_q[its[2]] != '0)
  `WF_COVER(two_in_flight, do_take && fit_rd && fit_at == ctx_q && !its_last)
  `WF_COVER(last_in_flight, over && fit_rd && fit_at == ctx_q)
  `WF_COVER(given_up, unmark && group)
  `WF_COVER(joined_now, over && commit && push_kdei == its[2] && pool_q[its[2]] == 2'(!its[3])
                        && !first_q[its[2]])
  `WF_QUIET(quiet && !pushes && !fit_rd && !offer_q && !commit)
endmodule
`default_nettype wire
