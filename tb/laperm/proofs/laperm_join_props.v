// laperm_join: every group that the search answers goes to one place, once: to the KMU (without a
// kernel, or if its pool is full), behind the
// last of its queue on chip, or to the list of that queue in memory; on chip only while nothing of
// its queue lies in memory; into another's entry only if its own queue's are used up, and then that
// of the lowest level below. It waits for nothing but the port of its answer. Queues and memory
// answer when they like, and change meanwhile.
`default_nettype none
`include "wf_assert.vh"
module laperm_join_props #(
  parameter integer NumKde = 2,
  parameter integer Owners = 2,
  parameter integer Levels = 3,
  // Cycles in which nothing moves although everything is answered.
  parameter integer Stuck = 2,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer OwnW = Owners > 1 ? $clog2(Owners) : 1,
  localparam integer Lists = (Owners * Levels > NumKde ? Owners * Levels : NumKde) + 1,
  localparam integer ListW = $clog2(Lists),
  localparam integer LevW = $clog2(Levels + 1)
) (
  input wire clk_i, input wire come, input wire hit, input wire [KdeW-1:0] kdei,
  input wire [OwnW-1:0] owner, input wire [LevW-1:0] level, input wire dk_ready,
  input wire pool_full, input wire marked, input wire [Owners-1:0] full, input wire alloc,
  input wire [Lists-1:0] some, input wire push_taken, input wire [Lists-1:0] far,
  input wire answer, input wire fails
);
`include "formal.vh"
  (* anyconst *) wire in_order;
  (* anyconst *) wire binds;
  `WF_ASSUME(one_policy, !(in_order && binds), "a policy")
  wire shared = !binds;

  // The answer of the search, which stands until it is taken.
  reg there_q, hit_q;
  reg [KdeW-1:0] kdei_q;
  reg [OwnW-1:0] owner_q;
  reg [LevW-1:0] level_q;
  initial there_q = 1'b0;
  `WF_ASSUME(ranges, {1'b0, kdei} < (KdeW+1)'(NumKde) && {1'b0, owner} < (OwnW+1)'(Owners)
                     && level != '0 && {1'b0, level} <= (LevW+1)'(Levels), "what there is")
  wire pop, dk_valid, commit, busy, push, push_kernel, op_valid, op_front, over, spill, remark;
  wire [KdeW-1:0] its_kdei;
  wire [OwnW-1:0] its_owner;
  wire [ListW-1:0] list, op_list;
  wire append_done = op_valid && !op_front && answer;
  wire front_done = op_valid && op_front && answer && !fails;
  wire front_fail = op_valid && op_front && answer && fails;
  laperm_join #(.NumKde(NumKde), .Owners(Owners), .Levels(Levels)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_order_i(in_order), .shared_i(shared),
    .grp_valid_i(there_q), .grp_hit_i(hit_q), .grp_kdei_i(kdei_q), .grp_owner_i(owner_q),
    .grp_level_i(level_q), .grp_pop_o(pop), .dk_valid_o(dk_valid), .dk_ready_i(dk_ready),
    .pool_full_i(pool_full), .marked_i(marked), .kdei_o(its_kdei), .commit_o(commit),
    .busy_o(busy), .full_i(full), .alloc_i(alloc), .some_i(some), .push_taken_i(push_taken),
    .push_o(push), .push_kernel_o(push_kernel), .list_o(list), .owner_o(its_owner), .far_i(far),
    .op_valid_o(op_valid), .op_front_o(op_front), .op_list_o(op_list),
    .append_done_i(append_done), .front_done_i(front_done), .front_fail_i(front_fail),
    .ev_over_o(over), .ev_spill_o(spill), .remark_o(remark)
  );

  // Where it should go.
  wire [OwnW-1:0] want_owner = shared ? '0 : owner_q;
  wire [ListW-1:0] want = in_order ? ListW'(kdei_q)
                          : ListW'(want_owner) * ListW'(Levels) + ListW'(level_q) - ListW'(1);
  wire to_chip = push && !push_kernel;
  reg spare_q, again_q, offered_q;
  reg [LevW-1:0] lower_q;                  // the lowest level below with a group, 0: none
  reg [LevW-1:0] lower_c;
  always_comb begin
    lower_c = '0;
    for (int p = Levels; p > 0; p = p - 1)
      if (some[ListW'(want_owner) * ListW'(Levels) + ListW'(p) - ListW'(1)]
          && LevW'(p) < level_q) lower_c = LevW'(p);
  end
  initial spare_q = 1'b0;
  initial again_q = 1'b0;
  initial offered_q = 1'b0;
  reg [3:0] stuck_q;
  initial stuck_q = 4'd0;
  // It may go on: each port that it may wait for is ready.
  wire free = there_q && !push_taken && (alloc || spare_q || far[want] || full[want_owner])
              && (dk_ready || !dk_valid) && (answer || !op_valid);
  wire moves = pop || front_done || front_fail;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      there_q <= 1'b0;
      spare_q <= 1'b0;
      again_q <= 1'b0;
      offered_q <= 1'b0;
      stuck_q <= 4'd0;
    end else begin
      if (!there_q || pop) begin
        there_q <= come;
        hit_q <= hit;
        kdei_q <= kdei;
        owner_q <= owner;
        level_q <= level;
      end
      offered_q <= dk_valid && !dk_ready;
      if (front_done) spare_q <= 1'b1;
      else if (to_chip) spare_q <= 1'b0;
      if (commit) again_q <= in_order && !marked;
      else if (push && push_kernel) again_q <= 1'b0;
      if (!busy) lower_q <= lower_c;
      stuck_q <= moves ? 4'd0 : free && !again_q ? stuck_q + 4'(stuck_q != '1) : stuck_q;
    end
  end

  `WF_ASSERT(one_place, pop == (commit || (dk_valid && dk_ready)) && !(commit && dk_valid),
             "a group is taken when it has its place")
  `WF_ASSERT(kernel_or_kmu, !pop || !(commit && !hit_q), "who has no kernel goes to the KMU")
  `WF_ASSERT(full_or_kmu, !(dk_valid && hit_q) || pool_full || offered_q,
             "who has one goes there only if its pool is full, or was when it was offered")
  `WF_ASSERT(stays, !offered_q || dk_valid, "what is offered to the KMU stays")
  `WF_ASSERT(joined_once, commit == (to_chip || over) && !(to_chip && over),
             "what joins is pushed or lies in memory")
  `WF_ASSERT(right_queue, !commit || (its_kdei == kdei_q && (over ? op_list == want
                                                             : list == want)),
             "its queue is that of its level and of who launched it")
  `WF_ASSERT(right_owner, !to_chip || its_owner == want_owner, "its entry counts for its owner")
  `WF_ASSERT(in_turn, !to_chip || spare_q || !far[want],
             "none goes on chip past those in memory")
  `WF_ASSERT(entry, !to_chip || spare_q || (alloc && !full[want_owner]), "it finds an entry")
  `WF_ASSERT(port, !(push && push_taken), "one pushes at a time")
  `WF_ASSERT(spare_used, !(front_done && spare_q), "an entry that was made free is used")
  `WF_ASSERT(lower_level, !(op_valid && op_front)
                          || (!in_order && lower_q != '0 && lower_q < level_q
                              && op_list == ListW'(want_owner) * ListW'(Levels)
                                            + ListW'(lower_q) - ListW'(1)),
             "the entry that it gets is one of the lowest level below its own")
  `WF_ASSERT(kernel_again, !(push && push_kernel)
                           || (again_q && list == ListW'(Lists - 1) && !to_chip),
             "a kernel that had nothing to come is queued again, once")
  `WF_ASSERT(kernel_first, !again_q || (!commit && !dk_valid && busy),
             "before anything else joins")
  `WF_ASSERT(moves_on, stuck_q <= 4'(Stuck), "it waits for no block to start or to end")
  `WF_COVER(to_kmu, dk_valid && dk_ready)
  `WF_COVER(pool_was_full, dk_valid && dk_ready && hit_q && !pool_full)
  `WF_COVER(on_chip, to_chip && !spare_q)
  `WF_COVER(in_anothers_place, to_chip && spare_q)
  `WF_COVER(to_memory, over && !far[want])
  `WF_COVER(behind_memory, over && far[want])
  `WF_COVER(queue_too_short, over && lower_q != '0 && !far[want])
  `WF_COVER(queued_again, push && push_kernel)
  `WF_QUIET(!busy && !there_q)
endmodule
`default_nettype wire
