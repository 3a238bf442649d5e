// teleport_tile: of a tile that is taken the lines that are left are kept as addresses; each line
// that comes out is the one that is due, cut at the bounds of memory; nothing else comes out.
`default_nettype none
`include "wf_assert.vh"
module teleport_tile_props #(
  parameter integer BlockBits = 2,
  parameter integer LineBytes = 2,
  parameter integer PitchBits = 2,
  parameter integer HeightBits = 1,
  localparam integer LineW = $clog2(LineBytes),
  localparam integer AddrBits = BlockBits + LineW,
  localparam integer W = AddrBits + 3  // wide enough for every sum
) (
  input wire clk_i, input wire item_valid, input wire slot, input wire none, input wire last,
  input wire [AddrBits:0] low, input wire [AddrBits:0] high, input wire [PitchBits-1:0] pitch,
  input wire [HeightBits-1:0] lines, input wire line_ready
);
`include "formal.vh"
  (* anyconst *) wire [BlockBits-1:0] lo;
  (* anyconst *) wire [BlockBits-1:0] hi;
  wire item_ready, line_valid, line_slot, empty, ends, outside, clipped, busy;
  wire [BlockBits-1:0] first, final_block;
  teleport_tile #(
    .BlockBits(BlockBits), .LineBytes(LineBytes), .PitchBits(PitchBits), .HeightBits(HeightBits),
    .SlotW(1)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .bound_lo_i(lo), .bound_hi_i(hi), .item_valid_i(item_valid),
    .item_ready_o(item_ready), .item_slot_i(slot), .item_none_i(none), .item_last_i(last),
    .item_low_i(low), .item_high_i(high), .item_pitch_i(pitch), .item_lines_i(lines),
    .line_valid_o(line_valid), .line_ready_i(line_ready), .line_slot_o(line_slot),
    .line_empty_o(empty), .line_end_o(ends), .line_first_o(first), .line_last_o(final_block),
    .outside_o(outside), .clipped_o(clipped), .busy_o(busy)
  );
  `WF_ASSUME(ordered, !item_valid || none || $signed(low) <= $signed(high), "low <= high")
  wire take = rst_ni && item_valid && item_ready, sent = rst_ni && line_valid && line_ready;

  // The tile that is not over.
  reg has_q, slot0_q, none0_q, last0_q;
  initial has_q = 1'b0;
  reg [HeightBits-1:0] left0_q;
  reg signed [W-1:0] low0_q, high0_q;
  reg [PitchBits-1:0] pitch0_q;
  wire over0 = sent && left0_q == '0;
  always @(posedge clk_i) if (rst_ni) begin
    has_q <= (has_q && !over0) || take;
    if (sent) begin
      left0_q <= left0_q - 1'b1;
      low0_q <= low0_q + $signed({{(W-PitchBits){1'b0}}, pitch0_q});
      high0_q <= high0_q + $signed({{(W-PitchBits){1'b0}}, pitch0_q});
    end
    if (take) begin
      slot0_q <= slot;
      none0_q <= none;
      last0_q <= last;
      left0_q <= none ? '0 : lines;
      low0_q <= {{(W-AddrBits-1){low[AddrBits]}}, low};
      high0_q <= {{(W-AddrBits-1){high[AddrBits]}}, high};
      pitch0_q <= pitch;
    end
  end
  // The line that is due: any byte of it that is in memory.
  wire signed [W-1:0] bytes_lo = $signed({{(W-AddrBits){1'b0}}, lo, {LineW{1'b0}}}),
                      bytes_hi = $signed({{(W-AddrBits){1'b0}}, hi, {LineW{1'b1}}});
  wire there = !none0_q && lo <= hi && low0_q <= bytes_hi && high0_q >= bytes_lo;
  wire signed [W-1:0] from = low0_q < bytes_lo ? bytes_lo : low0_q,
                      to = high0_q > bytes_hi ? bytes_hi : high0_q;
  wire due = line_valid && has_q;
  `WF_ASSERT(expected, !line_valid || has_q, "no line that no tile has")
  `WF_ASSERT(right_slot, !due || line_slot == slot0_q, "the slot of its tile")
  `WF_ASSERT(right_end, !due || ends == (last0_q && left0_q == '0),
             "the last line of the last tile ends the thread block, and no other")
  `WF_ASSERT(right_empty, !due || empty == !there, "empty if no byte of it is in memory")
  `WF_ASSERT(right_first, !due || empty || first == from[AddrBits-1:LineW],
             "from the block of its first byte in memory")
  `WF_ASSERT(right_last, !due || empty || final_block == to[AddrBits-1:LineW],
             "to the block of its last")
  `WF_ASSERT(in_time, !has_q || line_valid, "a line is offered until all are taken")
  `WF_ASSERT(one, !take || !has_q || over0, "no tile is left behind")
  `WF_COVER(second_line, sent && left0_q == '0 && take && !empty && low0_q >= bytes_lo
            && pitch0_q != '0 && !none0_q)
  `WF_COVER(from_below, sent && !empty && low0_q < 0 && left0_q == '0)
  `WF_COVER(beyond, sent && empty && !none0_q && low0_q > bytes_hi && lo <= hi)
  wire unused = &{1'b0, outside, clipped, from, to};
  `WF_QUIET(!busy && !item_valid)
endmodule
`default_nettype wire
