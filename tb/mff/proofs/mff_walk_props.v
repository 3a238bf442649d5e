// mff_walk alone, over lists of any contents: each list that was offered is started once, its nodes
// follow one another, a ready line waits for at most the other lines, the shown node holds until it
// is taken.
`default_nettype none
`include "wf_assert.vh"
module mff_walk_props #(
  parameter integer Lines = 3,
  localparam integer LineW = Lines > 1 ? $clog2(Lines) : 1
) (
  input wire clk_i, input wire land, input wire [LineW-1:0] land_line, input wire again,
  input wire [LineW-1:0] again_line, input wire [1:0] head, input wire [1:0] next, input wire last,
  input wire taker_ready
);
`include "formal.vh"
  wire det, node_re, put, node_valid;
  wire [LineW-1:0] det_tag, node_line;
  wire [1:0] node_id, put_id;
  wire [Lines*LineW-1:0] line_tags;
  generate
    for (genvar i = 0; i < Lines; i = i + 1) begin : g_identity
      assign line_tags[i*LineW +: LineW] = LineW'(i);
    end
  endgenerate
  // The table's outputs hold from the request on.
  reg [1:0] shown_head_q, shown_next_q;
  reg shown_last_q;
  mff_walk #(.Lines(Lines), .TagW(LineW), .RegW(2)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .set_land_i(land && rst_ni), .set_land_line_i(land_line),
    .set_again_i(again && rst_ni), .set_again_line_i(again_line),
    .set_join_i(1'b0), .set_join_line_i({LineW{1'b0}}), .line_tag_i(line_tags), .det_o(det),
    .det_tag_o(det_tag), .det_head_i(shown_head_q), .node_re_o(node_re), .node_id_o(node_id),
    .node_next_i(shown_next_q), .node_last_i(shown_last_q), .put_o(put), .put_id_o(put_id),
    .node_valid_o(node_valid), .node_line_o(node_line), .node_ready_i(taker_ready)
  );
  always @(posedge clk_i) begin
    if (det) shown_head_q <= head;
    if (node_re) shown_next_q <= next;
    if (node_re) shown_last_q <= last;
  end
  // A line: 0 away, 1 offered, 2 detached, waiting for its walk; then the node's line, and away
  // after its last.
  reg [Lines-1:0] offered_q, started_q, away_q;
  initial offered_q = '0;
  initial started_q = '0;
  initial away_q = '1;
  wire taken = node_valid && taker_ready;
  always @(posedge clk_i) if (rst_ni) begin
    if (det) offered_q[det_tag] <= 1'b0;
    if (det) started_q[det_tag] <= 1'b1;
    if (land) offered_q[land_line] <= 1'b1;
    if (land) away_q[land_line] <= 1'b0;
    if (again) offered_q[again_line] <= 1'b1;
    if (again) away_q[again_line] <= 1'b0;
    if (taken && shown_last_q) started_q[node_line] <= 1'b0;
    if (taken && shown_last_q) away_q[node_line] <= 1'b1;
  end
  `WF_ASSUME(land_right, !land || ({1'b0, land_line} < (LineW + 1)'(Lines) && away_q[land_line]),
             "a line that is away lands")
  `WF_ASSUME(again_right, !again || ({1'b0, again_line} < (LineW + 1)'(Lines) && away_q[again_line]
             && !(land && land_line == again_line)), "only a line whose walk ended comes again")
  `WF_ASSERT(det_offered, !det || offered_q[det_tag], "a list is started only when it was offered")
  `WF_ASSERT(node_started, !node_valid || started_q[node_line],
             "a node is shown only of a started list")
  `WF_ASSERT(put_right, put == taken, "a register goes back exactly when its node is taken")
  reg held_q, chain_q;
  reg [1:0] held_id_q, chain_id_q;
  reg [LineW-1:0] held_line_q;
  initial held_q = 1'b0;
  initial chain_q = 1'b0;
  always @(posedge clk_i) begin
    held_q <= rst_ni && node_valid && !taker_ready;
    held_id_q <= put_id;
    held_line_q <= node_line;
    chain_q <= rst_ni && taken && !shown_last_q;
    chain_id_q <= shown_next_q;
  end
  `WF_ASSERT(node_stable,
             !held_q || (node_valid && put_id == held_id_q && node_line == held_line_q),
             "a node holds until taken")
  `WF_ASSERT(chained, !chain_q || (node_valid && put_id == chain_id_q && node_line == held_line_q),
             "the next node is the one the list names, without a gap")
  (* anyconst *) wire [LineW-1:0] which;
  `WF_ASSUME(which_range, {1'b0, which} < (LineW + 1)'(Lines), "a line")
  reg [2:0] passed_q;
  initial passed_q = 3'd0;
  always @(posedge clk_i)
    if (!rst_ni || !offered_q[which] || (det && det_tag == which)) passed_q <= 3'd0;
    else if (det) passed_q <= passed_q + 3'd1;
  `WF_ASSERT(fair, passed_q < Lines, "at most the other lines go first")
  // With nothing walked, an offered line is shown within five cycles (picked, named, detached,
  // shown).
  reg [2:0] still_q;
  initial still_q = 3'd0;
  always @(posedge clk_i)
    if (!rst_ni || node_valid || (offered_q | started_q) == '0) still_q <= 3'd0;
    else still_q <= still_q + 3'd1;
  `WF_ASSERT(soon, still_q <= 3'd4, "an offered list is shown within five cycles of a free walk")
  `WF_QUIET((offered_q | started_q) == '0 && !land && !again)
  `WF_COVER(waited, passed_q == Lines - 1 && det && det_tag == which)
  reg back_q;
  initial back_q = 1'b0;
  always @(posedge clk_i) back_q <= rst_ni && taken && shown_last_q;
  `WF_COVER(no_gap, back_q && node_valid)
endmodule
`default_nettype wire
