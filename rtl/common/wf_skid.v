// Skid buffer: a register slice for a ready/valid channel. All outputs come from flops, so a chain
// of them cuts every combinational path, at full throughput.
//
// Timing: one cycle of latency, one transfer per cycle. in_ready_o drops only while the second
// register is in use, which happens when a transfer came in as the output stalled.
// Handshake: a transfer is valid and ready at an edge; valid never waits for ready, here or
// outside.
//
// Parameters
//   Width  1 ..  bits of the payload
// Storage: 2 * Width + 2 flops.
//
// Rules
//   1 The neighbour repeats an offer unchanged until it is taken.
//   2 So does this module.
//   3 The second register is in use only behind the first.
`default_nettype none
`include "wf_assert.vh"

module wf_skid #(
  parameter integer Width = 8
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              in_valid_i,
  output logic             in_ready_o,
  input  wire  [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  wire              out_ready_i,
  output logic [Width-1:0] out_data_o
);
  initial if (Width < 1) $fatal(1, "wf_skid: Width is %0d, must be 1 or more", Width);

  logic             out_valid_q, spare_valid_q;
  logic [Width-1:0] out_data_q, spare_data_q;

  assign in_ready_o  = !spare_valid_q;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_data_q;

  wire take = in_valid_i && !spare_valid_q;
  wire move = !out_valid_q || out_ready_i;  // the output register may change

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      out_valid_q   <= 1'b0;
      spare_valid_q <= 1'b0;
    end else begin
      if (move) out_valid_q <= spare_valid_q || take;
      spare_valid_q <= !move && (spare_valid_q || take);
    end
  end

  always_ff @(posedge clk_i) begin
    if (move && (spare_valid_q || take)) out_data_q <= spare_valid_q ? spare_data_q : in_data_i;
    if (take && !move) spare_data_q <= in_data_i;
  end

  `WF_ASSUME_STABLE(rule_1_input_stable, in_valid_i, in_ready_o, in_data_i, Width,
                    "Rule 1: an input offer holds until taken")
  `WF_ASSERT_STABLE_PROVEN(rule_2_output_stable, out_valid_o, out_ready_i, out_data_o, Width,
                           "Rule 2: an output offer holds until taken")
  `WF_ASSERT_PROVEN(rule_3_order, !spare_valid_q || out_valid_q,
                    "Rule 3: the second register is in use only behind the first")
endmodule
`default_nettype wire
