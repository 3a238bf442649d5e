// dtbl_kde: kernel distributor. One entry per kernel: what is launched (in RAM), how many of its
// thread blocks run (ExeBL), and its pool of aggregated groups that wait: their number, first
// (NAGEI) and last (LAGEI) link.
//
// An entry is taken by a kernel (lowest free one), marked while blocks of it wait to be
// distributed, and given up when nothing waits, nothing runs, and no group is on its way to it
// (pin_i). From then on no group can join it; it can be taken again when kernel done was taken.
// `first`: its own grid was not distributed yet.
//
// The pool holds groups that were not started. Head and tail lie in RAM: NAGEI is written by the
// join that meets an empty pool and read by the scheduler; LAGEI is written and read by joins. The
// head after a started group is that group's Next: the scheduler keeps it.
//
// Timing: RAM reads answer after the edge. Flags are combinational from flops. In one cycle: a
// kernel in, a join, a pop or unmark, a block started, a block ended, an entry given up; of one
// entry as well.
//
//   NumKde 1..64   KeyW, InfoW, LinkW, ExeBits, PoolBits 1..
// Storage: RAM NumKde * (KeyW + InfoW + 2 * LinkW); flops NumKde * (ExeBits + PoolBits + 5).
//
// Rules
//   1 ExeBL and the pool's count never underflow or overflow.
//   2 Only an open entry is joined, run or marked.
//   3 An entry that is given up has nothing waiting and nothing running.
//   4 run1_i has the bit of run_kdei_i.
`default_nettype none
`include "wf_assert.vh"

