// mff_walk: walks the lists of landed lines, one node per cycle, lines in rotation.
//
// A line becomes ready when its block has landed (set_land_*), when requests had joined until the
// end of its walk (set_again_*), or when one joined it while it was kept (set_join_*). The rotation
// means that a block that is joined without end cannot keep the others waiting. P1 picks a ready
// line, P2 has its tag, with room for two, so that a pick does not depend on what the node RAM
// shows in this cycle; a list is detached while the current one is walked, so there is no gap
// between lists. The loop is node RAM -> next pointer -> node RAM address: one RAM read and a 2:1
// multiplexer.
//
// Handshake: node_* is stable from node_valid_o until node_ready_i; the node's register is returned
// in the cycle it is taken.
//   Lines 1..64   LineTagW: tag width; the tag of line n is line_tag_i[n*TagW +: TagW]
// Storage: 3 x Lines + 2 x (TagW + log2 Lines) flops and some 4 x log2(Regs).
`include "wf_assert.vh"
`default_nettype none

module mff_walk #(
  parameter integer Lines = 4,
  parameter integer TagW = 8,
  parameter integer RegW = 11,
  localparam integer LineW = Lines > 1 ? $clog2(Lines) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  set_land_i,
  input  wire [LineW-1:0]      set_land_line_i,
  input  wire                  set_again_i,
  input  wire [LineW-1:0]      set_again_line_i,
  input  wire                  set_join_i,
  input  wire [LineW-1:0]      set_join_line_i,
  input  wire [Lines*TagW-1:0] line_tag_i,
  // to the table
  output wire                  det_o,
  output wire [TagW-1:0]       det_tag_o,
  input  wire [RegW-1:0]       det_head_i,
  output wire                  node_re_o,
  output wire [RegW-1:0]       node_id_o,
  input  wire [RegW-1:0]       node_next_i,
  input  wire                  node_last_i,
  output wire                  put_o,
  output wire [RegW-1:0]       put_id_o,
  // the node that the table shows
  output wire                  node_valid_o,
  output wire [LineW-1:0]      node_line_o,
  input  wire                  node_ready_i
);
  reg [Lines-1:0] ready_q, after_q;     // after_q: the lines behind the one picked last
  reg p1_valid_q;
  reg [Lines-1:0] p1_onehot_q;
  wire p2_valid, p2_free;
  wire [LineW-1:0] p2_line;
  reg pend_q, held_q;                   // next list: its head arrives now, or is in head_q
  reg [LineW-1:0] next_line_q;
  reg [RegW-1:0] head_q;
  reg node_valid_q;
  reg [LineW-1:0] node_line_q;
  reg [RegW-1:0] node_id_q;

  // Rotation: the first ready line behind the last one, else the first.
  wire [Lines-1:0] behind = ready_q & after_q;
  wire [Lines-1:0] search = behind != '0 ? behind : ready_q;
  wire [Lines-1:0] onehot = search & (~search + 1'b1);
  wire [LineW-1:0] p1_line;
  wire p1_any;
  wf_onehot_enc #(.N(Lines)) u_line (.onehot_i(p1_onehot_q), .index_o(p1_line), .any_o(p1_any));

  wire take = node_valid_q && node_ready_i;
  wire along = take && !node_last_i;
  wire avail = pend_q || held_q;
  wire start = avail && (!node_valid_q || (take && node_last_i));

  assign det_o = p2_valid && (!avail || start);
  wf_skid #(.Width(LineW + TagW)) u_p2 (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(p1_valid_q), .in_ready_o(p2_free),
    .in_data_i({p1_line, line_tag_i[p1_line*TagW +: TagW]}), .out_valid_o(p2_valid),
    .out_ready_i(!avail || start), .out_data_o({p2_line, det_tag_o})
  );
  wire p1_load = ready_q != '0 && (!p1_valid_q || p2_free);
  assign node_re_o = along || start;
  assign node_id_o = along ? node_next_i : held_q ? head_q : det_head_i;
  assign put_o = take;
  assign put_id_o = node_id_q;
  assign node_valid_o = node_valid_q;
  assign node_line_o = node_line_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= '0;
      after_q <= '0;
      p1_valid_q <= 1'b0;
      pend_q <= 1'b0;
      held_q <= 1'b0;
      node_valid_q <= 1'b0;
    end else begin
      if (p1_load) begin
        ready_q <= ready_q & ~onehot;
        after_q <= ~(onehot | (onehot - 1'b1));
      end
      if (p1_load || p2_free) p1_valid_q <= p1_load;
      if (set_join_i) ready_q[set_join_line_i] <= 1'b1;
      if (set_land_i) ready_q[set_land_line_i] <= 1'b1;
      if (set_again_i) ready_q[set_again_line_i] <= 1'b1;
      pend_q <= det_o;
      held_q <= avail && !start;
      if (node_re_o) node_valid_q <= 1'b1;
      else if (take) node_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (p1_load) p1_onehot_q <= onehot;
    if (det_o) next_line_q <= p2_line;
    if (pend_q) head_q <= det_head_i;
    if (node_re_o) node_id_q <= node_id_o;
    if (start) node_line_q <= next_line_q;
  end

  wf_fair #(.N(Lines)) u_fair (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i(ready_q), .served_i(p1_load ? onehot : '0)
  );
  `WF_ASSERT(rule1, !(pend_q && held_q), "Rule 1: at most one list is waiting to be walked")
  `WF_ASSERT(rule2, !(set_land_i && ready_q[set_land_line_i]),
             "Rule 2: a line lands only after it was freed")
  `WF_ASSERT(rule3, !(set_again_i && ready_q[set_again_line_i]),
             "Rule 3: a line is walked by one walk at a time")
  `WF_ASSERT(rule4, !(set_join_i && ready_q[set_join_line_i]),
             "Rule 4: a line that was kept is not ready")
  `WF_ASSERT(rule5, !p1_valid_q || p1_any, "Rule 5: a pick names a line")
endmodule

`default_nettype wire
