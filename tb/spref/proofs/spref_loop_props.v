// spref_loop, trained by any stream of instructions of two warps: a table is of a loop that was
// closed, its targets are loads that the followed warp ran in a whole pass, their bases are
// guarded, and what the other warp does between branches changes nothing.
`default_nettype none
`include "wf_assert.vh"
module spref_loop_props #(
  parameter integer RegBits = 2,
  parameter integer PcBits = 5,
  parameter integer OffBits = 4,
  parameter integer NumForm = 4,
  localparam integer CritW = $clog2(NumForm + 2)
) (
  input wire clk_i, input wire clear, input wire last, input wire valid,
  input wire warp, input wire [PcBits-1:0] pc, input wire [3:0] op, input wire guard,
  input wire gpred, input wire gneg, input wire dst_v, input wire [RegBits-1:0] next_dst,
  input wire [RegBits-1:0] next_a, input wire [RegBits-1:0] next_b, input wire [2:0] next_pair,
  input wire [1:0] bkind,
  input wire [15:0] imm, input wire [1:0] ext, input wire [3:0] sh, input wire wide,
  input wire [2:0] cmp, input wire pd_v, input wire pd, input wire [PcBits-1:0] target,
  input wire taken
);
`include "formal.vh"
  localparam [3:0] LDNC = 4'd5, SETP = 4'd6, BRA = 4'd7, CLOBBER = 4'd8;
  (* anyconst *) wire en, cache_only, widen;
  (* anyconst *) wire [RegBits:0] spare;
  wire go = valid && rst_ni && en;
  // Registers of the instruction in S1 were shown the cycle before.
  reg [RegBits-1:0] dst_q, a_q, b_q;
  reg [2:0] pair;
  initial {dst_q, a_q, b_q, pair} = '0;
  always @(posedge clk_i) {dst_q, a_q, b_q, pair} <= {next_dst, next_a, next_b, next_pair};

  wire in_loop, leader, head1, crit, test, pre, clobber, drop, live, swap, down, pswap, pdown, busy;
  wire found, abort, refuse, fails, lives;
  wire [1:0] tail, head_v, tail_v, head_wide, tail_wide, base_v, dmax;
  wire [31:0] stride, timm;
  wire [2*RegBits-1:0] base;
  wire [7:0] scale;
  wire [3:0] extend, shift, pshift, has;
  wire [2:0] lcmp, pcmp;
  wire [CritW-1:0] ncrit;
  wire [3*CritW-1:0] pos;
  wire [11:0] first;
  wire [PcBits-1:0] low, high;
  wire longer, follow, follow_warp;
  spref_loop #(
    .NumWarp(2), .RegBits(RegBits), .PcBits(PcBits), .OffBits(OffBits), .PredBits(1),
    .NumForm(NumForm), .MaxTries(2), .AgeBits(1)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(en), .hints_on_i(1'b0), .cache_only_i(cache_only),
    .widen_i(widen), .spare_i(spare), .next_dst_i(next_dst), .next_a_i(next_a), .next_b_i(next_b),
    .next_pair_i(next_pair),
    .clear_i(clear && rst_ni), .last_i(last),
    .valid_i(valid && rst_ni), .warp_i(warp), .pc_i(pc), .op_i(op), .guard_i(guard),
    .gpred_i(gpred), .gneg_i(gneg), .dst_v_i(dst_v), .dst_i(dst_q), .a_i(a_q), .bkind_i(bkind),
    .b_i(b_q),
    .pair_i(pair), .imm_i(imm), .ext_i(ext), .sh_i(sh), .wide_i(wide), .cmp_i(cmp), .pd_v_i(pd_v),
    .pd_i(pd), .target_i(target), .taken_i(taken), .hint_i(1'b0), .hint_kind_i(3'd0),
    .hint_slot_i(1'b0), .hint_pc_i('0), .hint_reg_v_i(1'b0), .hint_reg_i('0), .hint_imm_i(16'd0),
    .hint_sh_i(4'd0), .hint_ext_i(2'd0), .hint_wide_i(1'b0), .hint_cmp_i(3'd0), .hint_swap_i(1'b0),
    .in_loop_o(in_loop), .leader_o(leader), .head1_o(head1), .tail_o(tail), .crit_o(crit),
    .test_o(test), .pre_o(pre), .clobber_o(clobber), .drop_o(drop), .live_o(live),
    .head_v_o(head_v), .tail_v_o(tail_v), .head_wide_o(head_wide), .tail_wide_o(tail_wide),
    .stride_o(stride), .base_v_o(base_v), .base_o(base), .scale_o(scale), .ext_o(extend),
    .timm_o(timm), .cmp_o(lcmp), .swap_o(swap), .shift_o(shift), .down_o(down), .pcmp_o(pcmp),
    .pswap_o(pswap), .pshift_o(pshift), .pdown_o(pdown), .ncrit_o(ncrit), .pos_o(pos),
    .first_o(first), .has_reg_o(has), .dmax_o(dmax), .ev_found_o(found), .ev_abort_o(abort),
    .ev_refuse_o(refuse), .ev_fail_o(fails), .ev_live_o(lives), .busy_o(busy), .low_o(low),
    .high_o(high), .grows_o(longer), .follow_o(follow), .follow_warp_o(follow_warp)
  );

  // One instruction, any: its program counter always brings the same class and destination.
  (* anyconst *) wire [PcBits-1:0] at;
  (* anyconst *) wire at_load, at_guard, at_dst_v, at_wide, at_setp, at_clobbers;
  (* anyconst *) wire [RegBits-1:0] at_dst;
  (* anyconst *) wire at_pair;
  wire here = go && pc == at;
  `WF_ASSUME(code, !(valid && pc == at) || ((op == LDNC) == at_load && guard == at_guard
                                            && (op == SETP) == at_setp
                                            && (op == CLOBBER) == at_clobbers
                                            && dst_v == at_dst_v && wide == at_wide
                                            && dst_q == at_dst && pair[0] == at_pair),
             "a program counter brings the same instruction each time")
  wire back = go && op == BRA && taken && target <= pc && !clear;

  // The pass that a table rests on, told again: since the branch that found the loop (or made it
  // longer), how often the warp that took it came back, and whether it was elsewhere.
  reg now_warp_q, strayed_q, around_q, ran_q;
  reg [1:0] passes_q;
  reg [PcBits-1:0] low_q, high_q;
  reg [(1<<RegBits)-1:0] wrote_q;
  initial {now_warp_q, strayed_q, around_q, ran_q, passes_q, low_q, high_q, wrote_q} = '0;
  wire frozen = live || busy;
  wire grows = back && target == low_q && pc > high_q && !frozen;
  wire mine = go && warp == now_warp_q;
  wire again = mine && back && target == low_q && !grows && !frozen;
  always @(posedge clk_i) if (rst_ni) begin
    if (found || grows) begin
      now_warp_q <= warp;
      low_q <= target;
      high_q <= pc;
      passes_q <= 2'd0;
      strayed_q <= 1'b0;
      ran_q <= 1'b0;
      wrote_q <= '0;
    end else if (!frozen) begin
      if (again && passes_q != 2'd3) passes_q <= passes_q + 2'd1;
      if (mine && (pc < low_q || pc > high_q)) strayed_q <= 1'b1;
      if (mine && pc == at && passes_q == 2'd1) ran_q <= 1'b1;
      if (mine && dst_v && !again) begin
        wrote_q[dst_q] <= 1'b1;
        if (pair[0]) wrote_q[dst_q ^ 1'b1] <= 1'b1;
      end
    end
    if (clear) around_q <= 1'b0;
    else if (back && target <= at && at <= pc) around_q <= 1'b1;
  end

  // Where the device is in that story.
  (* hierconn *) wire [2:0] \dut.state_q ;
  (* hierconn *) wire [PcBits-1:0] \dut.lo_q , \dut.hi_q ;
  (* hierconn *) wire \dut.warp_q ;
  (* hierconn *) wire [2*OffBits-1:0] \dut.head_off_q , \dut.tail_off_q ;
  (* hierconn *) wire [1:0] \dut.head_v_q , \dut.tail_v_q , \dut.u_fit.head_ok_q ,
      \dut.u_fit.tail_ok_q ;
  (* hierconn *) wire [(1<<RegBits)-1:0] \dut.u_rename.written_q , \dut.u_rename.used_q ;
  (* hierconn *) wire \dut.u_rename.note_a_q , \dut.u_rename.note_b_q ;
  (* hierconn *) wire [RegBits-1:0] \dut.u_rename.note_a_at_q , \dut.u_rename.note_b_at_q ;
  wire [2:0] state = \dut.state_q ;
  wire [PcBits-1:0] lo = \dut.lo_q , hi = \dut.hi_q ;
  wire [2*OffBits-1:0] head_off = \dut.head_off_q , tail_off = \dut.tail_off_q ;
  wire [1:0] heads = \dut.head_v_q , tails = \dut.tail_v_q , heads_ok = \dut.u_fit.head_ok_q ,
             tails_ok = \dut.u_fit.tail_ok_q ;
  wire [(1<<RegBits)-1:0] written = \dut.u_rename.written_q , used_q = \dut.u_rename.used_q ;
  localparam [(1<<RegBits)-1:0] ONE = 1;
  wire [(1<<RegBits)-1:0] used = used_q
      | (\dut.u_rename.note_a_q ? ONE << \dut.u_rename.note_a_at_q : '0)
      | (\dut.u_rename.note_b_q ? ONE << \dut.u_rename.note_b_at_q : '0);
  wire a_pass = state == 3'd1, b_pass = state == 3'd2, table_made = state >= 3'd3;
  wire [PcBits-1:0] off = at - lo;
  wire inside = at >= lo && at <= hi;
  wire states = state <= 3'd5;  // a state that is named
  wire bounds = lo <= hi && ((hi - lo) >> OffBits) == '0;  // a loop is shorter than offsets reach
  // The warp that took the branch is followed.
  wire follows = !(a_pass || b_pass) || (\dut.warp_q == now_warp_q && lo == low_q && hi == high_q);
  // A table follows two whole passes of one warp.
  wire passed = !(a_pass || b_pass || state == 3'd3 || state == 3'd4)
                || (passes_q == (a_pass ? 2'd0 : b_pass ? 2'd1 : 2'd2) && !strayed_q);
  // Every write of the passes is known.
  wire written_all = !(a_pass || b_pass || table_made) || (wrote_q & ~written) == '0;
  // What is in the loop was inside a taken backward branch.
  wire spanned = !(a_pass || b_pass || table_made) || !inside || around_q;
  wire near = at >= lo && (off >> OffBits) == '0;
  wire head_here = near && ((heads[0] && head_off[0 +: OffBits] == off[OffBits-1:0])
                            || (heads[1] && head_off[OffBits +: OffBits] == off[OffBits-1:0]));
  wire tail_here = near && ((tails[0] && tail_off[0 +: OffBits] == off[OffBits-1:0])
                            || (tails[1] && tail_off[OffBits +: OffBits] == off[OffBits-1:0]));
  // Heads are loads of pass B.
  wire heads_are_loads = !((b_pass || table_made) && head_here)
                         || (at_load && at_dst_v && !at_guard && (ran_q || live));
  // Tails are loads of pass B.
  wire tails_are_loads = !((b_pass || table_made) && tail_here)
                         || (at_load && at_dst_v && (ran_q || live));
  // Targets in use were found.
  wire targets_found = !live || ((heads_ok & ~heads) == 2'd0 && (tails_ok & ~tails) == 2'd0);
  wire no_targets_yet = !a_pass || (heads == 2'd0 && tails == 2'd0);  // targets are found in pass B

  // Entries are held by registers while they are valid, and rest on entries; what a load's base is
  // in is used, and so constant. That they are found is spref_rename's proof.
  (* hierconn *) wire [NumForm-1:0] \dut.f_valid_q , \dut.f_raw_q , \dut.f_basev_q , \dut.need_q ,
      \dut.u_rename.held_q , \dut.u_test.cand_dep_q ;
  (* hierconn *) wire \dut.u_test.cand_v_q ;
  (* hierconn *) wire [NumForm*RegBits-1:0] \dut.f_base_q ;
  (* hierconn *) wire [NumForm*NumForm-1:0] \dut.f_dep_q ;
  (* hierconn *) wire [NumForm*OffBits-1:0] \dut.f_off_q , \dut.f_use_q ;
  (* hierconn *) wire [OffBits:0] \dut.next_off_q ;
  (* hierconn *) wire [$clog2(NumForm)-1:0] \dut.u_fit.at_q ;
  wire [NumForm-1:0] valids = \dut.f_valid_q , raws = \dut.f_raw_q , with_base = \dut.f_basev_q ,
                     need = \dut.need_q , held = \dut.u_rename.held_q ,
                     cand_dep = \dut.u_test.cand_dep_q ;
  wire [NumForm*RegBits-1:0] bases = \dut.f_base_q ;
  wire [NumForm*NumForm-1:0] deps = \dut.f_dep_q ;
  wire [NumForm*OffBits-1:0] made_off = \dut.f_off_q , last_off = \dut.f_use_q ;
  wire [OffBits:0] next_off = \dut.next_off_q ;
  wire cand = \dut.u_test.cand_v_q ;
  wire [$clog2(NumForm)-1:0] counted = \dut.u_fit.at_q ;
  wire training = a_pass || b_pass, counting = state == 3'd3;
  reg deps_c, bases_c, tails_c, spans_c;
  reg [NumForm-1:0] dep;
  always @(*) begin
    {deps_c, bases_c, tails_c, spans_c} = '1;
    dep = '0;
    for (int i = 0; i < NumForm; i = i + 1) begin
      dep = deps[i*NumForm +: NumForm];
      if (training && valids[i]) begin
        if (!dep[i] || (dep & ~valids) != '0 || (raws[i] && dep != NumForm'(1) << i)
            || (a_pass && !raws[i]))
          deps_c = 1'b0;
        if (with_base[i] && !raws[i] && !used[bases[i*RegBits +: RegBits]]) bases_c = 1'b0;
        if (!raws[i] && (made_off[i*OffBits +: OffBits] > last_off[i*OffBits +: OffBits]
                         || {1'b0, last_off[i*OffBits +: OffBits]} >= next_off))
          spans_c = 1'b0;
      end
    end
    for (int t = 0; t < 2; t = t + 1)
      if (tails[t] && base_v[t] && !used[base[t*RegBits +: RegBits]]) tails_c = 1'b0;
  end
  // The map of registers: no two registers hold what overlaps, what holds an entry is written, and
  // what was looked up the edge before, or is put right after it, is so of entries that are held.
  (* hierconn *) wire [NumForm-1:0] \dut.u_rename.pair_q , \dut.u_rename.a_name_q ,
      \dut.u_rename.b_name_q , \dut.u_rename.dst_name_q , \dut.u_rename.dst_low_q ,
      \dut.u_rename.dst_same_q , \dut.u_rename.made_at_q , \dut.read_at_q ;
  (* hierconn *) wire [NumForm*RegBits-1:0] \dut.u_rename.reg_q ;
  (* hierconn *) wire \dut.u_rename.made_q , \dut.u_rename.a_last_q , \dut.u_rename.b_last_q ,
      \dut.u_rename.dst_last_q , \dut.u_rename.dst_last_low_q , \dut.u_rename.dst_last_same_q ,
      \dut.u_rename.a_written_q , \dut.u_rename.b_written_q , \dut.u_rename.dst_written_q ,
      \dut.read_q ;
  (* hierconn *) wire [OffBits-1:0] \dut.read_off_q ;
  wire [NumForm-1:0] pairs = \dut.u_rename.pair_q ,
                     made = \dut.u_rename.made_q ? \dut.u_rename.made_at_q : '0,
                     names = \dut.u_rename.dst_name_q , lows = \dut.u_rename.dst_low_q ;
  wire [NumForm*RegBits-1:0] homes = \dut.u_rename.reg_q ;
  localparam [RegBits-1:0] HALF = 1;
  function automatic either(input [(1<<RegBits)-1:0] flags, input [RegBits-1:0] r, input two);
    either = flags[r] || (two && flags[r ^ HALF]);
  endfunction
  reg map_c, apart_c, home_two;
  reg [RegBits-1:0] home;
  always @(*) begin
    {map_c, apart_c} = '1;
    {home, home_two} = '0;
    for (int i = 0; i < NumForm; i = i + 1) begin
      home = homes[i*RegBits +: RegBits];
      home_two = pairs[i];
      if (held[i]) begin
        if (!written[home] || (home_two && !written[home ^ HALF])) map_c = 1'b0;
        if ((made[i] ? \dut.u_rename.a_last_q : \dut.u_rename.a_name_q [i])
            != (home == a_q && home_two == pair[1])) map_c = 1'b0;
        if ((made[i] ? \dut.u_rename.b_last_q : \dut.u_rename.b_name_q [i])
            != (home == b_q && home_two == pair[2])) map_c = 1'b0;
        if ((made[i] ? \dut.u_rename.dst_last_q : names[i])
            != (home[RegBits-1:1] == dst_q[RegBits-1:1])) map_c = 1'b0;
        if ((made[i] ? \dut.u_rename.dst_last_low_q : lows[i]) != (home[0] == dst_q[0]))
          map_c = 1'b0;
        if ((made[i] ? \dut.u_rename.dst_last_same_q : \dut.u_rename.dst_same_q [i])
            != (home_two == pair[0])) map_c = 1'b0;
      end
      for (int j = 0; j < i; j = j + 1)
        if (held[i] && held[j] && home[RegBits-1:1] == homes[j*RegBits+1 +: RegBits-1]
            && (home_two || pairs[j] || home[0] == homes[j*RegBits]))
          apart_c = 1'b0;
    end
  end
  wire map_right = !training
      || (map_c && apart_c && \dut.u_rename.a_written_q == either(written, a_q, pair[1])
          && \dut.u_rename.b_written_q == either(written, b_q, pair[2])
          && \dut.u_rename.dst_written_q == either(written, dst_q, pair[0]));
  // What was read is noted an edge later.
  wire [NumForm-1:0] read_at = \dut.read_at_q ;
  wire [OffBits-1:0] read_off = \dut.read_off_q ;
  reg reads_c;
  always @(*) begin
    reads_c = {1'b0, read_off} < next_off;
    for (int i = 0; i < NumForm; i = i + 1)
      if (read_at[i] && (!valids[i] || (!raws[i] && made_off[i*OffBits +: OffBits] > read_off)))
        reads_c = 1'b0;
  end
  wire read_right = !training || !\dut.read_q || (b_pass && reads_c);
  // What steps has no base; nothing is needed before pass B.
  wire raws_plain = !training || (valids & raws & with_base) == '0;
  wire needs_none = !a_pass || need == '0;
  // A register holds only entries that are valid.
  wire entry_held = !training || (held & ~valids) == '0;
  // Entries rest on entries.
  wire entry_needs = deps_c && (!(b_pass || table_made) || (need & ~valids) == '0)
                     && (!training || !cand || (b_pass && (cand_dep & ~valids) == '0));
  wire entry_bases = bases_c;  // an entry's base is used
  wire entry_spans = spans_c;  // an entry is read after it was made, in order
  wire tail_bases = !(b_pass || table_made) || tails_c;  // a tail's base is used
  // Entries are counted once.
  wire count_at = counting || !(training || table_made) || counted == '0;

  // The table says nothing of an instruction, or something: each time the same.
  wire says = leader || head1 || tail != 2'd0 || crit || test || pre || clobber;
  reg silent_q;
  initial silent_q = 1'b0;
  always @(posedge clk_i)
    silent_q <= rst_ni && live && !clear && (silent_q || (here && in_loop && !says));
  // What it says is a matter of flops that rest from the second edge of counting on.
  (* hierconn *) wire \dut.u_test.test_v_q ;
  (* hierconn *) wire [OffBits-1:0] \dut.u_test.cand_off_q ;
  wire rests = !table_made || (counting && counted == '0)
               || (!\dut.read_q && !\dut.u_rename.note_a_q && !(\dut.u_rename.note_b_q )
                   && !\dut.u_rename.made_q );
  // And of names that were looked up the edge before.
  (* hierconn *) wire \dut.u_rename.dst_used_q ;
  reg names_c;
  always @(*) begin
    names_c = 1'b1;
    for (int i = 0; i < NumForm; i = i + 1)
      if (names[i] != (homes[i*RegBits+1 +: RegBits-1] == dst_q[RegBits-1:1])
          || lows[i] != (homes[i*RegBits] == dst_q[0]))
        names_c = 1'b0;
  end
  wire looked = !live
                || (names_c && \dut.u_rename.dst_used_q == (used_q[dst_q]
                                                            || (pair[0] && used_q[dst_q ^ 1'b1])));
  wire [OffBits-1:0] at_off = off[OffBits-1:0];
  reg crit_c, over_c;
  always @(*) begin
    {crit_c, over_c} = '0;
    for (int i = 0; i < NumForm; i = i + 1) if (need[i]) begin
      if (made_off[i*OffBits +: OffBits] == at_off) crit_c = 1'b1;
      if (homes[i*RegBits+1 +: RegBits-1] == at_dst[RegBits-1:1]
          && (homes[i*RegBits] == at_dst[0] || pairs[i] || at_pair)
          && (raws[i] || (at_off > made_off[i*OffBits +: OffBits]
                          && at_off < last_off[i*OffBits +: OffBits])))
        over_c = 1'b1;
    end
  end
  wire would = head_off[0 +: OffBits] == at_off
               || (heads_ok[1] && head_off[OffBits +: OffBits] == at_off)
               || (tails_ok[0] && tail_off[0 +: OffBits] == at_off)
               || (tails_ok[1] && tail_off[OffBits +: OffBits] == at_off) || crit_c
               || (at_setp && \dut.u_test.test_v_q && \dut.u_test.cand_off_q == at_off)
               || at_clobbers
               || (at_dst_v && (over_c || used_q[at_dst] || (at_pair && used_q[at_dst ^ 1'b1])));
  wire silent = !silent_q || !would;

  wire live_head = !live || heads_ok[0];
  wire story = states && bounds && follows && passed && written_all && spanned && targets_found
               && heads_are_loads && tails_are_loads && no_targets_yet && entry_held && entry_needs
               && entry_bases && entry_spans && tail_bases && count_at && live_head && map_right
               && read_right && raws_plain && needs_none;
  `WF_ASSERT(story_holds, story, "all of these, which hold together only")
  // While that has held, of what the table says: a rule of its own, which is inductive then.
  reg held_so_far_q;
  initial held_so_far_q = 1'b1;
  always @(posedge clk_i) held_so_far_q <= held_so_far_q && story;
  wire silence = rests && looked && silent;
  `WF_ASSERT(silence_holds, !(held_so_far_q && story) || silence, "these, given the story")

  // What the neighbours see, given that.
  `WF_ASSERT(loop_closed, !story || !(here && in_loop) || around_q,
             "an instruction in the loop lies inside a backward branch that was taken")
  `WF_ASSERT(head_loads, !story || !(here && (leader || head1))
             || (at_load && at_dst_v && !at_guard),
             "a head is an unguarded load")
  `WF_ASSERT(tail_loads, !story || !(here && tail != 2'd0) || (at_load && at_dst_v),
             "a tail is a load")
  `WF_ASSERT(tests_setp, !(go && test) || op == SETP, "a test is a setp")
  `WF_ASSERT(base_guarded, !story || !(go && in_loop && dst_v && base_v[0] && tail_v[0]
                                       && dst_q == base[0 +: RegBits]) || clobber || crit || leader,
             "a write of a tail's base is seen")
  `WF_ASSERT(stays_silent, !(story && silence) || !(silent_q && here && live) || !says,
             "what the table said nothing of, it says nothing of")
  `WF_ASSERT(outside, in_loop || !(leader || head1 || tail != 2'd0 || crit || test || clobber),
             "nothing is said of what is outside")
  `WF_COVER(a_table, lives)
  `WF_COVER(a_tail, here && in_loop && tail[0])
  `WF_COVER(an_abort, abort)
  `WF_COVER(refused, refuse)

  // What another warp runs between branches changes nothing; looked at when the two cycles before
  // were of these, and the same names were shown.
  reg [RegBits-1:0] dst2_q, a2_q, b2_q;
  reg [2:0] pair2_q;
  reg foreign_q, foreign2_q;
  initial {foreign_q, foreign2_q} = '0;
  wire foreign = !frozen && !clear && !found
                 && (!go || (op != BRA && warp != now_warp_q));
  always @(posedge clk_i) begin
    {dst2_q, a2_q, b2_q, pair2_q} <= {dst_q, a_q, b_q, pair};
    foreign_q <= foreign && rst_ni;
    foreign2_q <= foreign_q;
  end
  `WF_QUIET(foreign && foreign_q && foreign2_q
            && {next_dst, next_a, next_b, next_pair} == {dst_q, a_q, b_q, pair}
            && {dst_q, a_q, b_q, pair} == {dst2_q, a2_q, b2_q, pair2_q})
  wire unused = &{1'b0, drop, pre, head_v, tail_wide, head_wide, stride, timm, scale, extend, lcmp,
                  swap, shift, down, pcmp, pswap, pshift, pdown, ncrit, pos, first, has, dmax,
                  fails, low, high, longer, follow, follow_warp};
endmodule
`default_nettype wire