module dtbl_kde #(
  parameter integer NumKde = 32,
  parameter integer KeyW = 78,
  parameter integer InfoW = 150,
  parameter integer LinkW = 32,
  parameter integer ExeBits = 9,
  parameter integer PoolBits = 16,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  // a kernel comes in; it is marked
  input  wire              kern_valid_i,
  output wire              kern_ready_o,
  output wire [KdeW-1:0]   kern_kdei_o,   // the entry it gets
  input  wire [KeyW-1:0]   kern_key_i,
  input  wire [InfoW-1:0]  kern_info_i,
  input  wire              kern_host_i,
  output wire              kern_take_o,
  // search
  input  wire              scan_rd_i,
  input  wire [KdeW-1:0]   scan_at_i,
  output wire [KeyW-1:0]   scan_key_o,
  output wire [NumKde-1:0] open_o,
  input  wire [NumKde-1:0] pin_i,
  // join
  input  wire              join_busy_i,   // a join may mark a kernel now: no kernel comes in
  input  wire [KdeW-1:0]   ask_kdei_i,    // of the group that is about to ask
  output wire              ask_full_o,    // its pool's count is at its maximum
  input  wire              join_rd_i,
  input  wire [KdeW-1:0]   join_kdei_i,   // of the group that asked
  output wire [LinkW-1:0]  join_last_o,   // LAGEI, after the edge
  output wire              join_some_o,   // the pool is not empty
  output wire              join_marked_o,
  input  wire              join_commit_i,
  input  wire [LinkW-1:0]  join_link_i,
  // scheduler
  input  wire              info_rd_i,
  input  wire [KdeW-1:0]   info_kdei_i,
  output wire [InfoW-1:0]  info_o,        // after the edge
  input  wire [KdeW-1:0]   run_kdei_i,
  input  wire [NumKde-1:0] run1_i,        // the same, a bit for each entry
  output wire              run_first_o,
  output wire              run_some_o,
  output wire              run_more_o,    // more than one
  input  wire              native_i,      // its own grid is distributed now: no longer first
  input  wire              pop_i,
  output wire [LinkW-1:0]  head_o,        // NAGEI, after the edge of pop_i
  input  wire              unmark_i,
  input  wire              start_i,       // a block of run_kdei_i starts
  input  wire              end_i,         // a block of end_kdei_i has ended
  input  wire [KdeW-1:0]   end_kdei_i,
  // kernel done
  output wire              kdone_valid_o,
  input  wire              kdone_ready_i,
  output wire [KdeW-1:0]   kdone_kdei_o,
  output wire              kdone_host_o,
  output wire              quiet_o        // no entry is about to be given up
);
  reg [NumKde-1:0] used_q, open_q, marked_q, first_q, host_q;
  reg [NumKde*ExeBits-1:0] exe_q;
  reg [NumKde*PoolBits-1:0] pool_q;

  // One bit per entry of what happens now.
  function automatic [NumKde-1:0] one_hot(input on, input [KdeW-1:0] at);
    one_hot = '0;
    for (int k = 0; k < NumKde; k = k + 1) one_hot[k] = on && at == KdeW'(k);
  endfunction

  wire [NumKde-1:0] take1, done1, give1, lowest_free, lowest_over;
  wire over_any;
  wire [KdeW-1:0] free_at, over_at;
  wire unused_any;
  wf_priority_enc #(.N(NumKde)) u_free (
    .bits_i(~used_q), .onehot_o(lowest_free), .index_o(free_at), .any_o(unused_any)
  );
  assign kern_ready_o = used_q != '1 && !join_busy_i;    // known before which one is free
  assign kern_kdei_o = free_at;
  assign kern_take_o = kern_valid_i && kern_ready_o;
  assign take1 = lowest_free & {NumKde{kern_take_o}};

  wire [NumKde-1:0] join1 = one_hot(join_commit_i, join_kdei_i);
  wire [NumKde-1:0] start1 = run1_i & {NumKde{start_i}};
  wire [NumKde-1:0] end1 = one_hot(end_i, end_kdei_i);
  wire [NumKde-1:0] pop1 = run1_i & {NumKde{pop_i}};
  wire [NumKde-1:0] unmark1 = run1_i & {NumKde{unmark_i}};
  wire [NumKde-1:0] native1 = run1_i & {NumKde{native_i}};

  reg [NumKde-1:0] resting_c, some_c, more_c, full_c;
  always_comb begin
    for (int k = 0; k < NumKde; k = k + 1) begin
      resting_c[k] = exe_q[k*ExeBits +: ExeBits] == '0;
      some_c[k] = pool_q[k*PoolBits +: PoolBits] != '0;
      more_c[k] = pool_q[k*PoolBits +: PoolBits] > PoolBits'(1);
      full_c[k] = pool_q[k*PoolBits +: PoolBits] == '1;
    end
  end

  // Counts one up and one down: what happens is known last.
  reg [NumKde*ExeBits-1:0] exe_up_c, exe_down_c;
  reg [NumKde*PoolBits-1:0] pool_up_c, pool_down_c;
  always_comb begin
    for (int k = 0; k < NumKde; k = k + 1) begin
      exe_up_c[k*ExeBits +: ExeBits] = exe_q[k*ExeBits +: ExeBits] + 1'b1;
      exe_down_c[k*ExeBits +: ExeBits] = exe_q[k*ExeBits +: ExeBits] - 1'b1;
      pool_up_c[k*PoolBits +: PoolBits] = pool_q[k*PoolBits +: PoolBits] + 1'b1;
      pool_down_c[k*PoolBits +: PoolBits] = pool_q[k*PoolBits +: PoolBits] - 1'b1;
    end
  end

  // Entries that are over leave one at a time.
  reg kdone_q;
  reg [KdeW-1:0] kdone_kdei_q;
  wire [NumKde-1:0] ended = open_q & ~marked_q & resting_c;  // pinned or not
  wire [NumKde-1:0] over = ended & ~pin_i;
  wf_priority_enc #(.N(NumKde)) u_over (
    .bits_i(over), .onehot_o(lowest_over), .index_o(over_at), .any_o(over_any)
  );
  wire give = over_any && !kdone_q;
  assign give1 = lowest_over & {NumKde{give}};
  assign done1 = one_hot(kdone_q && kdone_ready_i, kdone_kdei_q);
  assign kdone_valid_o = kdone_q;
  assign kdone_kdei_o = kdone_kdei_q;
  assign kdone_host_o = host_q[kdone_kdei_q];
  assign quiet_o = !kdone_q && ended == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      open_q <= '0;
      marked_q <= '0;
      first_q <= '0;
      exe_q <= '0;
      pool_q <= '0;
      kdone_q <= 1'b0;
    end else begin
      used_q <= (used_q | take1) & ~done1;
      open_q <= (open_q | take1) & ~give1;
      marked_q <= (marked_q | take1 | join1) & ~unmark1;
      first_q <= (first_q | take1) & ~native1;
      kdone_q <= give || (kdone_q && !kdone_ready_i);
      for (int k = 0; k < NumKde; k = k + 1) begin
        if (start1[k]) begin
          if (!end1[k]) exe_q[k*ExeBits +: ExeBits] <= exe_up_c[k*ExeBits +: ExeBits];
        end else if (end1[k]) begin
          exe_q[k*ExeBits +: ExeBits] <= exe_down_c[k*ExeBits +: ExeBits];
        end
        if (pop1[k]) begin
          if (!join1[k]) pool_q[k*PoolBits +: PoolBits] <= pool_down_c[k*PoolBits +: PoolBits];
        end else if (join1[k]) begin
          pool_q[k*PoolBits +: PoolBits] <= pool_up_c[k*PoolBits +: PoolBits];
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (give) kdone_kdei_q <= over_at;
    for (int k = 0; k < NumKde; k = k + 1) if (take1[k]) host_q[k] <= kern_host_i;
  end

  assign open_o = open_q;
  assign join_some_o = some_c[join_kdei_i];
  assign ask_full_o = full_c[ask_kdei_i];
  assign join_marked_o = marked_q[join_kdei_i];
  assign run_first_o = (first_q & run1_i) != '0;
  assign run_some_o = (some_c & run1_i) != '0;
  assign run_more_o = (more_c & run1_i) != '0;

  wf_ram_1r1w #(.Width(KeyW), .Depth(NumKde)) u_key (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(kern_take_o), .wr_addr_i(free_at), .wr_mask_i(1'b1),
    .wr_data_i(kern_key_i), .rd_en_i(scan_rd_i), .rd_addr_i(scan_at_i), .rd_data_o(scan_key_o)
  );
  wf_ram_1r1w #(.Width(InfoW), .Depth(NumKde)) u_info (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(kern_take_o), .wr_addr_i(free_at), .wr_mask_i(1'b1),
    .wr_data_i(kern_info_i), .rd_en_i(info_rd_i), .rd_addr_i(info_kdei_i), .rd_data_o(info_o)
  );
  wf_ram_1r1w #(.Width(LinkW), .Depth(NumKde)) u_nagei (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(join_commit_i && !join_some_o),
    .wr_addr_i(join_kdei_i), .wr_mask_i(1'b1), .wr_data_i(join_link_i), .rd_en_i(pop_i),
    .rd_addr_i(run_kdei_i), .rd_data_o(head_o)
  );
  wf_ram_1r1w #(.Width(LinkW), .Depth(NumKde)) u_lagei (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(join_commit_i), .wr_addr_i(join_kdei_i),
    .wr_mask_i(1'b1), .wr_data_i(join_link_i), .rd_en_i(join_rd_i), .rd_addr_i(ask_kdei_i),
    .rd_data_o(join_last_o)
  );

