// mff_keep between a table and a walk that do anything they may: no line is given back while
// somebody waits in its list, no request is forgotten, at most one walk of a line at a time, all
// lines come back.
`default_nettype none
`include "wf_assert.vh"
module mff_keep_props #(
  parameter integer Lines = 2,
  parameter integer Keep = 1,
  parameter integer JoinLate = 2,  // cycles from a request in an empty list to join_i: 0 to 2
  localparam integer LineW = Lines > 1 ? $clog2(Lines) : 1
) (
  input wire clk_i, input wire want, input wire need, input wire flush, input wire hold,
  input wire [LineW-1:0] hold_line, input wire walked, input wire [LineW-1:0] walked_line,
  input wire arrive, input wire [LineW-1:0] arrive_line, input wire take,
  input wire [LineW-1:0] take_line, input wire denied
);
`include "formal.vh"
  wire free, again, joined, freed;
  wire [LineW-1:0] free_tag, next_tag, line;
  // Line i holds the block of tag Lines - 1 - i.
  wire [Lines*LineW-1:0] tags;
  generate
    for (genvar i = 0; i < Lines; i = i + 1) begin : g_tag
      assign tags[i*LineW +: LineW] = LineW'(Lines - 1 - i);
    end
  endgenerate
  // The table: whose block waits in a line, whose list is not empty. The walk: whose walk is due,
  // and its list taken.
  reg [Lines-1:0] held_q, list_q, due_q, taken_q;
  initial held_q = '0;
  initial list_q = '0;
  initial due_q = '0;
  initial taken_q = '0;
  wire [LineW-1:0] asked = LineW'(Lines - 1) - free_tag;
  wire listed = list_q[asked];
  wire free_done = free && !listed && !denied;
  // Requests in an empty list are told JoinLate cycles after the list shows them.
  reg [1:0] late_q [0:2];
  reg [LineW-1:0] late_line_q [0:2];
  initial begin
    late_q[0] = '0;
    late_q[1] = '0;
    late_q[2] = '0;
  end
  wire first = arrive && !list_q[arrive_line] && rst_ni;
  always @(posedge clk_i) begin
    late_q[0] <= {1'b0, first};
    late_line_q[0] <= arrive_line;
    for (int k = 1; k < 3; k++) begin
      late_q[k] <= late_q[k-1];
      late_line_q[k] <= late_line_q[k-1];
    end
  end
  wire join_valid = late_q[JoinLate][0];
  wire [LineW-1:0] join_line = late_line_q[JoinLate];
  mff_keep #(.Lines(Lines), .TagW(LineW), .Keep(Keep)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .want_i(want), .need_i(need), .flush_i(flush),
    .line_tag_i(tags), .hold_i(hold && rst_ni), .hold_line_i(hold_line), .end_i(walked && rst_ni),
    .end_line_i(walked_line), .join_i(join_valid), .join_line_i(join_line), .free_o(free),
    .free_tag_o(free_tag), .free_next_tag_o(next_tag), .free_done_i(free_done), .list_i(listed),
    .again_o(again), .joined_o(joined), .freed_o(freed), .check_line_o(line)
  );
  always @(posedge clk_i) if (rst_ni) begin
    if (freed) held_q[line] <= 1'b0;
    if (take) list_q[take_line] <= 1'b0;
    if (take) taken_q[take_line] <= 1'b1;
    if (arrive) list_q[arrive_line] <= 1'b1;
    if (walked) due_q[walked_line] <= 1'b0;
    if (again) due_q[line] <= 1'b1;
    if (again) taken_q[line] <= 1'b0;
    if (joined) due_q[join_line] <= 1'b1;
    if (joined) taken_q[join_line] <= 1'b0;
    if (hold) begin  // the request that asked for the block waits in its list
      held_q[hold_line] <= 1'b1;
      list_q[hold_line] <= 1'b1;
      due_q[hold_line] <= 1'b1;
      taken_q[hold_line] <= 1'b0;
    end
  end
  wire [LineW:0] lines = (LineW + 1)'(Lines);
  reg freed_q;
  reg [LineW-1:0] freed_line_q;
  initial freed_q = 1'b0;
  always @(posedge clk_i) begin
    freed_q <= freed && rst_ni;
    freed_line_q <= line;
  end
  `WF_ASSUME(hold_right, !hold || ({1'b0, hold_line} < lines && !held_q[hold_line]
                                   && !(freed_q && freed_line_q == hold_line)),
             "a block takes a line that is free, two cycles after that was given back or later")
  `WF_ASSUME(take_right, !take || ({1'b0, take_line} < lines && due_q[take_line]
                                   && !taken_q[take_line] && !(arrive && arrive_line == take_line)),
             "a due walk takes its list once; a request of that edge counts as before it")
  `WF_ASSUME(walked_right,
             !walked || ({1'b0, walked_line} < lines && due_q[walked_line] && taken_q[walked_line]),
             "a walk that took its list ends")
  `WF_ASSUME(arrive_right, !arrive || ({1'b0, arrive_line} < lines && held_q[arrive_line]
             && !(freed && line == arrive_line)), "requests come for blocks that are in a line")

  `WF_ASSERT(tag_right, !free || (free_tag == LineW'(Lines - 1) - line),
             "the tag that is asked for is the line's")
  reg [LineW-1:0] next_q;
  always @(posedge clk_i) next_q <= next_tag;
  `WF_ASSERT(tag_early, !free || free_tag == next_q, "the tag is told a cycle ahead")
  `WF_ASSERT(nobody_waits, !freed || (held_q[line] && !list_q[line] && !due_q[line]),
             "a line comes back when nobody waits in its list and no walk is due")
  `WF_ASSERT(again_once, !again || (held_q[line] && !due_q[line]),
             "a line is walked again only after its walk ended")
  `WF_ASSERT(joined_once, !joined || (held_q[join_line] && !due_q[join_line]),
             "a kept line is walked only when no walk is due")
  `WF_ASSERT(not_both, !(again && joined && line == join_line), "one walk for one line")
  // Any line.
  (* anyconst *) wire [LineW-1:0] which;
  `WF_ASSUME(which_range, {1'b0, which} < lines, "a line")
  reg [2:0] alone_q;
  initial alone_q = 3'd0;
  always @(posedge clk_i)
    if (!rst_ni || !list_q[which] || due_q[which]) alone_q <= 3'd0;
    else alone_q <= alone_q + 3'd1;
  `WF_ASSERT(not_forgotten, alone_q <= 3'd4,
             "whoever waits in a list without a walk gets one within five cycles")
  // Without new requests and walks, a flush gives all back: the hand needs Lines cycles, a check
  // two more, and it is known of a line a cycle after its check.
  reg [4:0] flush_q;
  initial flush_q = 5'd0;
  always @(posedge clk_i)
    if (!rst_ni || !(flush || Keep == 0) || list_q != '0 || due_q != '0 || hold || arrive || denied)
      flush_q <= 5'd0;
    else if (flush_q != 5'd31) flush_q <= flush_q + 5'd1;
  `WF_ASSERT(flushed, flush_q < 5'(Lines + 5) || held_q == '0, "a flush gives all lines back")
  // Wanted room comes: kept lines that nobody joins are freed in two rounds of the hand.
  reg [4:0] want_q;
  initial want_q = 5'd0;
  always @(posedge clk_i)
    if (!rst_ni || !want || list_q != '0 || due_q != '0 || hold || arrive || denied || freed)
      want_q <= 5'd0;
    else if (want_q != 5'd31) want_q <= want_q + 5'd1;
  `WF_ASSERT(room, want_q < 5'(2 * Lines + 4) || held_q == '0,
             "wanted room comes within two rounds")
  // Where the hand finds a line that was joined, it goes on: the line is given back a whole round
  // later at the earliest.
  reg [3:0] since_q;
  initial since_q = 4'd15;
  always @(posedge clk_i)
    if (!rst_ni || flush || need || (hold && hold_line == which)) since_q <= 4'd15;
    else if ((joined && join_line == which) || (again && line == which)) since_q <= 4'd0;
    else if (want && since_q != 4'd15) since_q <= since_q + 4'd1;
  generate
    if (Keep != 0) begin : g_kept
      `WF_ASSERT(second_visit, !(freed && line == which) || need || since_q > 4'(Lines),
                 "a joined line stays for a round")
      `WF_COVER(second_chance, want_q == 5'(Lines + 1) && held_q == '1)
      `WF_COVER(joined_kept, joined)
    end
  endgenerate
  `WF_COVER(walked_again, again)
  `WF_COVER(full_then_empty, freed && held_q == (Lines)'(1) << line)
  reg [1:0] rest_q;  // a check in flight ends within three cycles
  initial rest_q = 2'd0;
  always @(posedge clk_i)
    if (!rst_ni || held_q != '0 || hold) rest_q <= 2'd0;
    else if (rest_q != 2'd3) rest_q <= rest_q + 2'd1;
  `WF_QUIET(rest_q == 2'd3 && !hold && !want)
endmodule
`default_nettype wire
