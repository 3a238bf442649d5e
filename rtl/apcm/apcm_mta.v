// apcm_mta: monitor tag array. A small tag array that only the watched warp fills; each entry
// counts the accesses to its line, knows whether all were by the watched warp, and remembers the
// first and the last load instruction that did.
//
// An access of the watched warp that misses takes an entry (of its row an empty one, else one in
// rotation); what was there is reported. A hit whose access count is then above threshold_i is
// reported too, and in the end the scan reports every entry, one in two cycles. A report says how
// to manage the lines of the entry's first load: one access: bypass (streaming); all accesses by
// the watched warp: protect (intra-warp); else normal.
//
// Of the watched warp's own accesses no count is needed: all are its own while the entry began with
// the first access to its line and nobody else has come since (own). Counts saturate; what comes
// after a full count tells nothing any more. An entry is empty while its access count is 0: the
// table has no valid bits.
//
// Rows of MtaWays entries in a 1R1W RAM: read when the request is taken, used and written one cycle
// later. No row is read at the edge at which it is written: who asks waits. The scan takes two
// cycles for each entry.
//
// While busy_i a report would meet the one before: a hit tells nothing (it will with its next hit,
// or when it goes), and a miss does not take an entry that is in use.
//
//   MtaEntries = MtaWays * 2^k   LineBits above k   Ids 2..64   CountBits 2..8
// Storage: MtaEntries * (LineBits - k + 2 * clog2(Ids) + CountBits + 1) bits of RAM.
//
// Rules
//   1 A row holds a line once.
//   2 A line's only access is the watched warp's.
//   3 The scan and accesses do not meet.
`default_nettype none
`include "wf_assert.vh"