`ifdef WF_ASSERT_LIVE
  reg underflow_c;
  always_comb begin
    underflow_c = 1'b0;
    for (int k = 0; k < NumKde; k = k + 1) begin
      if (end1[k] && !start1[k] && resting_c[k]) underflow_c = 1'b1;  // coverage: a broken rule
      if (start1[k] && !end1[k] && exe_q[k*ExeBits +: ExeBits] == '1)  // coverage: a broken rule
        underflow_c = 1'b1;  // coverage: a broken rule
      if (pop1[k] && !some_c[k]) underflow_c = 1'b1;  // coverage: a broken rule
      if (join1[k] && !pop1[k] && full_c[k]) underflow_c = 1'b1;  // coverage: a broken rule
    end
  end
`endif
  `WF_ASSERT(rule1_counts, !underflow_c,
             "Rule 1: ExeBL and the pool's count never underflow or overflow")
  `WF_ASSERT(rule2_open,
             ((join1 | start1 | end1 | pop1 | unmark1 | native1 | marked_q) & ~open_q) == '0,
             "Rule 2: only an open entry is joined, run or marked")
  `WF_ASSERT(rule2_used, (open_q & ~used_q) == '0, "Rule 2: an open entry is in use")
  `WF_ASSERT(rule3_give, (give1 & (some_c | marked_q | join1 | ~resting_c)) == '0,
             "Rule 3: an entry that is given up has nothing waiting and nothing running")
  `WF_ASSERT(rule3_rest, (used_q & ~open_q & (some_c | ~resting_c)) == '0,
             "Rule 3: nothing joins an entry that was given up")
  `WF_ASSUME(rule4_run, run1_i == one_hot(1'b1, run_kdei_i), "Rule 4: run1_i names run_kdei_i")
endmodule
`default_nettype wire
