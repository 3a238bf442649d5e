// apcm_counters: performance counters whose totals lie in one RAM. The lowest bits of each count in
// flops too, all the time; a hand goes round and takes one of them per cycle over into its total.
// The hand is there again before the flops have gone round once.
//
// It differs from wf_counters in that no second RAM holds a snapshot: what is read are the totals.
// They are whole, and hold, when the unit has been quiet for 2 Round + 3 cycles.
//
// Timing: increments come from registers. While the hand moves the read port is its own; value_o
// follows index_i by an edge when it rests; an index of N or more reads 0. clear_i, and reset,
// start a round that sets all totals to 0: increments of the edge after it and before are lost,
// later ones count.
//
// Parameters
//   N      1 ..      counters, of increments 0 or 1
//   Width  .. 64     bits of a counter
// Round = max(N, 2). Storage: RAM N * Width; flops: N * clog2(Round + 2), and what the hand needs.
//
// Rules
//   1 The hand rests only when all increments are in the totals.
`default_nettype none
`include "wf_assert.vh"

module apcm_counters #(
  parameter integer N = 12,
  parameter integer Width = 32,
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire [N-1:0]         inc_i,
  input  wire                 clear_i,
  input  wire [IndexBits-1:0] index_i,
  output wire [63:0]          value_o
);
  localparam integer Round     = (N > 1) ? N : 2;
  localparam integer HandBits  = $clog2(Round);
  localparam integer LeftBits  = $clog2(Round + 1);
  localparam integer FrontBits = $clog2(Round + 2);
  localparam integer TotalBits = Width > FrontBits ? Width : FrontBits;
  localparam [HandBits-1:0]  LAST = HandBits'(Round - 1);
  localparam [LeftBits-1:0] ALL = LeftBits'(Round);

  reg clear_q, zero_q;          // zero_q: totals start anew
  reg [HandBits-1:0] hand_q;
  reg [LeftBits-1:0] left_q;    // cycles that the hand still moves
  wire move = left_q != '0;
  wire visit = move && {1'b0, hand_q} < (HandBits + 1)'(N);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      zero_q <= 1'b0;
      hand_q <= '0;
      left_q <= '0;
    end else begin
      clear_q <= clear_i;
      if (clear_q) zero_q <= 1'b1;
      else if (hand_q == LAST) zero_q <= 1'b0;
      if (clear_q) hand_q <= '0;
      else if (move) hand_q <= hand_q == LAST ? '0 : hand_q + 1'b1;
      if (clear_q || inc_i != '0) left_q <= ALL;
      else if (move) left_q <= left_q - 1'b1;
    end
  end

  // The lowest bits. An increment that the hand meets is of the next visit.
  wire [N*FrontBits-1:0] front;
  generate
    for (genvar i = 0; i < N; i++) begin : g_front
      reg [FrontBits-1:0] front_q;
      always_ff @(posedge clk_i) front_q <= clear_q ? '0 : front_q + FrontBits'(inc_i[i]);
      assign front[i*FrontBits +: FrontBits] = front_q;
    end
  endgenerate

  // One cycle later: the total.
  reg add_q, add_old_q;
  reg [IndexBits-1:0] at_q;
  reg [FrontBits-1:0] add_front_q;
  wire [IndexBits-1:0] at = IndexBits'(hand_q);
  wire [TotalBits-1:0] old;
  // Lower bits that are less than they were have gone round.
  wire carry = add_old_q && add_front_q < old[FrontBits-1:0];
  wire [TotalBits-1:0] above = (add_old_q ? old >> FrontBits : '0) + TotalBits'(carry);
  wire [TotalBits-1:0] total = above << FrontBits | TotalBits'(add_front_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) add_q <= 1'b0;
    else add_q <= visit;
  end
  always_ff @(posedge clk_i) begin
    if (visit) begin
      add_old_q <= !zero_q;
      at_q <= at;
      add_front_q <= front[at*FrontBits +: FrontBits];
    end
  end
  wire known = {1'b0, index_i} < (IndexBits + 1)'(N);
  wf_ram_1r1w #(.Width(TotalBits), .Depth(N)) u_totals (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(add_q), .wr_mask_i(1'b1), .wr_addr_i(at_q),
    .wr_data_i(total), .rd_en_i(move ? visit : known), .rd_addr_i(move ? at : index_i),
    .rd_data_o(old)
  );
  reg known_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= known;
  end
  assign value_o = known_q ? 64'(old[Width-1:0]) : '0;
  wire unused = &{1'b0, old};

`ifdef WF_ASSERT_LIVE
  reg [N-1:0] owed_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owed_q <= '0;
    else for (int i = 0; i < N; i++)
      if (clear_q) owed_q[i] <= 1'b0;
      else if (inc_i[i]) owed_q[i] <= 1'b1;
      else if (visit && hand_q == HandBits'(i)) owed_q[i] <= 1'b0;
  end
`endif
  `WF_ASSERT(rule1, move || clear_q || owed_q == '0,
             "Rule 1: the hand rests only when all increments are in the totals")
endmodule
`default_nettype wire
