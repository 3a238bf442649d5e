// dtbl_kmu: an entry of the distributor for each kernel that is on its way, ways for no more than
// there are, no kernel before its time, and none that waits for ever, also if the scheduler always
// wants the port. (That they leave as they came is dtbl_kmu_queue's proof; whose turn it is at the
// port and whose answer comes is dtbl_port's.)
`default_nettype none
`include "wf_assert.vh"
module dtbl_kmu_props #(
  parameter integer NumKde = 2,
  parameter integer Ways = 2,
  parameter integer Dispatch = 6,
  // Cycles until a kernel with an entry is offered while memory never waits.
  parameter integer Slow = 40
) (
  input wire clk_i, input wire grp, input wire launch, input wire kern_ready, input wire ends,
  input wire host, input wire side, input wire mem_ready, input wire rsp, input wire side_rsp,
  input wire back_ready
);
`include "formal.vh"
  reg held_grp_q, held_launch_q, held_side_q, reading_q;
  reg [2:0] beat_q;
  initial held_grp_q = 1'b0;
  initial held_launch_q = 1'b0;
  initial held_side_q = 1'b0;
  initial reading_q = 1'b0;
  reg [5:0] inside_q;                 // came, not offered and taken
  reg [2:0] used_q;                   // entries: of the host's kernels and of those taken
  initial inside_q = 6'd0;
  initial used_q = 3'd0;
  wire do_grp = rst_ni && (grp || held_grp_q), do_launch = rst_ni && (launch || held_launch_q);
  wire do_host = rst_ni && host && inside_q == 6'd0 && !do_grp && !do_launch
                 && used_q < 3'(NumKde);
  wire do_end = rst_ni && ends && used_q != 3'd0;
  wire do_side = rst_ni && (side || held_side_q);
  wire answer = rst_ni && reading_q && rsp && !side_rsp;
  wire grp_ready, launch_ready, kern_valid, mem_valid, mem_write, rsp_ready, side_ready,
       back_valid, idle;
  wire [1:0] mem_id;
  wire [11:0] addr;
  wire [3:0] mask;
  wire [127:0] data;
  wire [63:0] count;
  wire pc, tbdim, smem, x, y, z, warps, regs, shm;
  wire [11:0] param;
  dtbl_kmu #(
    .NumKde(NumKde), .Ways(Ways), .Dispatch(Dispatch), .Burst(3), .Entries(8), .Ring(8),
    .WarpUnits(1), .RegUnits(1), .ShmUnits(1), .PcBits(1), .TbDimBits(1), .SmemBits(1),
    .AddrBits(12), .XBits(1), .YBits(1), .ZBits(1), .SideIdBits(1), .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .ring_base_i(12'd0), .grp_valid_i(do_grp),
    .grp_ready_o(grp_ready), .grp_pc_i(1'b1), .grp_tbdim_i(1'b0), .grp_smem_i(1'b0),
    .grp_x_i(1'b1), .grp_y_i(1'b1), .grp_z_i(1'b1), .grp_param_i(12'd0), .grp_warps_i(1'b1),
    .grp_regs_i(1'b0), .grp_shm_i(1'b0), .launch_valid_i(do_launch),
    .launch_ready_o(launch_ready), .launch_pc_i(1'b0), .launch_tbdim_i(1'b0),
    .launch_smem_i(1'b0), .launch_x_i(1'b1), .launch_y_i(1'b1), .launch_z_i(1'b1),
    .launch_param_i(12'd0), .launch_warps_i(1'b1), .launch_regs_i(1'b0), .launch_shm_i(1'b0),
    .kern_valid_o(kern_valid), .kern_ready_i(kern_ready), .kern_pc_o(pc), .kern_tbdim_o(tbdim),
    .kern_smem_o(smem), .kern_x_o(x), .kern_y_o(y), .kern_z_o(z), .kern_param_o(param),
    .kern_warps_o(warps), .kern_regs_o(regs), .kern_shm_o(shm), .kdone_i(do_end),
    .host_i(do_host), .side_valid_i(do_side), .side_ready_o(side_ready), .side_write_i(1'b1),
    .side_addr_i(12'd16), .side_mask_i(4'd11), .side_data_i(128'd1), .side_id_i(1'b1),
    .back_valid_o(back_valid), .back_ready_i(back_ready), .mem_valid_o(mem_valid),
    .mem_ready_i(mem_ready), .mem_write_o(mem_write), .mem_addr_o(addr), .mem_mask_o(mask),
    .mem_data_o(data), .mem_id_o(mem_id),
    .rsp_valid_i(answer || (rst_ni && side_rsp)), .rsp_ready_o(rsp_ready), .rsp_data_i(128'd0),
    .rsp_id_i({!side_rsp, 1'b0}), .rsp_beat_i(beat_q), .cnt_snapshot_i(1'b0),
    .cnt_clear_i(1'b0), .cnt_index_i(3'd0), .cnt_value_o(count), .idle_o(idle)
  );
  wire grp_take = do_grp && grp_ready, launch_take = do_launch && launch_ready;
  wire come = grp_take || launch_take;
  wire take = rst_ni && kern_valid && kern_ready;
  // When kernels begin, by the header's rule: the ways, and who is due.
  reg [Dispatch-1:0] way_q;           // bit i: one that is offered in i cycles
  reg [5:0] wait_q, due_q;            // have not begun; are due, not taken
  initial way_q = '0;
  initial wait_q = 6'd0;
  initial due_q = 6'd0;
  reg [3:0] on_way_c;
  always @(*) begin
    on_way_c = 4'd0;
    for (int i = 1; i < Dispatch; i++) on_way_c = on_way_c + 4'(way_q[i]);
  end
  wire [5:0] due = due_q + 6'(way_q[0]);
  wire entry = {3'd0, used_q} + 6'(on_way_c) + due < 6'(NumKde) || do_end;
  wire begins = rst_ni && (wait_q != 6'd0 || come) && entry && on_way_c < 4'(Ways);
  reg [6:0] slow_q;
  initial slow_q = 7'd0;
  reg both_q;
  initial both_q = 1'b0;
  always @(posedge clk_i) begin
    held_grp_q <= do_grp && !grp_ready;
    held_launch_q <= do_launch && !launch_ready;
    held_side_q <= do_side && !side_ready;
    if (!rst_ni) begin
      inside_q <= 6'd0;
      used_q <= 3'd0;
      reading_q <= 1'b0;
      way_q <= '0;
      wait_q <= 6'd0;
      due_q <= 6'd0;
      slow_q <= 7'd0;
      both_q <= 1'b0;
    end else begin
      inside_q <= inside_q + 6'(come) - 6'(take);
      used_q <= used_q + 3'(take) + 3'(do_host) - 3'(do_end);
      way_q <= {begins, way_q[Dispatch-1:1]};
      wait_q <= wait_q + 6'(come) - 6'(begins);
      due_q <= due - 6'(take);
      if (mem_valid && mem_ready && mem_id[1] && !mem_write) begin
        reading_q <= 1'b1;
        beat_q <= 3'd0;
      end else if (answer) begin
        beat_q <= beat_q + 1'b1;
        if (beat_q == 3'd7) reading_q <= 1'b0;
      end
      if (due == 6'd0 || kern_valid || !mem_ready || (reading_q && !answer)) slow_q <= 7'd0;
      else slow_q <= slow_q + 1'b1;
      if (on_way_c == 4'd2 && due != 6'd0) both_q <= 1'b1;
    end
  end
  `WF_ASSERT(in_time, !kern_valid || due != 6'd0, "no kernel is offered before its time")
  `WF_ASSERT(entries, {3'd0, used_q} + 6'(take) <= 6'(NumKde),
             "no more kernels get an entry than there are")
  `WF_ASSERT(offered, slow_q < 7'(Slow), "a kernel that is due is offered")
  `WF_ASSERT(group_first, !launch_take || !do_grp, "a launch waits for a group")
  `WF_ASSERT(own_id, !mem_valid || mem_id == (mem_id[1] ? 2'd2 : 2'd1),
             "a request has the id of who asks")
  `WF_ASSERT(side_through, !(do_side && side_ready)
             || (mem_valid && mem_ready && mem_id == 2'd1 && mem_write && addr == 12'd16
                 && mask == 4'd11 && data == 128'd1),
             "the scheduler's request goes as it is")
  `WF_ASSERT(back_right, back_valid == (rst_ni && side_rsp)
             && (answer || !back_valid || rsp_ready == back_ready),
             "the scheduler's answer is his")
  `WF_ASSERT(one_of_each, !(grp_take && launch_take), "one comes a cycle")
  `WF_COVER(taken, take && pc)
  `WF_COVER(launched, take && !pc)
  `WF_COVER(no_entry, wait_q != 6'd0 && !entry && idle)
  `WF_COVER(host, do_host && used_q != 3'd0)
  `WF_COVER(side_waits, do_side && mem_valid && mem_ready && mem_id[1])
  `WF_COVER(both_ways, on_way_c == 4'd2)
  // Rules of the queue note an offer that stands a cycle later.
  wire rests = idle && !do_grp && !do_launch && !do_end && !do_host && !answer;
  reg rests_q;
  initial rests_q = 1'b0;
  always @(posedge clk_i) rests_q <= rst_ni && rests;
  `WF_QUIET(rests && rests_q)
endmodule
`default_nettype wire
