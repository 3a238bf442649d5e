// laperm_chunks: no place is given out that is in use, or in a chunk of another list; a list fills
// its chunk from below; when nothing is in use each list finds room again. Records are given up in
// any order; that a list has no other is told with the last of its records, wherever that lay.
`default_nettype none
`include "wf_assert.vh"
module laperm_chunks_props #(
  parameter integer Records = 8,
  parameter integer Chunk = 2,
  parameter integer AddrW = 9,
  // Cycles from the last record that was given up until there is room.
  parameter integer Settle = 6,
  localparam integer AtW = $clog2(Records),
  localparam integer PlaceW = $clog2(Chunk)
) (
  input wire clk_i, input wire look, input wire list, input wire take, input wire leave,
  input wire free, input wire elsewhere, input wire [AtW-1:0] which, input wire free_list
);
`include "formal.vh"
  localparam [AddrW-1:0] BASE = AddrW'(2 * 16 * Records);
  wire room, quiet;
  wire [AddrW-1:0] pointer;
  wire [AddrW-1:0] place = (pointer - BASE - AddrW'(16)) >> 4;
  wire [AtW-1:0] at = place[AtW-1:0];

  // Whose records lie where.
  reg [Records-1:0] used_q, owner_q;
  reg looked_q, list_q, freed_q;
  initial used_q = '0;
  initial looked_q = 1'b0;
  initial freed_q = 1'b0;
  wire do_free = rst_ni && free && !freed_q && !looked_q && (elsewhere || used_q[which]);
  wire its = elsewhere ? free_list : owner_q[which];
  wire [Records-1:0] others = used_q & ~(elsewhere ? '0 : Records'(1) << which);
  wire [Records-1:0] of_list = others & (its ? owner_q : ~owner_q);
  wire last = of_list == '0;
  wire do_look = rst_ni && look && !looked_q && !do_free;
  wire do_take = rst_ni && take && looked_q && room && !freed_q;
  laperm_chunks #(.Records(Records), .Chunk(Chunk), .Lists(2), .AddrW(AddrW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .base_i(BASE), .look_i(do_look),
    .list_i(looked_q ? list_q : list), .room_o(room), .pointer_o(pointer), .take_i(do_take),
    .free_i(do_free), .free_last_i(do_free && last), .free_list_i(its),
    .free_pointer_i((elsewhere ? AddrW'(16) : BASE + AddrW'(16)) + {which, 4'd0}),
    .quiet_o(quiet)
  );

  reg [1:0] open_q;                // the list has places left in its chunk: the next one is
  reg [AtW-1:0] next_q [2];
  reg [3:0] still_q;               // cycles in which nothing was in use and nothing was given up
  initial still_q = '0;
  initial open_q = '0;
  wire [AtW-1:0] follows = at + 1'b1;
  wire [Records-1:0] chunk = Records'((1 << Chunk) - 1) << {at[AtW-1:PlaceW], {PlaceW{1'b0}}};
  wire [Records-1:0] strangers = used_q & chunk & (list_q ? ~owner_q : owner_q);
  always @(posedge clk_i) begin
    freed_q <= do_free;
    if (do_look) list_q <= list;
    if (do_take) begin
      owner_q[at] <= list_q;
      next_q[list_q] <= follows;
    end
    if (!rst_ni) begin
      used_q <= '0;
      looked_q <= 1'b0;
      open_q <= '0;
      still_q <= '0;
    end else begin
      looked_q <= do_look || (looked_q && !do_take && !leave);
      if (do_take) used_q[at] <= 1'b1;
      if (do_free && !elsewhere) used_q[which] <= 1'b0;
      if (do_take) open_q[list_q] <= follows[PlaceW-1:0] != '0;
      else if (do_free && last) open_q[its] <= 1'b0;
      if (do_free || do_take || used_q != '0) still_q <= 4'd0;
      else if (still_q != '1) still_q <= still_q + 1'b1;
    end
  end
  `WF_ASSERT(in_range, !do_take || (place >> AtW) == '0, "a place is one of Records")
  `WF_ASSERT(not_twice, !do_take || !used_q[at], "a place in use is not given out")
  `WF_ASSERT(own_chunk, !do_take || strangers == '0, "a chunk has one owner")
  `WF_ASSERT(in_order, !do_take || (open_q[list_q] ? at == next_q[list_q]
                                                   : at[PlaceW-1:0] == '0),
             "a list fills its chunk from below")
  `WF_ASSERT(room_again, !(looked_q && still_q > 4'(Settle)) || room,
             "when nothing is in use there is room")
  `WF_COVER(full, used_q == '1)
  `WF_COVER(none_left, looked_q && !room)
  `WF_COVER(closed, do_free && last && open_q[its])
  `WF_COVER(out_of_order, do_free && !elsewhere && which[0] && used_q == '1)
  `WF_COVER(again, do_take && at == '0 && owner_q[0] != list_q && still_q == '0 && used_q != '0)
endmodule
`default_nettype wire
