// spref_warp: any instruction in S3 with any role, any counts, any masks. One warp and one spare
// register, any, are followed: what a move reads was prefetched `distance` iterations of the warp
// ago, for all lanes that run the move, in iterations that were all regular; and nobody else's
// registers are named.
`default_nettype none
`include "wf_assert.vh"
module spref_warp_props #(
  parameter integer NumWarp = 2,
  parameter integer Lanes = 2,
  parameter integer RegBits = 4,
  parameter integer CritW = 2
) (
  input wire clk_i, input wire want, input wire s2_warp, input wire [Lanes-1:0] s2_mask,
  input wire in_loop, input wire leader, input wire tail, input wire crit, input wire test,
  input wire counted, input wire clobber, input wire drop, input wire count, input wire count_warp,
  input wire [1:0] count_class, input wire [Lanes*4-1:0] count_row, input wire last,
  input wire fault, input wire fault_warp, input wire clear
);
`include "formal.vh"
  // A table with a head and a tail; numbers are free.
  (* anyconst *) wire [1:0] distance, dmax;
  (* anyconst *) wire [CritW-1:0] ncrit, pos;
  (* anyconst *) wire the_warp;
  localparam [RegBits:0] BaseReg = 5'd4, SpareRegs = 5'd6;
  `WF_ASSUME(a_distance, dmax != 2'd0 && ncrit != '0, "a table in use")
  `WF_ASSUME(classes, count_class != 2'd0, "classes are 1 to 3")
  `WF_ASSUME(roles, {1'b0, leader} + {1'b0, tail} + {1'b0, crit || test} <= 2'd1
             && !(leader && tail && crit),
             "an instruction has one role")

  reg on_q;
  // S2 to S3; the row of counts is that of a RAM in front: here its last value per warp.
  reg s3_q, s3_warp_q, in_q, leader_q, tail_q, crit_q, test_q, counted_q, clobber_q,
      drop_q, last_q;
  reg [Lanes-1:0] mask_q;
  reg [Lanes*4-1:0] row0_q, row1_q;
  initial s3_q = 1'b0;
  wire s2 = want && rst_ni;
  wire [Lanes*4-1:0] row = s2_warp ? row1_q : row0_q;
  reg [Lanes*4-1:0] planes_c;  // as it comes out of the RAM: bit k of all lanes side by side
  always @(*) for (int i = 0; i < Lanes; i = i + 1)
    for (int k = 0; k < 4; k = k + 1) planes_c[k*Lanes + i] = row[i*4 + k];
  always @(posedge clk_i) if (rst_ni) begin
    s3_q <= s2;
    s3_warp_q <= s2_warp;
    in_q <= in_loop;
    leader_q <= in_loop && leader;
    tail_q <= in_loop && tail;
    crit_q <= in_loop && crit;
    test_q <= in_loop && test;
    counted_q <= counted;
    clobber_q <= in_loop && clobber;
    drop_q <= drop;
    last_q <= last;
    mask_q <= s2_mask;
    // Counts come for a warp that waits for them, none of whose instructions are between S2 and S3.
    if (count) begin
      if (count_warp) row1_q <= count_row;
      else row0_q <= count_row;
    end
  end
  `WF_ASSUME(quiet_count, !count || !(s2 && s2_warp == count_warp),
             "counts come while none of the warp's instructions is in S2")
  `WF_ASSUME(quiet_count2, !count || !(s3_q && s3_warp_q == count_warp), "nor in S3")
  // Program counters grow within an iteration: the test once, after the tail, and ncrit - 1 others
  // at most once each.
  reg tested_q;
  reg [CritW-1:0] ran_q;
  wire mine = s3_q && s3_warp_q == the_warp && in_q;
  always @(posedge clk_i) if (rst_ni && mine) begin
    tested_q <= !leader_q && (tested_q || test_q);
    ran_q <= leader_q ? {CritW{1'b0}} : crit_q && !test_q ? ran_q + 1'b1 : ran_q;
  end
  `WF_ASSUME(once, !(mine && on_q) || !((test_q && tested_q) || (tail_q && tested_q)
                                        || (crit_q && !test_q && ran_q + 1'b1 >= ncrit)),
             "each instruction runs once in an iteration, the tail before the test")
  // What counts are (README): of a warp that prefetches, each lane's is one less than before, or 0;
  // 15 stands for more.
  wire [Lanes*4-1:0] was = count_warp ? row1_q : row0_q;
  reg exact_c;
  always @(*) begin
    exact_c = 1'b1;
    for (int i = 0; i < Lanes; i = i + 1)
      if (count_row[i*4 +: 4] != 4'd0
          && (was[i*4 +: 4] == 4'd0 || count_row[i*4 +: 4] != was[i*4 +: 4] - 4'd1)
          && !(count_row[i*4 +: 4] == 4'd15 && was[i*4 +: 4] == 4'd15)) exact_c = 1'b0;
  end
  `WF_ASSUME(exact, !(count && on_q && count_warp == the_warp) || exact_c, "counts go down by one")
  wire move, inject_head, inject_tail, slot, reg_v, ask, regular, start, broke;
  wire [RegBits-1:0] move_reg, inject_reg, index;
  wire [18:0] offset;
  wire [Lanes-1:0] mask;
  reg set_q, set_warp_q;
  reg [1:0] set_class_q;
  initial set_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    set_q <= count;
    set_warp_q <= count_warp;
    set_class_q <= count_class;
  end
  `WF_ASSUME(quiet_set, !set_q || !(s3_q && s3_warp_q == set_warp_q),
             "the flags follow before the warp's next instruction is in S3")
  spref_warp #(.NumWarp(NumWarp), .Lanes(Lanes), .RegBits(RegBits), .CritW(CritW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .distance_i(distance), .base_i(BaseReg), .spare_i(SpareRegs),
    .s2_i(s2), .s2_warp_i(s2_warp), .s2_mask_i(s2_mask), .s2_row_i(planes_c), .s3_i(s3_q),
    .s3_warp_i(s3_warp_q), .counted_i(counted_q), .in_loop_i(in_q), .leader_i(leader_q),
    .head1_i(1'b0),
    .tail_i({1'b0, tail_q}), .crit_i(crit_q), .test_i(test_q), .pre_i(1'b0), .clobber_i(clobber_q),
    .drop_i(drop_q), .last_i(last_q),
    .imm_i(16'd0), .tail_v_i(2'b01), .head_wide_i(2'b00), .tail_wide_i(2'b00),
    .stride_i(32'd4), .ncrit_i(ncrit), .pos_i({pos, pos, {CritW{1'b0}}}),
    .first_i({3'd2, 3'd2, 3'd1, 3'd0}), .has_reg_i(4'b0011), .dmax_i(dmax), .set_i(set_q),
    .set_warp_i(set_warp_q), .set_class_i(set_class_q),
    .fault_i(fault && rst_ni), .fault_warp_i(fault_warp),
    .clear_i(clear && rst_ni), .move_o(move),
    .move_reg_o(move_reg), .inject_head_o(inject_head), .inject_tail_o(inject_tail),
    .inject_slot_o(slot), .inject_reg_v_o(reg_v), .inject_reg_o(inject_reg), .index_o(index),
    .offset_o(offset), .mask_o(mask), .ask_o(ask), .regular_o(regular), .start_o(start),
    .break_o(broke)
  );
  // The followed warp, as the README's rules have it: since the last start, which iteration; each
  // list's entries with the iteration that they were filled for (modulo 4: distances are below) and
  // whether they are filled.
  wire here = s3_q && s3_warp_q == the_warp && in_q && !drop_q;
  reg [1:0] iter_q, gap_q;
  reg [6*Lanes-1:0] lanes_q;  // for which each entry was filled
  reg [5:0] full_q;
  reg [11:0] for_q;
  initial on_q = 1'b0;
  initial full_q = 6'd0;
  wire lead = here && leader_q;
  wire [1:0] iter = lead ? (regular ? iter_q + 2'd1 : 2'd0) : iter_q;
  // The stride is 4: the offset tells the distance.
  wire [1:0] gap = lead && start ? offset[3:2] : gap_q;
  wire [RegBits-1:0] entry = move_reg - BaseReg[RegBits-1:0],
                     fill_at = inject_reg - BaseReg[RegBits-1:0];
  wire inject = here && (inject_head || inject_tail);
  always @(posedge clk_i) if (rst_ni) begin
    if ((s3_q && (drop_q || (s3_warp_q == the_warp && (!in_q || last_q))))
        || (fault && fault_warp == the_warp) || clear)
      on_q <= 1'b0;
    else if (lead) on_q <= regular || start;
    if (lead) begin
      iter_q <= iter;
      if (!regular) full_q <= 6'd0;
    end
    gap_q <= gap;
    if (inject) begin
      full_q[fill_at[2:0]] <= 1'b1;
      for_q[fill_at[2:0]*2 +: 2] <= iter + gap;
      lanes_q[fill_at[2:0]*Lanes +: Lanes] <= mask;
    end
  end
  `WF_ASSERT(move_full, !(here && move && mask_q != '0) || (entry < 6 && full_q[entry[2:0]]),
             "a move reads an entry that was filled since the last start")
  `WF_ASSERT(move_iteration, !(here && move && mask_q != '0) || for_q[entry[2:0]*2 +: 2] == iter,
             "and that was filled for this very iteration")
  `WF_ASSERT(move_lanes, !(here && move) || (mask_q & ~lanes_q[entry[2:0]*Lanes +: Lanes]) == '0,
             "and for every lane that runs it")
  `WF_ASSERT(move_known, !(here && move) || on_q, "only a warp that prefetches moves")
  // The lanes whose count is not 0, as the instruction in S3 found them.
  reg [Lanes-1:0] on_c, go_q;
  always @(*) for (int i = 0; i < Lanes; i = i + 1) on_c[i] = row[i*4 +: 4] != 4'd0;
  always @(posedge clk_i) if (rst_ni) go_q <= on_c;
  `WF_ASSERT(regular_lanes, !(lead && regular) || mask_q == go_q,
             "an iteration is regular if exactly the lanes that go on run it")
  // Counts and list entries behind a prefetch.
  reg [Lanes*4-1:0] counts_q;  // as the instruction in S3 found them
  always @(posedge clk_i) if (rst_ni) counts_q <= row;
  wire [1:0] ahead = leader_q ? offset[3:2] : gap_q;
  wire [RegBits-1:0] index_at = index - BaseReg[RegBits-1:0];
  reg [Lanes-1:0] beyond_c;
  always @(*) for (int i = 0; i < Lanes; i = i + 1)
    beyond_c[i] = counts_q[i*4 +: 4] > {2'd0, ahead};
  `WF_ASSERT(lanes_beyond, !inject || mask == beyond_c,
             "prefetches are for the lanes whose counts are beyond the distance, and no others")
  `WF_ASSERT(index_ready, !(here && inject_tail)
             || (index_at < 6 && full_q[index_at[2:0]] && for_q[index_at[2:0]*2 +: 2] == iter + gap
                 && (mask & ~lanes_q[index_at[2:0]*Lanes +: Lanes]) == '0),
             "a tail's index was prefetched for the same iteration and lanes")
  `WF_ASSERT(named, !(inject_head || inject_tail) || fill_at < 6,
             "only spare registers are written")
  `WF_COVER(moves, here && move && leader_q)
  `WF_COVER(moves_tail, here && move && tail_q)
  `WF_COVER(broken, here && broke)
  wire unused = &{1'b0, slot, ask, index, offset, mask_q, mask, reg_v};
endmodule
`default_nettype wire
