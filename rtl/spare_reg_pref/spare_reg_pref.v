// spare_reg_pref: prefetching into spare registers, one per SM, where instructions are decoded and
// issued. It sees every instruction of every warp, finds the loop whose loads are an index
// (head-load) and what the index points to (tail-load), and answers with what to issue: the
// instruction as it is, a move from a spare register in a load's place, and beside it a load for a
// later iteration into a spare register. README.md has the page; this header is the contract.
//
// CHANNELS. A transfer is valid and ready at a rising edge; an offer holds until taken (but inj,
// whose load may give way to another); valid may not wait for ready.
//   in    an instruction, in each warp's program order, one a cycle: no queue is before the port.
//         Its answer comes on `out`, in the order of `in`.
//   out   the answer. It waits until taken and must not wait for any other channel of this unit. Up
//         to Queue instructions are inside.
//   cnt   the operands of a test that was told with in_counted, CntLanes lanes a beat, the low
//         lanes first, one warp's beats at a time: as the SM reads them, before or after the
//         answer. A beat waits for the row before it. mask: lanes that ran it.
//   ld    a load whose answer came on `out` issues: as a move if move_o names its warp. Only warps
//         in go_o; one load a cycle. ld_slot_o: the place of the load that it injects, if it does.
//         ld_inject_i: as inject_o says of its warp. ld_over_i: its answer was over, and ld_addr_i
//         is the base as it was before.
//   inj   what the SM issues beside the program: add: the place's address is to become (ext(index)
//         << scale) + base, which is inj_addr_o if inj_sum_o says so; else a load of the injected
//         mask from [inj_addr_o + offset] (sum), or [base + offset]. It takes an offer when a pipe
//         is free and its base has come. An offer that is not taken may give way to that of a lower
//         warp.
//   sum   the address of a place has been made. It may wait for a load that brings a base.
//   done  an injected load into a register has come back, or (fault) its address is none.
//   next  what the next instruction of a warp that ask_o names writes.
//   hint  a compiler's table of the loop, field by field, before the kernel's first instruction.
//         Kinds: 0 LOW, 1 HIGH: pc of the loop's first, last instruction. 2 HEAD: slot (0 first in
//         the body), pc, imm: stride, wide. 3 TAIL: slot of its head, pc, base reg_v and reg, sh
//         and ext of the index, imm: added number, wide. 4 TEST: pc, cmp to go on, of the operand
//         that steps; swap: it is b; sh: it steps by 2^sh; slot: down. 5 PRE: the same, of the
//         test before the loop: prefetches start in the first iteration. 6 CRIT: pc and
//         destination (wide: a pair) of what must run once an iteration; imm: pcs to its last
//         reader, 0: the whole loop. 7 COMMIT: the table is live NumForm + 2 cycles later.
// COUNTS. While a table is live test_pc_o and pre_pc_o say which setp is the loop's test, and which
// the one before it (C-SPREF). The SM tells such a setp with in_counted, sends its operands, and
// holds branches and the last instruction of warps that held_o names. At the edge at which
// counted_o is high the counts act; after it the warp is named no more.
// SIEVE. Most instructions change nothing here. need_o says of Tries instructions, one of each
// scheduler, if they must be told; the SM may ask at each edge. It tells those,
// whatever may end a warp, and what it tells with in_counted. A program counter brings the same
// instruction each time. What issues sooner than four edges after a branch of its warp was taken
// is told unasked: then nothing that counts is missed.
// ENDS. in_last: the warp ends with this instruction, which is no branch. All that is known of the
// warp is forgotten after it. new_kernel_i: everything is; no instruction is inside then.
// ORDER. Of one edge: the instruction acts first, then counts, then faults and a new kernel. An
// instruction taken at a later edge sees them. in_ready_o is a function of flops: fewer than Queue
// instructions are inside.
//
// CLOCK. While quiet_o is high, and nothing is transferred, shown on `next` or issued_i or a
// level, nothing changes: the clock may rest.
//
// WAITING. While a load waits to be injected, its base must stay: hold_o names warps that may not
// issue, since their next instruction writes it or is not known; issued_i those that issue at this
// edge: the SM holds them until the next one, behind which hold_o says. wait_o: warps with a load
// that waits; such a warp does not end.
//
// ADDRESSES. A lane's address has AddrBits bits, lane 0 first. far: one of the lanes that the load
// is injected for (out_mask_o) has an address that does not fit, and so is none; such a load comes
// back as a fault.
//
// LEVELS, changed only while the unit is idle: en_i; hints_on_i: the table is the compiler's
// (C-SPREF), no training; distance_i: 1 to 3 fixed (SPREF1: 1), 0 by the mean count (SPREF);
// cache_only_i: tail-loads are prefetched to the cache only (SPREF1-C); widen_i: indexes may be
// followed from 32 to 64 bits (they do not wrap within a loop); max_s_i, max_d_i: registers of a
// thread that the kernel uses, and that it was given; max_s_i .. max_d_i - 1 are spare. A table was
// made for them: where they change, new_kernel_i comes before the next instruction.
//
// INSTRUCTION. Registers are architectural. pair: {b, a, dst}, each a pair of registers that begins
// at the one that is named, an even one. op: 0 other, 1 add, 2 subtract two registers, 3 scale: d =
// ext(a) << sh (also mov, cvt, cvta, mul and mul.wide by powers of two), 4 mad: d = (ext(a) << sh)
// + b, 5 ld.global.nc of 32 or 64 bits (address [a + imm]), 6 setp: pd = a cmp b, 7 branch, 8
// writes registers it does not name. What has no class, or an operand no field can hold, is 0 with
// its destination. ext: 0 none, 1 sign, 2 zero, of the low 32 bits. bkind: 0 none, 1 register, 2
// the number imm (signed 16 bits), 3 a register that holds imm in every lane of every warp. guard,
// gpred, gneg: the predicate that guards it; mask: lanes that run it. cmp: 0 eq, 1 ne, 2 lt, 3 le,
// 4 gt, 5 ge. taken: some lane takes the branch.
//
// ANSWER. move: instead of the instruction, its destination takes move_reg, in the lanes that run
// it. inject: 1 a load as this one from [base + offset], 2 a load as this one from [(ext(index) <<
// scale) + base + offset] (base only if base_v), in the lanes of mask, after the instruction or the
// move, into reg (reg_v), else into the cache only. over: the instruction overwrites the base: its
// old value goes with ld, and comes back with inj in the base's stead (inj_sum_o).
//
// Parameters: ranges in README.md. Storage: NumWarp * Lanes * 4 bits (counts) + NumWarp * (18 +
// CritW) bits (words) of RAM, Queue answers of about 70 + Lanes bits of RAM, spref_issue's; flops
// in spref_loop, spref_warp and spref_issue, two instructions, counters 2 * 20 * CounterBits.
//
// Rules
//   1 Offers hold until taken; inj's valid does, but what it offers may give way to a lower warp's.
//   2 An instruction's warp is below NumWarp.
//   3 Not more than Queue instructions are inside.
//   4 A warp's test and its last instruction come when the counts of the test before have acted.
//   5 An idle unit holds nothing.
//   6 A warp does not end with a branch.
//   7 Where max_s_i or max_d_i changes, new_kernel_i comes before the next instruction or hint.
//   8 Levels change only while the unit is idle.
//   9 Of a warp whose loads issue, an answer comes three edges or more after its last load issued.
//  10 An offered sum holds until taken.
`default_nettype none
`include "wf_assert.vh"

