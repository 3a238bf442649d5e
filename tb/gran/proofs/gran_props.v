// gran: a miss has one answer, two edges later, of sectors that it does not want; what is not
// learned is not guessed. The unit's own rules are proven with these.
`default_nettype none
`include "wf_assert.vh"
module gran_props #(
  parameter integer Kind = 0,
  parameter integer Sets = 2,
  parameter integer Ways = 2,
  parameter integer LineBits = 4,
  parameter integer PcBits = 4,
  parameter integer NapEntries = 2,
  parameter integer SppEntries = 8,
  parameter integer SppWays = 2,
  parameter integer FilterBits = 16,
  parameter integer Refresh = 3,
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1,
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input wire clk_i, input wire enable, input wire acc, input wire [PcBits-1:0] pc,
  input wire [LineBits-1:0] line, input wire [SetW-1:0] set, input wire [3:0] sectors,
  input wire miss, input wire [WayW-1:0] way, input wire vvalid, input wire [LineBits-1:0] vline
);
`include "formal.vh"
  wire ready, rsp, idle;
  wire [3:0] more;
  gran #(.Kind(Kind), .Sets(Sets), .Ways(Ways), .LineBits(LineBits), .PcBits(PcBits),
         .NapEntries(NapEntries), .SppEntries(SppEntries), .SppWays(SppWays),
         .FilterBits(FilterBits), .Refresh(Refresh), .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .predict_en_i(enable), .acc_valid_i(acc),
    .acc_ready_o(ready), .acc_pc_i(pc), .acc_line_i(line), .acc_set_i(set),
    .acc_sectors_i(sectors), .acc_miss_i(miss), .acc_way_i(way), .acc_vvalid_i(vvalid),
    .acc_vline_i(vline), .acc_rsp_valid_o(rsp), .acc_rsp_more_o(more), .cnt_snapshot_i(1'b0),
    .cnt_clear_i(1'b0), .cnt_index_i(4'd0), .cnt_value_o(), .idle_o(idle)
  );

  // The L1: a request is of a line that is there, or of a miss; what is replaced is what is there.
  localparam integer Lines = Sets * Ways;
  localparam integer AtW = SetW + WayW;
  wire [AtW-1:0] at = AtW'(set) * AtW'(Ways) + AtW'(way);
  reg [Lines-1:0] there;
  reg [Lines*4-1:0] touched;
  reg [Lines*LineBits-1:0] of;
  wire [3:0] old = touched[at*4 +: 4];
  wire goes = acc && miss && vvalid;
  initial there = '0;
  always @(posedge clk_i) if (rst_ni && acc) begin
    if (miss) begin
      there[at] <= 1'b1;
      of[at*LineBits +: LineBits] <= line;
    end
    touched[at*4 +: 4] <= miss ? sectors : old | sectors;
  end
  `WF_ASSUME(follows, !acc || (miss ? vvalid == there[at] && (!vvalid
             || vline == of[at*LineBits +: LineBits]) : there[at]), "the L1's own rules")

  reg acc_1, acc_2, enable_1, enable_2;
  reg [3:0] sectors_1, sectors_2;
  initial acc_1 = 1'b0;
  initial acc_2 = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    acc_1 <= acc && miss;
    acc_2 <= acc_1;
  end
  always @(posedge clk_i) begin
    sectors_1 <= sectors;
    sectors_2 <= sectors_1;
    enable_1 <= enable;  // at the edge after the request
    enable_2 <= enable_1;
  end
  `WF_ASSERT(answered, rsp == acc_2, "Rule 1: an answer to each miss, none without one")
  `WF_ASSERT(besides, !rsp || (more & sectors_2) == '0, "Rule 2: nothing that is wanted already")
  `WF_ASSERT(off, !rsp || enable_1 || more == '0, "Rule 5: nothing while it is off")
  `WF_QUIET(idle && !acc)

  generate
    if (Kind < 2) begin : g_learned
      // Until a line of several sectors has gone there is nothing to guess; SPP takes a pattern for
      // another's after four takers of its entry.
      reg [2:0] misses;
      initial misses = '0;
      always @(posedge clk_i) if (rst_ni && acc && miss && misses != '1) misses <= misses + 1'b1;
      reg several, several_1, several_2;
      initial several = 1'b0;
      always @(posedge clk_i) if (rst_ni) begin
        several <= several || (goes && (old & (old - 1'b1)) != '0);
        several_1 <= several;
        several_2 <= several_1;
      end
      `WF_ASSERT(learned, !rsp || several_2 || (Kind == 1 && misses > 3'd5) || more == '0,
                 "what was not learned is not guessed")
      `WF_COVER(guesses, rsp && more != '0)
    end else begin : g_filtered
      // A line that went with few sectors is not brought whole, until the filter is refreshed.
      (* anyconst *) wire [LineBits-1:0] any;
      reg fine, asked_1, asked_2;
      reg [3:0] gone;
      initial fine = 1'b0;
      initial gone = '0;
      initial asked_1 = 1'b0;
      wire few = old[0] + old[1] + old[2] + old[3] < 3'd3;
      always @(posedge clk_i) if (rst_ni) begin
        if (goes && gone != '1) gone <= gone + 1'b1;
        if (goes && vline == any) fine <= few;
        asked_1 <= acc && miss && line == any && fine && gone < 4'(Refresh);
        asked_2 <= asked_1;
      end
      // A look-up sees what was learned by earlier edges: not the line that the last request took.
      reg just;
      initial just = 1'b0;
      always @(posedge clk_i) if (rst_ni) just <= goes && vline == any;
      reg just_1, just_2;
      always @(posedge clk_i) begin
        just_1 <= just;
        just_2 <= just_1;
      end
      `WF_ASSERT(remembered, !(rsp && asked_2 && !just_2) || more == '0,
                 "a fine line is not brought whole")
      `WF_COVER(fine_line, rsp && asked_2 && !just_2)
      `WF_COVER(coarse_line, rsp && more != '0)
    end
  endgenerate
endmodule
`default_nettype wire
