// Performance counters whose totals lie in RAM: for many counters, at a fraction of the area of
// wf_counter_bank. Each counter has a narrow accumulator; a hand goes round and moves one
// accumulator per cycle into its total.
//
// Timing: inc_i is added at the edge. snapshot_i and clear_i start a pass of the hand: each counter
// in turn, in one cycle of its own, is copied (snapshot), zeroed (clear), or copied and zeroed
// without losing an increment (both in one cycle). So counters are as of moments at most Round
// cycles apart; of a quiet unit they are of one moment. A pass that is asked for while one runs
// follows it; several such are joined. busy_o: a pass runs or the hand has work left; while it is
// low and no input is active nothing changes. A snapshot can be read when busy_o is low, or Round +
// 4 cycles after it was asked for (2 Round + 4 if a pass was running). value_o follows index_i by
// one edge; an index of N or more reads 0. Counters wrap at 2^Width. Before the first snapshot
// value_o is undefined.
//
// Parameters
//   N           1 ..           counters
//   Width       IncBits .. 64  bits of a counter
//   IncBits     1 ..           bits of an increment
//   Wide        bit i: counter i uses all of its IncBits; 0: only the NarrowBits lowest
//   NarrowBits  1 .. IncBits
// Round = max(N, 2). Storage: RAM 2 * N * Width; flops: log2(Round) + IncBits (or NarrowBits) per
//   counter, one more that says that its total is not 0, and one Width.
//
// Rules
//   1 Narrow counters get narrow increments.
//   2 The hand rests only when all accumulators are empty.
`default_nettype none
`include "wf_assert.vh"

