// spref_turns: of any lane of any beats the count is what stepping would give; a row has the lanes
// of its beats, and stands until it is taken.
`default_nettype none
`include "wf_assert.vh"
module spref_turns_props #(
  parameter integer Lanes = 3,
  parameter integer CntLanes = 2,
  parameter integer Bits = 6
) (
  input wire clk_i, input wire valid, input wire [CntLanes*Bits-1:0] a,
  input wire [CntLanes*Bits-1:0] b, input wire [CntLanes-1:0] mask, input wire take
);
`include "formal.vh"
  localparam [2:0] NE = 3'd1, LT = 3'd2, LE = 3'd3, GT = 3'd4, GE = 3'd5;
  localparam integer Half = Bits / 2;
  // The question is a table's: the same for all beats of a row.
  (* anyconst *) wire wide, sign, swap, down;
  (* anyconst *) wire [2:0] cmp;
  (* anyconst *) wire [3:0] shift;
  `WF_ASSUME(question, cmp == NE || cmp == (down ? GT : LT) || cmp == (down ? GE : LE),
             "what steps comes nearer")
  wire ready, row_valid, busy;
  wire [Lanes*4-1:0] row;
  wire go = valid && ready && rst_ni;
  spref_turns #(.Lanes(Lanes), .CntLanes(CntLanes), .Bits(Bits)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(valid && rst_ni), .ready_o(ready), .a_i(a), .b_i(b),
    .mask_i(mask), .wide_i(wide), .sign_i(sign), .cmp_i(cmp), .swap_i(swap), .shift_i(shift),
    .down_i(down), .row_valid_o(row_valid), .row_take_i(take && row_valid), .row_o(row),
    .busy_o(busy)
  );
  // One lane, any: what went in for it. Lane k is in beat k / CntLanes.
  (* anyconst *) wire [1:0] lane;
  `WF_ASSUME(a_lane, {30'd0, lane} < Lanes, "a lane that there is")
  reg [1:0] beat_q;
  reg [Bits-1:0] a_q, b_q;
  reg on_q;
  initial {beat_q, a_q, b_q, on_q} = '0;
  wire mine = {30'd0, lane} / CntLanes == {30'd0, beat_q};
  wire [1:0] place = 2'({30'd0, lane} % CntLanes);
  always @(posedge clk_i) if (go) begin
    beat_q <= beat_q == 2'((Lanes + CntLanes - 1) / CntLanes - 1) ? 2'd0 : beat_q + 2'd1;
    if (mine) begin
      a_q <= a[place*Bits +: Bits];
      b_q <= b[place*Bits +: Bits];
      on_q <= mask[place];
    end
  end
  // In numbers that no step leaves.
  localparam integer V = 24;
  function automatic signed [V-1:0] value(input [Bits-1:0] v, input w, input s);
    if (w) value = {{V-Bits{s && v[Bits-1]}}, v};
    else value = {{V-Half{s && v[Half-1]}}, v[Half-1:0]};
  endfunction
  wire signed [V-1:0] x = value(swap ? b_q : a_q, wide, sign),
                      y = value(swap ? a_q : b_q, wide, sign);
  wire signed [V-1:0] all = wide ? V'(1) <<< Bits : V'(1) <<< Half;
  wire signed [V-1:0] low = sign ? -(all >>> 1) : '0, high = low + all - 1;
  wire signed [V-1:0] size = V'(1) <<< shift;
  wire [3:0] n = row[lane*4 +: 4];
  function automatic holds(input signed [V-1:0] u, input signed [V-1:0] v);
    case (cmp)
      NE: holds = u != v;
      LT: holds = u < v;
      LE: holds = u <= v;
      GT: holds = u > v;
      default: holds = u >= v;
    endcase
  endfunction
  // After k steps; for ne, which may go round: their distance in the type.
  function automatic signed [V-1:0] after(input [3:0] k);
    after = down ? x - (V'(k) <<< shift) : x + (V'(k) <<< shift);
  endfunction
  wire [V-1:0] gap = down ? x - y : y - x;
  wire [V-1:0] around = gap & (all - 1), met = V'(n) << shift;
  wire near_end = (down ? y - low : high - y) < size;
  wire order_right = n == 4'd0 ? !holds(x, y)
                     : n == 4'd15 ? holds(x, y) && (near_end || holds(after(4'd14), y))
                     : !near_end && holds(after(n - 4'd1), y) && !holds(after(n), y);
  wire meets = (around & (size - 1)) == '0 && (around >> shift) < 15;
  wire ne_right = n == 4'd15 ? !meets : meets && around == met;
  `WF_ASSERT(count_right, !row_valid || (on_q ? cmp == NE ? ne_right : order_right : n == 4'd0),
             "a count is what stepping gives")
  reg row_q, took_q;
  reg [Lanes*4-1:0] was_q;
  initial {row_q, took_q} = '0;
  always @(posedge clk_i) begin
    row_q <= row_valid && rst_ni;
    took_q <= take;
    was_q <= row;
  end
  `WF_ASSERT(stands, !(row_q && !took_q) || (row_valid && row == was_q),
             "a row stands until it is taken")
  `WF_ASSERT(apart, !(row_valid && ready), "no beat comes meanwhile")
  `WF_COVER(some, row_valid && n == 4'd3 && shift == 4'd1)
  `WF_COVER(many, row_valid && n == 4'd15 && wide)
  `WF_QUIET(!valid && !busy)
endmodule
`default_nettype wire
