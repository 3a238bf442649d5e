// spref_rename: the rename map of the warp that is followed. Registers are written again and again
// in a loop as it stands after allocation; what is followed are values. Each instruction, in
// program order, finds here by the architectural registers that it reads which entries of
// spref_loop made the values that they hold now, and what it writes ends what its registers held.
//
// At most NumForm values are followed, so the map is kept from entries to registers and searched:
// it takes NumForm * (RegBits + 2) flops where one from registers to entries takes 2^RegBits *
// log2(NumForm) and four ports. A register without an entry is constant if nobody wrote it since
// the training began, else of unknown value.
//
// A value of 64 bits is in a pair: an even register and the next. pair_i tells of each operand that
// it is one; who writes a half of a pair ends the pair, and the other way round.
//
// Timing: names are compared and flags are read as the instruction is taken (next_*), one edge
// ahead of S1; an entry made at that edge is put right after it. All else is of S1, and acts at the
// next edge; what is relied upon is noted an edge later, and seen at once.
// Storage: NumForm * (RegBits + 2) tags, NumForm * 6 + 10 of the comparison, 2 * 2^RegBits, and 2
// * RegBits + 5 of what is noted.
//
// Rules
//   1 At most one entry is what a register holds.
//   2 What an entry is held by is written.
`default_nettype none
`include "wf_assert.vh"

