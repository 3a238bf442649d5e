// dtbl_kde: one entry, any one, is followed: its counts, when it is marked, when it may go; and
// that it is given to one kernel at a time.
`default_nettype none
`include "wf_assert.vh"
module dtbl_kde_props #(
  parameter integer NumKde = 3,
  parameter integer ExeBits = 3,
  parameter integer PoolBits = 2,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1
) (
  input wire clk_i, input wire kern, input wire host, input wire [NumKde-1:0] pin, input wire busy,
  input wire [KdeW-1:0] join_at, input wire join, input wire link, input wire [KdeW-1:0] run_at,
  input wire native, input wire pop, input wire unmark, input wire start, input wire ended,
  input wire [KdeW-1:0] end_at, input wire kdone_ready, input wire rd
);
`include "formal.vh"
  (* anyconst *) wire [KdeW-1:0] the;
  wire kern_ready, kern_take, ask_full, some, marked, first, run_some, run_more, kdone, kdone_host,
       quiet, key, info, last, head;
  wire [KdeW-1:0] kern_at, kdone_at;
  wire [NumKde-1:0] open;
  // What its users keep to: they touch open entries, pop what is there, end what runs.
  reg used_q, marked_q, first_q, host_q;
  reg [ExeBits-1:0] exe_q;
  reg [PoolBits-1:0] pool_q;
  initial used_q = 1'b0;
  wire is_open = open[the];
  wire do_join = rst_ni && used_q && busy && join && join_at == the && pin[the] && is_open
                 && pool_q != '1;
  wire on_run = run_at == the && used_q && is_open && marked_q;
  wire do_start = rst_ni && start && on_run && used_q && exe_q != '1;
  wire do_pop = rst_ni && pop && on_run && pool_q != '0 && !first_q && !(busy && join_at == the);
  wire do_unmark = rst_ni && unmark && on_run && pool_q == '0 && !first_q
                   && !(busy && join_at == the) && !do_start;
  wire do_native = rst_ni && native && on_run && first_q && !do_start;
  wire do_end = rst_ni && used_q && is_open && ended && exe_q != '0;
  dtbl_kde #(
    .NumKde(NumKde), .KeyW(1), .InfoW(1), .LinkW(1), .ExeBits(ExeBits), .PoolBits(PoolBits)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .kern_valid_i(kern), .kern_ready_o(kern_ready),
    .kern_kdei_o(kern_at), .kern_key_i(1'b0), .kern_info_i(1'b0), .kern_host_i(host),
    .kern_take_o(kern_take), .scan_rd_i(1'b0), .scan_at_i({KdeW{1'b0}}), .scan_key_o(key),
    .open_o(open), .pin_i(pin), .join_busy_i(busy), .ask_kdei_i(the), .ask_full_o(ask_full),
    .join_rd_i(rd), .join_kdei_i(the), .join_last_o(last), .join_some_o(some),
    .join_marked_o(marked), .join_commit_i(do_join), .join_link_i(link), .info_rd_i(1'b0),
    .info_kdei_i({KdeW{1'b0}}), .info_o(info), .run_kdei_i(the),
    .run1_i(NumKde'(1) << the), .run_first_o(first),
    .run_some_o(run_some), .run_more_o(run_more), .native_i(do_native), .pop_i(do_pop),
    .head_o(head), .unmark_i(do_unmark), .start_i(do_start), .end_i(do_end), .end_kdei_i(the),
    .kdone_valid_o(kdone), .kdone_ready_i(kdone_ready), .kdone_kdei_o(kdone_at),
    .kdone_host_o(kdone_host), .quiet_o(quiet)
  );
  `WF_ASSUME(the_range, {1'b0, the} < (KdeW + 1)'(NumKde), "an entry")
  wire take = rst_ni && kern_take && kern_at == the;
  wire over = rst_ni && kdone && kdone_ready && kdone_at == the;
  // The link that heads the pool while it was not popped, and the last one.
  reg head_q, last_q, want_head_q, popped_q, asked_q, want_last_q, had_q;
  initial popped_q = 1'b0;
  initial asked_q = 1'b0;
  initial had_q = 1'b0;
  always @(posedge clk_i) begin
    popped_q <= do_pop && head_ok_q;
    want_head_q <= head_q;
    asked_q <= rst_ni && rd && had_q;
    want_last_q <= last_q;
    if (rst_ni) begin
      if (take) begin
        used_q <= 1'b1;
        marked_q <= 1'b1;
        first_q <= 1'b1;
        host_q <= host;
        exe_q <= '0;
        pool_q <= '0;
        had_q <= 1'b0;
      end else begin
        if (over) used_q <= 1'b0;
        if (do_join) marked_q <= 1'b1;
        else if (do_unmark) marked_q <= 1'b0;
        if (do_native) first_q <= 1'b0;
        exe_q <= exe_q + {{(ExeBits-1){1'b0}}, do_start} - {{(ExeBits-1){1'b0}}, do_end};
        pool_q <= pool_q + {{(PoolBits-1){1'b0}}, do_join} - {{(PoolBits-1){1'b0}}, do_pop};
        if (do_join) last_q <= link;
        if (do_join) had_q <= 1'b1;
        if (do_join && pool_q == '0) head_q <= link;
      end
    end
  end
  reg head_ok_q;  // the pool was empty when its head came, and that was not popped
  always @(posedge clk_i) begin
    if (!rst_ni || take) head_ok_q <= 1'b0;
    else if (do_join && pool_q == '0) head_ok_q <= 1'b1;
    else if (do_pop) head_ok_q <= 1'b0;
  end
  `WF_ASSERT(given_once, !take || !used_q, "an entry is given to one kernel at a time")
  `WF_ASSERT(flags, !used_q
             || !is_open || (marked == marked_q && first == first_q && some == (pool_q != '0)
                             && run_some == some && run_more == (pool_q > PoolBits'(1))
                             && ask_full == (pool_q == '1)),
             "flags tell what happened")
  `WF_ASSERT(over_right,
             !over || (used_q && !marked_q && exe_q == '0 && pool_q == '0 && kdone_host == host_q),
             "a kernel is over when nothing of it waits or runs")
  `WF_ASSERT(stays_over, !(kdone && kdone_at == the) || !is_open,
             "nothing joins a kernel that is over")
  `WF_ASSERT(pinned_stays, !(rst_ni && was_pinned_q) || is_open, "a pinned entry does not go")
  reg was_pinned_q;
  initial was_pinned_q = 1'b0;
  always @(posedge clk_i) was_pinned_q <= rst_ni && pin[the] && is_open;
  `WF_ASSERT(head_right, !popped_q || head == want_head_q,
             "NAGEI is the first group that came into the empty pool")
  `WF_ASSERT(last_right, !asked_q || last == want_last_q, "LAGEI is the group that came last")
  // Not for ever: an open entry that is over and not pinned leaves within one round of the others.
  reg [4:0] wait_q;
  initial wait_q = 5'd0;
  always @(posedge clk_i)
    wait_q <= rst_ni && is_open && !marked_q && exe_q == '0 && !pin[the] && kdone_ready
              ? wait_q + 5'd1 : 5'd0;
  `WF_ASSERT(leaves, wait_q <= 5'd1 || the != '0,
             "the lowest entry that is over leaves within two cycles")
  `WF_COVER(marked_again, do_join && !marked_q)
  `WF_COVER(was_full, ask_full && used_q)
  `WF_COVER(over_after_group, over && had_q)
  `WF_COVER(both_at_once, do_start && do_end)
  `WF_QUIET(quiet && !kern && !do_join && !do_start && !do_end && !do_pop && !do_unmark
            && !do_native && !rd)
endmodule
`default_nettype wire
