// region_core: a request has one answer, two edges later; nothing goes past before a period's
// replies have come since a kernel began; what is copied back goes past L2 and not past L1. The
// unit's own rules (2 to 5), and those of its parts, are proven with these.
`default_nettype none
`include "wf_assert.vh"
module region_core_props #(
  parameter integer Mode = 2,
  parameter integer Period = 4,
  parameter integer RegionRows = 2,
  localparam integer Sets = 2,
  localparam integer Ways = 2,
  localparam integer LineBits = 2,
  localparam integer PcBits = 4,
  localparam integer Regions = 3,
  localparam integer RegionW = 2
) (
  input wire clk_i, input wire clear, input wire map, input wire [RegionW-1:0] map_region,
  input wire [LineBits-1:0] first, input wire [LineBits-1:0] last, input wire acc,
  input wire [PcBits-1:0] pc, input wire [LineBits-1:0] line, input wire set, input wire way,
  input wire hit, input wire miss, input wire rep, input wire [RegionW-1:0] rep_region,
  input wire rep_shared, input wire rep_private
);
`include "formal.vh"
  wire map_ready, ready, rsp, past_l1, past_l2, copy, rep_ready, idle;
  wire [RegionW-1:0] region;
  region_core #(.Mode(Mode), .Sets(Sets), .Ways(Ways), .LineBits(LineBits), .PcBits(PcBits),
                .Regions(Regions), .RegionRows(RegionRows), .PcRows(2), .Hashes(2), .Bits(4),
                .Share(1), .Period(Period), .Probe(2), .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .map_valid_i(map), .map_ready_o(map_ready),
    .map_region_i(map_region), .map_first_i(first), .map_last_i(last), .acc_valid_i(acc),
    .acc_ready_o(ready), .acc_pc_i(pc), .acc_line_i(line), .acc_set_i(set), .acc_way_i(way),
    .acc_hit_i(hit), .acc_miss_i(miss), .acc_rsp_valid_o(rsp), .acc_rsp_past_l1_o(past_l1),
    .acc_rsp_past_l2_o(past_l2), .acc_rsp_copy_o(copy), .acc_rsp_region_o(region),
    .rep_valid_i(rep), .rep_ready_o(rep_ready), .rep_region_i(rep_region),
    .rep_shared_i(rep_shared), .rep_private_i(rep_private), .cnt_snapshot_i(1'b0),
    .cnt_clear_i(1'b0), .cnt_index_i(4'd0), .cnt_value_o(), .idle_o(idle)
  );
  reg acc_1, acc_2, miss_1, miss_2;
  reg [3:0] replies; // since a kernel began, to Period
  initial acc_1 = 1'b0;
  initial acc_2 = 1'b0;
  initial replies = 4'd0;
  always @(posedge clk_i) if (rst_ni) begin
    acc_1 <= acc;
    acc_2 <= acc_1;
    if (clear) replies <= 4'd0;
    else if (rep && replies < Period) replies <= replies + 4'd1;
  end
  always @(posedge clk_i) begin
    miss_1 <= miss;
    miss_2 <= miss_1;
  end
  `WF_ASSERT(answered, rsp == acc_2, "Rule 1: an answer to each request, none without one")
  `WF_ASSERT(copied, !(rsp && copy) || (past_l2 && !past_l1),
             "Rule 2: what is copied back goes past L2 and not past L1")
  `WF_ASSERT(missed, !(rsp && (past_l1 || past_l2)) || miss_2,
             "Rule 3: what is no miss goes nowhere")
  `WF_ASSERT(unknown_at_first, !(rsp && (past_l1 || past_l2)) || replies == Period,
             "nothing is known before a period has ended")
  `WF_COVER(copies, rsp && copy)
  `WF_COVER(goes_past_l2, rsp && past_l2 && !copy)
  `WF_QUIET(idle && !acc && !rep && !clear && !map)
endmodule
`default_nettype wire
