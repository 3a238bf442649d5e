// apcm_lines: the extension of the L1's tags, {credit, access count, holder} per line, and the
// choice of victims.
//
// One row per set in a 1R1W RAM: read when the request is taken, used and written one cycle later.
// No row is read at the edge at which it is written: who asks waits.
//
// A line is protected while it has a holder, and that warp's bit in the PSB is set. A row that is
// read drops holders that do not protect any more: what ended stays ended, even if the same warp
// protects again later. A holder is kept inverted, so that 0 is nobody.
//
// Credit keeps lines of ordinary loads. A line that a request of such a load brings or hits gets
// keep_i; one of 2^AgeBits look-ups of the unit takes one from each line of the set that it looks
// up. Which one a shift register of 127 steps throws: a kernel whose accesses have a period of
// 2^AgeBits would meet a count always at the same sets. Another ordinary load may not take a line
// that has credit. A load that pins its lines may: pinning is known to pay, credit is a guess.
// keep_i = 0 is the paper's unit.
//
// Victim: the first invalid way, or the oldest valid one that may go. Reserved ways are never
// taken. Renewal: when there is none, every renew_i-th request for a line to protect that finds
// lines its own warp protects takes the oldest of these. A warp that went on to other lines so gets
// them pinned in place of its old ones; no warp takes what another one protects.
//
//   Sets 1..1024   Ways 1..64   NumWarp 1..64   CountBits 2..8   CreditBits 1..4   AgeBits 1..6
//   GroupWays 1..64: ways that are held against each other at once
// Storage: Sets * Ways * (CreditBits + CountBits + clog2(NumWarp + 1)) bits of RAM, 12 flops.
//
// Rules
//   1 A protected line of a warp whose PSB bit is set is not chosen, but by renewal by that warp.
//   2 A hit names a way that is not invalid.
//   3 A way is chosen exactly if one may be.
//   4 What an ordinary load takes had no credit left.
//   5 One way is taken: an invalid one, or the oldest of those that may go.
//   6 There is room for a line to pin exactly if it gets a way without renewal.
`default_nettype none
`include "wf_assert.vh"

