// spref_choose: any flags, any refusals. Each warp's instructions are numbered; one scheduler's
// choice is written down as choose() and lose_turn() of sim/gpu/scheduler.c make it, but for whom
// they start with.
`default_nettype none
`include "wf_assert.vh"
module spref_choose_props #(
  parameter integer NumWarp = 5,
  parameter integer Tries = 2,
  parameter integer WordW = 2,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1
) (
  input wire clk_i, input wire [NumWarp-1:0] there, input wire [NumWarp-1:0] move_there,
  input wire [NumWarp-1:0] is_load, input wire [NumWarp-1:0] is_over,
  input wire [NumWarp-1:0] is_branch, input wire [NumWarp-1:0] is_end,
  input wire [NumWarp-1:0] behind_there, input wire [NumWarp-1:0] behind_branch,
  input wire [NumWarp-1:0] behind_end, input wire [NumWarp-1:0] go, input wire [NumWarp-1:0] move,
  input wire [NumWarp-1:0] hold, input wire [NumWarp-1:0] waits, input wire [NumWarp-1:0] held,
  input wire [Tries-1:0] may
);
`include "formal.vh"
  reg [NumWarp*WordW-1:0] first_q;
  reg [NumWarp*WordW-1:0] behind_c;
  wire [Tries-1:0] valid, load, as_move, over, branches, ends;
  wire [Tries*WarpW-1:0] warp;
  wire [Tries*NumWarp-1:0] bits;
  wire [Tries*WordW-1:0] word;
  wire [Tries-1:0] issue = valid & may;
  spref_choose #(.NumWarp(NumWarp), .Tries(Tries), .WordW(WordW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .there_i(there), .move_there_i(move_there),
    .is_load_i(is_load), .is_over_i(is_over), .is_branch_i(is_branch), .is_end_i(is_end),
    .first_i(first_q), .behind_there_i(behind_there), .behind_branch_i(behind_branch),
    .behind_end_i(behind_end), .behind_i(behind_c), .go_i(go), .move_i(move), .hold_i(hold),
    .wait_i(waits), .held_i(held), .issue_i(issue), .valid_o(valid), .warp_o(warp), .bit_o(bits),
    .word_o(word), .load_o(load), .move_o(as_move), .over_o(over), .branch_o(branches),
    .end_o(ends)
  );
  // What issues, of all warps, and what loses its turn; what a warp issues next.
  reg [NumWarp-1:0] issued_c, lost_c;
  always @(*) begin
    {issued_c, lost_c} = '0;
    for (int k = 0; k < Tries; k = k + 1) begin
      issued_c = issued_c | (bits[k*NumWarp +: NumWarp] & {NumWarp{issue[k]}});
      lost_c = lost_c | (bits[k*NumWarp +: NumWarp] & {NumWarp{valid[k] && !issue[k]}});
    end
    for (int w = 0; w < NumWarp; w = w + 1)
      behind_c[w*WordW +: WordW] = first_q[w*WordW +: WordW] + 1'b1;
  end
  always @(posedge clk_i)
    for (int w = 0; w < NumWarp; w = w + 1)
      if (issued_c[w]) first_q[w*WordW +: WordW] <= behind_c[w*WordW +: WordW];

  // Who may go in the next cycle: by what the unit showed in the one before.
  reg [NumWarp-1:0] go_q, move_q, hold_q, waits_q, held_q;
  always @(posedge clk_i)
    {go_q, move_q, hold_q, waits_q, held_q} <= {go, move, hold, waits, held};
  wire [NumWarp-1:0] moves = is_load & go_q & move_q;
  wire [NumWarp-1:0] operands = (moves & move_there) | (~moves & there & (go_q | ~is_load));
  wire [NumWarp-1:0] first_ok = operands & ~hold_q & ~(is_end & (waits_q | held_q))
                                & ~(is_branch & held_q);
  wire [NumWarp-1:0] behind_ok = behind_there & ~hold_q & ~(behind_end & (waits_q | held_q))
                                 & ~(behind_branch & held_q);
  wire [NumWarp-1:0] candidates = (issued_c & behind_ok) | (~issued_c & ~lost_c & first_ok);

  // One scheduler, any.
  (* anyconst *) wire [$clog2(Tries + 1)-1:0] mine;
  `WF_ASSUME(a_scheduler, mine < Tries, "a scheduler's number")
  reg [NumWarp-1:0] choice_c;
  reg [WarpW-1:0] last_q, next_c;
  reg none_q;  // nobody was before
  always @(*) begin
    choice_c = '0;
    next_c = '0;
    // The first behind the last one; if none, the first.
    for (int i = 2 * NumWarp - 1; i >= 0; i = i - 1)
      if (candidates[i % NumWarp] && i % NumWarp % Tries == mine
          && (i >= NumWarp || none_q || i > last_q)) begin
        choice_c = NumWarp'(1) << (i % NumWarp);
        next_c = WarpW'(i % NumWarp);
      end
  end
  reg some_q;
  initial {none_q, some_q} = 2'b10;
  always @(posedge clk_i) begin
    some_q <= rst_ni && choice_c != '0;
    if (rst_ni && choice_c != '0) {none_q, last_q} <= {1'b0, next_c};
  end
  wire mine_valid = rst_ni && valid[mine];
  wire [WarpW-1:0] mine_warp = warp[mine*WarpW +: WarpW];
  `WF_ASSERT(as_the_fabric, !rst_ni || (valid[mine] == some_q && (!some_q || mine_warp == last_q)),
             "who is at issue is the first behind whom was chosen before of those who may go")
  `WF_ASSERT(its_bit, !mine_valid || bits[mine*NumWarp +: NumWarp] == NumWarp'(1) << mine_warp,
             "the warp's bit is its number's")
  `WF_ASSERT(in_order, !mine_valid
             || word[mine*WordW +: WordW] == first_q[mine_warp*WordW +: WordW],
             "a warp's instructions come to issue one after the other, each once")
  // What it is said to be is what it is: flags of a cycle ago, of the same instruction.
  reg [NumWarp-1:0] load_was_q, move_was_q, over_was_q, branch_was_q, end_was_q;
  always @(posedge clk_i) begin
    load_was_q <= is_load & ~issued_c;
    move_was_q <= moves;
    over_was_q <= is_over;
    branch_was_q <= (issued_c & behind_branch) | (~issued_c & is_branch);
    end_was_q <= (issued_c & behind_end) | (~issued_c & is_end);
  end
  `WF_ASSERT(its_kind, !mine_valid || {load[mine], branches[mine], ends[mine]}
             == {load_was_q[mine_warp], branch_was_q[mine_warp], end_was_q[mine_warp]},
             "a load, a branch and an end are at issue as what they are")
  `WF_ASSERT(its_way, !mine_valid || !load[mine] || {as_move[mine], over[mine]}
             == {move_was_q[mine_warp], over_was_q[mine_warp]},
             "a load is at issue the way for which it was chosen")
  // It is refused and at issue again two cycles later; it issues twice running.
  reg went_q, refused_q, waited_q;
  reg [WarpW-1:0] warp_q, warp_before_q;
  initial {went_q, refused_q, waited_q} = 3'b000;
  always @(posedge clk_i) begin
    {went_q, refused_q} <= {mine_valid && issue[mine], mine_valid && !issue[mine]};
    waited_q <= refused_q && !mine_valid;
    {warp_before_q, warp_q} <= {warp_q, mine_warp};
  end
  `WF_COVER(again, waited_q && mine_valid && issue[mine] && mine_warp == warp_before_q)
  `WF_COVER(twice, went_q && mine_valid && issue[mine] && mine_warp == warp_q)
endmodule
`default_nettype wire
