// mff_walk: walks the lists of landed lines, one node per cycle, lines in rotation.
//
// A line becomes ready when its block has landed (set_land_*) or when its tag could not be freed
// because new requests had joined (set_again_*). The rotation means that a block that is joined
// without end cannot keep the others waiting. The next line's list is detached while the current one
// is walked, so there is no gap between lists; the loop node RAM -> next pointer -> node RAM address
// is the critical path of a slice: one RAM read and a 2:1 multiplexer.
//
// Handshake: node_* is stable from node_valid_o until node_ready_i; the node's register is returned
// in the cycle it is taken.
//   Lines 1..64   LineTagW: tag width; the tag of line n is line_tag_i[n*TagW +: TagW]
// Storage: Lines flops and some 4 x log2(Regs).
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
  reg [Lines-1:0] ready_q;
  reg [LineW-1:0] last_q;               // the line detached last
  reg pend_q, held_q;                   // next list: its head arrives now, or is in head_q
  reg [LineW-1:0] next_line_q;
  reg [RegW-1:0] head_q;
  reg node_valid_q;
  reg [LineW-1:0] node_line_q;
  reg [RegW-1:0] node_id_q;

  // Rotation: the first ready line above the last one, else the first.
  reg [LineW-1:0] pick;
  always_comb begin
    pick = '0;
    if (ready_q != '0) begin
      for (int i = Lines - 1; i >= 0; i = i - 1) if (ready_q[i]) pick = LineW'(i);
      for (int i = Lines - 1; i >= 0; i = i - 1)
        if (ready_q[i] && LineW'(i) > last_q) pick = LineW'(i);
    end
  end

  wire take = node_valid_q && node_ready_i;
  wire along = take && !node_last_i;
  wire avail = pend_q || held_q;
  wire start = avail && (!node_valid_q || (take && node_last_i));

  assign det_o = ready_q != '0 && (!avail || start);
  assign det_tag_o = line_tag_i[pick*TagW +: TagW];
  assign node_re_o = along || start;
  assign node_id_o = along ? node_next_i : held_q ? head_q : det_head_i;
  assign put_o = take;
  assign put_id_o = node_id_q;
  assign node_valid_o = node_valid_q;
  assign node_line_o = node_line_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= '0;
      last_q <= '0;
      pend_q <= 1'b0;
      held_q <= 1'b0;
      node_valid_q <= 1'b0;
    end else begin
      if (det_o) begin
        ready_q[pick] <= 1'b0;
        last_q <= pick;
      end
      if (set_land_i) ready_q[set_land_line_i] <= 1'b1;
      if (set_again_i) ready_q[set_again_line_i] <= 1'b1;
      pend_q <= det_o;
      held_q <= avail && !start;
      if (node_re_o) node_valid_q <= 1'b1;
      else if (take) node_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (det_o) next_line_q <= pick;
    if (pend_q) head_q <= det_head_i;
    if (node_re_o) node_id_q <= node_id_o;
    if (start) node_line_q <= next_line_q;
  end

  `WF_ASSERT(rule1, !(pend_q && held_q), "Rule 1: at most one list is waiting to be walked")
  `WF_ASSERT(rule2, !(set_land_i && ready_q[set_land_line_i]),
             "Rule 2: a line lands only after it was freed")
  `WF_ASSERT(rule3, !(set_again_i && ready_q[set_again_line_i]),
             "Rule 3: a line is walked by one walk at a time")
endmodule

`default_nettype wire
