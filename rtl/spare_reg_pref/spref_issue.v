// spref_issue: which loads may issue, and as what. It keeps the answer of each warp's load until
// that issues, and of each spare register whether a prefetch into it is under way and whether it
// has failed (the marks). A load may issue (go_o) when the register that it moves from, or that its
// injected load writes, has come, no tail still has to read that register as its index, and a place
// is free (spref_wait). A move from a register whose prefetch has failed is the load itself.
//
// Marks are in a RAM with one read and one write port, so one event at a time is worked off: an
// answer, a load that issues (ld), a prefetch that came or failed (done), a tail whose index has
// failed, an index that was read. S1 reads the warp's marks and answer, S2 decides and writes them.
// Where several wait, an answer that is taken goes first, and then lets others pass (pause_o).
//
// Spare registers are fewer than 32: the low bits of a number name one.
//
// A load that overwrites the base of the one that it injects brings that base (ld_over_i).
//
// Parameters: those of spare_reg_pref. Storage: RAM NumWarp * (2 * 2^MarkW + AnsW), spref_wait's;
//   flops: 5 * NumWarp + 2 * 2^MarkW, some 80.
//
// Rules
//   1 A load issues only while its warp's go_o is high.
//   2 A warp is below NumWarp.
//   3 An idle unit holds nothing.
//   4 A tail's index is not its own register (spref_warp).
//   5 A load brings its base if its answer says that it overwrites it, and only then.
`default_nettype none
`include "wf_assert.vh"