module wf_counter_ram #(
  parameter integer N          = 8,
  parameter integer Width      = 48,
  parameter integer IncBits    = 4,
  parameter [N-1:0] Wide       = {N{1'b1}},
  parameter integer NarrowBits = IncBits,
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [N*IncBits-1:0] inc_i,
  input  wire                  snapshot_i,
  input  wire                  clear_i,
  input  wire  [IndexBits-1:0] index_i,
  output logic [Width-1:0]     value_o,
  output logic                 busy_o
);
  initial if (N < 1) $fatal(1, "wf_counter_ram: N is %0d, must be 1 or more", N);
  initial if (Width > 64 || Width < IncBits)
    $fatal(1, "wf_counter_ram: Width is %0d, must be IncBits (%0d) to 64", Width, IncBits);
  initial if (NarrowBits < 1 || NarrowBits > IncBits)
    $fatal(1, "wf_counter_ram: NarrowBits is %0d, must be 1 to IncBits (%0d)", NarrowBits, IncBits);

  localparam integer Round     = (N > 1) ? N : 2;
  localparam integer HandBits  = $clog2(Round);
  localparam integer LeftBits  = $clog2(Round + 1);
  localparam integer FrontBits = IncBits + HandBits;
  localparam [HandBits-1:0] LAST = HandBits'(Round - 1);
  localparam [LeftBits-1:0] ALL  = LeftBits'(Round);

  // The hand moves while increments come and for a round after, and during passes.
  logic [HandBits-1:0] hand_q;
  logic [LeftBits-1:0] drain_q, pass_q;   // cycles left
  logic                copy_q, zero_q, next_copy_q, next_zero_q;
  wire some  = inc_i != '0;
  wire pass  = pass_q != '0;
  wire move  = drain_q != '0 || pass;
  wire visit = move && {1'b0, hand_q} < (HandBits + 1)'(N);
  wire ask_copy = snapshot_i || next_copy_q;
  wire ask_zero = clear_i || next_zero_q;
  wire start = !pass && (ask_copy || ask_zero);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hand_q      <= '0;
      drain_q     <= '0;
      pass_q      <= '0;
      copy_q      <= 1'b0;
      zero_q      <= 1'b0;
      next_copy_q <= 1'b0;
      next_zero_q <= 1'b0;
    end else begin
      if (some) drain_q <= ALL;
      else if (drain_q != '0) drain_q <= drain_q - 1'b1;
      if (move) hand_q <= (hand_q == LAST) ? '0 : hand_q + 1'b1;
      if (start) pass_q <= ALL;
      else if (pass) pass_q <= pass_q - 1'b1;
      if (start) begin
        copy_q <= ask_copy;
        zero_q <= ask_zero;
      end
      next_copy_q <= ask_copy && !start;
      next_zero_q <= ask_zero && !start;
    end
  end

  // Accumulators: the visited one gives up what it holds and starts with this cycle's increment.
  wire [N*FrontBits-1:0] front;
  generate
    for (genvar i = 0; i < N; i++) begin : g_front
      localparam integer Bits = Wide[i] ? IncBits : NarrowBits;
      logic [Bits+HandBits-1:0] front_q;
      wire here = visit && hand_q == HandBits'(i);
      wire [Bits+HandBits-1:0] inc = {{HandBits{1'b0}}, inc_i[i*IncBits +: Bits]};
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) front_q <= '0;
        else if (here || inc != '0) front_q <= (here ? '0 : front_q) + inc;
      end
      assign front[i*FrontBits +: FrontBits] = FrontBits'(front_q);
    end
  endgenerate

  // One cycle later: the total, in the RAM; nonzero_q[i]: it was written since it was zeroed.
  logic [N-1:0]         nonzero_q;
  logic                 add_q, add_copy_q, add_zero_q, add_old_q;
  logic [IndexBits-1:0] add_at_q;
  logic [FrontBits-1:0] add_front_q;
  wire  [IndexBits-1:0] at = IndexBits'(hand_q);
  wire  [Width-1:0]     old;
  wire  [Width-1:0]     total = (add_old_q ? old : '0) + Width'(add_front_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      nonzero_q <= '0;
      add_q     <= 1'b0;
    end else begin
      add_q <= visit;
      if (add_q) nonzero_q[add_at_q] <= !add_zero_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (visit) begin
      add_copy_q  <= pass && copy_q;
      add_zero_q  <= pass && zero_q;
      add_old_q   <= nonzero_q[at];
      add_at_q    <= at;
      add_front_q <= front[at*FrontBits +: FrontBits];
    end
  end
  wf_ram_1r1w #(.Width(Width), .Depth(N)) u_totals (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(add_q), .wr_mask_i(1'b1), .wr_addr_i(add_at_q),
    .wr_data_i(total), .rd_en_i(visit), .rd_addr_i(at), .rd_data_o(old)
  );

  // The snapshot.
  wire              known = {1'b0, index_i} < (IndexBits + 1)'(N);
  logic             known_q;
  wire  [Width-1:0] shot;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= known;
  end
  wf_ram_1r1w #(.Width(Width), .Depth(N)) u_shots (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(add_q && add_copy_q), .wr_mask_i(1'b1),
    .wr_addr_i(add_at_q), .wr_data_i(total), .rd_en_i(known), .rd_addr_i(index_i), .rd_data_o(shot)
  );
  assign value_o = known_q ? shot : '0;
  assign busy_o  = move || add_q || next_copy_q || next_zero_q;

`ifdef WF_ASSERT_LIVE
  // coverage: evaluated when the design is elaborated
  function automatic [N*IncBits-1:0] wide_bits(input integer narrow);
    for (int i = 0; i < N * IncBits; i++)
      wide_bits[i] = !Wide[i/IncBits] && i % IncBits >= narrow;
  endfunction
  localparam [N*IncBits-1:0] MUST_BE_0 = wide_bits(NarrowBits);
`endif
  `WF_ASSERT(rule_1_narrow, (inc_i & MUST_BE_0) == '0,
             "Rule 1: narrow counters get narrow increments")
  `WF_ASSERT_PROVEN(rule_2_rest, move || front == '0,
                    "Rule 2: the hand rests only when all accumulators are empty")
endmodule
`default_nettype wire
