// spref_issue with spref_wait: any answers, loads, offers taken and prefetches that come or fail. A
// warp, a spare register and a base, any, are followed: a move reads what came whole; the register
// is an index until it has been read; a base is read as it was when its load issued. So is a place:
// the address that its offer brings is the one that went in last, of the load that took it.
`default_nettype none
`include "wf_assert.vh"
module spref_issue_props #(
  parameter integer NumWarp = 2,
  parameter integer Lanes = 1,
  parameter integer RegBits = 3,
  parameter integer AddrBits = 1,
  parameter integer Waiting = 2
) (
  input wire clk_i, input wire ans_want, input wire stand, input wire ans_warp, input wire ans_move,
  input wire ans_inject, input wire ans_tail, input wire ans_reg_v, input wire ans_base_v,
  input wire ans_over, input wire [RegBits-1:0] ans_reg, input wire [RegBits-1:0] ans_base,
  input wire [RegBits-1:0] ans_index, input wire ld_want, input wire ld_warp, input wire done_want,
  input wire done_warp, input wire [RegBits-1:0] done_reg, input wire done_fault,
  input wire [NumWarp-1:0] issue_want, input wire next_want, input wire next_warp,
  input wire next_dst_v, input wire next_all, input wire [RegBits-1:0] next_dst,
  input wire inj_ready, input wire sum_want, input wire sum_new, input wire new_hits,
  input wire ld_far, input wire [Lanes*AddrBits-1:0] ld_addr, input wire sum_far,
  input wire [Lanes*AddrBits-1:0] sum_addr
);
`include "formal.vh"
  (* anyconst *) wire warp;
  (* anyconst *) wire [RegBits-1:0] r, base;
  wire pause, ld_ready, ld_slot, done_ready, inj_valid, add, sum, slot, inj_warp, reg_v, base_v;
  wire [NumWarp-1:0] go, moves, injects, ask, hold, waits;
  wire [RegBits-1:0] inj_reg, inj_base, index;
  wire [3:0] inj_type, scale;
  wire [1:0] ext;
  wire [18:0] offset;
  wire mask, idle;
  wire ans_valid = ans_want && !pause && rst_ni, ans_take = ans_valid && !stand;
  // As spref_edge: what a warp with a load that waits issues is told an edge later, and for two
  // edges it issues nothing more; nor does one that is asked about. Of a warp that was asked about
  // its next instruction is told at the edge behind; it is not asked about again then.
  reg [NumWarp-1:0] issued, seen_q, asked_q;
  initial {issued, seen_q, asked_q} = '0;
  wire [NumWarp-1:0] still = hold | issued | seen_q | ask;
  wire ld_valid = ld_want && rst_ni && go[ld_warp] && !still[ld_warp];
  wire ld_take = ld_valid && ld_ready;
  wire done_valid = done_want && rst_ni, done_take = done_valid && done_ready;
  wire next_valid = next_want && rst_ni && asked_q[next_warp];
  wire [NumWarp-1:0] ld_bit = NumWarp'(ld_take) << ld_warp,
                     issues = (issue_want & ~still & {NumWarp{rst_ni}}) | ld_bit;
  always @(posedge clk_i) if (rst_ni) begin
    issued <= (issues & waits) | ld_bit;
    seen_q <= issued;
    asked_q <= (ask | issued) & ~(NumWarp'(next_valid) << next_warp);
  end
  wire inj_take = inj_valid && inj_ready && rst_ni;
  reg [Waiting-1:0] sums_q;  // places that wait for their sum
  initial sums_q = '0;
  // A sum that is offered stands until it is taken.
  reg sum_held_q, sum_slot_q;
  initial sum_held_q = 1'b0;
  wire sum_slot = sum_held_q ? sum_slot_q : sum_new;
  wire sum_valid = (sum_want || sum_held_q) && rst_ni && sums_q[sum_slot];
  wire sum_ready, sum_take = sum_valid && sum_ready;
  always @(posedge clk_i) if (rst_ni) begin
    sum_held_q <= sum_valid && !sum_ready;
    sum_slot_q <= sum_slot;
    if (sum_take) sums_q[sum_slot] <= 1'b0;
    if (inj_take && add) sums_q[slot] <= 1'b1;
  end
  wire ld_here = ld_take && ld_warp == warp;
  // What each warp's answer says of its base.
  reg [NumWarp-1:0] over_q, overs_q;  // overwritten by a load that injects
  always @(posedge clk_i) if (rst_ni && ans_take) begin
    over_q[ans_warp] <= ans_over;
    overs_q[ans_warp] <= ans_inject && ans_over;
  end
  wire ld_over = over_q[ld_warp], far;
  wire [Lanes*AddrBits-1:0] addr;
  spref_issue #(
    .NumWarp(NumWarp), .Lanes(Lanes), .RegBits(RegBits), .AddrBits(AddrBits), .Waiting(Waiting)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(1'b0), .ans_valid_i(ans_valid),
    .ans_take_i(ans_take), .ans_warp_i(ans_warp), .ans_move_i(ans_move),
    .ans_inject_i(ans_inject), .ans_tail_i(ans_tail), .ans_reg_v_i(ans_reg_v),
    .ans_reg_i(ans_reg), .ans_base_v_i(ans_base_v), .ans_over_i(ans_over), .ans_base_i(ans_base),
    .ans_index_i(ans_index), .ans_scale_i(4'd0), .ans_ext_i(2'd0), .ans_offset_i(19'd0),
    .ans_mask_i(1'b1), .pause_o(pause), .go_o(go), .move_o(moves), .ld_valid_i(ld_valid),
    .ld_ready_o(ld_ready), .ld_warp_i(ld_warp), .ld_type_i(4'd0),
    .ld_inject_i(injects[ld_warp]), .inject_o(injects), .ld_over_i(ld_over), .ld_far_i(ld_far),
    .ld_addr_i(ld_addr), .ld_slot_o(ld_slot),
    .done_valid_i(done_valid), .done_ready_o(done_ready), .done_warp_i(done_warp),
    .done_reg_i(done_reg), .done_fault_i(done_fault), .issued_i(issued),
    .next_valid_i(next_valid), .next_warp_i(next_warp), .next_dst_v_i(next_dst_v),
    .next_all_i(next_all), .next_dst_i(next_dst), .ask_o(ask), .hold_o(hold), .wait_o(waits),
    .inj_valid_o(inj_valid), .inj_ready_i(inj_ready && rst_ni), .inj_add_o(add), .inj_sum_o(sum),
    .inj_slot_o(slot), .inj_warp_o(inj_warp), .inj_type_o(inj_type), .inj_reg_v_o(reg_v),
    .inj_reg_o(inj_reg), .inj_base_v_o(base_v), .inj_base_o(inj_base), .inj_index_o(index),
    .inj_scale_o(scale), .inj_ext_o(ext), .inj_offset_o(offset), .inj_mask_o(mask),
    .inj_far_o(far), .inj_addr_o(addr), .sum_valid_i(sum_valid), .sum_ready_o(sum_ready),
    .sum_slot_i(sum_slot), .sum_far_i(sum_far), .sum_addr_i(sum_addr), .idle_o(idle)
  );
  // The warp's answer: one at a time, that of its next load.
  reg have_q, a_move_q, a_inject_q, a_tail_q, a_reg_v_q, a_base_v_q;
  reg [RegBits-1:0] a_reg_q, a_base_q, a_index_q;
  initial have_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    if (ans_take && ans_warp == warp) begin
      have_q <= 1'b1;
      a_move_q <= ans_move;
      a_inject_q <= ans_inject;
      a_tail_q <= ans_tail;
      a_reg_v_q <= ans_reg_v;
      a_base_v_q <= ans_base_v && !ans_over;
      a_reg_q <= ans_reg;
      a_base_q <= ans_base;
      a_index_q <= ans_index;
    end
    if (ld_here) have_q <= 1'b0;
  end
  // Of any warp: one at a time, and edges after its last load issued (rule 9 of spare_reg_pref).
  reg [NumWarp-1:0] busy_q, last_q, older_q;
  initial busy_q = '0;
  initial last_q = '0;
  initial older_q = '0;
  always @(posedge clk_i) if (rst_ni) begin
    if (ans_take) busy_q[ans_warp] <= 1'b1;
    if (ld_take) busy_q[ld_warp] <= 1'b0;
    last_q <= NumWarp'(ld_take) << ld_warp;
    older_q <= last_q;
  end
  `WF_ASSUME(one_answer, !(ans_valid && (busy_q[ans_warp] || last_q[ans_warp]
                                         || older_q[ans_warp])),
             "a warp has one answer, which takes edges")
  wire brings = ld_here && a_inject_q && a_reg_v_q && a_reg_q == r;
  // The register: moves are from what was prefetched; what comes back was sent.
  reg ever_q, good_q, flight_q;
  initial ever_q = 1'b0;
  initial good_q = 1'b0;
  initial flight_q = 1'b0;
  wire done_here = done_take && done_warp == warp && done_reg == r;
  always @(posedge clk_i) if (rst_ni) begin
    if (brings) ever_q <= 1'b1;
    if (done_here) begin
      good_q <= !done_fault;
      flight_q <= 1'b0;
    end
    if (brings) good_q <= 1'b0;
    if (inj_take && !add && reg_v && inj_warp == warp && inj_reg == r) flight_q <= 1'b1;
  end
  `WF_ASSUME(was_sent, !(done_valid && done_warp == warp && done_reg == r) || flight_q,
             "what comes back was sent")
  `WF_ASSUME(own, !(ans_valid && ans_move && ans_warp == warp && ans_reg == r) || ever_q,
             "a move is from a register that was prefetched into")
  `WF_ASSERT(move_good, !(ld_here && moves[warp] && a_move_q && a_reg_q == r) || good_q,
             "a move reads what came whole")
  `WF_ASSERT(move_asked, !(ld_here && moves[warp]) || (have_q && a_move_q),
             "a load issues as a move if the answer says so")
  `WF_ASSERT(answered, !ld_here || have_q, "a load issues after its answer")
  // A place that reads the register as its index.
  reg reader_q, reader_slot_q;
  initial reader_q = 1'b0;
  wire frees = inj_take && slot == reader_slot_q;
  always @(posedge clk_i) if (rst_ni) begin
    if (frees && add) reader_q <= 1'b0;
    if (done_here && done_fault) reader_q <= 1'b0;
    if (ld_here && a_inject_q && a_tail_q && a_index_q == r && (good_q || !ever_q)) begin
      reader_q <= 1'b1;
      reader_slot_q <= ld_slot;
    end
  end
  `WF_ASSERT(index_stays, !(brings && reader_q), "an index is read before it is overwritten")
  `WF_ASSERT(index_came, !(inj_take && add && inj_warp == warp && index == r && ever_q) || good_q,
             "an index is read after it came")
  // A place that reads the base. The warp's next instruction writes it or not.
  reg base_q, base_slot_q, hits_q, spoilt_q;
  initial base_q = 1'b0;
  initial spoilt_q = 1'b0;
  wire gone = inj_take && slot == base_slot_q && base_v;
  always @(posedge clk_i) if (rst_ni) begin
    if (gone || (ld_take && ld_slot == base_slot_q)) base_q <= 1'b0;  // also of one that failed
    if (base_q && issues[warp] && hits_q) spoilt_q <= 1'b1;
    if (issues[warp]) hits_q <= new_hits;
    if (ld_here && a_inject_q && a_base_v_q && a_base_q == base && !base_q) begin
      base_q <= 1'b1;
      base_slot_q <= ld_slot;
      spoilt_q <= 1'b0;
    end
  end
  wire tells = next_all || (next_dst_v && next_dst[RegBits-1:1] == base[RegBits-1:1]);
  `WF_ASSUME(truth, !(next_valid && next_warp == warp) || tells == hits_q, "what is told is so")
  `WF_ASSERT(base_stays, !(gone && base_q) || !spoilt_q, "a base is read as it was")
  // A place, any: what went in comes out.
  (* anyconst *) wire place;
  reg in_q, far_in_q;
  reg [Lanes*AddrBits-1:0] in_addr_q;
  initial in_q = 1'b0;
  wire base_in = ld_take && overs_q[ld_warp] && ld_slot == place,
       sum_in = sum_take && sum_slot == place;
  always @(posedge clk_i) if (rst_ni) begin
    if (inj_take && !add && slot == place) in_q <= 1'b0;
    if (base_in || sum_in) begin
      in_q <= 1'b1;
      in_addr_q <= base_in ? ld_addr : sum_addr;
      far_in_q <= base_in ? ld_far : sum_far;
    end
  end
  wire out = inj_valid && rst_ni && sum && slot == place;
  `WF_ASSERT(address_in, !out || in_q, "an address that is offered went in")
  `WF_ASSERT(address_same, !(out && in_q) || (addr == in_addr_q && far == far_in_q),
             "an address comes out as it went in")
  `WF_ASSERT(sum_soon, !sum_valid || sum_ready || (ld_take && ld_over),
             "a sum waits for a base that comes, and nothing else")
  `WF_COVER(back, inj_take && sum && slot == place && in_q)
  `WF_COVER(waits, sum_valid && !sum_ready)
  `WF_COVER(moves_on, ld_here && moves[warp])
  `WF_COVER(adds, inj_take && add)
  `WF_COVER(sent, inj_take && !add && sum)
  `WF_COVER(held, hold[warp] && base_q)
  `WF_COVER(fails, done_take && done_fault && reader_q)
  wire unused = &{1'b0, inj_base, inj_type, scale, ext, offset, mask, idle};
endmodule
`default_nettype wire