module spref_issue #(
  parameter integer NumWarp = 48,
  parameter integer Lanes = 32,
  parameter integer RegBits = 6,
  parameter integer AddrBits = 40,
  parameter integer Waiting = 16,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer SlotW = Waiting > 1 ? $clog2(Waiting) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                clear_i,        // a new kernel; nothing is inside
  // a load's answer is offered, and taken
  input  wire                ans_valid_i,
  input  wire                ans_take_i,
  input  wire [WarpW-1:0]    ans_warp_i,
  input  wire                ans_move_i,
  input  wire                ans_inject_i,
  input  wire                ans_tail_i,
  input  wire                ans_reg_v_i,
  input  wire [RegBits-1:0]  ans_reg_i,      // of the move and of the injected load
  input  wire                ans_base_v_i,
  input  wire                ans_over_i,
  input  wire [RegBits-1:0]  ans_base_i,
  input  wire [RegBits-1:0]  ans_index_i,
  input  wire [3:0]          ans_scale_i,
  input  wire [1:0]          ans_ext_i,
  input  wire [18:0]         ans_offset_i,
  input  wire [Lanes-1:0]    ans_mask_i,
  output wire                pause_o,        // no answer is offered now
  // loads that may issue; one that does
  output wire [NumWarp-1:0]  go_o,
  output wire [NumWarp-1:0]  move_o,
  output wire [NumWarp-1:0]  inject_o,       // their load injects another
  input  wire                ld_valid_i,
  output wire                ld_ready_o,
  input  wire [WarpW-1:0]    ld_warp_i,
  input  wire [3:0]          ld_type_i,      // returned with the load that it injects
  input  wire                ld_inject_i,    // inject_o names the warp
  input  wire                ld_over_i,      // with the base that it overwrites
  input  wire                ld_far_i,
  input  wire [Lanes*AddrBits-1:0] ld_addr_i,
  output wire [SlotW-1:0]    ld_slot_o,      // the place of the load that it injects
  // a prefetch into a register has come, or failed
  input  wire                done_valid_i,
  output wire                done_ready_o,
  input  wire [WarpW-1:0]    done_warp_i,
  input  wire [RegBits-1:0]  done_reg_i,
  input  wire                done_fault_i,
  // what warps write: spref_wait
  input  wire [NumWarp-1:0]  issued_i,
  input  wire                next_valid_i,
  input  wire [WarpW-1:0]    next_warp_i,
  input  wire                next_dst_v_i,
  input  wire                next_all_i,
  input  wire [RegBits-1:0]  next_dst_i,
  output wire [NumWarp-1:0]  ask_o,
  output wire [NumWarp-1:0]  hold_o,
  output wire [NumWarp-1:0]  wait_o,
  // injected loads
  output wire                inj_valid_o,
  input  wire                inj_ready_i,
  output wire                inj_add_o,
  output wire                inj_sum_o,
  output wire [SlotW-1:0]    inj_slot_o,
  output wire [WarpW-1:0]    inj_warp_o,
  output wire [3:0]          inj_type_o,
  output wire                inj_reg_v_o,
  output wire [RegBits-1:0]  inj_reg_o,
  output wire                inj_base_v_o,
  output wire [RegBits-1:0]  inj_base_o,
  output wire [RegBits-1:0]  inj_index_o,
  output wire [3:0]          inj_scale_o,
  output wire [1:0]          inj_ext_o,
  output wire [18:0]         inj_offset_o,
  output wire [Lanes-1:0]    inj_mask_o,
  output wire                inj_far_o,
  output wire [Lanes*AddrBits-1:0] inj_addr_o,
  input  wire                sum_valid_i,
  output wire                sum_ready_o,
  input  wire [SlotW-1:0]    sum_slot_i,
  input  wire                sum_far_i,
  input  wire [Lanes*AddrBits-1:0] sum_addr_i,
  output wire                still_o,        // at the edge before no offer changed
  output wire                rests_o,        // nothing else changes without an input
  output wire                idle_o
);
  localparam integer MarkW = RegBits < 5 ? RegBits : 5;
  localparam integer Marks = 1 << MarkW;
  localparam integer AnsW = 6 + 3*RegBits + 4 + 2 + 19 + Lanes;
  function automatic [Marks-1:0] bit_of(input [MarkW-1:0] number);
    bit_of = Marks'(1) << number;
  endfunction

  // What came and waits for its turn.
  reg awake_q;  // not in reset
  reg ld_q, ld_inject_q, done_q, done_fault_q, again_q, pause_q;
  reg [WarpW-1:0] ld_warp_q, done_warp_q, again_warp_q;
  reg [RegBits-1:0] done_reg_q;
  reg [SlotW-1:0] ld_slot_q;
  reg [3:0] ld_type_q;
  reg [NumWarp-1:0] have_q, go_q, move_q, inject_q, marked_q;
  wire full, empty, dead;
  assign ld_ready_o = awake_q && !ld_q;
  assign done_ready_o = awake_q && !done_q;
  wire ld_take = ld_valid_i && ld_ready_o, done_take = done_valid_i && done_ready_o;
  wire claim = ld_take && ld_inject_i;
  assign inject_o = inject_q;
  reg full_q;  // an edge late: loads issue at each second one
  assign go_o = go_q & ~(inject_q & {NumWarp{full_q}});
  assign move_o = move_q;

  // S1
  wire s1_ans = ans_take_i;
  wire s1_ld = ld_q && !s1_ans;
  wire s1_done = done_q && !s1_ans && !ld_q;
  wire s1_dead = dead && !s1_ans && !ld_q && !done_q;
  wire s1_again = again_q && !s1_ans && !ld_q && !done_q && !dead;
  wire s1 = s1_ans || s1_ld || s1_done || s1_dead || s1_again;
  wire [WarpW-1:0] s1_warp = s1_ans ? ans_warp_i : ld_q ? ld_warp_q : done_q ? done_warp_q
                             : dead ? inj_warp_o : again_warp_q;
  wire inj_add_take = inj_valid_o && inj_ready_i && inj_add_o;
  assign pause_o = pause_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      awake_q <= 1'b0;
      full_q <= 1'b0;
      ld_q <= 1'b0;
      done_q <= 1'b0;
      again_q <= 1'b0;
      pause_q <= 1'b0;
    end else begin
      awake_q <= 1'b1;
      full_q <= full;
      if (ld_take || s1_ld) ld_q <= ld_take;
      if (done_take || s1_done) done_q <= done_take;
      if (inj_add_take || s1_again) again_q <= inj_add_take;
      pause_q <= ((ld_q && !s1_ld) || (done_q && !s1_done)) && !(ans_valid_i && !ans_take_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (ld_take) begin
      ld_warp_q <= ld_warp_i;
      ld_slot_q <= ld_slot_o;
      ld_type_q <= ld_type_i;
      ld_inject_q <= ld_inject_i;
    end
    if (done_take) begin
      done_warp_q <= done_warp_i;
      done_reg_q <= done_reg_i;
      done_fault_q <= done_fault_i;
    end
    if (inj_add_take) again_warp_q <= inj_warp_o;
  end

  // S2: the warp's answer and marks.
  reg s2_q, s2_ans_q, s2_ld_q, s2_inject_q, s2_came_q, s2_bad_q;
  reg [WarpW-1:0] s2_warp_q;
  reg [RegBits-1:0] s2_reg_q;      // that came or failed
  reg [SlotW-1:0] s2_slot_q;
  reg [3:0] s2_type_q;
  reg new_move_q, new_inject_q, new_reg_v_q;
  reg [RegBits-1:0] new_reg_q;     // of the answer that is taken
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) s2_q <= 1'b0;
    else s2_q <= s1;
  end
  always_ff @(posedge clk_i) if (s1) begin
    s2_ans_q <= s1_ans;
    s2_ld_q <= s1_ld;
    s2_inject_q <= s1_ld && ld_inject_q;
    s2_came_q <= s1_done || (s1_dead && inj_reg_v_o);
    s2_bad_q <= s1_dead || done_fault_q;
    s2_warp_q <= s1_warp;
    s2_reg_q <= s1_dead ? inj_reg_o : done_reg_q;
    s2_slot_q <= ld_slot_q;
    s2_type_q <= ld_type_q;
    new_move_q <= ans_move_i;
    new_inject_q <= ans_inject_i;
    new_reg_v_q <= ans_reg_v_i;
    new_reg_q <= ans_reg_i;
  end
  wire a_move, a_inject, a_tail, a_reg_v, a_base_v, a_over;
  wire [RegBits-1:0] a_reg, a_base, a_index;
  wire [3:0] a_scale;
  wire [1:0] a_ext;
  wire [18:0] a_offset;
  wire [Lanes-1:0] a_mask;
  wf_ram_1r1w #(.Width(AnsW), .Depth(NumWarp)) u_answers (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(s1_ans), .wr_addr_i(ans_warp_i), .wr_mask_i(1'b1),
    .wr_data_i({ans_move_i, ans_inject_i, ans_tail_i, ans_reg_v_i, ans_base_v_i, ans_over_i,
                ans_reg_i, ans_base_i, ans_index_i, ans_scale_i, ans_ext_i, ans_offset_i,
                ans_mask_i}),
    .rd_en_i(s1 && !s1_ans), .rd_addr_i(s1_warp),
    .rd_data_o({a_move, a_inject, a_tail, a_reg_v, a_base_v, a_over, a_reg, a_base, a_index,
                a_scale, a_ext, a_offset, a_mask})
  );
  wire [2*Marks-1:0] stored, marks_new;
  reg wrote_q;
  reg [WarpW-1:0] wrote_warp_q;
  reg [2*Marks-1:0] wrote_marks_q;
  wire [2*Marks-1:0] marks = !marked_q[s2_warp_q] ? '0
                             : wrote_q && wrote_warp_q == s2_warp_q ? wrote_marks_q : stored;
  wire [Marks-1:0] coming = marks[Marks-1:0], failed = marks[2*Marks-1:Marks];
  wire s2_ld = s2_q && s2_ld_q, s2_came = s2_q && s2_came_q;

  // A load issues. What would read a register that has failed fails itself.
  wire index_failed = a_tail && (failed & bit_of(MarkW'(a_index))) != '0;
  wire index_there = (coming & bit_of(MarkW'(a_index))) == '0;
  wire put = s2_ld && a_inject && !index_failed, drop = s2_ld && a_inject && index_failed;
  wire writes = s2_ld && a_inject && a_reg_v;
  wire [Marks-1:0] came_bit = bit_of(MarkW'(s2_reg_q)) & {Marks{s2_came}},
                   ld_bit = bit_of(MarkW'(a_reg)) & {Marks{writes}};
  wire [Marks-1:0] coming_new = (coming & ~came_bit & ~ld_bit) | (ld_bit & {Marks{put}});
  wire [Marks-1:0] failed_new = (failed & ~came_bit & ~ld_bit) | (came_bit & {Marks{s2_bad_q}})
                                | (ld_bit & {Marks{drop}});
  assign marks_new = {failed_new, coming_new};
  wire marks_write = s2_came || writes;
  wf_ram_1r1w #(.Width(2*Marks), .Depth(NumWarp)) u_marks (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(marks_write), .wr_addr_i(s2_warp_q), .wr_mask_i(1'b1),
    .wr_data_i(marks_new), .rd_en_i(s1), .rd_addr_i(s1_warp), .rd_data_o(stored)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wrote_q <= 1'b0;
    else wrote_q <= marks_write;
  end
  always_ff @(posedge clk_i) if (marks_write) begin
    wrote_warp_q <= s2_warp_q;
    wrote_marks_q <= marks_new;
  end

  // May the warp's load issue now, and as what?
  wire e_move = s2_ans_q ? new_move_q : a_move, e_inject = s2_ans_q ? new_inject_q : a_inject;
  wire e_reg_v = s2_ans_q ? new_reg_v_q : a_reg_v;
  wire [RegBits-1:0] e_reg = s2_ans_q ? new_reg_q : a_reg;
  wire [Marks-1:0] e_bit = bit_of(MarkW'(e_reg));
  wire moves = e_move && (failed_new & e_bit) == '0;
  wire writes_it = e_inject && e_reg_v;
  wire still_read;
  wire go = !((moves || writes_it) && (coming_new & e_bit) != '0) && !(writes_it && still_read);
  wire plain = !ans_move_i && !ans_inject_i;  // there is nothing to wait for
  wire judged = s2_q && !s2_ld_q && (s2_ans_q || have_q[s2_warp_q]);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      have_q <= '0;
      go_q <= '0;
      marked_q <= '0;
    end else begin
      if (marks_write) marked_q[s2_warp_q] <= 1'b1;
      if (s1_ans) begin
        have_q[ans_warp_i] <= plain;
        go_q[ans_warp_i] <= plain;
      end
      if (judged) begin
        have_q[s2_warp_q] <= 1'b1;
        go_q[s2_warp_q] <= go;
      end
      if (ld_take) begin
        have_q[ld_warp_i] <= 1'b0;
        go_q[ld_warp_i] <= 1'b0;
      end
      if (clear_i) begin
        have_q <= '0;
        go_q <= '0;
        marked_q <= '0;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      move_q <= '0;
      inject_q <= '0;
    end else begin
      if (s1_ans) begin
        move_q[ans_warp_i] <= 1'b0;
        inject_q[ans_warp_i] <= ans_inject_i;
      end
      if (judged) move_q[s2_warp_q] <= moves;
    end
  end

  // A load that issued and injects: until its place is filled, or let go, its warp does nothing.
  // All is told an edge late; for the edge at which a warp issues the SM holds it.
  wire [NumWarp-1:0] held, waits;
  reg [NumWarp-1:0] held_q, waits_q;
  wire [NumWarp-1:0] brings = (ld_q && ld_inject_q ? NumWarp'(1) << ld_warp_q : '0)
                              | (s2_q && s2_inject_q ? NumWarp'(1) << s2_warp_q : '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
      waits_q <= '0;
    end else begin
      held_q <= held | brings;
      waits_q <= waits | brings;
    end
  end
  assign hold_o = held_q;
  assign wait_o = waits_q;
  wire room_ready;
  assign sum_ready_o = awake_q && room_ready;
  spref_wait #(
    .NumWarp(NumWarp), .Lanes(Lanes), .RegBits(RegBits), .AddrBits(AddrBits), .Waiting(Waiting)
  ) u_wait (
    .clk_i(clk_i), .rst_ni(rst_ni), .claim_i(claim), .base_i(claim && ld_over_i),
    .base_far_i(ld_far_i), .base_addr_i(ld_addr_i), .claim_slot_o(ld_slot_o), .full_o(full),
    .empty_o(empty), .drop_i(drop), .put_i(put), .put_slot_i(s2_slot_q), .put_warp_i(s2_warp_q),
    .put_type_i(s2_type_q), .put_tail_i(a_tail), .put_there_i(index_there),
    .put_reg_v_i(a_reg_v), .put_reg_i(a_reg),
    .put_base_v_i(a_base_v), .put_over_i(a_over), .put_base_i(a_base), .put_index_i(a_index),
    .put_scale_i(a_scale), .put_ext_i(a_ext), .put_offset_i(a_offset), .put_mask_i(a_mask),
    .came_i(s2_came), .came_warp_i(s2_warp_q), .came_reg_i(s2_reg_q), .came_bad_i(s2_bad_q),
    .look_warp_i(s2_warp_q), .look_reg_i(e_reg), .look_busy_o(still_read), .issued_i(issued_i),
    .next_valid_i(next_valid_i), .next_warp_i(next_warp_i), .next_dst_v_i(next_dst_v_i),
    .next_all_i(next_all_i), .next_dst_i(next_dst_i), .ask_o(ask_o), .hold_o(held),
    .wait_o(waits), .may_add_i(!again_q),
    .inj_valid_o(inj_valid_o), .inj_ready_i(inj_ready_i), .inj_add_o(inj_add_o),
    .inj_sum_o(inj_sum_o), .inj_slot_o(inj_slot_o), .inj_warp_o(inj_warp_o),
    .inj_type_o(inj_type_o), .inj_reg_v_o(inj_reg_v_o), .inj_reg_o(inj_reg_o),
    .inj_base_v_o(inj_base_v_o),
    .inj_base_o(inj_base_o), .inj_index_o(inj_index_o), .inj_scale_o(inj_scale_o),
    .inj_ext_o(inj_ext_o), .inj_offset_o(inj_offset_o), .inj_mask_o(inj_mask_o),
    .inj_far_o(inj_far_o), .inj_addr_o(inj_addr_o), .sum_valid_i(sum_valid_i && awake_q),
    .sum_ready_o(room_ready), .sum_slot_i(sum_slot_i), .sum_far_i(sum_far_i),
    .sum_addr_i(sum_addr_i), .dead_o(dead), .dead_take_i(s1_dead),
    .still_o(still_o)
  );
  wire calm = !(ld_q || done_q || again_q || s2_q || pause_q);
  assign rests_o = calm && held_q == held && waits_q == waits && full_q == full;
  assign idle_o = calm && empty && held_q == '0 && waits_q == '0 && !full_q;

  wire [31:0] ld_warp_n = 32'(ld_warp_i);
  `WF_ASSUME(rule1_go, !ld_take || go_o[ld_warp_i],
             "Rule 1: a load issues only while its warp's go_o is high")
  `WF_ASSUME(rule1_inject, !ld_take || ld_inject_i == inject_q[ld_warp_i],
             "Rule 1: the SM says what inject_o does")
  `WF_ASSUME(rule2_warp, !ld_take || ld_warp_n < NumWarp, "Rule 2: a warp is below NumWarp")
  `WF_ASSERT(rule3_idle, !idle_o || (held | waits | brings) == '0,
             "Rule 3: an idle unit holds nothing")
  `WF_ASSUME(rule4_index, !(ans_valid_i && ans_tail_i && ans_reg_v_i) || ans_reg_i != ans_index_i,
             "Rule 4: a tail's index is not its own register")
`ifdef WF_ASSERT_LIVE
  reg ld_over_q, s2_over_q;  // what came with it
  always_ff @(posedge clk_i) begin
    if (ld_take) ld_over_q <= ld_over_i;
    if (s1) s2_over_q <= ld_over_q;
  end
  `WF_ASSUME(rule5_over, !(s2_ld && a_inject) || s2_over_q == a_over,
             "Rule 5: a load brings its base if its answer says that it overwrites it")
`endif
  wire unused = &{1'b0, ld_warp_n};
endmodule
`default_nettype wire
