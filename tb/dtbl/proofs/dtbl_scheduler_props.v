// The whole unit at its smallest, with the world around it: one SMX of one block, one kernel, two
// table entries, three parameter addresses, a memory that holds records. Every block of every
// kernel and group starts once and in order, none is lost, groups are refused or run, a kernel is
// over when all that joined it is; something always moves; idle means nothing changes.
`default_nettype none
`include "wf_assert.vh"
module dtbl_scheduler_props #(
  // Cycles in which nothing moves although the environment takes everything.
  parameter integer Stuck = 12
) (
  input wire clk_i, input wire kern, input wire kern_pc, input wire [1:0] kern_x, input wire agg,
  input wire agg_pc, input wire [1:0] agg_x, input wire [2:0] agg_param, input wire agg_tid,
  input wire agg_need,
  input wire dk_ready, input wire mem_ready, input wire answer, input wire tb_ready,
  input wire done, input wire kdone_ready, input wire divert
);
`include "formal.vh"
  wire kern_ready, kern_kdei, agg_ready, dk_valid, dk_pc, mem_valid, mem_write, rsp_ready, tb_valid,
       tb_group, tb_first, tb_last, done_ready, kdone_valid, kdone_host, kdone_kdei, idle;
  wire [1:0] dk_x, tb_dim, tb_x;
  wire [2:0] dk_param, mem_addr, tb_link, tb_param;
  wire [3:0] mem_mask;
  wire [127:0] mem_data;
  wire [63:0] value;
  wire dk_smx, dk_tbdim, dk_smem, dk_y, dk_z, dk_warps, dk_regs, dk_shm, dk_prio,
       tb_smx, tb_slot, tb_kdei, tb_pc, tb_dim_y, tb_dim_z, tb_y, tb_z, tb_prio;

  // Groups by parameter address (2, 4, 6: index 1, 2, 3).
  reg [3:0] used_q, over_q;          // under way; all its blocks have started
  reg [7:0] dim_q, at_q;             // its blocks, the next one
  reg [3:0] pc_q, need_q;
  reg kernel_q, native_q, kernel_pc_q;  // a kernel is there; its own blocks have all started
  reg [1:0] kernel_x_q, kernel_at_q;
  reg run_q, run_group_q;            // a block runs, of a group
  reg [1:0] run_at_q;
  reg part_q;                        // within a grid or group
  initial used_q = '0;
  initial kernel_q = 1'b0;
  initial run_q = 1'b0;
  initial part_q = 1'b0;

  // Memory.
  reg [7:0] mem_x_q;
  reg [11:0] mem_next_q;
  reg read_q;
  reg [1:0] read_at_q;
  initial read_q = 1'b0;
  wire [1:0] mem_at = mem_addr[2:1];
  wire mem_go = rst_ni && mem_valid && mem_ready;
  wire rsp = rst_ni && read_q && answer && rsp_ready;
  always @(posedge clk_i) begin
    if (mem_go && mem_write && mem_mask[0]) mem_x_q[2*mem_at +: 2] <= mem_data[1:0];
    if (mem_go && mem_write && mem_mask[2]) mem_next_q[3*mem_at +: 3] <= mem_data[66:64];
    if (!rst_ni) read_q <= 1'b0;
    else if (mem_go && !mem_write) read_q <= 1'b1;
    else if (rsp) read_q <= 1'b0;
    if (mem_go && !mem_write) read_at_q <= mem_at;
  end
  wire [127:0] rsp_data = {29'd0, read_at_q, 1'b0, 29'd0, mem_next_q[3*read_at_q +: 3], 15'd0, 1'b1,
                           15'd0, 1'b1, 30'd0, mem_x_q[2*read_at_q +: 2]};

  // Offers hold until taken.
  reg kern_held_q, agg_held_q, kern_pc_q, agg_pc_q, agg_tid_q, agg_need_q;
  reg [1:0] kern_x_q, agg_x_q;
  reg [2:0] agg_param_q;
  initial kern_held_q = 1'b0;
  initial agg_held_q = 1'b0;
  wire kern_v = rst_ni && (kern || kern_held_q),
       agg_v = rst_ni && ((agg && !used_q[agg_param[2:1]]) || agg_held_q);
  wire kern_pc_v = kern_held_q ? kern_pc_q : kern_pc;
  wire [1:0] kern_x_v = kern_held_q ? kern_x_q : kern_x;
  wire agg_pc_v = agg_held_q ? agg_pc_q : agg_pc, agg_tid_v = agg_held_q ? agg_tid_q : agg_tid;
  wire agg_need_v = agg_held_q ? agg_need_q : agg_need;
  wire [1:0] agg_x_v = agg_held_q ? agg_x_q : agg_x;
  wire [2:0] agg_param_v = agg_held_q ? agg_param_q : agg_param;
  always @(posedge clk_i) begin
    kern_held_q <= kern_v && !kern_ready;
    agg_held_q <= agg_v && !agg_ready;
    {kern_pc_q, kern_x_q} <= {kern_pc_v, kern_x_v};
    {agg_pc_q, agg_tid_q, agg_need_q} <= {agg_pc_v, agg_tid_v, agg_need_v};
    {agg_x_q, agg_param_q} <= {agg_x_v, agg_param_v};
  end
  `WF_ASSUME(kernel_has_blocks, kern_x != 2'd0, "a kernel has a block")
  `WF_ASSUME(group_has_blocks, agg_x != 2'd0 && !agg_param[0] && agg_param != 3'd0,
             "a group has a block and a pointer")

  wire do_done = rst_ni && run_q && done;
  dtbl_scheduler #(
    .NumSmx(1), .MaxTb(1), .WarpUnits(1), .RegUnits(1), .ShmUnits(1), .NumKde(1), .AgtEntries(2),
    .TidBits(1), .SearchSlots(1), .PoolBits(2), .PcBits(1), .TbDimBits(1), .SmemBits(1),
    .AddrBits(3), .XBits(2), .YBits(1), .ZBits(1), .BlockBits(3), .PrioBits(1), .DoneDepth(2),
    .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .divert_i(divert), .ring_base_i(3'd0), .kern_valid_i(kern_v),
    .kern_ready_o(kern_ready), .kern_pc_i(kern_pc_v), .kern_x_i(kern_x_v), .kern_y_i(1'b1),
    .kern_z_i(1'b1), .kern_tbdim_i(1'b0), .kern_param_i(3'd0), .kern_smem_i(1'b0),
    .kern_warps_i(1'b1), .kern_regs_i(1'b1), .kern_shm_i(1'b0), .kern_host_i(1'b1),
    .kern_prio_i(1'b0), .kern_kdei_o(kern_kdei), .agg_valid_i(agg_v), .agg_ready_o(agg_ready),
    .agg_smx_i(1'b0), .agg_last_i(1'b0), .agg_pc_i(agg_pc_v), .agg_tbdim_i(1'b0), .agg_smem_i(1'b0),
    .agg_x_i(agg_x_v), .agg_y_i(1'b1), .agg_z_i(1'b1), .agg_param_i(agg_param_v),
    .agg_tid_i(agg_tid_v), .agg_warps_i(1'b1), .agg_regs_i(agg_need_v), .agg_shm_i(!agg_need_v),
    .agg_prio_i(1'b0), .dk_valid_o(dk_valid), .dk_ready_i(dk_ready),
    .dk_smx_o(dk_smx), .dk_pc_o(dk_pc), .dk_tbdim_o(dk_tbdim), .dk_smem_o(dk_smem), .dk_x_o(dk_x),
    .dk_y_o(dk_y), .dk_z_o(dk_z), .dk_param_o(dk_param), .dk_warps_o(dk_warps),
    .dk_regs_o(dk_regs), .dk_shm_o(dk_shm), .dk_prio_o(dk_prio),
    .mem_valid_o(mem_valid), .mem_ready_i(mem_ready), .mem_write_o(mem_write),
    .mem_addr_o(mem_addr), .mem_mask_o(mem_mask), .mem_data_o(mem_data), .rsp_valid_i(rsp),
    .rsp_ready_o(rsp_ready), .rsp_data_i(rsp_data), .tb_valid_o(tb_valid), .tb_ready_i(tb_ready),
    .tb_smx_o(tb_smx), .tb_slot_o(tb_slot), .tb_kdei_o(tb_kdei), .tb_group_o(tb_group),
    .tb_link_o(tb_link), .tb_pc_o(tb_pc), .tb_dim_x_o(tb_dim), .tb_dim_y_o(tb_dim_y),
    .tb_dim_z_o(tb_dim_z), .tb_x_o(tb_x), .tb_y_o(tb_y), .tb_z_o(tb_z), .tb_param_o(tb_param),
    .tb_first_o(tb_first), .tb_last_o(tb_last), .tb_prio_o(tb_prio), .done_valid_i(do_done),
    .done_ready_o(done_ready), .done_slot_i(1'b0), .kdone_valid_o(kdone_valid),
    .kdone_ready_i(kdone_ready), .kdone_kdei_o(kdone_kdei), .kdone_host_o(kdone_host),
    .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(5'd0), .cnt_value_o(value),
    .idle_o(idle)
  );

  wire take = rst_ni && tb_valid && tb_ready;
  wire [1:0] g = tb_param[2:1];
  wire ends = do_done && done_ready;
  wire refuse = rst_ni && dk_valid && dk_ready;
  wire [1:0] r = dk_param[2:1];
  wire over = rst_ni && kdone_valid && kdone_ready;
  wire kern_go = kern_v && kern_ready, agg_go = agg_v && agg_ready;
  wire [1:0] a = agg_param_v[2:1];
  always @(posedge clk_i) if (rst_ni) begin
    if (kern_go) begin
      kernel_q <= 1'b1;
      native_q <= 1'b0;
      kernel_pc_q <= kern_pc_v;
      kernel_x_q <= kern_x_v;
      kernel_at_q <= 2'd0;
    end else if (over) begin
      kernel_q <= 1'b0;
    end
    if (agg_go) begin
      used_q[a] <= 1'b1;
      over_q[a] <= 1'b0;
      dim_q[2*a +: 2] <= agg_x_v;
      at_q[2*a +: 2] <= 2'd0;
      pc_q[a] <= agg_pc_v;
      need_q[a] <= agg_need_v;
    end
    if (refuse) used_q[r] <= 1'b0;
    if (take) begin
      part_q <= !tb_last;
      run_q <= 1'b1;
      run_group_q <= tb_group;
      run_at_q <= g;
      if (tb_group) begin
        at_q[2*g +: 2] <= at_q[2*g +: 2] + 2'd1;
        over_q[g] <= tb_last;
      end else begin
        kernel_at_q <= kernel_at_q + 2'd1;
        native_q <= tb_last;
      end
    end else if (ends) begin
      run_q <= 1'b0;
      if (run_group_q && over_q[run_at_q]) used_q[run_at_q] <= 1'b0;
    end
  end

  `WF_ASSERT(one_place, !tb_valid || !run_q, "a block is offered only where there is room")
  `WF_ASSERT(native_once, !(take && !tb_group)
             || (kernel_q && !native_q && tb_x == kernel_at_q && tb_dim == kernel_x_q),
             "the kernel's own blocks start once, in order")
  `WF_ASSERT(group_once, !(take && tb_group)
             || (kernel_q && native_q && used_q[g] && !over_q[g] && tb_x == at_q[2*g +: 2]
                 && tb_dim == dim_q[2*g +: 2] && tb_param[0] == 1'b0),
             "a group's blocks start once, in order, after the kernel's own")
  `WF_ASSERT(group_fits, !(take && tb_group) || pc_q[g] == kernel_pc_q,
             "a group runs in a kernel of its entry pc")
  `WF_ASSERT(last_right, !take || tb_last == (tb_x + 2'd1 == tb_dim), "the last block is told")
  `WF_ASSERT(refused_right, !refuse || (used_q[r] && at_q[2*r +: 2] == 2'd0 && !over_q[r]
                                        && dk_x == dim_q[2*r +: 2] && dk_pc == pc_q[r]
                                        && dk_warps && dk_regs == need_q[r]
                                        && dk_shm != need_q[r]),
             "a refused group is handed over as it came, once")
  `WF_ASSERT(links, !(take && tb_group) || tb_link[0] || tb_link == tb_param,
             "a group without an entry is named by its pointer")
  `WF_ASSERT(done_is_over, !over || (kernel_q && native_q && !run_q && !part_q),
             "a kernel is over when nothing of it runs or waits")
  reg begun_c;
  always_comb begin
    begun_c = 1'b0;
    for (int i = 1; i < 4; i = i + 1) if (used_q[i] && at_q[2*i +: 2] != 2'd0) begun_c = 1'b1;
  end
  `WF_ASSERT(done_not_begun, !over || !begun_c, "no group is left half when its kernel is over")

  // Something moves: while anything is under way, the environment takes all and nothing runs, not
  // many cycles pass without a transfer.
  wire moved = kern_go || agg_go || refuse || take || over || mem_go || rsp || ends;
  wire takes_all = dk_ready && mem_ready && answer && tb_ready && kdone_ready && !divert && !run_q;
  reg [4:0] stuck_q;
  initial stuck_q = 5'd0;
  always @(posedge clk_i)
    stuck_q <= rst_ni && takes_all && !moved && (used_q != '0 || kernel_q) ? stuck_q + 5'd1 : 5'd0;
  `WF_ASSERT(moves, stuck_q <= 5'(Stuck), "something moves")

  `WF_COVER(group_in_table, take && tb_group && tb_link[0])
  `WF_COVER(group_in_memory, take && tb_group && !tb_link[0])
  `WF_COVER(refused, refuse)
  `WF_COVER(kernel_over_after_group, over && kernel_q && used_q == '0)
  reg divert_q, was_reset_q;
  always @(posedge clk_i) divert_q <= divert;
  initial was_reset_q = 1'b1;
  always @(posedge clk_i) was_reset_q <= !rst_ni;
  `WF_QUIET(idle && !was_reset_q && divert == divert_q && !kern_v && !agg_v && !do_done && !rsp)
endmodule
`default_nettype wire
