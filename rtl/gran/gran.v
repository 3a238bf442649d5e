// gran: granularity predictor beside one cache of sectors, an L1 or a slice of L2: says of each
// miss of a line that is not there which sectors it fetches besides those that are wanted.
//
// For each line in the cache it keeps which sectors were asked for while the line was there (its
// touched mask), not which were fetched: guesses must not feed themselves. A miss that replaces a
// line hands that line's mask to the predictor:
//   Kind 0  NAP  by PC: how often the neighbours of the sector that missed first were touched
//   Kind 1  SPP  by PC and that sector: which sectors were touched last time
//   Kind 2  BIM  by line: lines of which few sectors were touched are remembered
// Each is a module of its own (gran_nap, gran_spp, gran_bim) behind the same ports.
//
// CHANNELS. A transfer is valid and ready at a rising edge; valid never waits for ready.
//   acc   a line request of a load that has looked the cache up, one a cycle: which sectors it
//         wants, whether the line is there or on its way, its way; of a miss the way that it takes,
//         and what it replaces there. Answer of a miss, two edges later: the further sectors
// LEVEL: predict_en_i = 0: it learns, and no miss fetches more than it wants.
// IDLE: nothing is inside and nothing will change until a valid input.
//
// Parameters: below. Storage, in RAM: Sets * Ways * (4 + Mark) beside the tags, with Mark = 4 +
// log2(NapEntries) for NAP, 2 + log2(SppEntries) for SPP, 0 for BIM; what the predictor has; 24 *
// CounterBits.
//
// Rules
//   1 An answer follows each miss two edges later, and none comes without one.
//   2 What is fetched besides is none of what is wanted.
//   3 A request wants at least one sector, of a set that there is.
//   4 A line's mask is there for the next request of its set.
//   5 Nothing is guessed while predict_en_i is 0.
// Rules 6 to 10 are the predictors'.
`default_nettype none
`include "wf_assert.vh"

