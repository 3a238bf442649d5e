// apcm_mta: one line, any one, is followed. With threshold 0 each hit is reported, so that counts
// and ids can be seen.
`default_nettype none
`include "wf_assert.vh"
module apcm_mta_props #(
  parameter integer MtaEntries = 4,
  parameter integer MtaWays = 2,
  parameter integer LineBits = 2,
  parameter integer Ids = 2,
  parameter integer CountBits = 2,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1,
  localparam integer Rows = MtaEntries / MtaWays,
  localparam integer RowW = Rows > 1 ? $clog2(Rows) : 1
) (
  input wire clk_i, input wire ask, input wire [LineBits-1:0] ask_line, input wire own,
  input wire tracked, input wire [IdW-1:0] id, input wire may_take,
  input wire [CountBits-1:0] start, input wire want_scan
);
`include "formal.vh"
  reg [RowW:0] clear_q;
  initial clear_q = '0;
  wire clearing = clear_q < (RowW + 1)'(Rows);
  always @(posedge clk_i) if (rst_ni && clearing) clear_q <= clear_q + 1'b1;
  reg valid_q;
  reg [LineBits-1:0] line_q;
  initial valid_q = 1'b0;
  wire scanning, scan = rst_ni && want_scan && !clearing && !scanning;
  wire [RowW-1:0] ask_row = Rows > 1 ? ask_line[RowW-1:0] : '0;
  wire [RowW-1:0] row_q = Rows > 1 ? line_q[RowW-1:0] : '0;
  wire take = rst_ni && ask && !clearing && !scanning && !scan && !(valid_q && ask_row == row_q);
  reg busy_q;  // a report was made at the edge before
  initial busy_q = 1'b0;
  always @(posedge clk_i) busy_q <= rst_ni && up;
  always @(posedge clk_i) begin
    valid_q <= take;
    if (take) line_q <= ask_line;
  end
  wire up;
  wire hit, took, evict;
  wire [IdW-1:0] up_id, up_last;
  wire [1:0] up_method;
  wire [CountBits-1:0] up_count;
  apcm_mta #(
    .MtaEntries(MtaEntries), .MtaWays(MtaWays), .LineBits(LineBits), .Ids(Ids),
    .CountBits(CountBits)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(rst_ni && clearing), .clear_row_i(clear_q[RowW-1:0]),
    .threshold_i({CountBits{1'b0}}), .rd_i(take), .rd_row_i(ask_row), .valid_i(valid_q),
    .busy_i(busy_q), .line_i(line_q), .own_i(own), .tracked_i(tracked), .id_i(id),
    .may_take_i(may_take),
    .count_i(start), .scan_i(scan), .stop_i(1'b0), .scanning_o(scanning), .up_valid_o(up),
    .up_id_o(up_id), .up_method_o(up_method), .up_last_o(up_last), .up_count_o(up_count),
    .ev_hit_o(hit), .ev_take_o(took), .ev_evict_o(evict)
  );
  `WF_ASSUME(start_counts, start != '0, "an access counts")
  (* anyconst *) wire [LineBits-1:0] line;
  reg on_q;
  reg [IdW-1:0] first_q, last_q;
  reg [CountBits-1:0] count_q, intra_q;
  initial on_q = 1'b0;
  wire here = valid_q && line_q == line;
  wire full = count_q == '1;
  wire [CountBits-1:0] count = full ? count_q : count_q + 1'b1;
  wire [CountBits-1:0] intra = full || !own ? intra_q : intra_q + 1'b1;
  wire [IdW-1:0] last = tracked ? id : last_q;
  always @(posedge clk_i) if (rst_ni) begin
    if (here && took) begin
      on_q <= 1'b1;
      first_q <= id;
      last_q <= id;
      count_q <= start;
      intra_q <= {{(CountBits-1){1'b0}}, 1'b1};
    end
    if (here && hit) begin
      count_q <= count;
      intra_q <= intra;
      last_q <= last;
    end
  end
  `WF_ASSERT(hit_was_taken, !(here && hit) || on_q, "only a line that the watched warp took is hit")
  `WF_ASSERT(report_right,
             !(here && hit && up) || (up_id == first_q && up_last == last && up_count == count),
             "a report tells the first and last load and the accesses")
  `WF_ASSERT(table_2, !(here && hit && up) || up_method == (intra == count ? 2'd2 : 2'd0),
             "intra-warp: all accesses are the watched warp's")
  `WF_ASSERT(told_or_busy, !(here && hit) || up == !busy_q, "a hit is told, but after a report")
  `WF_ASSERT(apart, !(up && busy_q), "no report follows another at the next edge")
  `WF_ASSERT(takes_right, !valid_q || busy_q || took == (!hit && own && tracked && may_take),
             "who may take an entry")
  `WF_ASSERT(evicts_only_when_taking, !evict || (took && up), "what is evicted is reported")
  `WF_ASSERT(no_report_else, !up || hit || evict || scanning, "reports have a cause")
  `WF_ASSERT(single, !up || up_count != {{(CountBits-1){1'b0}}, 1'b1} || up_method == 2'd1,
             "one access is streaming")
  reg [5:0] age_q;
  initial age_q = 6'd0;
  always @(posedge clk_i) age_q <= rst_ni && scanning ? age_q + 6'd1 : 6'd0;
  `WF_ASSERT(scan_ends, age_q <= 6'(2 * MtaEntries), "the scan takes two edges per entry")
  `WF_COVER(shared, here && hit && up_method == 2'd0)
  `WF_COVER(own_twice, here && hit && up_method == 2'd2 && full)
  `WF_COVER(scan_tells, scanning && up && up_method == 2'd2)
  `WF_COVER(evicted, evict && on_q && !here)
  reg was_busy_q;
  initial was_busy_q = 1'b1;
  always @(posedge clk_i) was_busy_q <= valid_q || clearing || !rst_ni || scanning;
  `WF_QUIET(!was_busy_q && !valid_q && !take && !clearing && !scanning && !scan)
endmodule
`default_nettype wire
