// spref_warp: what each warp is doing in the loop, and so what becomes of each of its instructions.
//
// A warp's iteration begins with its leader, the first head-load. It is regular if since the leader
// before every instruction that moves an address ran once, by exactly the lanes that go on, and
// what it moved was not overwritten before its last use (if it was, no prefetch begins with the
// next leader, whose own address may be made of it). A regular warp that has prefetched for
// `distance` iterations reads its spare registers instead of memory; at the first irregularity all
// that it prefetched is forgotten, and it begins anew at the next leader. Entry `phase` of each
// load's circular list belongs to the present iteration and is filled again, once read, for the
// iteration that is `distance` ahead: write and read pointers coincide, and all lists of a warp
// share them. Ids need no storage: list k of a warp begins at base + distance * first[k].
//
// Timing: S2 takes the row of counts, S3 decides; the word of a warp is read at the edge into S3,
// and that of the instruction before is forwarded. Actions of events and counts are those of the
// edge after S3 of the instruction taken with them, and after it.
// Storage: NumWarp * WordBits of RAM (WordBits = 18 + CritW), flops: NumWarp * 5.
//
// Rules
//   1 Only lanes that go on are prefetched for.
//   2 No register below base, or above the last spare one, is named.
//   3 A move reads what was prefetched distance iterations ago, of a regular iteration.
//   4 A tail's index is none of the registers that the tail is loaded into.
`default_nettype none
`include "wf_assert.vh"

