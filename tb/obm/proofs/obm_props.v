// obm: a request has one answer, two edges later; a line goes past only over a line that is there.
// The unit's own rules (4 to 6) are proven with these.
`default_nettype none
`include "wf_assert.vh"
module obm_props #(
  parameter integer Sets = 2,
  parameter integer Ways = 2,
  parameter integer LineBits = 5,
  parameter integer PcBits = 2,
  parameter integer HashBits = 4,
  parameter integer PcIdBits = 1,
  parameter integer CountBits = 2,
  parameter integer DrawBits = 1,
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1,
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input wire clk_i, input wire keep, input wire [15:0] seed, input wire clear, input wire acc,
  input wire [PcBits-1:0] pc, input wire [LineBits-1:0] line, input wire [SetW-1:0] set,
  input wire miss, input wire [WayW-1:0] vway, input wire vvalid, input wire [LineBits-1:0] vline
);
`include "formal.vh"
  wire ready, rsp, past, idle;
  obm #(.Sets(Sets), .Ways(Ways), .LineBits(LineBits), .PcBits(PcBits), .HashBits(HashBits),
        .PcIdBits(PcIdBits), .CountBits(CountBits), .DrawBits(DrawBits), .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .seed_i(seed), .clear_i(clear),
    .acc_valid_i(acc), .acc_ready_o(ready), .acc_pc_i(pc), .acc_line_i(line), .acc_set_i(set),
    .acc_miss_i(miss), .acc_keep_i(keep), .acc_vway_i(vway), .acc_vvalid_i(vvalid),
    .acc_vline_i(vline),
    .acc_rsp_valid_o(rsp), .acc_rsp_past_o(past), .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0),
    .cnt_index_i(3'd0), .cnt_value_o(), .idle_o(idle)
  );
  reg acc_1, acc_2, there_1, there_2;
  initial acc_1 = 1'b0;
  initial acc_2 = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    acc_1 <= acc;
    acc_2 <= acc_1;
  end
  always @(posedge clk_i) begin
    there_1 <= miss && vvalid && !keep;
    there_2 <= there_1;
  end
  `WF_ASSERT(answered, rsp == acc_2, "Rule 1: an answer to each request, none without one")
  `WF_ASSERT(there, !(rsp && past) || there_2,
             "Rule 2: past only over a line that is there, and not if it must stay")
  `WF_COVER(goes_past, rsp && past)
  `WF_QUIET(idle && !acc && !clear)
endmodule
`default_nettype wire