module apcm_mta #(
  parameter integer MtaEntries = 32,
  parameter integer MtaWays = 1,
  parameter integer LineBits = 25,
  parameter integer Ids = 16,
  parameter integer CountBits = 4,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1,
  localparam integer Rows = MtaEntries / MtaWays,
  localparam integer RowW = Rows > 1 ? $clog2(Rows) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 clear_i,
  input  wire [RowW-1:0]      clear_row_i,
  input  wire [CountBits-1:0] threshold_i,
  input  wire                 rd_i,
  input  wire [RowW-1:0]      rd_row_i,
  input  wire                 valid_i,    // one cycle later: an access while a warp is watched
  input  wire                 busy_i,     // the report before is on its way
  input  wire [LineBits-1:0]  line_i,
  input  wire                 own_i,      // by that warp
  input  wire                 tracked_i,  // by a load that has an id
  input  wire [IdW-1:0]       id_i,
  input  wire                 may_take_i, // the first or second request of its instruction
  input  wire [CountBits-1:0] count_i,    // the access count that a new entry starts from
  // scan
  input  wire                 scan_i,     // a pulse, while nothing is accessed
  input  wire                 stop_i,     // the scan is given up
  output wire                 scanning_o,
  // report
  output wire                 up_valid_o,
  output wire [IdW-1:0]       up_id_o,
  output wire [1:0]           up_method_o,
  output wire [IdW-1:0]       up_last_o,
  output wire [CountBits-1:0] up_count_o,
  // events of this cycle
  output wire                 ev_hit_o,
  output wire                 ev_take_o,
  output wire                 ev_evict_o
);
  localparam integer RowBits = $clog2(Rows);  // 0 for one row
  // A wrong value is refused in apcm.v.
  localparam integer TagBits = LineBits > RowBits ? LineBits - RowBits : 1;
  localparam integer EntryW = TagBits + 2 * IdW + CountBits + 1;
  localparam integer WayW = MtaWays > 1 ? $clog2(MtaWays) : 1;
  localparam [RowW-1:0] LAST_ROW = RowW'(Rows - 1);
  localparam [WayW-1:0] LAST_WAY = WayW'(MtaWays - 1);
  localparam [CountBits-1:0] ONE = {{(CountBits-1){1'b0}}, 1'b1};
  localparam [1:0] NORMAL = 2'd0, BYPASS = 2'd1, PROTECT = 2'd2;

  // Entry: {tag, first, last, count, own}.
  wire [MtaWays*EntryW-1:0] ram_row;
  wire [TagBits-1:0] tag = line_i[LineBits-1 -: TagBits];
  wire [RowW-1:0] row = Rows > 1 ? line_i[RowW-1:0] : '0;

  // Scan.
  reg scan_q, scan_have_q;
  reg [RowW-1:0] scan_row_q;
  reg [WayW-1:0] scan_way_q;
  wire scan = scan_q && scan_have_q && !stop_i;
  wire scan_row_end = scan && scan_way_q == LAST_WAY;
  wire scan_end = scan_row_end && scan_row_q == LAST_ROW;
  wire scan_read = scan_q && !scan_have_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      scan_q <= 1'b0;
      scan_have_q <= 1'b0;
      scan_row_q <= '0;
      scan_way_q <= '0;
    end else if (scan_i || scan_q) begin
      scan_q <= !scan_end && !stop_i;
      scan_have_q <= scan_read && !stop_i;
      if (scan_row_end || stop_i) scan_way_q <= '0;
      else if (scan) scan_way_q <= scan_way_q + 1'b1;
      if (scan_end || stop_i) scan_row_q <= '0;
      else if (scan_row_end) scan_row_q <= scan_row_q + 1'b1;
    end
  end
  assign scanning_o = scan_q;

  // Which entry: the one that matches, else an empty one, else the next in rotation.
  wire [MtaWays-1:0] present, match;
  generate
    for (genvar w = 0; w < MtaWays; w = w + 1) begin : g_way
      wire [TagBits+CountBits-1:0] here;  // {tag, count}
      assign here = {ram_row[w*EntryW + EntryW-1 -: TagBits],
                     ram_row[w*EntryW + 1 +: CountBits]};
      assign present[w] = valid_i && here[CountBits-1:0] != '0;
      assign match[w] = present[w] && here[CountBits +: TagBits] == tag;
    end
  endgenerate
  reg [WayW-1:0] turn_q, way_c;
  always_comb begin
    way_c = scan ? scan_way_q : turn_q;
    if (valid_i) begin
      for (int w = MtaWays - 1; w >= 0; w = w - 1) if (!present[w]) way_c = WayW'(w);
      for (int w = 0; w < MtaWays; w = w + 1) if (match[w]) way_c = WayW'(w);
    end
  end
  wire hit = match != '0;
  wire empty = valid_i && present != '1;
  function automatic [EntryW-TagBits-1:0] entry_of(input [MtaWays*EntryW-1:0] entries,
                                                   input [WayW-1:0] at);
    entry_of = '0;
    for (int w = 0; w < MtaWays; w = w + 1)
      if (at == WayW'(w)) entry_of = entries[w*EntryW +: EntryW-TagBits];
  endfunction
  wire [EntryW-TagBits-1:0] entry = entry_of(ram_row, way_c);
  wire [IdW-1:0] first = entry[1+CountBits+IdW +: IdW];
  wire [IdW-1:0] last = entry[1+CountBits +: IdW];
  wire [CountBits-1:0] count = entry[1 +: CountBits];
  wire own = entry[0];

  wire take = valid_i && !hit && own_i && tracked_i && may_take_i && (empty || !busy_i);
  wire evict = take && !empty;
  wire full = count == '1;
  wire [CountBits-1:0] more_count = full ? count : count + 1'b1;
  wire more_own = own && (full || own_i);
  wire [IdW-1:0] more_last = tracked_i ? id_i : last;

  wire [EntryW-1:0] new_entry = hit ? {tag, first, more_last, more_count, more_own}
                                : {tag, id_i, id_i, count_i, count_i == ONE};

  reg [MtaWays-1:0] mask_c;
  always_comb begin
    mask_c = '0;
    mask_c[way_c] = 1'b1;
  end
  wf_ram_1r1w #(.Width(MtaWays * EntryW), .Depth(Rows), .PartBits(EntryW)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(hit || take || clear_i),
    .wr_addr_i(clear_i ? clear_row_i : row), .wr_mask_i(clear_i ? '1 : mask_c),
    .wr_data_i(clear_i ? '0 : {MtaWays{new_entry}}), .rd_en_i(rd_i || scan_read),
    .rd_addr_i(scan_q ? scan_row_q : rd_row_i), .rd_data_o(ram_row)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '0;
    else if (evict) turn_q <= turn_q == LAST_WAY ? '0 : turn_q + 1'b1;
  end

  // Report of the entry that goes, or as it has just become.
  wire passes = hit && !busy_i && more_count > threshold_i;
  wire up_own = hit ? more_own : own;
  assign up_count_o = hit ? more_count : count;
  assign up_valid_o = passes || ((evict || scan) && count != '0);
  assign up_id_o = first;
  assign up_last_o = hit ? more_last : last;
  assign up_method_o = up_count_o == ONE ? BYPASS : up_own ? PROTECT : NORMAL;

  assign ev_hit_o = hit;
  assign ev_take_o = take;
  assign ev_evict_o = evict;

  `WF_ASSERT(rule1, (match & (match - 1'b1)) == '0, "Rule 1: a row holds a line once")
  `WF_ASSERT(rule2, !(hit || scan) || count != ONE || own,
             "Rule 2: a line's only access is the watched warp's")
  `WF_ASSERT(rule3, !(scan_q && valid_i), "Rule 3: the scan and accesses do not meet")
endmodule
`default_nettype wire
