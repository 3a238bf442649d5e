// apcm_lines: one line, any way of any set, is followed: once it is taken for a protecting warp it
// is not chosen again while that warp's PSB bit stays set; its count is that of its accesses; what
// the PSB dropped stays dropped.
`default_nettype none
`include "wf_assert.vh"
module apcm_lines_props #(
  parameter integer Sets = 2,
  parameter integer Ways = 2,
  parameter integer NumWarp = 2,
  parameter integer CountBits = 2,
  parameter integer CreditBits = 1,
  parameter integer AgeBits = 1,
  parameter integer GroupWays = 8,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1,
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input wire clk_i, input wire ask, input wire [SetW-1:0] ask_set, input wire hit,
  input wire [WayW-1:0] hit_way, input wire [Ways-1:0] invalid, input wire [Ways-1:0] reserved,
  input wire [Ways*WayW-1:0] rank, input wire [WarpW-1:0] warp, input wire protect,
  input wire [NumWarp-1:0] psb, input wire [3:0] renew, input wire pins,
  input wire [CreditBits-1:0] keep
);
`include "formal.vh"
  // After reset the rows are cleared; then requests may come.
  reg [SetW:0] clear_q;
  initial clear_q = '0;
  wire clearing = clear_q < (SetW + 1)'(Sets);
  always @(posedge clk_i) if (rst_ni && clearing) clear_q <= clear_q + 1'b1;
  reg valid_q;
  reg [SetW-1:0] set_q;
  initial valid_q = 1'b0;
  wire take = rst_ni && ask && !clearing && !(valid_q && ask_set == set_q);
  always @(posedge clk_i) begin
    valid_q <= take;
    if (take) set_q <= ask_set;
  end
  wire alloc;
  wire [WayW-1:0] way;
  wire [CountBits-1:0] count;
  wire renewed, room;
  apcm_lines #(
    .Sets(Sets), .Ways(Ways), .NumWarp(NumWarp), .CountBits(CountBits), .CreditBits(CreditBits),
    .AgeBits(AgeBits), .GroupWays(GroupWays)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(rst_ni && clearing), .clear_set_i(clear_q[SetW-1:0]),
    .rd_i(take), .rd_set_i(ask_set), .valid_i(valid_q), .set_i(set_q), .hit_i(hit), .way_i(hit_way),
    .invalid_i(invalid), .reserved_i(reserved), .rank_i(rank), .warp_i(warp), .pins_i(pins),
    .protect_i(protect), .psb_i(psb), .renew_i(renew), .keep_i(keep), .alloc_o(alloc),
    .room_o(room), .way_o(way), .count_o(count), .renew_o(renewed)
  );
  `WF_ASSUME(pins_or_not, !protect || pins, "a line is protected for a load that pins")
  `WF_ASSUME(hit_is_there, !(valid_q && hit) || !invalid[hit_way],
             "a hit names a way that is not invalid")
  (* anyconst *) wire [SetW-1:0] the_set;
  (* anyconst *) wire [WayW-1:0] the_way;
  reg held_q, known_q;
  reg [WarpW-1:0] warp_q;
  reg [CountBits-1:0] count_q;
  initial held_q = 1'b0;
  initial known_q = 1'b0;
  wire here = valid_q && set_q == the_set;
  wire taken = here && alloc && way == the_way;
  always @(posedge clk_i) if (rst_ni) begin
    if (taken) begin
      held_q <= protect;
      warp_q <= warp;
      known_q <= 1'b1;
      count_q <= {{(CountBits-1){1'b0}}, 1'b1};
    end else begin
      if (!psb[warp_q]) held_q <= 1'b0;
      if (here && hit && hit_way == the_way) count_q <= count_q == '1 ? '1 : count_q + 1'b1;
    end
  end
  `WF_ASSERT(not_evicted, !(taken && held_q && psb[warp_q]) || invalid[the_way]
             || (renewed && warp == warp_q && protect && renew != 4'd0),
             "a protected line of a warp whose PSB bit stayed set is not chosen by another one")
  `WF_ASSERT(room_right, !(valid_q && !hit && pins) || (alloc == (room || renewed)
                                                         && !(room && renewed)),
             "a line to pin finds room, or one is renewed")
  `WF_COVER(renewed_line, taken && renewed && held_q)
  `WF_ASSERT(not_reserved, !(taken && reserved[the_way]) || invalid[the_way],
             "a reserved way is not chosen")
  `WF_ASSERT(count_right, !(here && hit && hit_way == the_way && known_q)
             || count == (count_q == '1 ? '1 : count_q + 1'b1),
             "a line's count is that of its accesses")
  // The followed way was chosen over another one: that one was held, reserved or newer.
  wire [WayW-1:0] the_rank = rank[the_way*WayW +: WayW];
  reg first_c;
  always_comb begin
    first_c = 1'b0;
    for (int w = 0; w < Ways; w = w + 1)
      if (invalid[w] && !first_c && WayW'(w) == the_way) first_c = 1'b1;
  end
  `WF_ASSERT(invalid_first, !(taken && invalid != '0) || first_c, "an invalid way goes first")
  // The row was met while the warp did not protect: the bit is gone for good.
  reg lost_q;
  initial lost_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    if (taken) lost_q <= 1'b0;
    else if (here && !psb[warp_q]) lost_q <= 1'b1;
  end
  `WF_ASSERT(stays_lost, !(here && !hit && pins && known_q && lost_q && !reserved[the_way])
             || alloc, "what ended stays ended")
  // Credit of the followed line, at least: it goes by one when the shift register says so.
  reg [CreditBits-1:0] credit_q;
  reg [6:0] die_q;
  initial credit_q = '0;
  initial die_q = 7'd1;
  wire ages = valid_q && die_q[AgeBits-1:0] == '1;
  always @(posedge clk_i) if (rst_ni) begin
    if (clearing) die_q <= 7'd1;
    else if (valid_q) die_q <= {die_q[5:0], die_q[6] ^ die_q[5]};
    if (taken) credit_q <= pins ? '0 : keep;
    else if (here && hit && hit_way == the_way && !pins) credit_q <= keep;
    else if (here && ages && credit_q != '0) credit_q <= credit_q - 1'b1;
  end
  `WF_ASSERT(kept, !(taken && !pins && known_q && !invalid[the_way])
             || credit_q <= CreditBits'(ages), "an ordinary load takes no line that has credit")
  `WF_ASSERT(not_kept_for_ever, !(here && !hit && !pins && known_q && credit_q == '0 && lost_q
             && !reserved[the_way]) || alloc, "a line without credit or protection may go")
  `WF_COVER(kept_line, here && !hit && !alloc && !pins && !held_q && known_q && reserved == '0)
  `WF_COVER(refused, here && !hit && !alloc && held_q)
  `WF_COVER(taken_after_end, taken && lost_q && known_q)
  reg was_busy_q;
  initial was_busy_q = 1'b1;
  always @(posedge clk_i) was_busy_q <= valid_q || clearing || !rst_ni;
  `WF_QUIET(!was_busy_q && !valid_q && !take && !clearing)
endmodule
`default_nettype wire
