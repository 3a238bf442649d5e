// teleport_lines: the state of every line, what an operation finds in its set, and which line a
// missing block gets.
//
// A line is empty, here (its block is in it), coming (a fetch is under way) or dead (coming, but a
// store has written the block: what comes is not kept). `mine`: the thread block whose requests
// come now asked for it; such a line is not given away before its last request.
//
// Victim: an empty line, else one that is here and not mine, of the oldest age that there is; of
// several the lowest way. Lines that come are never taken; none: the request is dropped. With
// KeepUnread a line is unread from the last request that found or brought it until a load finds it,
// and goes only when there is no other: else what thread blocks still wait to read, unused for
// long, goes first.
// Ages are the stated approximation of LRU: 0 at the last use, and one more, up to 3, for all other
// lines of the set, whenever a quarter of its ways were used that were not of age 0: the last
// quarter of the ways used, the one before, and so on. True LRU of 96 ways would order them.
//
// Timing: S1 chooses among the lines of the set (the choice is a register in S2), S2 decides and
// changes the states at its end, ages follow one edge later. The choice does not see what the
// operation ahead does: none ahead may allocate in the same set (the top keeps requests of a set
// two edges apart), and anything else leaves it legal.
//
//   Sets 1, 2, 4 .. 64   Ways 1..128   KeepUnread 0, 1
// Storage: flops (6 + KeepUnread) * Sets * Ways + 4 * Ways.
//
// Rules
//   1 At most one live line of a set holds a block.
//   2 A line that is coming is not given away.
//   3 A reply is for a line that is coming.
`default_nettype none
`include "wf_assert.vh"

