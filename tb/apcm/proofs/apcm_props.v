// The whole unit at small sizes, seen from its ports: a line that a warp pinned is not evicted
// while its PSB bit stays set; a warp that ended, or a kernel that did, protects nothing; answers
// come at their time; idle means nothing changes.
`default_nettype none
`include "wf_assert.vh"
module apcm_props #(
  parameter integer NumWarp = 2,
  parameter integer Ids = 2,
  parameter integer MtaEntries = 2,
  parameter integer Sets = 1,
  parameter integer Ways = 2,
  localparam integer WarpW = 1, localparam integer IdW = 1, localparam integer SetW = 1,
  localparam integer WayW = 1
) (
  input wire clk_i, input wire ld_valid, input wire [1:0] ld_pc,
  input wire acc_valid, input wire acc_warp, input wire acc_tracked, input wire acc_id,
  input wire [1:0] acc_method, input wire acc_last, input wire acc_few,
  input wire [1:0] acc_line, input wire acc_hit, input wire acc_way, input wire [1:0] acc_invalid,
  input wire [1:0] acc_reserved, input wire acc_newer, input wire kernel, input wire start,
  input wire start_warp, input wire done_valid, input wire done_warp, input wire done_id,
  input wire exit_valid, input wire exit_warp, input wire cf_valid,
  input wire cf_warp, input wire [1:0] cf_from, input wire [1:0] cf_to, input wire cf_jump,
  input wire cf_push, input wire lsu_in, input wire lsu_out
);
`include "formal.vh"
  (* anyconst *) wire bypass_en, protect_en;
  (* anyconst *) wire [1:0] threshold;
  (* anyconst *) wire [3:0] renew;
  (* anyconst *) wire keep;
  wire ld_ready, ld_rsp, ld_rsp_tracked, ld_rsp_id, ld_rsp_last, acc_ready, acc_rsp, alloc, way,
       protect, done_ready, exit_ready, cf_ready, mon, mon_warp, ask_start;
  wire [1:0] ld_rsp_method, psb, ask_done, ask_exit;
  wire [63:0] value;
  wire idle;
  // A request follows the answer to the one before.
  reg wait_q, exit_seen_q, kernel_q;
  initial {wait_q, exit_seen_q, kernel_q} = 3'd0;
  wire acc_go = acc_valid && !wait_q;
  wire acc_fire = acc_go && acc_ready && rst_ni, ld_fire = ld_valid && ld_ready && rst_ni,
       exit_fire = exit_valid && exit_ready && rst_ni;
  always @(posedge clk_i) begin
    if (acc_fire) wait_q <= 1'b1;
    else if (acc_rsp || !rst_ni) wait_q <= 1'b0;
    exit_seen_q <= exit_valid && rst_ni;
    kernel_q <= kernel && rst_ni;
  end
  apcm #(.NumWarp(NumWarp), .Ids(Ids), .MtaEntries(MtaEntries), .MtaWays(1), .Sets(Sets),
         .Ways(Ways), .LineBits(2), .PcBits(2), .CountBits(2), .CreditBits(1), .AgeBits(1),
         .Loops(1), .Exits(1), .LsuBits(3), .EnterBits(1), .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .bypass_en_i(bypass_en), .protect_en_i(protect_en),
    .threshold_i(threshold), .renew_i(renew), .keep_i(keep), .ld_valid_i(ld_valid),
    .ld_ready_o(ld_ready), .ld_pc_i(ld_pc), .ld_rsp_valid_o(ld_rsp),
    .ld_rsp_tracked_o(ld_rsp_tracked), .ld_rsp_id_o(ld_rsp_id), .ld_rsp_method_o(ld_rsp_method),
    .ld_rsp_last_o(ld_rsp_last), .acc_valid_i(acc_go), .acc_ready_o(acc_ready),
    .acc_warp_i(acc_warp), .acc_tracked_i(acc_tracked), .acc_id_i(acc_id),
    .acc_method_i(acc_method), .acc_last_i(acc_last), .acc_few_i(acc_few), .acc_line_i(acc_line),
    .acc_set_i(1'b0), .acc_hit_i(acc_hit), .acc_way_i(acc_way), .acc_invalid_i(acc_invalid),
    .acc_reserved_i(acc_reserved), .acc_rank_i({acc_newer, !acc_newer}), .acc_rsp_valid_o(acc_rsp),
    .acc_rsp_alloc_o(alloc), .acc_rsp_way_o(way), .acc_rsp_protect_o(protect),
    .kernel_i(kernel), .start_i(start), .start_warp_i(start_warp), .done_valid_i(done_valid),
    .done_ready_o(done_ready), .done_warp_i(done_warp), .done_id_i(done_id),
    .exit_valid_i(exit_valid), .exit_ready_o(exit_ready), .exit_warp_i(exit_warp),
    .ask_start_o(ask_start), .ask_done_o(ask_done), .ask_exit_o(ask_exit), .cf_valid_i(cf_valid),
    .cf_ready_o(cf_ready), .cf_warp_i(cf_warp),
    .cf_from_i(cf_from), .cf_to_i(cf_to), .cf_jump_i(cf_jump), .cf_push_i(cf_push),
    .lsu_in_i(lsu_in), .lsu_out_i(lsu_out), .psb_o(psb), .mon_valid_o(mon),
    .mon_warp_o(mon_warp), .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(4'd0),
    .cnt_value_o(value), .idle_o(idle)
  );
  `WF_ASSUME(hit_is_there, !(acc_valid && acc_hit && acc_method != 2'd1) || !acc_invalid[acc_way],
             "a hit names a way that is not invalid")
  wire some = ld_valid || acc_valid || done_valid || exit_valid || cf_valid || lsu_in
              || lsu_out;
  `WF_ASSUME(holds, rst_ni || !(some || kernel || start), "nothing is offered during reset")
  // At most two loads are inside the load/store unit.
  reg [1:0] inside_q;
  initial inside_q = 2'd0;
  always @(posedge clk_i)
    inside_q <= !rst_ni || kernel_q ? 2'd0 : inside_q + {1'b0, lsu_in} - {1'b0, lsu_out};
  `WF_ASSUME(loads_leave, !(lsu_in && inside_q == 2'd2) && !(lsu_out && inside_q == 2'd0),
             "loads leave after they entered")
  reg [1:0] given_q;  // ids that were answered in this kernel
  initial given_q = 2'd0;
  always @(posedge clk_i) if (!rst_ni || kernel_q) given_q <= 2'd0;
    else if (ld_rsp && ld_rsp_tracked) given_q[ld_rsp_id] <= 1'b1;
  `WF_ASSUME(ids, !(acc_valid && acc_tracked) || (given_q[acc_id] && given_q[acc_last]),
             "ids are those that were answered")
  `WF_ASSUME(normal, acc_tracked || acc_method == 2'd0, "a load without an id is managed as usual")
  `WF_ASSUME(methods, acc_method != 2'd3, "methods are those of the header")
  `WF_ASSUME(new_kernel, !(kernel || kernel_q) || !(some || wait_q), "a kernel starts alone")

  // What was taken a cycle before, and of requests what was taken last.
  reg ld_q, acc_q, exit_q, new_q, exit_warp_q, s2_warp_q, s2_invalid_q;
  (* anyconst *) wire the_way;
  initial {ld_q, acc_q, exit_q, new_q} = 4'd0;
  always @(posedge clk_i) begin
    ld_q <= ld_fire;
    acc_q <= acc_fire;
    exit_q <= exit_fire;
    new_q <= kernel_q;
    if (acc_fire) {s2_warp_q, s2_invalid_q} <= {acc_warp, acc_invalid[the_way]};
    if (exit_fire) exit_warp_q <= exit_warp;
  end
  reg acc_before_q;
  initial acc_before_q = 1'b0;
  always @(posedge clk_i) acc_before_q <= acc_q && rst_ni;
  `WF_ASSERT(answers_in_time, ld_rsp == ld_q && acc_rsp == acc_before_q,
             "a load is answered after its edge, a request after the next one, once")
  `WF_ASSERT(event_in_time, !exit_ready || exit_seen_q,
             "an exit is taken in its second cycle or later")
  `WF_ASSERT(exit_ends, !exit_q || !psb[exit_warp_q], "a warp that ended protects nothing")
  `WF_ASSERT(kernel_ends, !new_q || (psb == 2'd0 && !mon),
             "a new kernel starts with nothing protected or watched")
  // Events that were not asked for, whoever offers them: a warp whose loads' ends are not asked for
  // protects nothing, now and after this edge; nobody begins or ends to be watched unasked.
  reg [1:0] ask_done_q, ask_exit_q;
  reg mon_q, mon_warp_q, start_q, started_q;
  initial {ask_done_q, ask_exit_q, mon_q, start_q, started_q} = 7'b1111000;
  always @(posedge clk_i) begin
    ask_done_q <= ask_done;
    ask_exit_q <= ask_exit;
    {mon_q, mon_warp_q} <= {mon && rst_ni, mon_warp};
    start_q <= start && ask_start;
    started_q <= start_q;
  end
  `WF_ASSERT(done_unasked, (psb & ~(ask_done & ask_done_q)) == 2'd0,
             "an end that is not asked for finds nothing to end")
  `WF_ASSERT(exit_unasked, !(mon_q && !mon && !new_q) || ask_exit_q[mon_warp_q],
             "an exit that is not asked for ends no watch")
  `WF_ASSERT(exit_asked_more, (ask_done & ~ask_exit) == 2'd0, "whose ends are, whose exits too")
  `WF_ASSERT(start_unasked, !(mon && !mon_q) || started_q,
             "a start that is not asked for begins no watch")
  `WF_ASSERT(watched_stays, !(mon && mon_q) || mon_warp == mon_warp_q,
             "nor does it take the place of the watched warp")
  `WF_COVER(asked_for_a_request, ask_done[0] && !psb[0] && psb_before_q == 2'd0)
  `WF_ASSERT(masked, !ld_rsp
             || ((ld_rsp_method != 2'd1 || bypass_en) && (ld_rsp_method != 2'd2 || protect_en)),
             "a method that is off is not answered")
  // The followed way: pinned by a warp whose bit has been set ever since.
  reg held_q, held_warp_q;
  initial held_q = 1'b0;
  wire takes = acc_rsp && alloc && way == the_way;
  always @(posedge clk_i) if (rst_ni) begin
    if (takes) held_q <= protect && psb[s2_warp_q];
    else if (!psb[held_warp_q]) held_q <= 1'b0;
    if (takes) held_warp_q <= s2_warp_q;
  end
  `WF_ASSERT(pinned, !(takes && held_q && psb_before_q[held_warp_q]) || s2_invalid_q
             || (renew != 4'd0 && protect && held_warp_q == s2_warp_q),
             "a pinned line is not evicted, but by renewal by its own warp")
  reg [1:0] psb_before_q;  // as the decision saw it
  always @(posedge clk_i) psb_before_q <= psb;
  `WF_COVER(pinned_then_refused, acc_rsp && held_q && !alloc && psb == 2'd1)
  `WF_COVER(pinned_then_taken_by_other, takes && held_warp_q != s2_warp_q && protect)
  `WF_QUIET(idle && !acc_go && !(ld_valid || done_valid || exit_valid || cf_valid || lsu_in
            || lsu_out || kernel || start))
  wire unused = &{1'b0, value, mon_warp, ld_rsp_last, cf_ready};
endmodule
`default_nettype wire
