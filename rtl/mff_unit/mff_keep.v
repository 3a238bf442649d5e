// mff_keep: which line buffers of a table are in use, and how long a block stays after its list was
// walked. A line is free, or held: in a walk (from its allocation on, while requests wait for it),
// or kept: its block is valid and its list empty. A request that joins a kept block is walked at
// once, without a read: the window in which requests for one block meet is longer than the block's
// latency.
//
// Kept lines are given back when room is wanted (want_i): a hand goes round, one line per cycle,
// passes over lines in a walk, gives those that were joined since its last visit a second chance,
// and frees the rest. flush_i (no command is in the unit) frees all, in Lines cycles. With Keep =
// 0, and while a block waits for a line (need_i), a line is freed at the end of its walk.
//
// Every decision is made in one cycle, the check, two cycles after the hand's visit or the end of a
// walk (its tag is told a cycle ahead, so that the table can look it up): the end of a walk looks
// whether new requests have joined (list_i), then the line is walked again; freeing asks the table
// (free_done_i). The table's answer comes late, so what is known of the line follows a cycle after
// the check, and whoever looks meanwhile sees what was decided. Joins are told (join_i) after the
// list bit was set, so a join is seen by the check, or finds the line kept.
//   Lines 1..64   join_i at most 2 cycles after list_i shows it
// Storage: 3 flops per line.
`default_nettype none
`include "wf_assert.vh"

module mff_keep #(
  parameter integer Lines = 16,
  parameter integer TagW = 4,
  parameter integer Keep = 1,
  localparam integer LineW = Lines > 1 ? $clog2(Lines) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  want_i,
  input  wire                  need_i,
  input  wire                  flush_i,
  input  wire [Lines*TagW-1:0] line_tag_i,
  // a line is taken for a block, two cycles after it became free at the earliest; a walk of it is
  // over (always accepted); a request joined its empty list
  input  wire                  hold_i,
  input  wire [LineW-1:0]      hold_line_i,
  input  wire                  end_i,
  input  wire [LineW-1:0]      end_line_i,
  input  wire                  join_i,
  input  wire [LineW-1:0]      join_line_i,
  // check at the table
  output wire                  free_o,
  output wire [TagW-1:0]       free_tag_o,
  output wire [TagW-1:0]       free_next_tag_o, // free_tag_o of the next cycle
  input  wire                  free_done_i,
  input  wire                  list_i,         // the list of free_tag_o is not empty
  // lines that must be walked, and the line that became free
  output wire                  again_o,
  output wire                  joined_o,
  output wire                  freed_o,
  output wire [LineW-1:0]      check_line_o    // of again_o and freed_o
);
  localparam integer LastI = Lines - 1;
  localparam [LineW-1:0] LAST = LastI[LineW-1:0];

  reg [Lines-1:0] held_q, walk_q, joined_q;    // joined_q: since the hand's last visit
  reg [LineW-1:0] hand_q;
  reg early_q, early_end_q, check_q, check_end_q;
  // Of the line that is checked: kept a cycle ago; checked then. Of the line that was checked then:
  // its walk is over; it is walked again; it was freed.
  reg kept_q, same_q, ended_q, again_q, freed_q;
  reg [LineW-1:0] done_line_q;
  reg [LineW-1:0] early_line_q, check_line_q;
  reg [TagW-1:0] early_tag_q, check_tag_q;

  // The hand.
  wire move = (want_i || (flush_i && held_q != '0)) && !end_i;
  wire kept = held_q[hand_q] && !walk_q[hand_q];
  wire visit = move && kept && (flush_i || !joined_q[hand_q]);
  wire [LineW-1:0] line = end_i ? end_line_i : hand_q;

  // The check.
  // What is kept is looked up a cycle ahead, and the line of the check before may have been freed
  // meanwhile. A request that joins now waits in the list, which the table sees.
  wire evict = check_q && !check_end_q && kept_q && !(freed_q && same_q);
  wire over = check_q && check_end_q;
  wire at_end = Keep == 0 || need_i;
  assign free_o = evict || (over && at_end);
  assign free_tag_o = check_tag_q;
  assign free_next_tag_o = early_tag_q;
  assign freed_o = free_o && free_done_i;
  assign again_o = over && (at_end ? !free_done_i : list_i);
  assign joined_o = join_i && (!walk_q[join_line_i] || (ended_q && done_line_q == join_line_i));
  assign check_line_o = check_line_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
      walk_q <= '0;
      joined_q <= '0;
      hand_q <= '0;
      early_q <= 1'b0;
      check_q <= 1'b0;
      ended_q <= 1'b0;
      again_q <= 1'b0;
      freed_q <= 1'b0;
    end else begin
      ended_q <= over && !again_o;
      again_q <= again_o;
      freed_q <= freed_o;
      if (move) begin
        hand_q <= hand_q == LAST ? '0 : hand_q + 1'b1;
        joined_q[hand_q] <= 1'b0;
      end
      early_q <= end_i || visit;
      check_q <= early_q;
      if (ended_q) walk_q[done_line_q] <= 1'b0;
      if (freed_q) held_q[done_line_q] <= 1'b0;
      if (again_q) joined_q[done_line_q] <= 1'b1;
      if (joined_o) begin
        walk_q[join_line_i] <= 1'b1;
        joined_q[join_line_i] <= 1'b1;
      end
      if (hold_i) begin
        held_q[hold_line_i] <= 1'b1;
        walk_q[hold_line_i] <= 1'b1;
        joined_q[hold_line_i] <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (end_i || visit) begin
      early_end_q <= end_i;
      early_line_q <= line;
      early_tag_q <= line_tag_i[line*TagW +: TagW];
    end
    if (early_q) begin
      check_end_q <= early_end_q;
      check_line_q <= early_line_q;
      kept_q <= held_q[early_line_q] && !walk_q[early_line_q]
                && !(join_i && join_line_i == early_line_q)
                && !(freed_q && done_line_q == early_line_q);
      same_q <= early_line_q == check_line_q;
    end
    check_tag_q <= early_tag_q;
    done_line_q <= check_line_q;
  end

  initial if (Lines < 1 || Lines > 64) $fatal(1, "mff_keep: Lines must be 1..64");
  `WF_ASSERT(rule1, !hold_i || !held_q[hold_line_i], "Rule 1: a line that is taken was free")
  `WF_ASSERT(rule2, !over || (held_q[check_line_q] && walk_q[check_line_q]),
             "Rule 2: a walk that ends was one of a held line")
  `WF_ASSERT(rule3, !join_i || held_q[join_line_i], "Rule 3: requests join held lines")
  `WF_ASSERT(rule4, !(freed_o && joined_o && check_line_q == join_line_i),
             "Rule 4: a line that is joined is not freed")
endmodule

`default_nettype wire