module spare_reg_pref #(
  parameter integer NumWarp = 48,
  parameter integer Lanes = 32,
  parameter integer RegBits = 6,
  parameter integer PcBits = 32,
  parameter integer PcStep = 1,
  parameter integer OffBits = 10,
  parameter integer PredBits = 4,
  parameter integer NumForm = 12,
  parameter integer MaxTries = 8,
  parameter integer AgeBits = 6,
  parameter integer Queue = 8,
  parameter integer CntLanes = 8,
  parameter integer Waiting = 16,
  parameter integer AddrBits = 40,
  parameter integer NearBits = 6,
  parameter integer Tries = 2,
  parameter integer CounterBits = 40,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer SlotW = Waiting > 1 ? $clog2(Waiting) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  // levels
  input  wire                en_i,
  input  wire                hints_on_i,
  input  wire [1:0]          distance_i,
  input  wire                cache_only_i,
  input  wire                widen_i,
  input  wire [RegBits:0]    max_s_i,
  input  wire [RegBits:0]    max_d_i,
  // instructions
  input  wire                in_valid_i,
  output wire                in_ready_o,
  input  wire [WarpW-1:0]    in_warp_i,
  input  wire [PcBits-1:0]   in_pc_i,
  input  wire [3:0]          in_op_i,
  input  wire                in_guard_i,
  input  wire [PredBits-1:0] in_gpred_i,
  input  wire                in_gneg_i,
  input  wire [Lanes-1:0]    in_mask_i,
  input  wire                in_dst_v_i,
  input  wire [RegBits-1:0]  in_dst_i,
  input  wire [RegBits-1:0]  in_a_i,
  input  wire [1:0]          in_bkind_i,
  input  wire [RegBits-1:0]  in_b_i,
  input  wire [2:0]          in_pair_i,
  input  wire [15:0]         in_imm_i,
  input  wire [1:0]          in_ext_i,
  input  wire [3:0]          in_sh_i,
  input  wire                in_wide_i,
  input  wire [2:0]          in_cmp_i,
  input  wire                in_pd_v_i,
  input  wire [PredBits-1:0] in_pd_i,
  input  wire [PcBits-1:0]   in_target_i,
  input  wire                in_taken_i,
  input  wire                in_counted_i,
  input  wire                in_last_i,
  // instructions that issue: must they be told?
  input  wire [Tries*WarpW-1:0]  try_warp_i,
  input  wire [Tries*PcBits-1:0] try_pc_i,
  input  wire [Tries*4-1:0]  try_op_i,
  output wire [Tries-1:0]    need_o,
  // answers
  output wire                out_valid_o,
  input  wire                out_ready_i,
  output wire [WarpW-1:0]    out_warp_o,
  output wire                out_move_o,
  output wire [RegBits-1:0]  out_move_reg_o,
  output wire [1:0]          out_inject_o,
  output wire                out_reg_v_o,
  output wire [RegBits-1:0]  out_reg_o,
  output wire                out_base_v_o,
  output wire                out_over_o,
  output wire [RegBits-1:0]  out_base_o,
  output wire [RegBits-1:0]  out_index_o,
  output wire [3:0]          out_scale_o,
  output wire [1:0]          out_ext_o,
  output wire [18:0]         out_offset_o,
  output wire [Lanes-1:0]    out_mask_o,
  // counts
  output wire                test_v_o,
  output wire [PcBits-1:0]   test_pc_o,
  output wire                pre_v_o,
  output wire [PcBits-1:0]   pre_pc_o,
  input  wire                cnt_valid_i,
  output wire                cnt_ready_o,
  input  wire [WarpW-1:0]    cnt_warp_i,
  input  wire                cnt_pre_i,     // of the test before the loop
  input  wire                cnt_wide_i,    // 64 bits
  input  wire                cnt_sign_i,
  input  wire [CntLanes-1:0] cnt_mask_i,
  input  wire [CntLanes*64-1:0] cnt_a_i,
  input  wire [CntLanes*64-1:0] cnt_b_i,
  output wire                counted_o,     // this warp's counts act at this edge
  output wire [WarpW-1:0]    counted_warp_o,
  output wire [NumWarp-1:0]  held_o,        // warps with a test whose counts have not acted
  // loads that issue
  output wire [NumWarp-1:0]  go_o,
  output wire [NumWarp-1:0]  move_o,
  output wire [NumWarp-1:0]  inject_o,
  input  wire                ld_valid_i,
  output wire                ld_ready_o,
  input  wire [WarpW-1:0]    ld_warp_i,
  input  wire [3:0]          ld_type_i,     // of the load: its injected one's
  input  wire                ld_inject_i,
  input  wire                ld_over_i,
  input  wire                ld_far_i,
  input  wire [Lanes*AddrBits-1:0] ld_addr_i,
  output wire [SlotW-1:0]    ld_slot_o,
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
  input  wire                done_valid_i,
  output wire                done_ready_o,
  input  wire [WarpW-1:0]    done_warp_i,
  input  wire [RegBits-1:0]  done_reg_i,
  input  wire                done_fault_i,
  // what warps write while a base waits to be read
  input  wire [NumWarp-1:0]  issued_i,
  input  wire                next_valid_i,
  input  wire [WarpW-1:0]    next_warp_i,
  input  wire                next_dst_v_i,
  input  wire                next_all_i,    // registers that are not named
  input  wire [RegBits-1:0]  next_dst_i,
  output wire [NumWarp-1:0]  ask_o,
  output wire [NumWarp-1:0]  hold_o,
  output wire [NumWarp-1:0]  wait_o,
  input  wire                new_kernel_i,
  // hints
  input  wire                hint_valid_i,
  output wire                hint_ready_o,
  input  wire [2:0]          hint_kind_i,
  input  wire                hint_slot_i,
  input  wire [PcBits-1:0]   hint_pc_i,
  input  wire                hint_reg_v_i,
  input  wire [RegBits-1:0]  hint_reg_i,
  input  wire [15:0]         hint_imm_i,
  input  wire [3:0]          hint_sh_i,
  input  wire [1:0]          hint_ext_i,
  input  wire                hint_wide_i,
  input  wire [2:0]          hint_cmp_i,
  input  wire                hint_swap_i,
  output wire                live_o,        // a loop's table is in use
  // counters: snapshot copies all, clear zeroes the running ones; order in unit.ini
  input  wire                cnt_snapshot_i,
  input  wire                cnt_clear_i,
  input  wire [4:0]          cnt_index_i,
  output wire [63:0]         cnt_value_o,
  output wire                quiet_o,
  output wire                idle_o
);
  localparam integer CritW = $clog2(NumForm + 2);
  localparam integer InsideW = $clog2(Queue + 1);
  localparam integer NCount = 20;

  initial begin
    if (RegBits < 3 || RegBits > 8) $fatal(1, "spare_reg_pref: RegBits must be 3..8");
    if (PredBits < 1 || PredBits > 8) $fatal(1, "spare_reg_pref: PredBits must be 1..8");
    if (PcBits < 5 || PcBits > 64) $fatal(1, "spare_reg_pref: PcBits must be 5..64");
    if (Queue < 1 || Queue > 64) $fatal(1, "spare_reg_pref: Queue must be 1..64");
    if (AddrBits < 1 || AddrBits > 64) $fatal(1, "spare_reg_pref: AddrBits must be 1..64");
    if (Tries < 1 || Tries > 8) $fatal(1, "spare_reg_pref: Tries must be 1..8");
    if (CounterBits < 0 || CounterBits > 64) $fatal(1, "spare_reg_pref: CounterBits must be 0..64");
  end

  // S0: what is taken.
  reg [InsideW-1:0] inside_q;
  reg awake_q;  // not in reset
  assign in_ready_o = awake_q && inside_q != InsideW'(Queue);
  wire in_take = in_valid_i && in_ready_o, out_take = out_valid_o && out_ready_i;
  wire fault_take = done_valid_i && done_ready_o && done_fault_i;
  wire hint_take = hint_valid_i && hint_ready_o;

  reg s1_q, s2_q, s3_q, h1_q;
  reg [2:0] kernel_q, fault_q, fresh_q;  // edges since it was taken
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q <= '0;
      awake_q <= 1'b0;
      s1_q <= 1'b0;
      s2_q <= 1'b0;
      s3_q <= 1'b0;
      h1_q <= 1'b0;
      kernel_q <= '0;
      fault_q <= '0;
      fresh_q <= '0;
    end else begin
      awake_q <= 1'b1;
      if (in_take != out_take) inside_q <= in_take ? inside_q + 1'b1 : inside_q - 1'b1;
      s1_q <= in_take;
      s2_q <= s1_q;
      s3_q <= s2_q;
      h1_q <= hint_take;
      kernel_q <= {kernel_q[1:0], new_kernel_i};
      fault_q <= {fault_q[1:0], fault_take};
      fresh_q <= {fresh_q[1:0], hint_take && hint_kind_i == 3'd0};
    end
  end

  // S1
  reg [WarpW-1:0] s1_warp_q;
  reg [PcBits-1:0] s1_pc_q, s1_target_q;
  reg [3:0] s1_op_q, s1_sh_q;
  reg s1_guard_q, s1_gneg_q, s1_dst_v_q, s1_wide_q, s1_pd_v_q, s1_taken_q, s1_counted_q,
      s1_last_q;
  reg [PredBits-1:0] s1_gpred_q, s1_pd_q;
  reg [Lanes-1:0] s1_mask_q;
  reg [RegBits-1:0] s1_dst_q, s1_a_q, s1_b_q;
  reg [1:0] s1_bkind_q, s1_ext_q;
  reg [2:0] s1_pair_q;
  reg [15:0] s1_imm_q;
  reg [2:0] s1_cmp_q;
  always_ff @(posedge clk_i) if (in_take) begin
    s1_warp_q <= in_warp_i;
    s1_pc_q <= in_pc_i;
    s1_op_q <= in_op_i;
    s1_guard_q <= in_guard_i;
    s1_gpred_q <= in_gpred_i;
    s1_gneg_q <= in_gneg_i;
    s1_mask_q <= in_mask_i;
    s1_dst_v_q <= in_dst_v_i;
    s1_dst_q <= in_dst_i;
    s1_a_q <= in_a_i;
    s1_bkind_q <= in_bkind_i;
    s1_b_q <= in_b_i;
    s1_pair_q <= in_pair_i;
    s1_imm_q <= in_imm_i;
    s1_ext_q <= in_ext_i;
    s1_sh_q <= in_sh_i;
    s1_wide_q <= in_wide_i;
    s1_cmp_q <= in_cmp_i;
    s1_pd_v_q <= in_pd_v_i;
    s1_pd_q <= in_pd_i;
    s1_target_q <= in_target_i;
    s1_taken_q <= in_taken_i;
    s1_counted_q <= in_counted_i;
    s1_last_q <= in_last_i;
  end
  // Faults and hints, beside it.
  reg [WarpW-1:0] fault_warp_q, fault2_warp_q, fault3_warp_q;
  always_ff @(posedge clk_i) begin
    if (fault_take) fault_warp_q <= done_warp_i;
    if (fault_q[0]) fault2_warp_q <= fault_warp_q;
    if (fault_q[1]) fault3_warp_q <= fault2_warp_q;
  end
  reg [2:0] h_kind_q, h_cmp_q;
  reg h_slot_q, h_reg_v_q, h_wide_q, h_swap_q;
  reg [PcBits-1:0] h_pc_q;
  reg [RegBits-1:0] h_reg_q;
  reg [15:0] h_imm_q;
  reg [3:0] h_sh_q;
  reg [1:0] h_ext_q;
  always_ff @(posedge clk_i) if (hint_take) begin
    h_kind_q <= hint_kind_i;
    h_slot_q <= hint_slot_i;
    h_pc_q <= hint_pc_i;
    h_reg_v_q <= hint_reg_v_i;
    h_reg_q <= hint_reg_i;
    h_imm_q <= hint_imm_i;
    h_sh_q <= hint_sh_i;
    h_ext_q <= hint_ext_i;
    h_wide_q <= hint_wide_i;
    h_cmp_q <= hint_cmp_i;
    h_swap_q <= hint_swap_i;
  end

  // The levels, once.
  reg en_q, hints_on_q, cache_only_q, widen_q;
  reg [1:0] distance_q;
  reg [RegBits:0] max_s_q, spare_q;
  always_ff @(posedge clk_i) begin
    en_q <= en_i;
    hints_on_q <= hints_on_i;
    distance_q <= distance_i;
    cache_only_q <= cache_only_i;
    widen_q <= widen_i;
    max_s_q <= max_s_i;
    spare_q <= max_d_i > max_s_i ? max_d_i - max_s_i : '0;
  end

  wire in_loop, leader, head1, crit, test, pre, clobber, drop, loop_busy;
  wire [1:0] tail, head_v, tail_v, head_wide, tail_wide, base_v, dmax;
  wire [31:0] stride, timm;
  wire [2*RegBits-1:0] base;
  wire [7:0] scale;
  wire [3:0] extend, shift, pshift, has_reg;
  wire [2:0] cmp, pcmp;
  wire swap, down, pswap, pdown;
  wire [CritW-1:0] ncrit;
  wire [3*CritW-1:0] pos;
  wire [11:0] first;
  wire ev_found, ev_abort, ev_refuse, ev_fail, ev_live;
  wire [PcBits-1:0] low, high;
  wire grows, follow;
  wire [WarpW-1:0] follow_warp;
  spref_loop #(
    .NumWarp(NumWarp), .RegBits(RegBits), .PcBits(PcBits), .PcStep(PcStep), .OffBits(OffBits),
    .PredBits(PredBits), .NumForm(NumForm), .MaxTries(MaxTries), .AgeBits(AgeBits)
  ) u_loop (
    .clk_i(clk_i), .rst_ni(rst_ni), .en_i(en_q), .hints_on_i(hints_on_q),
    .cache_only_i(cache_only_q), .widen_i(widen_q), .spare_i(spare_q), .next_dst_i(in_dst_i),
    .next_a_i(in_a_i), .next_b_i(in_b_i), .next_pair_i(in_pair_i), .clear_i(kernel_q[0]),
    .last_i(s1_last_q), .valid_i(s1_q), .warp_i(s1_warp_q), .pc_i(s1_pc_q), .op_i(s1_op_q),
    .guard_i(s1_guard_q), .gpred_i(s1_gpred_q), .gneg_i(s1_gneg_q), .dst_v_i(s1_dst_v_q),
    .dst_i(s1_dst_q), .a_i(s1_a_q), .bkind_i(s1_bkind_q), .b_i(s1_b_q),
    .pair_i(s1_pair_q), .imm_i(s1_imm_q),
    .ext_i(s1_ext_q), .sh_i(s1_sh_q), .wide_i(s1_wide_q), .cmp_i(s1_cmp_q), .pd_v_i(s1_pd_v_q),
    .pd_i(s1_pd_q), .target_i(s1_target_q), .taken_i(s1_taken_q), .hint_i(h1_q),
    .hint_kind_i(h_kind_q), .hint_slot_i(h_slot_q), .hint_pc_i(h_pc_q), .hint_reg_v_i(h_reg_v_q),
    .hint_reg_i(h_reg_q), .hint_imm_i(h_imm_q), .hint_sh_i(h_sh_q), .hint_ext_i(h_ext_q),
    .hint_wide_i(h_wide_q), .hint_cmp_i(h_cmp_q), .hint_swap_i(h_swap_q), .in_loop_o(in_loop),
    .leader_o(leader), .head1_o(head1), .tail_o(tail), .crit_o(crit), .test_o(test), .pre_o(pre),
    .clobber_o(clobber), .drop_o(drop), .live_o(live_o), .head_v_o(head_v), .tail_v_o(tail_v),
    .head_wide_o(head_wide), .tail_wide_o(tail_wide), .stride_o(stride), .base_v_o(base_v),
    .base_o(base), .scale_o(scale), .ext_o(extend), .timm_o(timm), .cmp_o(cmp), .swap_o(swap),
    .shift_o(shift), .down_o(down), .pcmp_o(pcmp), .pswap_o(pswap), .pshift_o(pshift),
    .pdown_o(pdown), .ncrit_o(ncrit), .pos_o(pos), .first_o(first), .has_reg_o(has_reg),
    .dmax_o(dmax), .test_v_o(test_v_o), .test_pc_o(test_pc_o), .pre_v_o(pre_v_o),
    .pre_pc_o(pre_pc_o), .ev_found_o(ev_found), .ev_abort_o(ev_abort), .ev_refuse_o(ev_refuse),
    .ev_fail_o(ev_fail), .ev_live_o(ev_live), .busy_o(loop_busy), .low_o(low), .high_o(high),
    .grows_o(grows), .follow_o(follow), .follow_warp_o(follow_warp)
  );
  assign hint_ready_o = awake_q && !loop_busy && !(h1_q && h_kind_q == 3'd7);

  // S2, S3
  // The instruction overwrites what its injected load is addressed by: told by pairs.
  wire [RegBits-2:0] s1_base = tail[1] ? base[RegBits + 1 +: RegBits - 1]
                               : tail[0] ? base[1 +: RegBits - 1] : s1_a_q[RegBits-1:1];
  wire s1_over = s1_dst_v_q && s1_dst_q[RegBits-1:1] == s1_base;
  localparam integer CarryW = WarpW + 14 + 16 + RegBits;
  reg [CarryW-1:0] s2_carry_q, s3_carry_q;
  reg [Lanes-1:0] s2_mask_q;
  always_ff @(posedge clk_i) begin
    if (s1_q) begin
      s2_carry_q <= {s1_warp_q, s1_over, en_q && drop, en_q && in_loop, leader, head1, tail, crit,
                     test, en_q && pre, clobber, s1_last_q, s1_counted_q, s1_op_q == 4'd5, s1_imm_q,
                     s1_a_q};
      s2_mask_q <= s1_mask_q;
    end
    if (s2_q) s3_carry_q <= s2_carry_q;
  end
  wire [WarpW-1:0] s2_warp = s2_carry_q[CarryW-1 -: WarpW];
  wire s2_counted = s2_carry_q[16 + RegBits + 1];
  wire [WarpW-1:0] s3_warp;
  wire s3_over, s3_drop, s3_in, s3_leader, s3_head1, s3_crit, s3_test, s3_pre, s3_clobber, s3_last,
       s3_counted, s3_load;
  wire [1:0] s3_tail;
  wire [15:0] s3_imm;
  wire [RegBits-1:0] s3_a;
  assign {s3_warp, s3_over, s3_drop, s3_in, s3_leader, s3_head1, s3_tail, s3_crit, s3_test, s3_pre,
          s3_clobber, s3_last, s3_counted, s3_load, s3_imm, s3_a} = s3_carry_q;

  // Counts: of operands, as they come; they act when the test has come by.
  wire turns_ready, turns_row, turns_quiet, turns_busy;
  wire [Lanes*4-1:0] turns;
  reg [NumWarp-1:0] held_q;  // warps whose test has come and the counts have not acted
  reg [WarpW-1:0] row_warp_q;
  assign cnt_ready_o = awake_q && turns_ready;
  wire cnt_take = cnt_valid_i && cnt_ready_o;
  wire passing = (s1_q && s1_counted_q && s1_warp_q == row_warp_q)
                 || (s2_q && s2_counted && s2_warp == row_warp_q)
                 || (s3_q && s3_counted && s3_warp == row_warp_q);
  assign counted_o = turns_row && held_q[row_warp_q] && !passing;
  assign counted_warp_o = {WarpW{counted_o}} & row_warp_q;
  assign held_o = held_q;
  always_ff @(posedge clk_i) if (cnt_take) row_warp_q <= cnt_warp_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else begin
      if (counted_o) held_q[row_warp_q] <= 1'b0;
      if (in_take && in_counted_i) held_q[in_warp_i] <= 1'b1;
    end
  end
  spref_turns #(.Lanes(Lanes), .CntLanes(CntLanes)) u_turns (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(cnt_valid_i && awake_q), .ready_o(turns_ready),
    .a_i(cnt_a_i), .b_i(cnt_b_i), .mask_i(cnt_mask_i), .wide_i(cnt_wide_i), .sign_i(cnt_sign_i),
    .cmp_i(cnt_pre_i ? pcmp : cmp), .swap_i(cnt_pre_i ? pswap : swap),
    .shift_i(cnt_pre_i ? pshift : shift), .down_i(cnt_pre_i ? pdown : down),
    .row_valid_o(turns_row), .row_take_i(counted_o), .row_o(turns), .quiet_o(turns_quiet),
    .busy_o(turns_busy)
  );

  wire [Lanes*4-1:0] row;
  wire set, count_busy;
  wire [WarpW-1:0] set_warp;
  wire [1:0] set_class;
  spref_count #(.NumWarp(NumWarp), .Lanes(Lanes)) u_count (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_i(counted_o), .wr_warp_i(row_warp_q), .wr_row_i(turns),
    .rd_i(s1_q), .rd_warp_i(s1_warp_q), .row_o(row), .set_o(set), .set_warp_o(set_warp),
    .set_class_o(set_class), .busy_o(count_busy)
  );

  // What need not be told.
  wire [NumWarp-1:0] alive;
  wire says = leader || head1 || tail != 2'd0 || crit || test || pre || clobber;
  spref_sieve #(
    .NumWarp(NumWarp), .PcBits(PcBits), .PcStep(PcStep), .NearBits(NearBits), .Tries(Tries)
  ) u_sieve (
    .clk_i(clk_i), .rst_ni(rst_ni), .all_i(loop_busy), .follow_i(follow), .warp_i(follow_warp),
    .live_i(live_o), .low_i(low), .high_i(high), .grows_i(grows), .alive_i(alive),
    .mark_i(s1_q && in_loop && !says), .pc_i(s1_pc_q), .try_warp_i(try_warp_i),
    .try_pc_i(try_pc_i), .try_op_i(try_op_i), .need_o(need_o)
  );

  wire move, inject_head, inject_tail, inject_slot, reg_v, ask, regular, start, broke;
  wire [RegBits-1:0] move_reg, inject_reg, index;
  wire [18:0] offset;
  wire [Lanes-1:0] mask;
  spref_warp #(.NumWarp(NumWarp), .Lanes(Lanes), .RegBits(RegBits), .CritW(CritW)) u_warp (
    .clk_i(clk_i), .rst_ni(rst_ni), .distance_i(distance_q), .base_i(max_s_q), .spare_i(spare_q),
    .s2_i(s2_q), .s2_warp_i(s2_warp), .s2_mask_i(s2_mask_q), .s2_row_i(row), .s3_i(s3_q),
    .s3_warp_i(s3_warp), .counted_i(s3_counted), .in_loop_i(s3_in), .leader_i(s3_leader),
    .head1_i(s3_head1),
    .tail_i(s3_tail), .crit_i(s3_crit), .test_i(s3_test), .pre_i(s3_pre), .clobber_i(s3_clobber),
    .drop_i(s3_drop), .imm_i(s3_imm), .tail_v_i(tail_v), .head_wide_i(head_wide),
    .tail_wide_i(tail_wide), .stride_i(stride), .ncrit_i(ncrit), .pos_i(pos), .first_i(first),
    .has_reg_i(has_reg), .dmax_i(dmax), .set_i(set), .set_warp_i(set_warp), .set_class_i(set_class),
    .last_i(s3_last), .fault_i(fault_q[2]),
    .fault_warp_i(fault3_warp_q), .clear_i(kernel_q[2] || fresh_q[2]),
    .alive_o(alive), .move_o(move), .move_reg_o(move_reg),
    .inject_head_o(inject_head), .inject_tail_o(inject_tail), .inject_slot_o(inject_slot),
    .inject_reg_v_o(reg_v), .inject_reg_o(inject_reg), .index_o(index), .offset_o(offset),
    .mask_o(mask), .ask_o(ask), .regular_o(regular), .start_o(start), .break_o(broke)
  );

  // The answer: fields that do not count are 0.
  wire inject = inject_head || inject_tail;
  wire has_base = inject_head || (inject_tail && base_v[inject_slot]);
  localparam integer OutW = 1 + WarpW + 1 + RegBits + 2 + 1 + RegBits + 2 + 2*RegBits + 4 + 2 + 19
                            + Lanes;
  wire [OutW-1:0] answer = {
    s3_load, s3_warp, move, move ? move_reg : {RegBits{1'b0}}, inject_tail, inject_head,
    inject && reg_v, inject && reg_v ? inject_reg : {RegBits{1'b0}}, has_base,
    has_base && s3_over,
    inject_head ? s3_a : has_base ? base[inject_slot*RegBits +: RegBits] : {RegBits{1'b0}},
    inject_tail ? index : {RegBits{1'b0}}, inject_tail ? scale[inject_slot*4 +: 4] : 4'd0,
    inject_tail ? extend[inject_slot*2 +: 2] : 2'd0,
    inject_head ? offset
    : inject_tail ? {{3{timm[inject_slot*16 + 15]}}, timm[inject_slot*16 +: 16]} : 19'd0,
    inject ? mask : {Lanes{1'b0}}};
  // S4: a register before the queue.
  reg s4_q;
  reg [OutW-1:0] s4_answer_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) s4_q <= 1'b0;
    else s4_q <= s3_q;
  end
  always_ff @(posedge clk_i) if (s3_q) s4_answer_q <= answer;
  wire fifo_ready, fifo_valid, out_load, pause;
  wire [InsideW-1:0] fifo_count;
  wire halt = pause && out_load;  // other answers go by
  wf_fifo #(.Width(OutW), .Depth(Queue), .Ram(1)) u_answers (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(s4_q), .in_ready_o(fifo_ready),
    .in_data_i(s4_answer_q), .out_valid_o(fifo_valid), .out_ready_i(out_ready_i && !halt),
    .out_data_o({out_load, out_warp_o, out_move_o, out_move_reg_o, out_inject_o, out_reg_v_o,
                 out_reg_o, out_base_v_o, out_over_o, out_base_o, out_index_o, out_scale_o,
                 out_ext_o, out_offset_o, out_mask_o}),
    .count_o(fifo_count)
  );
  assign out_valid_o = fifo_valid && !halt;

  // What becomes of the answers of loads.
  wire issue_still, issue_rests, issue_idle;
  spref_issue #(
    .NumWarp(NumWarp), .Lanes(Lanes), .RegBits(RegBits), .AddrBits(AddrBits), .Waiting(Waiting)
  ) u_issue (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(new_kernel_i), .ans_valid_i(out_valid_o && out_load),
    .ans_take_i(out_take && out_load), .ans_warp_i(out_warp_o), .ans_move_i(out_move_o),
    .ans_inject_i(out_inject_o != 2'd0), .ans_tail_i(out_inject_o[1]), .ans_reg_v_i(out_reg_v_o),
    .ans_reg_i(out_move_reg_o | out_reg_o), .ans_base_v_i(out_base_v_o), .ans_over_i(out_over_o),
    .ans_base_i(out_base_o), .ans_index_i(out_index_o), .ans_scale_i(out_scale_o),
    .ans_ext_i(out_ext_o), .ans_offset_i(out_offset_o), .ans_mask_i(out_mask_o), .pause_o(pause),
    .go_o(go_o), .move_o(move_o), .ld_valid_i(ld_valid_i), .ld_ready_o(ld_ready_o),
    .ld_warp_i(ld_warp_i), .ld_type_i(ld_type_i), .ld_inject_i(ld_inject_i),
    .inject_o(inject_o), .ld_over_i(ld_over_i), .ld_far_i(ld_far_i),
    .ld_addr_i(ld_addr_i), .ld_slot_o(ld_slot_o),
    .done_valid_i(done_valid_i),
    .done_ready_o(done_ready_o), .done_warp_i(done_warp_i), .done_reg_i(done_reg_i),
    .done_fault_i(done_fault_i), .issued_i(issued_i), .next_valid_i(next_valid_i),
    .next_warp_i(next_warp_i), .next_dst_v_i(next_dst_v_i), .next_all_i(next_all_i),
    .next_dst_i(next_dst_i), .ask_o(ask_o), .hold_o(hold_o), .wait_o(wait_o),
    .inj_valid_o(inj_valid_o), .inj_ready_i(inj_ready_i), .inj_add_o(inj_add_o),
    .inj_sum_o(inj_sum_o), .inj_slot_o(inj_slot_o), .inj_warp_o(inj_warp_o),
    .inj_type_o(inj_type_o), .inj_reg_v_o(inj_reg_v_o), .inj_reg_o(inj_reg_o),
    .inj_base_v_o(inj_base_v_o),
    .inj_base_o(inj_base_o), .inj_index_o(inj_index_o), .inj_scale_o(inj_scale_o),
    .inj_ext_o(inj_ext_o), .inj_offset_o(inj_offset_o), .inj_mask_o(inj_mask_o),
    .inj_far_o(inj_far_o), .inj_addr_o(inj_addr_o), .sum_valid_i(sum_valid_i),
    .sum_ready_o(sum_ready_o), .sum_slot_i(sum_slot_i), .sum_far_i(sum_far_i),
    .sum_addr_i(sum_addr_i), .still_o(issue_still),
    .rests_o(issue_rests), .idle_o(issue_idle)
  );
  wire rests = inside_q == '0 && !count_busy && kernel_q == '0 && fault_q == '0 && fresh_q == '0
               && !h1_q && !loop_busy;
  // Nothing came at the edge before, and nothing changed: so nothing will.
  wire comes = in_valid_i || cnt_valid_i || ld_valid_i || inj_ready_i || sum_valid_i || done_valid_i
               || issued_i != '0 || next_valid_i || new_kernel_i || hint_valid_i;
  reg rests_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rests_q <= 1'b0;
    else rests_q <= rests && issue_rests && turns_quiet && !counted_o && !comes;
  end
  assign quiet_o = rests_q && issue_still;
  assign idle_o = rests && issue_idle && !turns_busy && held_q == '0;

  // Counters: the order is that of unit.ini.
  wire [NCount-1:0] inc = {
    fault_take, inject && !reg_v, inject_tail, inject_head, move && s3_tail != 2'd0,
    move && s3_tail == 2'd0, s3_q && s3_drop, broke, start, regular, set, ask,
    s3_q && s3_in && s3_load, s3_q && s3_in, ev_live, ev_refuse, ev_fail,
    ev_abort, ev_found, s3_q};
  generate
    if (CounterBits != 0) begin : g_count
      wf_counters #(.N(NCount), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, inc};
      assign cnt_value_o = '0;
    end
  endgenerate

  `WF_ASSUME_STABLE(rule1_in, in_valid_i, in_ready_o, {in_warp_i, in_pc_i, in_op_i, in_mask_i},
                    WarpW + PcBits + 4 + Lanes,
                    "Rule 1: an offered instruction holds")
  `WF_ASSUME_STABLE(rule1_hint, hint_valid_i, hint_ready_o, {hint_kind_i, hint_pc_i}, 3 + PcBits,
                    "Rule 1: an offered hint holds")
  `WF_ASSUME_STABLE(rule10_sum, sum_valid_i, sum_ready_o, {sum_slot_i, sum_far_i, sum_addr_i},
                    SlotW + 1 + Lanes*AddrBits, "Rule 10: an offered sum holds")
  wire [31:0] s1_warp_n = 32'(s1_warp_q);
  `WF_ASSUME(rule2_warp, !s1_q || s1_warp_n < NumWarp,
             "Rule 2: an instruction's warp is below NumWarp")
  `WF_ASSERT(rule3_inside, fifo_ready || !s4_q,
             "Rule 3: not more than Queue instructions are inside")
  `WF_ASSUME(rule4_count, !(in_take && (in_counted_i || in_last_i) && held_q[in_warp_i])
             || (counted_o && row_warp_q == in_warp_i),
             "Rule 4: a test or a last instruction comes when the counts before have acted")
  `WF_ASSERT(rule5_idle, !idle_o || !(s1_q || s2_q || s3_q || s4_q || out_valid_o),
             "Rule 5: an idle unit holds nothing")
  `WF_ASSUME(rule6_last, !(s1_q && s1_last_q && s1_op_q == 4'd7),
             "Rule 6: a warp does not end with a branch")
  // What only assertions look at.
`ifdef WF_ASSERT_LIVE
  localparam integer RegsW = 2*RegBits + 2, LevelsW = RegsW + 6;
  reg [RegsW-1:0] told_regs_q;  // of the last instruction or hint
  reg [LevelsW-1:0] levels_q;
  reg told_q, levelled_q;       // since a new kernel; since reset
  wire [RegsW-1:0] regs = {max_s_i, max_d_i};
  wire [LevelsW-1:0] all_levels = {regs, en_i, hints_on_i, distance_i, cache_only_i, widen_i};
  reg [NumWarp-1:0] issues_q, open_q, last_q, older_q;  // loads issue; one is answered; has issued
  wire [NumWarp-1:0] ld_at = ld_valid_i && ld_ready_o ? NumWarp'(1) << ld_warp_i : '0,
                     answer_at = out_valid_o && out_load ? NumWarp'(1) << out_warp_o : '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      told_q <= 1'b0;
      levelled_q <= 1'b0;
      issues_q <= '0;
      open_q <= '0;
      last_q <= '0;
      older_q <= '0;
    end else begin
      told_q <= (told_q || in_take || hint_take) && !new_kernel_i;
      levelled_q <= 1'b1;
      issues_q <= (issues_q & ~(idle_o || new_kernel_i ? ~open_q : '0)) | ld_at;
      open_q <= ((open_q & ~ld_at) | (answer_at & {NumWarp{out_ready_i}}))
                & ~{NumWarp{new_kernel_i}};
      last_q <= ld_at;
      older_q <= last_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (in_take || hint_take) told_regs_q <= regs;
    levels_q <= all_levels;
  end
  `WF_ASSUME(rule7_registers, !(in_take || hint_take) || !told_q || regs == told_regs_q,
             "Rule 7: other registers come with a new kernel")
  `WF_ASSUME(rule8_levels, !levelled_q || idle_o || all_levels == levels_q,
             "Rule 8: levels change only while the unit is idle")
  `WF_ASSUME(rule9_answer, (answer_at & issues_q & (open_q | last_q | older_q)) == '0,
             "Rule 9: a warp has one answer, edges after its last load issued")
`endif
  wire unused = &{1'b0, s1_warp_n, head_v, fifo_count, fifo_ready};
endmodule
`default_nettype wire