module gran #(
  parameter integer Kind = 0,           // 0: NAP, 1: SPP, 2: BIM
  parameter integer Sets = 64,          // of the cache, 2..1024
  parameter integer Ways = 6,           // of the cache, 1..64
  parameter integer LineBits = 25,      // of a line address, 4..60
  parameter integer PcBits = 16,        // of a code address, 4..32
  parameter integer NapEntries = 32,    // 2^k, 2..256, of fewer bits than a PC
  parameter integer NapAbove = 7,       // a neighbour is fetched above this count, 0..15
  parameter integer SppEntries = 256,   // SppWays * 2^k
  parameter integer SppWays = 8,        // 2^k, 2..16
  parameter integer FilterBits = 1024,  // BIM: of each of an array's two banks, 2^k, 16..4096
  parameter integer Refresh = 512,      // BIM: insertions after which an array is cleared, 2..4095
  parameter integer Fine = 2,           // BIM: the most touched sectors of a fine line, 1..3
  parameter integer CounterBits = 28,   // of the performance counters, up to 64; 0: none
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1,
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                predict_en_i,
  input  wire                acc_valid_i,
  output wire                acc_ready_o,
  input  wire [PcBits-1:0]   acc_pc_i,
  input  wire [LineBits-1:0] acc_line_i,
  input  wire [SetW-1:0]     acc_set_i,
  input  wire [3:0]          acc_sectors_i, // wanted
  input  wire                acc_miss_i,    // the line is neither there nor on its way
  input  wire [WayW-1:0]     acc_way_i,     // of the line; of a miss: the way that it takes
  input  wire                acc_vvalid_i,  // of a miss: a line is there
  input  wire [LineBits-1:0] acc_vline_i,   // which
  output wire                acc_rsp_valid_o,
  output wire [3:0]          acc_rsp_more_o,
  input  wire                cnt_snapshot_i,
  input  wire                cnt_clear_i,
  input  wire [3:0]          cnt_index_i,
  output wire [63:0]         cnt_value_o,
  output wire                idle_o
);
  localparam integer NCount = 12;
  localparam integer MarkBits =
    Kind == 0 ? 4 + $clog2(NapEntries) : Kind == 1 ? 2 + $clog2(SppEntries) : 0;
  localparam integer MarkW = MarkBits > 0 ? MarkBits : 1;
  localparam integer BitsW = 4 + MarkBits;  // beside a tag

  initial begin
    if (Kind < 0 || Kind > 2) $fatal(1, "gran: Kind is %0d, must be 0 to 2", Kind);
    if (Sets < 2 || Sets > 1024) $fatal(1, "gran: Sets is %0d, must be 2 to 1024", Sets);
    if (Ways < 1 || Ways > 64) $fatal(1, "gran: Ways is %0d, must be 1 to 64", Ways);
    if (LineBits < 4 || LineBits > 60)
      $fatal(1, "gran: LineBits is %0d, must be 4 to 60", LineBits);
    if (PcBits < 4 || PcBits > 32) $fatal(1, "gran: PcBits is %0d, must be 4 to 32", PcBits);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "gran: CounterBits is %0d, must be 0 to 64", CounterBits);
  end

  // S1: the rows of the set and of the predictor are there.
  reg acc_q, miss_q, vvalid_q;
  reg [3:0] sectors_q;
  reg [SetW-1:0] set_q;
  reg [WayW-1:0] way_q;
  reg [LineBits-1:0] vline_q;
  assign acc_ready_o = 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_q <= 1'b0;
    else acc_q <= acc_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      miss_q <= acc_miss_i;
      vvalid_q <= acc_miss_i && acc_vvalid_i;
      sectors_q <= acc_sectors_i;
      set_q <= acc_set_i;
      way_q <= acc_way_i;
      if (acc_miss_i) vline_q <= acc_vline_i;
    end
  end

  // What is kept of the way. Written at the edge at which it is read, it comes from here.
  reg fresh_q;
  reg [WayW-1:0] last_way_q;
  reg [BitsW-1:0] last_q;
  wire [Ways*BitsW-1:0] row;
  function automatic [BitsW-1:0] of_way(input [Ways*BitsW-1:0] among, input [WayW-1:0] way);
    of_way = '0;
    for (int w = 0; w < Ways; w = w + 1) if (way == WayW'(w)) of_way = among[w*BitsW +: BitsW];
  endfunction
  wire [BitsW-1:0] kept = fresh_q && last_way_q == way_q ? last_q : of_way(row, way_q);

  wire taken = acc_q && miss_q, gone = acc_q && vvalid_q;
  wire [3:0] more_all;
  wire [MarkW-1:0] mark;
  wire [3:0] touched = miss_q ? sectors_q : kept[3:0] | sectors_q;
  wire [BitsW-1:0] new_bits = miss_q ? BitsW'({mark, touched})
                                     : BitsW'({MarkW'(kept >> 4), touched});
  wire write_bits = acc_q && (miss_q || touched != kept[3:0]);
  reg [Ways-1:0] way_mask_c;
  always_comb begin
    way_mask_c = '0;
    for (int w = 0; w < Ways; w = w + 1) if (way_q == WayW'(w)) way_mask_c[w] = 1'b1;
  end
  wf_ram_1r1w #(.Width(Ways * BitsW), .Depth(Sets), .PartBits(BitsW)) u_bits (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(write_bits), .wr_mask_i(way_mask_c),
    .wr_addr_i(set_q), .wr_data_i({Ways{new_bits}}), .rd_en_i(acc_valid_i),
    .rd_addr_i(acc_set_i), .rd_data_o(row)
  );
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      fresh_q <= write_bits && set_q == acc_set_i;
      last_way_q <= way_q;
      last_q <= new_bits;
    end
  end

  // The lowest of the sectors that are wanted missed first.
  function automatic [1:0] first_of(input [2:0] sectors);
    first_of = sectors[0] ? 2'd0 : sectors[1] ? 2'd1 : sectors[2] ? 2'd2 : 2'd3;
  endfunction
  wire [3:0] learned;  // events: known, taken, taught, turned
  wire busy;
  generate
    if (Kind == 0) begin : g_nap
      gran_nap #(.PcBits(PcBits), .Entries(NapEntries), .Above(NapAbove)) u_nap (
        .clk_i(clk_i), .rst_ni(rst_ni), .look_i(acc_valid_i && acc_miss_i), .pc_i(acc_pc_i),
        .first_i(first_of(acc_sectors_i[2:0])), .miss_i(taken), .more_o(more_all), .mark_o(mark),
        .gone_i(gone), .gone_touched_i(kept[3:0]), .gone_mark_i(MarkW'(kept >> 4)),
        .events_o(learned), .busy_o(busy)
      );
      wire unused = &{1'b0, acc_line_i, vline_q};
    end else if (Kind == 1) begin : g_spp
      gran_spp #(.PcBits(PcBits), .Entries(SppEntries), .Ways(SppWays)) u_spp (
        .clk_i(clk_i), .rst_ni(rst_ni), .look_i(acc_valid_i && acc_miss_i), .pc_i(acc_pc_i),
        .first_i(first_of(acc_sectors_i[2:0])), .miss_i(taken), .more_o(more_all), .mark_o(mark),
        .gone_i(gone), .gone_touched_i(kept[3:0]), .gone_mark_i(MarkW'(kept >> 4)),
        .events_o(learned)
      );
      assign busy = 1'b0;
      wire unused = &{1'b0, acc_line_i, vline_q};
    end else begin : g_bim
      gran_bim #(.LineBits(LineBits), .FilterBits(FilterBits), .Refresh(Refresh), .Fine(Fine))
      u_bim (
        .clk_i(clk_i), .rst_ni(rst_ni), .look_i(acc_valid_i && acc_miss_i), .line_i(acc_line_i),
        .miss_i(taken), .more_o(more_all), .gone_i(gone), .gone_touched_i(kept[3:0]),
        .gone_line_i(vline_q), .events_o(learned)
      );
      assign mark = '0;
      assign busy = 1'b0;
      wire unused = &{1'b0, acc_pc_i};
    end
  endgenerate

  wire [3:0] more = predict_en_i ? more_all & ~sectors_q : 4'd0;
  reg rsp_q;
  reg [3:0] more_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= 1'b0;
    else rsp_q <= taken;
  end
  always_ff @(posedge clk_i) if (taken) more_q <= more;
  assign acc_rsp_valid_o = rsp_q;
  assign acc_rsp_more_o = more_q;
  assign idle_o = !acc_q && !rsp_q && !busy;

  function automatic [2:0] ones(input [3:0] sectors);
    ones = 3'(sectors[0]) + 3'(sectors[1]) + 3'(sectors[2]) + 3'(sectors[3]);
  endfunction
  generate
    if (CounterBits > 0) begin : gen_counters
      // Counted an edge later: no path of the predictor ends in a sum.
      wire [2:0] gone_sectors = ones(kept[3:0]);
      wire [1:0] guesses = 2'(ones(taken ? more : 4'd0));
      wf_counters #(.N(NCount), .Width(CounterBits), .IncBits(2)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({1'b0, learned[3], 1'b0, learned[2], 1'b0, learned[1], 1'b0, learned[0], guesses,
                1'b0, guesses != 2'd0, 1'b0, gone && gone_sectors == 3'd3,
                1'b0, gone && gone_sectors == 3'd2, 1'b0, gone && gone_sectors == 3'd1,
                1'b0, gone, 1'b0, taken, 1'b0, acc_q}),
        .snapshot_i(cnt_snapshot_i), .clear_i(cnt_clear_i), .index_i(cnt_index_i),
        .value_o(cnt_value_o)
      );
    end else begin : gen_no_counters
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, learned, ones(4'd0)};
      assign cnt_value_o = '0;
    end
  endgenerate

`ifdef WF_ASSERT_LIVE
  // coverage: what the assertions compare with
  reg before_q, enabled_q, wrote_q;
  reg [3:0] wanted_q;
  reg [SetW-1:0] wrote_set_q;
  reg [WayW-1:0] wrote_way_q;
  reg [BitsW-1:0] wrote_bits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      before_q <= 1'b0;
      wrote_q <= 1'b0;
    end else begin
      before_q <= taken;
      if (acc_q) wrote_q <= write_bits;
    end
  end
  always_ff @(posedge clk_i) if (acc_q) begin
    enabled_q <= predict_en_i;
    wanted_q <= sectors_q;
    wrote_set_q <= set_q;
    wrote_way_q <= way_q;
    wrote_bits_q <= new_bits;
  end
`endif
  `WF_ASSERT(rule_1_answered, acc_rsp_valid_o == before_q,
             "Rule 1: an answer follows each miss, and none comes without one")
  `WF_ASSERT(rule_2_besides, !acc_rsp_valid_o || (acc_rsp_more_o & wanted_q) == '0,
             "Rule 2: what is fetched besides is none of what is wanted")
  `WF_ASSUME(rule_3_wants, !acc_valid_i || acc_sectors_i != '0,
             "Rule 3: a request wants at least one sector")
  `WF_ASSUME(rule_3_set, !acc_valid_i || {1'b0, acc_set_i} < (SetW+1)'(Sets),
             "Rule 3: of a set that there is")
  `WF_ASSERT(rule_4_fresh, !(wrote_q && acc_q && set_q == wrote_set_q && way_q == wrote_way_q)
             || kept == wrote_bits_q, "Rule 4: a line's mask is there for the next request")
  `WF_ASSERT(rule_5_off, !acc_rsp_valid_o || enabled_q || acc_rsp_more_o == '0,
             "Rule 5: nothing is guessed while predict_en_i is 0")
endmodule
`default_nettype wire
