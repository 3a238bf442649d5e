// teleport_tile: cuts a tile into its lines and each line into whole blocks of memory that there
// is. A tile is a range of bytes, low .. high, and lines_i more like it, each pitch_i bytes behind
// the one before; a range by itself is a tile of one line.
//
// Addresses are signed, one bit wider than memory's: what a controller found to lie further away
// comes as the least or the largest value. The sum of all pitches is below 2^AddrBits, so that a
// line that began below the least address still lies below zero, and nothing wraps.
//
// Timing: a line a cycle. The first of a tile that is taken at an edge is offered after it; the
// next tile follows without a gap. Nothing (none_i) is one empty line. item_ready_o follows
// line_ready_i, which should be a register's; lines are sums of registers.
//
//   BlockBits 1..   LineBytes 2^k   PitchBits 1..   HeightBits 1..   SlotW 1..
//   PitchBits + HeightBits up to AddrBits
// Storage: 2 * (AddrBits + 2) + PitchBits + HeightBits + SlotW + 3 flops.
//
// Rules
//   1 A line is offered until taken.
//   2 A tile that is not nothing has low <= high.
`default_nettype none
`include "wf_assert.vh"

module teleport_tile #(
  parameter integer BlockBits = 25,
  parameter integer LineBytes = 128,
  parameter integer PitchBits = 20,
  parameter integer HeightBits = 8,
  parameter integer SlotW = 3,
  localparam integer LineW = $clog2(LineBytes),
  localparam integer AddrBits = BlockBits + LineW
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire [BlockBits-1:0]  bound_lo_i,    // blocks that there are, both included
  input  wire [BlockBits-1:0]  bound_hi_i,
  // tiles
  input  wire                  item_valid_i,
  output wire                  item_ready_o,
  input  wire [SlotW-1:0]      item_slot_i,
  input  wire                  item_none_i,
  input  wire                  item_last_i,   // of its thread block
  input  wire [AddrBits:0]     item_low_i,
  input  wire [AddrBits:0]     item_high_i,
  input  wire [PitchBits-1:0]  item_pitch_i,
  input  wire [HeightBits-1:0] item_lines_i,  // less one
  // lines
  output wire                  line_valid_o,
  input  wire                  line_ready_i,
  output wire [SlotW-1:0]      line_slot_o,
  output wire                  line_empty_o,
  output wire                  line_end_o,    // the last of its thread block
  output wire [BlockBits-1:0]  line_first_o,
  output wire [BlockBits-1:0]  line_last_o,
  output wire                  outside_o,     // a line is cut away
  output wire                  clipped_o,     // a part of one
  output wire                  busy_o
);
  reg tile_q, none_q, last_q;
  reg [SlotW-1:0] slot_q;
  reg signed [AddrBits+1:0] low_q, high_q;  // of the next line
  reg [PitchBits-1:0] pitch_q;
  reg [HeightBits-1:0] left_q;              // lines behind the next

  wire step = tile_q && line_ready_i;
  wire final_line = left_q == '0;
  wire next = !tile_q || (step && final_line);
  assign item_ready_o = next;
  wire take = item_valid_i && next;

  // A block's number is the address shifted: that rounds towards minus infinity.
  wire signed [BlockBits+1:0] low_block = low_q[AddrBits+1:LineW];
  wire signed [BlockBits+1:0] high_block = high_q[AddrBits+1:LineW];
  wire signed [BlockBits+1:0] bound_lo = $signed({2'b00, bound_lo_i});
  wire signed [BlockBits+1:0] bound_hi = $signed({2'b00, bound_hi_i});
  wire outside = low_block > bound_hi || high_block < bound_lo || bound_lo_i > bound_hi_i;
  wire clip_lo = low_block < bound_lo, clip_hi = high_block > bound_hi;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tile_q <= 1'b0;
    else if (next) tile_q <= item_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      none_q <= item_none_i;
      last_q <= item_last_i;
      slot_q <= item_slot_i;
      pitch_q <= item_pitch_i;
    end
    if (take) left_q <= item_none_i ? '0 : item_lines_i;
    else if (step) left_q <= left_q - 1'b1;
    if (take) low_q <= {item_low_i[AddrBits], item_low_i};
    else if (step) low_q <= low_q + $signed({{(AddrBits+2-PitchBits){1'b0}}, pitch_q});
    if (take) high_q <= {item_high_i[AddrBits], item_high_i};
    else if (step) high_q <= high_q + $signed({{(AddrBits+2-PitchBits){1'b0}}, pitch_q});
  end
  assign line_valid_o = tile_q;
  assign line_slot_o = slot_q;
  assign line_empty_o = none_q || outside;
  assign line_end_o = last_q && final_line;
  assign line_first_o = clip_lo ? bound_lo_i : low_block[BlockBits-1:0];
  assign line_last_o = clip_hi ? bound_hi_i : high_block[BlockBits-1:0];
  assign outside_o = step && !none_q && outside;
  assign clipped_o = step && !none_q && !outside && (clip_lo || clip_hi);
  assign busy_o = tile_q;

  `WF_ASSERT_STABLE(rule1, line_valid_o, line_ready_i,
                    {line_slot_o, line_empty_o, line_end_o, line_first_o, line_last_o},
                    SlotW + 2 + 2 * BlockBits, "Rule 1: a line is offered until taken")
  `WF_ASSUME(rule2, !item_valid_i || item_none_i || $signed(item_low_i) <= $signed(item_high_i),
             "Rule 2: a tile that is not nothing has low <= high")
  wire unused = &{1'b0, low_q[LineW-1:0], high_q[LineW-1:0]};
endmodule
`default_nettype wire