module spref_rename #(
  parameter integer RegBits = 6,
  parameter integer NumForm = 12,
  localparam integer Regs = 1 << RegBits
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                clear_i,      // nothing is written, relied upon or held
  input  wire                look_i,       // names are looked up
  input  wire [RegBits-1:0]  next_dst_i,
  input  wire [RegBits-1:0]  next_a_i,
  input  wire [RegBits-1:0]  next_b_i,
  input  wire [2:0]          next_pair_i,
  // S1: the instruction, if it is of the warp that is followed; what it does
  input  wire                take_i,
  input  wire [RegBits-1:0]  dst_i,
  input  wire [RegBits-1:0]  a_i,
  input  wire [RegBits-1:0]  b_i,
  input  wire [2:0]          pair_i,       // {b, a, dst}
  input  wire                write_i,      // it writes dst
  input  wire                again_i,      // to step what dst holds: the entry stays
  input  wire                lose_i,       // it writes what it does not name
  input  wire                make_i,       // its destination is of this entry from now on
  input  wire [NumForm-1:0]  make_at_i,
  input  wire                use_a_i,      // a, b are relied upon as constant
  input  wire                use_b_i,
  input  wire                use_c_i,      // c, of an instruction before; not with a
  input  wire [RegBits-1:0]  c_i,
  input  wire                c_pair_i,
  // an entry from a compiler: its register is watched, and looked up by nobody
  input  wire                hint_i,
  input  wire [NumForm-1:0]  hint_at_i,
  input  wire [RegBits-1:0]  hint_reg_i,
  input  wire                hint_pair_i,
  // S1: entries that a, b, dst hold; those that writing dst would end, held or not
  output wire [NumForm-1:0]  a_at_o,
  output wire [NumForm-1:0]  b_at_o,
  output wire [NumForm-1:0]  dst_at_o,
  output wire [NumForm-1:0]  over_o,
  output wire [NumForm-1:0]  held_o,       // entries that a register holds
  output wire                a_free_o,     // nobody wrote it
  output wire                b_free_o,
  output wire                dst_free_o,
  output wire                c_free_o,
  output wire                dst_used_o,   // it is relied upon
  output wire                broken_o      // a register that is relied upon is written
);
  reg [Regs-1:0] written_q, used_q;
  reg [NumForm-1:0] held_q, pair_q;
  reg [NumForm*RegBits-1:0] reg_q;

  // Compared at the edge before: all bits and whether both are pairs, but of dst the last bit and
  // the pairs apart. The instruction before was entry made_at_q's if made_q.
  reg [NumForm-1:0] a_name_q, b_name_q, dst_name_q, dst_low_q, dst_same_q, made_at_q;
  reg made_q, a_last_q, b_last_q, dst_last_q, dst_last_low_q, dst_last_same_q;
  wire [NumForm-1:0] made = made_q ? made_at_q : '0;
  wire [NumForm-1:0] a_name = (a_name_q & ~made) | (a_last_q ? made : '0),
                     b_name = (b_name_q & ~made) | (b_last_q ? made : '0),
                     dst_name = (dst_name_q & ~made) | (dst_last_q ? made : '0),
                     dst_low = (dst_low_q & ~made) | (dst_last_low_q ? made : '0),
                     dst_same = (dst_same_q & ~made) | (dst_last_same_q ? made : '0);
  assign a_at_o = a_name & held_q;
  assign b_at_o = b_name & held_q;
  assign dst_at_o = dst_name & dst_low & dst_same & held_q;
  assign over_o = dst_name & (dst_low | pair_q | {NumForm{pair_i[0]}});
  assign held_o = held_q;

  wire writes = take_i && write_i;
  localparam [RegBits-1:0] ONE = 1;
  wire [RegBits-1:0] dst_half = dst_i ^ ONE;
  // Either half of it is set in the flags.
  function automatic any_of(input [Regs-1:0] flags, input [RegBits-1:0] r, input pair);
    any_of = flags[r] || (pair && flags[r ^ ONE]);
  endfunction
  function automatic overlaps(input [RegBits-1:0] r, input pair, input [RegBits-1:0] s,
                              input pair_s);
    overlaps = r[RegBits-1:1] == s[RegBits-1:1] && (pair || pair_s || r[0] == s[0]);
  endfunction
  reg a_written_q, b_written_q, dst_written_q, dst_used_q;
  assign a_free_o = !a_written_q;
  assign b_free_o = !b_written_q;
  assign dst_free_o = !dst_written_q;
  assign dst_used_o = dst_used_q;
  assign c_free_o = !any_of(written_q, c_i, c_pair_i);
  // Relied upon by the instruction before.
  reg note_a_q, note_b_q, note_a_pair_q, note_b_pair_q;
  reg [RegBits-1:0] note_a_at_q, note_b_at_q;
  assign broken_o = (used_q & written_q) != '0
                    || (note_a_q && any_of(written_q, note_a_at_q, note_a_pair_q))
                    || (note_b_q && any_of(written_q, note_b_at_q, note_b_pair_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q <= '0;
      used_q <= '0;
      held_q <= '0;
      made_q <= 1'b0;
      note_a_q <= 1'b0;
      note_b_q <= 1'b0;
    end else begin
      made_q <= make_i;
      note_a_q <= (use_a_i || use_c_i) && !clear_i;
      note_b_q <= use_b_i && !clear_i;
      if (clear_i) begin
        written_q <= '0;
        used_q <= '0;
        held_q <= '0;
      end else begin
        if (writes) written_q[dst_i] <= 1'b1;
        if (writes && pair_i[0]) written_q[dst_half] <= 1'b1;
        if (note_a_q) used_q[note_a_at_q] <= 1'b1;
        if (note_a_q && note_a_pair_q) used_q[note_a_at_q ^ ONE] <= 1'b1;
        if (note_b_q) used_q[note_b_at_q] <= 1'b1;
        if (note_b_q && note_b_pair_q) used_q[note_b_at_q ^ ONE] <= 1'b1;
        held_q <= (take_i && lose_i ? '0 : held_q & ~(writes && !again_i ? over_o : '0))
                  | (make_i ? make_at_i : '0);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (look_i) begin
      for (int i = 0; i < NumForm; i = i + 1) begin
        a_name_q[i] <= reg_q[i*RegBits +: RegBits] == next_a_i && pair_q[i] == next_pair_i[1];
        b_name_q[i] <= reg_q[i*RegBits +: RegBits] == next_b_i && pair_q[i] == next_pair_i[2];
        dst_same_q[i] <= pair_q[i] == next_pair_i[0];
        dst_name_q[i] <= reg_q[i*RegBits + 1 +: RegBits-1] == next_dst_i[RegBits-1:1];
        dst_low_q[i] <= reg_q[i*RegBits] == next_dst_i[0];
      end
      a_last_q <= next_a_i == dst_i && next_pair_i[1] == pair_i[0];
      b_last_q <= next_b_i == dst_i && next_pair_i[2] == pair_i[0];
      dst_last_same_q <= next_pair_i[0] == pair_i[0];
      dst_last_q <= next_dst_i[RegBits-1:1] == dst_i[RegBits-1:1];
      dst_last_low_q <= next_dst_i[0] == dst_i[0];
      made_at_q <= make_at_i;
      a_written_q <= !clear_i
          && (any_of(written_q, next_a_i, next_pair_i[1])
              || (writes && overlaps(dst_i, pair_i[0], next_a_i, next_pair_i[1])));
      b_written_q <= !clear_i
          && (any_of(written_q, next_b_i, next_pair_i[2])
              || (writes && overlaps(dst_i, pair_i[0], next_b_i, next_pair_i[2])));
      dst_written_q <= !clear_i
          && (any_of(written_q, next_dst_i, next_pair_i[0])
              || (writes && overlaps(dst_i, pair_i[0], next_dst_i, next_pair_i[0])));
      dst_used_q <= any_of(used_q, next_dst_i, next_pair_i[0]);
    end else begin
      a_written_q <= 1'b0;
      b_written_q <= 1'b0;
      dst_written_q <= 1'b0;
      dst_used_q <= 1'b0;
    end
    if (look_i) begin
      note_a_at_q <= use_c_i ? c_i : a_i;
      note_a_pair_q <= use_c_i ? c_pair_i : pair_i[1];
      note_b_at_q <= b_i;
      note_b_pair_q <= pair_i[2];
    end
    for (int i = 0; i < NumForm; i = i + 1) begin
      // Whether it is made is known late: until then nobody looks at it.
      if (writes && make_at_i[i]) begin
        reg_q[i*RegBits +: RegBits] <= dst_i;
        pair_q[i] <= pair_i[0];
      end
      if (hint_i && hint_at_i[i]) begin
        reg_q[i*RegBits +: RegBits] <= hint_reg_i;
        pair_q[i] <= hint_pair_i;
      end
    end
  end

  `WF_ASSERT(rule1_one, !take_i || ((a_at_o & (a_at_o - 1'b1)) == '0
             && (b_at_o & (b_at_o - 1'b1)) == '0 && (dst_at_o & (dst_at_o - 1'b1)) == '0),
             "Rule 1: at most one entry is what a register holds")
  `WF_ASSERT(rule2_written, !take_i || a_at_o == '0 || !a_free_o,
             "Rule 2: what an entry is held by is written")
endmodule
`default_nettype wire
