// spref_turns: how many turns each lane still has, from the operands of the loop's test as the SM
// reads them: the difference, divided by the step 2^shift, at most 15. The paper's modified
// subtraction beside the setp (its figure 8).
//
// x steps by 2^shift (down: by -2^shift) and y stays; swap: x is the second operand. `n` is how
// often `x cmp y` holds from now on. cmp lt or gt: while y is not reached; le or ge: and once more;
// ne: until they meet, 15 if they do not; eq: never. 15 as well where x would leave the type's
// range within a step of y. Lanes that are not in the mask have 0.
//
// Timing: a beat is CntLanes lanes, the low ones first. Taken at edge t, its counts stand in the
// row after t + 1; a row that is complete stands until it is taken, and no beat is taken meanwhile.
// Storage, flops: CntLanes * 24, a row of Lanes * 4, and some 20.
//
// Parameters: Lanes 1..64; CntLanes 1..Lanes; Bits, of the wide operands, 4..64 and even: narrow
// ones have half.
//
// Rules
//   1 A row stands until it is taken.
`default_nettype none
`include "wf_assert.vh"

module spref_turns #(
  parameter integer Lanes = 32,
  parameter integer CntLanes = 8,
  parameter integer Bits = 64
) (
  input  wire                     clk_i,
  input  wire                     rst_ni,
  // beats
  input  wire                     valid_i,
  output wire                     ready_o,
  input  wire [CntLanes*Bits-1:0] a_i,
  input  wire [CntLanes*Bits-1:0] b_i,
  input  wire [CntLanes-1:0]      mask_i,
  input  wire                     wide_i,
  input  wire                     sign_i,
  input  wire [2:0]               cmp_i,
  input  wire                     swap_i,
  input  wire [3:0]               shift_i,
  input  wire                     down_i,
  // the row
  output wire                     row_valid_o,
  input  wire                     row_take_i,
  output wire [Lanes*4-1:0]       row_o,
  output wire                     quiet_o,  // nothing changes without an input
  output wire                     busy_o
);
  localparam [2:0] EQ = 3'd0, NE = 3'd1, LE = 3'd3, GE = 3'd5;
  localparam integer Beats = (Lanes + CntLanes - 1) / CntLanes;
  localparam integer BeatW = Beats > 1 ? $clog2(Beats) : 1;
  localparam integer Half = Bits / 2;
  localparam integer Low = 19;  // of the difference, what a shift by 15 and four bits can need
  localparam integer W = Bits > Low ? Bits : Low + 1;
  localparam [W-1:0] ONE = 1, ALL = (ONE << (Bits - 1) << 1) - ONE, HALF = (ONE << Half) - ONE;
  initial begin
    if (Lanes < 1 || Lanes > 64) $fatal(1, "spref_turns: Lanes must be 1..64");
    if (CntLanes < 1 || CntLanes > Lanes) $fatal(1, "spref_turns: CntLanes must be 1..Lanes");
    if (Bits < 4 || Bits > 64 || Bits % 2 != 0)
      $fatal(1, "spref_turns: Bits must be 4..64 and even");
  end

  reg [BeatW-1:0] beat_q;
  reg s1_q, s1_last_q, full_q;
  wire last = beat_q == BeatW'(Beats - 1);
  assign ready_o = !full_q && !s1_last_q;
  wire take = valid_i && ready_o;
  assign row_valid_o = full_q;
  assign quiet_o = !s1_q;
  assign busy_o = full_q || s1_q || beat_q != '0;

  // First the difference: its low bits, whether more of it is set, whether the condition holds.
  wire [14:0] under = ~(15'h7fff << shift_i);  // below a step
  reg [CntLanes*Low-1:0] low_q;
  reg [CntLanes-1:0] more_q, holds_q, end_q;
  reg once_q, meet_q;
  reg [3:0] shift_q;
  reg [14:0] under_q;
  reg [BeatW-1:0] s1_beat_q;
  // An unsigned number of the same order.
  localparam [Bits-1:0] NARROW = Bits'(HALF), TOP = NARROW ^ (NARROW >> 1),
                        WIDE_TOP = Bits'(ALL ^ (ALL >> 1));
  function automatic [Bits-1:0] ordered(input [Bits-1:0] v, input wide, input sign);
    ordered = (wide ? v : v & NARROW) ^ (!sign ? '0 : wide ? WIDE_TOP : TOP);
  endfunction
  reg [Bits-1:0] x, y;
  reg [Bits:0] from_to;
  reg [W-1:0] way, room;
  reg [CntLanes*Low-1:0] low_c;
  reg [CntLanes-1:0] more_c, holds_c, end_c;
  always_comb begin
    x = '0;
    y = '0;
    from_to = '0;
    way = '0;
    room = '0;
    low_c = '0;
    more_c = '0;
    holds_c = '0;
    end_c = '0;
    if (take) for (int i = 0; i < CntLanes; i = i + 1) begin
      x = ordered(swap_i ? b_i[i*Bits +: Bits] : a_i[i*Bits +: Bits], wide_i, sign_i);
      y = ordered(swap_i ? a_i[i*Bits +: Bits] : b_i[i*Bits +: Bits], wide_i, sign_i);
      from_to = down_i ? {1'b0, x} - {1'b0, y} : {1'b0, y} - {1'b0, x};
      way = W'(from_to) & (cmp_i == NE && !wide_i ? HALF : ALL);
      low_c[i*Low +: Low] = Low'(way);
      more_c[i] = (way >> Low) != '0;
      holds_c[i] = mask_i[i] && cmp_i != EQ
                   && (cmp_i == NE ? way != '0
                       : (from_to >> Bits) == '0 && (way != '0 || cmp_i == LE || cmp_i == GE));
      // From y to the end of the type, less than a step.
      room = down_i ? W'(y) : W'(y) ^ (wide_i ? ALL : HALF);
      end_c[i] = (room | W'(under)) == W'(under) && cmp_i != NE;
    end
  end
  always_ff @(posedge clk_i) if (take) begin
    low_q <= low_c;
    more_q <= more_c;
    holds_q <= holds_c;
    end_q <= end_c;
    once_q <= cmp_i == LE || cmp_i == GE;
    meet_q <= cmp_i == NE;
    shift_q <= shift_i;
    under_q <= under;
    s1_beat_q <= beat_q;
  end

  // Then the division by the step, and at most 15.
  reg [CntLanes*4-1:0] count_c;
  reg [Low-1:0] low, turns;
  reg rest;
  always_comb begin
    count_c = '0;
    low = '0;
    turns = '0;
    rest = 1'b0;
    for (int i = 0; i < CntLanes; i = i + 1) begin
      low = low_q[i*Low +: Low];
      turns = low >> shift_q;
      rest = (low & Low'(under_q)) != '0;
      if (!holds_q[i]) count_c[i*4 +: 4] = 4'd0;
      else if (more_q[i] || end_q[i] || turns >= Low'(15) || (meet_q && rest))
        count_c[i*4 +: 4] = 4'd15;
      else count_c[i*4 +: 4] = 4'(turns) + 4'(once_q || (!meet_q && rest));
    end
  end
  localparam integer Padded = Beats * CntLanes * 4;
  reg [Padded-1:0] row_q;
  always_ff @(posedge clk_i) if (s1_q) row_q[s1_beat_q*CntLanes*4 +: CntLanes*4] <= count_c;
  assign row_o = row_q[Lanes*4-1:0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      s1_q <= 1'b0;
      s1_last_q <= 1'b0;
      full_q <= 1'b0;
    end else begin
      if (take) beat_q <= last ? '0 : beat_q + 1'b1;
      s1_q <= take;
      s1_last_q <= take && last;
      if (s1_last_q) full_q <= 1'b1;
      else if (row_take_i) full_q <= 1'b0;
    end
  end

  `WF_ASSERT(rule1_row, !(s1_q && full_q), "Rule 1: a row stands until it is taken")
  generate
    if (Padded > Lanes * 4) begin : g_padded
      wire unused = &{1'b0, row_q[Padded-1:Lanes*4]};
    end
  endgenerate
endmodule
`default_nettype wire
