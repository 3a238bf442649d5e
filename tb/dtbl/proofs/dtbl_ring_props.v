// dtbl_ring: of all places, no one is given out that is in use; the next one is the one behind;
// when nothing is in use there is room again, after a few cycles: for all places, but those of the
// line that is begun, also if lines were given up in another order.
`default_nettype none
`include "wf_assert.vh"
module dtbl_ring_props #(
  parameter integer Records = 4,
  parameter integer PerLine = 2,
  parameter integer AddrW = 9,
  // Cycles from the last read record to an empty ring.
  parameter integer Settle = 12,
  localparam integer AtW = $clog2(Records),
  localparam integer RecW = $clog2(PerLine)
) (
  input wire clk_i, input wire take, input wire free, input wire [AtW-1:0] which,
  input wire elsewhere
);
`include "formal.vh"
  localparam [AddrW-1:0] BASE = AddrW'(2 * 16 * Records);
  wire room, quiet;
  wire [AddrW-1:0] pointer;
  wire [AddrW-1:0] place = (pointer - BASE - AddrW'(16)) >> 4;
  wire [AtW-1:0] at = place[AtW-1:0];
  reg [Records-1:0] used_q;
  reg freed_q;
  initial used_q = '0;
  initial freed_q = 1'b0;
  wire do_take = rst_ni && take && room;
  wire do_free = rst_ni && free && !freed_q && (elsewhere || used_q[which]);
  dtbl_ring #(.Records(Records), .PerLine(PerLine), .AddrW(AddrW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .base_i(BASE), .room_o(room), .pointer_o(pointer),
    .take_i(do_take), .free_i(do_free),
    .free_pointer_i((elsewhere ? AddrW'(16) : BASE + AddrW'(16)) + {which, 4'd0}),
    .quiet_o(quiet)
  );
  reg [AtW-1:0] next_q;
  reg [4:0] still_q;               // cycles in which nothing was in use and nothing was read
  reg begun_q;
  reg [AtW:0] left_q;              // places for which there must be room
  initial left_q = '0;
  initial still_q = '0;
  initial begun_q = 1'b0;
  always @(posedge clk_i) begin
    freed_q <= do_free;
    if (!rst_ni) begin
      used_q <= '0;
      next_q <= '0;
      still_q <= '0;
      left_q <= '0;
    end else begin
      begun_q <= 1'b1;
      if (do_take) used_q[at] <= 1'b1;
      if (do_free && !elsewhere) used_q[which] <= 1'b0;
      if (do_take) next_q <= at + 1'b1;
      if (do_free || do_take || used_q != '0) still_q <= 5'd0;
      else if (still_q != '1) still_q <= still_q + 1'b1;
      if (still_q == 5'(Settle))
        left_q <= (AtW+1)'(Records) - (AtW+1)'(next_q[RecW-1:0]) - (AtW+1)'(do_take);
      else if (do_take && left_q != '0) left_q <= left_q - 1'b1;
    end
  end
  `WF_ASSERT(in_range, !do_take || (place >> AtW) == '0, "a place is inside the ring")
  `WF_ASSERT(not_twice, !do_take || !used_q[at], "a place in use is not given out")
  `WF_ASSERT(in_order, !do_take || at == next_q, "places come one after the other")
  `WF_ASSERT(room_again, still_q < 5'(Settle) || room, "an empty ring has room")
  `WF_ASSERT(room_for_all, left_q == '0 || room, "an empty ring has room for all its places")
  `WF_COVER(full, used_q == '1)
  `WF_COVER(around, do_take && used_q != '0 && at == '0 && begun_q)
  `WF_COVER(out_of_order, do_free && !elsewhere && which != '0 && used_q == '1)
  `WF_QUIET(quiet && !do_take && !do_free)
endmodule
`default_nettype wire