module spref_warp #(
  parameter integer NumWarp = 48,
  parameter integer Lanes = 32,
  parameter integer RegBits = 6,
  parameter integer CritW = 4,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  // levels
  input  wire [1:0]          distance_i,    // 0: by the mean count
  input  wire [RegBits:0]    base_i,        // first spare register
  input  wire [RegBits:0]    spare_i,
  // S2
  input  wire                s2_i,
  input  wire [WarpW-1:0]    s2_warp_i,
  input  wire [Lanes-1:0]    s2_mask_i,
  input  wire [Lanes*4-1:0]  s2_row_i,  // bit k of all lanes' counts: [k*Lanes +: Lanes]
  // S3: what the instruction is
  input  wire                s3_i,
  input  wire [WarpW-1:0]    s3_warp_i,
  input  wire                counted_i,   // its operands will come
  input  wire                in_loop_i,
  input  wire                leader_i,
  input  wire                head1_i,
  input  wire [1:0]          tail_i,
  input  wire                crit_i,
  input  wire                test_i,
  input  wire                pre_i,
  input  wire                clobber_i,
  input  wire                drop_i,
  input  wire                last_i,      // the warp ends with it
  input  wire [15:0]         imm_i,
  // table
  input  wire [1:0]          tail_v_i,
  input  wire [1:0]          head_wide_i,
  input  wire [1:0]          tail_wide_i,
  input  wire [31:0]         stride_i,
  input  wire [CritW-1:0]    ncrit_i,
  input  wire [3*CritW-1:0]  pos_i,
  input  wire [11:0]         first_i,
  input  wire [3:0]          has_reg_i,
  input  wire [1:0]          dmax_i,
  // later: counts that came, a prefetch that failed, a new kernel
  input  wire                set_i,
  input  wire [WarpW-1:0]    set_warp_i,
  input  wire [1:0]          set_class_i,
  input  wire                fault_i,
  input  wire [WarpW-1:0]    fault_warp_i,
  input  wire                clear_i,
  // S3: the answer
  output wire [NumWarp-1:0]  alive_o,   // warps that are in the loop
  output wire                move_o,
  output wire [RegBits-1:0]  move_reg_o,
  output wire                inject_head_o,
  output wire                inject_tail_o,
  output wire                inject_slot_o,
  output wire                inject_reg_v_o,
  output wire [RegBits-1:0]  inject_reg_o,
  output wire [RegBits-1:0]  index_o,
  output wire [18:0]         offset_o,
  output wire [Lanes-1:0]    mask_o,
  output wire                ask_o,
  output wire                regular_o,
  output wire                start_o,
  output wire                break_o
);
  localparam integer WordBits = 18 + CritW;
  initial if (NumWarp < 1 || NumWarp > 64) $fatal(1, "spref_warp: NumWarp must be 1..64");

  // S2: lanes that go on, against those that run.
  wire [Lanes-1:0] n0 = s2_row_i[0 +: Lanes], n1 = s2_row_i[Lanes +: Lanes],
                   n2 = s2_row_i[2*Lanes +: Lanes], n3 = s2_row_i[3*Lanes +: Lanes];
  wire [Lanes-1:0] on = n3 | n2 | n1 | n0;
  reg same_q, within_q;
  reg [Lanes-1:0] more1_q, more2_q, more3_q;
  always_ff @(posedge clk_i) if (s2_i) begin
    same_q <= on == s2_mask_i;
    within_q <= (s2_mask_i & ~on) == '0;
    more1_q <= n3 | n2 | n1;
    more2_q <= n3 | n2 | (n1 & n0);
    more3_q <= n3 | n2;
  end

  // S3: the warp's word.
  reg [NumWarp-1:0] alive_q, known_q, pend_q;
  reg [2*NumWarp-1:0] class_q;
  wire [WordBits-1:0] stored;
  reg wrote_q;
  reg [WarpW-1:0] wrote_warp_q;
  reg [WordBits-1:0] wrote_word_q;
  wire [WordBits-1:0] word = wrote_q && wrote_warp_q == s3_warp_i ? wrote_word_q : stored;
  wire alive = alive_q[s3_warp_i], known = known_q[s3_warp_i];
  wire [1:0] mean = class_q[s3_warp_i*2 +: 2];
  wire [CritW-1:0] done_n = word[18 +: CritW];  // instructions that must run, which did
  wire [1:0] gap = word[17:16];
  wire [1:0] fill = word[15:14];                // iterations prefetched for
  wire [1:0] phase = word[13:12];
  wire bad = !alive || word[11];
  wire moving = word[10];
  wire [1:0] seen = word[9:8];
  wire spoilt = alive && word[6];               // an address was tampered with since the leader
  // Entries of the tails' lists that are filled: 3 bits each.
  wire [5:0] ready = word[5:0];
  wire unused_word = &{1'b0, word[7]};

  wire here = s3_i && in_loop_i && !drop_i;
  wire leader = here && leader_i;
  wire [1:0] want = distance_i != 2'd0 ? distance_i : mean;
  wire [1:0] pick = want < dmax_i ? want : dmax_i;
  wire counts = known && same_q;
  wire regular = leader && !bad && done_n == ncrit_i && counts;
  wire begins = leader && counts && !spoilt;    // prefetches from here on
  wire [1:0] now_dist = regular ? gap : pick;
  wire wraps = phase + 2'd1 >= now_dist;
  wire [1:0] now_phase = !leader ? phase : regular && !wraps ? phase + 2'd1 : 2'd0;
  wire [1:0] now_fill = !leader ? fill : !regular ? 2'd1 : fill == now_dist ? fill : fill + 2'd1;
  wire now_moving = leader ? regular && fill == gap : moving;
  wire [1:0] d = leader ? now_dist : gap;
  wire [Lanes-1:0] more = d == 2'd1 ? more1_q : d == 2'd2 ? more2_q : more3_q;
  wire some = more != '0;

  wire [CritW-1:0] pos_h1 = pos_i[0 +: CritW];
  wire second = here && head1_i && !bad && counts && done_n == pos_h1;
  wire [1:0] tails = {2{here && !bad && known && within_q}} & tail_i & ~seen
                     & {done_n == pos_i[2*CritW +: CritW], done_n == pos_i[CritW +: CritW]};
  wire slot = head1_i || tail_i[1];
  wire is_tail = tail_i != 2'd0;
  wire tail_ready = slot ? ready[3'(phase) + 3'd3] : ready[3'(phase)];

  // Registers.
  wire [3:0] has = has_reg_i;
  wire own_reg = is_tail ? (slot ? has[3] : has[1]) : (slot ? has[2] : has[0]);
  wire head_reg = slot ? has[2] : has[0];
  wire [2:0] own_first = is_tail ? (slot ? first_i[11:9] : first_i[5:3])
                         : (slot ? first_i[8:6] : first_i[2:0]);
  wire [2:0] head_first = slot ? first_i[8:6] : first_i[2:0];
  wire own_wide = is_tail ? tail_wide_i[slot] : head_wide_i[slot];
  wire [4:0] own_list = d == 2'd1 ? {2'd0, own_first}
                        : d == 2'd2 ? {1'b0, own_first, 1'b0}
                        : {1'b0, own_first, 1'b0} + {2'd0, own_first};
  wire [4:0] head_list = d == 2'd1 ? {2'd0, head_first}
                         : d == 2'd2 ? {1'b0, head_first, 1'b0}
                         : {1'b0, head_first, 1'b0} + {2'd0, head_first};
  wire [4:0] own_at = own_list + (own_wide ? {2'd0, now_phase, 1'b0} : {3'd0, now_phase});
  wire [4:0] head_at = head_list
                       + (head_wide_i[slot] ? {2'd0, now_phase, 1'b0} : {3'd0, now_phase});
  localparam integer IdW = RegBits + 2;
  wire [IdW-1:0] own_id = IdW'(base_i) + IdW'(own_at), head_id = IdW'(base_i) + IdW'(head_at);

  assign alive_o = alive_q;
  wire head_go = begins || second, tail_go = tails != 2'd0;
  assign move_o = own_reg && ((head_go && now_moving) || (tail_go && tail_ready));
  assign move_reg_o = own_id[RegBits-1:0];
  assign inject_head_o = head_go && some;
  assign inject_tail_o = tail_go && some && head_reg;
  assign inject_slot_o = slot;
  assign inject_reg_v_o = own_reg;
  assign inject_reg_o = own_id[RegBits-1:0];
  assign index_o = head_id[RegBits-1:0];
  wire signed [15:0] stride = slot ? stride_i[31:16] : stride_i[15:0];
  wire signed [18:0] step = {{3{stride[15]}}, stride};
  wire signed [18:0] ahead = d == 2'd1 ? step : d == 2'd2 ? step <<< 1 : step + (step <<< 1);
  assign offset_o = is_tail ? '0 : ahead + {{3{imm_i[15]}}, imm_i};
  assign mask_o = more;
  wire asks = (here && test_i) || (s3_i && pre_i && !drop_i);
  assign ask_o = asks && counted_i;
  assign regular_o = regular;
  assign start_o = begins && !regular;

  // The word after it.
  wire must = here && !leader_i && (crit_i || test_i);
  wire ran = must && !bad && (test_i ? within_q && known : counts);
  wire breaks = here && !bad && (clobber_i || (must && !ran) || (head1_i && !second && !leader_i)
                                 || (is_tail && !within_q));
  assign break_o = breaks || (leader && !bad && !regular);
  // A tail that did not run: its entry is of an old iteration.
  wire [1:0] lost = {2{leader && regular}} & ~seen;
  wire [2:0] entry = 3'd1 << phase;
  wire [5:0] ready_gone = {{3{lost[1] || tails[1]}} & entry, {3{lost[0] || tails[0]}} & entry};
  wire [5:0] ready_new = {6{inject_tail_o}} & {{3{tails[1]}} & entry, {3{tails[0]}} & entry};
  wire [5:0] now_ready = leader && !regular ? 6'd0 : (ready & ~ready_gone) | ready_new;
  wire now_bad = leader ? !begins : bad || breaks;
  wire [CritW-1:0] now_done = leader ? '0 : ran ? done_n + 1'b1 : done_n;
  wire [1:0] now_seen = leader ? ~tail_v_i : seen | tails;
  wire now_spoilt = here && !leader && (spoilt || clobber_i);
  wire [WordBits-1:0] now_word = {now_done, d, now_fill, now_phase, now_bad, now_moving, now_seen,
                                  1'b0, now_spoilt, now_ready};

  wf_ram_1r1w #(.Width(WordBits), .Depth(NumWarp)) u_words (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(here), .wr_addr_i(s3_warp_i), .wr_mask_i(1'b1),
    .wr_data_i(now_word), .rd_en_i(s2_i), .rd_addr_i(s2_warp_i), .rd_data_o(stored)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wrote_q <= 1'b0;
    else wrote_q <= here;
  end
  always_ff @(posedge clk_i) if (here) begin
    wrote_warp_q <= s3_warp_i;
    wrote_word_q <= now_word;
  end

  // Flags. Of one edge: the instruction, then counts, then what forgets.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      alive_q <= '0;
      known_q <= '0;
      pend_q <= '0;
    end else begin
      if (s3_i && drop_i) begin
        alive_q <= '0;
        known_q <= '0;
        pend_q <= '0;
      end else if (s3_i) begin
        alive_q[s3_warp_i] <= in_loop_i;
        if (alive && !in_loop_i) begin
          known_q[s3_warp_i] <= 1'b0;
          pend_q[s3_warp_i] <= 1'b0;
        end
        if (asks) begin
          known_q[s3_warp_i] <= 1'b0;
          pend_q[s3_warp_i] <= counted_i;
        end
      end
      if (set_i && pend_q[set_warp_i] && !(s3_i && drop_i)) begin
        known_q[set_warp_i] <= 1'b1;
        pend_q[set_warp_i] <= 1'b0;
      end
      if (s3_i && last_i) begin
        alive_q[s3_warp_i] <= 1'b0;
        known_q[s3_warp_i] <= 1'b0;
        pend_q[s3_warp_i] <= 1'b0;
      end
      if (fault_i) begin  // without counts nothing is replaced, and what must run breaks
        known_q[fault_warp_i] <= 1'b0;
        pend_q[fault_warp_i] <= 1'b0;
      end
      if (clear_i) begin
        alive_q <= '0;
        known_q <= '0;
        pend_q <= '0;
      end
    end
  end
  always_ff @(posedge clk_i)
    if (set_i && pend_q[set_warp_i]) class_q[set_warp_i*2 +: 2] <= set_class_i;

  `WF_ASSERT(rule1_lanes, !(inject_head_o || inject_tail_o) || some,
             "Rule 1: only lanes that go on are prefetched for")
  `WF_ASSERT(rule2_spare, !((inject_head_o || inject_tail_o || move_o) && own_reg)
             || (own_at + 5'(own_wide) < 5'd31 && IdW'(own_at) + IdW'(own_wide) < IdW'(spare_i)),
             "Rule 2: only spare registers are named")
  `WF_ASSERT(rule2_index, !inject_tail_o || IdW'(head_at) + IdW'(head_wide_i[slot]) < IdW'(spare_i),
             "Rule 2: a tail's index is in a spare register")
  `WF_ASSERT(rule3_move, !move_o || (alive && known && within_q),
             "Rule 3: a move is of a warp whose counts are known")
  `WF_ASSERT(rule3_phase, !head_go || now_phase < d, "Rule 3: the phase is below the distance")
  `WF_ASSERT(rule4_index, !(inject_tail_o && own_reg) || own_at > head_at + 5'(head_wide_i[slot]),
             "Rule 4: a tail's index is not its own register")
  wire unused = &{1'b0, own_id, head_id, spare_i};
endmodule
`default_nettype wire