module teleport_lines #(
  parameter integer Sets = 4,
  parameter integer Ways = 96,
  parameter integer KeepUnread = 0,
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1,
  localparam integer FillW = $clog2(Ways + 1),
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             clear_i,
  input  wire [FillW-1:0] ways_i,      // with clear_i: ways in use from now on
  // S0
  input  wire             s0_i,
  input  wire [SetW-1:0]  s0_set_i,
  // S2: at most one of the four
  input  wire             load_i,
  input  wire             store_i,
  input  wire             ask_i,
  input  wire             close_i,
  input  wire [Ways-1:0]  s2_match_i,
  output wire             here_o,      // the block is in a line
  output wire             coming_o,    // it comes
  output wire             known_o,     // ask: its thread block asked for it before
  output wire             alloc_o,     // ask: a line was given
  output wire             evict_o,     // which held another block
  output wire [Ways-1:0]  alloc_way_o, // one-hot, or 0
  output wire [Ways-1:0]  way_o,       // of the line that was found or given: one-hot, or 0
  // replies
  input  wire             rsp_i,
  input  wire [SetW-1:0]  rsp_set_i,
  input  wire [WayW-1:0]  rsp_way_i,
  output wire             busy_o       // ages or what follows them change
);
  localparam integer Lines = Sets * Ways;
  wire [Lines-1:0] here, coming, dead, mine, old0, old1, unread;  // of all sets; age: {old1, old0}
  reg [Ways-1:0] usable_q;
  reg [FillW-1:0] quarter_q;

  function automatic [Ways-1:0] of_set(input [Lines-1:0] lines, input [SetW-1:0] at);
    of_set = '0;
    for (int s = 0; s < Sets; s = s + 1)
      of_set = of_set | ({Ways{at == SetW'(s)}} & lines[s*Ways +: Ways]);
  endfunction

  // S1: the oldest class of lines that may go. A register of its own for the set, since it selects
  // among all lines.
  reg [SetW-1:0] s1_set_q;
  always_ff @(posedge clk_i) if (s0_i) s1_set_q <= s0_set_i;
  wire [Ways-1:0] here1 = of_set(here, s1_set_q), old10 = of_set(old0, s1_set_q),
                  old11 = of_set(old1, s1_set_q);
  wire [Ways-1:0] empty1 = usable_q & ~(here1 | of_set(coming, s1_set_q));
  wire [Ways-1:0] may1 = close_i ? here1 : here1 & ~of_set(mine, s1_set_q);
  wire [Ways-1:0] read1 = may1 & ~of_set(unread, s1_set_q), go1 = read1 != '0 ? read1 : may1;
  wire [Ways-1:0] age3 = go1 & old11 & old10, age2 = go1 & old11 & ~old10;
  wire [Ways-1:0] age1 = go1 & ~old11 & old10, age0 = go1 & ~old11 & ~old10;
  reg [Ways-1:0] may_q;
  always_ff @(posedge clk_i) begin
    may_q <= empty1 != '0 ? empty1 : age3 != '0 ? age3 : age2 != '0 ? age2 : age1 != '0 ? age1
             : age0;
  end

  // S2
  reg [SetW-1:0] s2_set_q;
  always_ff @(posedge clk_i) s2_set_q <= s1_set_q;
  wire [Ways-1:0] here2 = of_set(here, s2_set_q), mine2 = of_set(mine, s2_set_q);
  wire [Ways-1:0] live2 = of_set(coming & ~dead, s2_set_q);
  wire [Ways-1:0] hit_here = s2_match_i & here2, hit_coming = s2_match_i & live2,
                  hit = hit_here | hit_coming;
  wire [Ways-1:0] victim = may_q & (~may_q + 1'b1);
  assign here_o = hit_here != '0;
  assign coming_o = hit_coming != '0;
  assign known_o = (hit & mine2) != '0;
  assign alloc_o = ask_i && hit == '0 && may_q != '0;
  assign alloc_way_o = alloc_o ? victim : '0;
  assign evict_o = (alloc_way_o & here2) != '0;
  assign way_o = hit | alloc_way_o;
  wire [Ways-1:0] rsp_way = {{(Ways-1){1'b0}}, 1'b1} << rsp_way_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      usable_q <= '0;
      quarter_q <= FillW'(1);
    end else if (clear_i) begin
      for (int w = 0; w < Ways; w = w + 1) usable_q[w] <= FillW'(w) < ways_i;
      quarter_q <= (ways_i >> 2) == '0 ? FillW'(1) : ways_i >> 2;
    end
  end

  // S3: who was used.
  wire touch = ((load_i || ask_i) && here_o) || alloc_o;
  reg [Ways-1:0] used_q;
  reg [SetW-1:0] used_set_q;
  reg new_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) used_q <= '0;
    else used_q <= touch && !clear_i ? way_o : '0;
  end
  always_ff @(posedge clk_i) begin
    if (touch) begin
      used_set_q <= s2_set_q;
      new_q <= alloc_o;
    end
  end
  wire used = used_q != '0;
  // S1's choice follows ages and kernels by an edge, and what was in the pipeline before a reset
  // leaves it in one.
  reg settle_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) settle_q <= 1'b1;
    else settle_q <= used || clear_i;
  end
  assign busy_o = used || settle_q;

  wire [Lines-1:0] rsp_line;
  generate
    for (genvar s = 0; s < Sets; s = s + 1) begin : g_set
      reg [Ways-1:0] here_q, coming_q, dead_q, mine_q, old0_q, old1_q;
      reg [FillW-1:0] tick_q;
      wire at = s2_set_q == SetW'(s);
      wire [Ways-1:0] given = at ? alloc_way_o : '0, asked = at && ask_i ? way_o : '0;
      if (KeepUnread != 0) begin : g_unread
        wire [Ways-1:0] found = at && load_i ? hit : '0;
        reg [Ways-1:0] unread_q;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) unread_q <= '0;
          else unread_q <= clear_i ? '0 : (unread_q | asked) & ~found;
        end
        assign unread[s*Ways +: Ways] = unread_q;
      end else begin : g_lru
        assign unread[s*Ways +: Ways] = '0;
      end
      assign here[s*Ways +: Ways] = here_q;
      assign coming[s*Ways +: Ways] = coming_q;
      assign dead[s*Ways +: Ways] = dead_q;
      assign mine[s*Ways +: Ways] = mine_q;
      assign old0[s*Ways +: Ways] = old0_q;
      assign old1[s*Ways +: Ways] = old1_q;

      wire [Ways-1:0] lost = at && store_i ? hit_here : '0, dies = at && store_i ? hit_coming : '0;
      wire [Ways-1:0] came = rsp_i && rsp_set_i == SetW'(s) ? rsp_way : '0;
      assign rsp_line[s*Ways +: Ways] = came;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          here_q <= '0;
          coming_q <= '0;
          dead_q <= '0;
          mine_q <= '0;
        end else begin
          here_q <= clear_i ? '0 : (here_q & ~given & ~lost) | (came & ~dead_q & ~dies);
          coming_q <= (coming_q & ~came) | given;
          dead_q <= (dead_q | dies) & ~came;
          mine_q <= close_i || clear_i ? '0 : mine_q | asked;
        end
      end

      // Ages: the line that was used is young; when a quarter of the ways was, the others are a
      // step older.
      wire now = used && used_set_q == SetW'(s);
      wire counts = now && (new_q || (used_q & (old0_q | old1_q)) != '0);
      wire [FillW-1:0] tick = tick_q + 1'b1;
      wire turn = counts && tick >= quarter_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          old0_q <= '0;
          old1_q <= '0;
          tick_q <= '0;
        end else if (clear_i) begin
          old0_q <= '0;
          old1_q <= '0;
          tick_q <= '0;
        end else if (now) begin
          old0_q <= (turn ? old1_q | ~old0_q : old0_q) & ~used_q;
          old1_q <= (turn ? old1_q | old0_q : old1_q) & ~used_q;
          if (counts) tick_q <= turn ? '0 : tick;
        end
      end
    end
  endgenerate

  wire hit_two = (hit & (hit - 1'b1)) != '0;
  `WF_ASSERT(rule1, !(load_i || store_i || ask_i) || !hit_two,
             "Rule 1: at most one live line of a set holds a block")
  `WF_ASSERT(rule2, !alloc_o || (alloc_way_o & of_set(coming, s2_set_q)) == '0,
             "Rule 2: a line that is coming is not given away")
  `WF_ASSUME(rule3, (rsp_line & ~coming) == '0, "Rule 3: a reply is for a line that is coming")
  wire unused = &{1'b0, hit_two, rsp_line, unread};
endmodule
`default_nettype wire