module apcm_lines #(
  parameter integer Sets = 32,
  parameter integer Ways = 4,
  parameter integer NumWarp = 48,
  parameter integer CountBits = 4,
  parameter integer CreditBits = 4,
  parameter integer AgeBits = 2,
  parameter integer GroupWays = 8,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1,
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1,
  localparam integer HoldW = $clog2(NumWarp + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 clear_i,
  input  wire [SetW-1:0]      clear_set_i,
  input  wire                 rd_i,
  input  wire [SetW-1:0]      rd_set_i,
  input  wire                 valid_i,    // one cycle later: a request that looked up the L1
  input  wire [SetW-1:0]      set_i,
  input  wire                 hit_i,
  input  wire [WayW-1:0]      way_i,
  input  wire [Ways-1:0]      invalid_i,
  input  wire [Ways-1:0]      reserved_i,
  input  wire [Ways*WayW-1:0] rank_i,
  input  wire [WarpW-1:0]     warp_i,
  input  wire                 pins_i,     // of a load whose lines are to be protected
  input  wire                 protect_i,  // and this line shall be
  input  wire [NumWarp-1:0]   psb_i,
  input  wire [3:0]           renew_i,    // every so many; 0: never
  input  wire [CreditBits-1:0] keep_i,    // credit of an ordinary load's line; 0: none
  output wire                 alloc_o,
  output wire                 room_o,     // of the row: a miss to pin gets a way without renewal
  output wire [WayW-1:0]      way_o,
  output wire [CountBits-1:0] count_o,    // of the line that was hit, this access included
  output wire                 renew_o     // a line that its own warp protects is taken
);
  localparam integer LineW = CreditBits + CountBits + HoldW;  // {credit, count, holder}
  localparam integer CreditAt = LineW - CreditBits;
  localparam integer RowW = Ways * LineW;

  wire [RowW-1:0] row;

  // Of the row that was read: looked at while valid_i. Blocks below never read what they write:
  // Icarus would wake them again for ever.
  reg [6:0] die_q;
  reg ages_q;  // the next look-up takes credit
  reg [Ways-1:0] held_c, stale_c, own_c, kept_c;
  reg [Ways*CreditBits-1:0] credit_c;
  wire [HoldW-1:0] holder = ~(HoldW'(warp_i));
  wire [2**HoldW-1:0] holds;  // of each holder as it is kept, whether it protects
  generate
    for (genvar h = 0; h < 2**HoldW; h = h + 1) begin : g_holds
      if (2**HoldW - 1 - h < NumWarp) begin : g_warp
        assign holds[h] = psb_i[2**HoldW-1-h];
      end else begin : g_none
        assign holds[h] = 1'b0;
      end
    end
  endgenerate
  always_comb begin
    credit_c = '0;
    for (int w = 0; w < Ways; w = w + 1) begin
      held_c[w] = holds[row[w*LineW +: HoldW]];
      stale_c[w] = row[w*LineW +: HoldW] != '0 && !holds[row[w*LineW +: HoldW]];
      own_c[w] = row[w*LineW +: HoldW] == holder && holds[row[w*LineW +: HoldW]];
      kept_c[w] = row[w*LineW + CreditAt +: CreditBits] > CreditBits'(ages_q) && !pins_i;
      if (row[w*LineW + CreditAt +: CreditBits] != '0)
        credit_c[w*CreditBits +: CreditBits] = row[w*LineW + CreditAt +: CreditBits]
                                               - CreditBits'(ages_q);
    end
  end

  // The oldest of some ways: ranks are held against each other, in groups, before it is known which
  // ways may go; then the groups' oldest are. Of equal ranks the last way is older.
  localparam integer Group = Ways < GroupWays ? Ways : GroupWays;
  localparam integer Groups = (Ways + Group - 1) / Group;
  reg [Ways*Group-1:0] yields_c;  // to a way of its group, if that may go
  always_comb begin
    yields_c = '0;
    for (int w = 0; w < Ways; w = w + 1)
      for (int v = 0; v < Ways; v = v + 1)
        if (v > w && v / Group == w / Group) begin
          yields_c[w*Group + v % Group] = rank_i[v*WayW +: WayW] >= rank_i[w*WayW +: WayW];
          yields_c[v*Group + w % Group] = rank_i[w*WayW +: WayW] > rank_i[v*WayW +: WayW];
        end
  end
  // Of each group the oldest; none of none.
  function automatic [Ways-1:0] oldest(input [Ways-1:0] among);
    reg [Groups*Group-1:0] may_go;
    may_go = (Groups*Group)'(among);
    for (int w = 0; w < Ways; w = w + 1)
      oldest[w] = among[w] && (may_go[w/Group*Group +: Group] & yields_c[w*Group +: Group]) == '0;
  endfunction
  // Of those of the groups the oldest.
  function automatic [Ways-1:0] winner(input [Ways-1:0] first);
    reg [Groups*Group-1:0] firsts;
    reg [Groups-1:0] some, wins;
    reg [Groups*WayW-1:0] rank;
    firsts = (Groups*Group)'(first);
    winner = '0;
    rank = '0;
    for (int g = 0; g < Groups; g = g + 1) some[g] = firsts[g*Group +: Group] != '0;
    for (int w = 0; w < Ways; w = w + 1) begin
      if (first[w])
        rank[w/Group*WayW +: WayW] = rank[w/Group*WayW +: WayW] | rank_i[w*WayW +: WayW];
    end
    wins = '1;
    for (int g = 0; g < Groups; g = g + 1)
      for (int h = 0; h < Groups; h = h + 1)
        if (h > g && some[g] && some[h]) begin
          if (rank[h*WayW +: WayW] >= rank[g*WayW +: WayW]) wins[g] = 1'b0;
          else wins[h] = 1'b0;
        end
    for (int w = 0; w < Ways; w = w + 1) winner[w] = first[w] && wins[w/Group];
  endfunction
  function automatic [WayW-1:0] number(input [Ways-1:0] one);
    number = '0;
    for (int w = 0; w < Ways; w = w + 1) if (one[w]) number = number | WayW'(w);
  endfunction
  wire miss = valid_i && !hit_i;
  // Whether the warp's own lines may be renewed comes from the PSB, whose answer joins last; so
  // does that there is a miss.
  wire [Ways-1:0] open = ~(invalid_i | reserved_i);
  wire [Ways-1:0] may = open & ~(held_c | kept_c), own = open & own_c;
  wire some_invalid = invalid_i != '0, some_may = may != '0;
  reg [3:0] turn_q;
  wire renews = miss && protect_i && renew_i != '0 && !some_invalid;
  wire could_renew = renews && !some_may && own != '0;
  wire renew = could_renew && turn_q == '0;
  wire goes = miss && (some_may || (protect_i && renew_i != '0 && turn_q == '0));
  wire [Ways-1:0] first_invalid = invalid_i & (~invalid_i + 1'b1);
  wire [Ways-1:0] choose = some_invalid ? first_invalid & {Ways{miss}}
                           : winner(some_may ? oldest(may) : oldest(own)) & {Ways{goes}};
  assign renew_o = renew;
  assign room_o = (invalid_i | (open & ~held_c)) != '0;
  assign alloc_o = (miss && (some_invalid || some_may)) || renew;
  assign way_o = number(choose);

  // The row as it will be.
  function automatic [CountBits-1:0] count_of(input [RowW-1:0] lines, input [WayW-1:0] at);
    count_of = '0;
    for (int w = 0; w < Ways; w = w + 1)
      if (at == WayW'(w)) count_of = lines[w*LineW + HoldW +: CountBits];
  endfunction
  wire [CountBits-1:0] old_count = count_of(row, way_i);
  assign count_o = old_count == '1 ? '1 : old_count + 1'b1;
  reg [RowW-1:0] row_c;
  reg [Ways-1:0] mask_c;
  wire [CreditBits-1:0] keep = pins_i ? '0 : keep_i;
  always_comb begin
    row_c = row;
    mask_c = '0;
    if (valid_i) begin
      mask_c = stale_c | choose | {Ways{ages_q}};
      for (int w = 0; w < Ways; w = w + 1) begin
        row_c[w*LineW + CreditAt +: CreditBits] = credit_c[w*CreditBits +: CreditBits];
        if (stale_c[w]) row_c[w*LineW +: HoldW] = '0;
        if (choose[w])
          row_c[w*LineW +: LineW] = {keep, CountBits'(1), protect_i ? holder : HoldW'(0)};
        if (hit_i && way_i == WayW'(w)) begin
          mask_c[w] = 1'b1;
          row_c[w*LineW + HoldW +: CountBits] = count_o;
          if (!pins_i) row_c[w*LineW + CreditAt +: CreditBits] = keep_i;
        end
      end
    end
  end

  wire [6:0] die_next = {die_q[5:0], die_q[6] ^ die_q[5]};
  wf_ram_1r1w #(.Width(RowW), .Depth(Sets), .PartBits(LineW)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(mask_c != '0 || clear_i),
    .wr_addr_i(clear_i ? clear_set_i : set_i), .wr_mask_i(clear_i ? '1 : mask_c),
    .wr_data_i(clear_i ? '0 : row_c), .rd_en_i(rd_i), .rd_addr_i(rd_set_i), .rd_data_o(row)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q <= '0;
      die_q <= 7'd1;
      ages_q <= AgeBits == 1;
    end else if (clear_i) begin
      turn_q <= '0;
      die_q <= 7'd1;
      ages_q <= AgeBits == 1;
    end else if (valid_i) begin
      if (could_renew) turn_q <= renew ? renew_i - 1'b1 : turn_q - 1'b1;
      die_q <= die_next;
      ages_q <= die_next[AgeBits-1:0] == '1;
    end
  end

  `WF_ASSERT(rule1, !alloc_o || invalid_i[way_o]
             || !holds[row[way_o*LineW +: HoldW]]
             || (renew_o && row[way_o*LineW +: HoldW] == holder),
             "Rule 1: a protected line of a warp whose PSB bit is set goes by its own renewal only")
  `WF_ASSUME(rule2, !valid_i || !hit_i || !invalid_i[way_i],
             "Rule 2: a hit names a way that is not invalid")
  `WF_ASSERT(rule3, !miss || renew_o
             || alloc_o == ((invalid_i | (~reserved_i & ~held_c & ~kept_c)) != '0),
             "Rule 3: a way is chosen exactly if one may be")
  `WF_ASSERT(rule4, !alloc_o || pins_i || invalid_i[way_o]
             || row[way_o*LineW + CreditAt +: CreditBits] <= CreditBits'(ages_q),
             "Rule 4: what an ordinary load takes had no credit left")
  `WF_ASSERT(rule6, !miss || !pins_i || room_o == (alloc_o && !renew_o),
             "Rule 6: there is room for a line to pin exactly if it gets a way without renewal")
`ifdef WF_ASSERT_LIVE
  reg older_c;
  always_comb begin
    older_c = 1'b0;
    for (int w = 0; w < Ways; w = w + 1)
      if ((some_may ? may[w] : own[w]) && rank_i[w*WayW +: WayW] > rank_i[way_o*WayW +: WayW])
        older_c = 1'b1;
  end
`endif
  `WF_ASSERT(rule5, !alloc_o || (choose == {{(Ways-1){1'b0}}, 1'b1} << way_o
                                 && (some_invalid || !older_c)),
             "Rule 5: an invalid way is taken, or the oldest of those that may go; and no other")
endmodule
`default_nettype wire
