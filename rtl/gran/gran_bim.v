// Bimodal granularity: each line is fine, of which only what is wanted is fetched, or coarse, of
// which all is. A class is the default, coarse at first; lines of the other are in a filter.
//
// A line that goes is fine if at most Fine of its sectors were touched; if that is not the default,
// the filter takes it in. The filter is two arrays of two banks, each bank by a hash of its own. A
// line goes into both arrays, and is looked for in one. At the Refresh-th insertion this one is
// cleared and they change places, so that the other's lines, of at most twice as many insertions,
// are not lost. Then the default is judged: if more than 7 of 10 lines that went were not of it,
// it becomes the other, and both arrays are cleared.
//
// Timing: look_i with a line; an edge later, with miss_i, more_o is there: what earlier edges have
// learned counts. With gone_i comes a line that goes.
//
// Storage: RAM: 4 * FilterBits; flops: 4 * FilterBits / RowBits that say which rows are not clear,
// and two counters.
//
// Rules
//   10 An array is cleared before it has taken in more than Refresh lines since it was last read.
`default_nettype none
`include "wf_assert.vh"

module gran_bim #(
  parameter integer LineBits = 25,
  parameter integer FilterBits = 1024,  // 2^k, 16..4096
  parameter integer Refresh = 512,      // 2..4095
  parameter integer Fine = 2            // 1..3
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                look_i,
  input  wire [LineBits-1:0] line_i,
  input  wire                miss_i,
  output wire [3:0]          more_o,
  input  wire                gone_i,
  input  wire [3:0]          gone_touched_i,
  input  wire [LineBits-1:0] gone_line_i,
  output wire [3:0]          events_o  // turned, refreshed, taken in, known
);
  localparam integer HashW = $clog2(FilterBits);
  localparam integer BitW = HashW / 2;  // within a row
  localparam integer RowBits = 1 << BitW;
  localparam integer RowIdW = HashW - BitW;
  localparam integer Rows = 1 << RowIdW;
  localparam integer CountW = $clog2(Refresh + 1);
  localparam integer Most = (Refresh * 10 + 6) / 7;  // lines gone: Refresh is 7 of 10 at most
  localparam integer GoneW = $clog2(Most + 1);

  initial begin
    if (FilterBits < 16 || FilterBits > 4096 || (FilterBits & (FilterBits - 1)) != 0)
      $fatal(1, "gran: FilterBits is %0d, must be a power of two, 16 to 4096", FilterBits);
    if (Refresh < 2 || Refresh > 4095)
      $fatal(1, "gran: Refresh is %0d, must be 2 to 4095", Refresh);
    if (Fine < 1 || Fine > 3) $fatal(1, "gran: Fine is %0d, must be 1 to 3", Fine);
  end

  // Two lines that meet in one bank differ in bits that the other bank's hash has elsewhere.
  function automatic [HashW-1:0] hash_of(input [LineBits-1:0] line, input second);
    hash_of = '0;
    for (int i = 0; i < LineBits; i = i + 1)
      if (second)
        hash_of[(HashW - 1 - i % HashW + 3 * (i / HashW)) % HashW] =
          hash_of[(HashW - 1 - i % HashW + 3 * (i / HashW)) % HashW] ^ line[i];
      else hash_of[i % HashW] = hash_of[i % HashW] ^ line[i];
  endfunction

  reg fine_q;    // the default
  reg active_q;  // the array that is looked at
  reg [CountW-1:0] inserted_q;
  reg [GoneW-1:0] gone_q;

  // S1: the look-up, as of the edge at which the rows were read.
  wire [1:0] there;  // by bank
  reg look_fine_q, look_active_q;
  wire known = there == 2'b11;
  wire fine = look_fine_q ^ known;
  assign more_o = fine ? 4'd0 : 4'd15;
  always_ff @(posedge clk_i) if (look_i) begin
    look_fine_q <= fine_q;
    look_active_q <= active_q;
  end

  // A line goes.
  wire [2:0] ones = 3'(gone_touched_i[0]) + 3'(gone_touched_i[1]) + 3'(gone_touched_i[2])
                    + 3'(gone_touched_i[3]);
  wire insert = gone_i && (ones <= 3'(Fine)) != fine_q;
  wire refresh = insert && inserted_q == CountW'(Refresh - 1);
  wire turn = refresh && gone_q < GoneW'(Most - 1);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fine_q <= 1'b0;
      active_q <= 1'b0;
      inserted_q <= '0;
      gone_q <= '0;
    end else if (gone_i) begin
      fine_q <= fine_q ^ turn;
      active_q <= active_q ^ refresh;
      inserted_q <= refresh ? '0 : inserted_q + CountW'(insert);
      if (refresh) gone_q <= '0;
      else if (gone_q != GoneW'(Most)) gone_q <= gone_q + 1'b1;
    end
  end

  generate
    for (genvar b = 0; b < 2; b = b + 1) begin : g_bank
      wire [HashW-1:0] look_hash = hash_of(line_i, b != 0), hash = hash_of(gone_line_i, b != 0);
      wire [RowIdW-1:0] look_row = look_hash[HashW-1:BitW], row = hash[HashW-1:BitW];
      wire [BitW-1:0] at = hash[BitW-1:0];
      reg [BitW-1:0] bit_q;
      wire [1:0] found;  // by array
      reg [RowBits-1:0] one;
      always_comb begin
        one = '0;
        one[at] = 1'b1;
      end
      always_ff @(posedge clk_i) if (look_i) bit_q <= look_hash[BitW-1:0];
      for (genvar a = 0; a < 2; a = a + 1) begin : g_array
        reg [Rows-1:0] filled_q;  // rows that are not clear
        reg filled_here_q;
        wire [RowBits-1:0] bits;
        wire clear = turn || (refresh && active_q == (a != 0));
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) filled_q <= '0;
          else if (clear) filled_q <= '0;
          else if (insert) filled_q[row] <= 1'b1;
        end
        always_ff @(posedge clk_i) if (look_i) filled_here_q <= filled_q[look_row];
        wf_ram_1r1w #(.Width(RowBits), .Depth(Rows), .PartBits(1)) u_bits (
          .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(insert),
          .wr_mask_i(filled_q[row] ? one : '1), .wr_addr_i(row), .wr_data_i(one),
          .rd_en_i(look_i && active_q == (a != 0)), .rd_addr_i(look_row), .rd_data_o(bits)
        );
        assign found[a] = filled_here_q && bits[bit_q];
      end
      assign there[b] = found[look_active_q];
    end
  endgenerate
  assign events_o = {turn, refresh, insert, miss_i && known};

  `WF_ASSERT(rule_10_refreshed, inserted_q < CountW'(Refresh),
             "Rule 10: an array is cleared before it has taken in more than Refresh lines")
endmodule
`default_nettype wire
