// teleport_fill: between a bus and a buffer. The beats of a block go to shared memory; with the
// last one the buffer is told that its line has come. Of a block that memory answered with an error
// nothing is written: its line is made dead before it comes, by a store to the block that is put
// among the SM's accesses, so that loads of it go to L1, and whoever waits for it goes on.
//
// Handshake: ready/valid. The SM's access waits while the store goes, an edge or a few.
// Timing: no delay of beats; a block with an error waits five edges or more, and those behind it.
// Storage: 6 flops.
//
// Rules
//   1 Offers hold: fill, the buffer's accesses.
//   2 The beats of a block are of one line, and all with an error or none.
`default_nettype none
`include "wf_assert.vh"

module teleport_fill #(
  parameter integer BlockBits = 25,
  parameter integer LineW = 9
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // a block's beats, in a row; data pass beside
  input  wire                 rsp_valid_i,
  output wire                 rsp_ready_o,
  input  wire [BlockBits-1:0] rsp_block_i,
  input  wire [LineW-1:0]     rsp_line_i,
  input  wire                 rsp_last_i,
  input  wire                 rsp_error_i,
  output wire                 fill_valid_o,
  input  wire                 fill_ready_i,
  output wire                 come_o,       // the line rsp_line_i has come
  // accesses of the SM, and what the buffer gets
  input  wire                 acc_valid_i,
  output wire                 acc_ready_o,
  input  wire                 acc_store_i,
  input  wire [BlockBits-1:0] acc_block_i,
  output wire                 acc_rsp_valid_o,
  output wire                 buf_valid_o,
  input  wire                 buf_ready_i,
  output wire                 buf_store_o,
  output wire [BlockBits-1:0] buf_block_o,
  input  wire                 buf_rsp_valid_i,
  output wire                 bad_valid_o,  // the store for block rsp_block_i is taken
  output wire                 idle_o
);
  reg offer_q, dead_q;
  reg [3:0] mark_q;  // the store, until its answer after four edges
  wire need = rsp_valid_i && rsp_error_i && !offer_q && !dead_q && mark_q == 4'd0;
  assign bad_valid_o = offer_q && buf_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offer_q <= 1'b0;
      dead_q <= 1'b0;
      mark_q <= '0;
    end else begin
      // An access that was offered and not taken goes first.
      offer_q <= offer_q ? !buf_ready_i : need && !(acc_valid_i && !buf_ready_i);
      mark_q <= {mark_q[2:0], bad_valid_o};
      dead_q <= (dead_q || mark_q[3]) && !come_o;
    end
  end
  assign buf_valid_o = offer_q || acc_valid_i;
  assign buf_store_o = offer_q || acc_store_i;
  assign buf_block_o = offer_q ? rsp_block_i : acc_block_i;
  assign acc_ready_o = buf_ready_i && !offer_q;
  assign acc_rsp_valid_o = buf_rsp_valid_i && !mark_q[3];
  assign fill_valid_o = rsp_valid_i && !rsp_error_i;
  assign rsp_ready_o = rsp_error_i ? dead_q : fill_ready_i;
  assign come_o = rsp_valid_i && rsp_ready_o && rsp_last_i;
  assign idle_o = !offer_q && mark_q == 4'd0;

  `WF_ASSERT_STABLE(rule_1_fill, fill_valid_o, fill_ready_i, rsp_line_i, LineW,
                    "Rule 1: an offered beat holds")
  `WF_ASSERT_STABLE(rule_1_acc, buf_valid_o, buf_ready_i, {buf_store_o, buf_block_o}, 1 + BlockBits,
                    "Rule 1: an offered access holds")
  `WF_ASSUME_STABLE(rule_1_in, acc_valid_i, acc_ready_o, {acc_store_i, acc_block_i}, 1 + BlockBits,
                    "Rule 1: the SM's access holds")
  `WF_ASSUME_STABLE(rule_1_rsp, rsp_valid_i, rsp_ready_o,
                    {rsp_error_i, rsp_last_i, rsp_line_i, rsp_block_i}, 2 + LineW + BlockBits,
                    "Rule 1: an offered beat holds")
`ifdef WF_ASSERT_LIVE
  reg inside_q;  // between beats of a block
  reg [LineW+BlockBits:0] block_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inside_q <= 1'b0;
    else if (rsp_valid_i && rsp_ready_o) inside_q <= !rsp_last_i;
  end
  always_ff @(posedge clk_i)
    if (rsp_valid_i && rsp_ready_o) block_q <= {rsp_error_i, rsp_line_i, rsp_block_i};
  `WF_ASSUME(rule_2_block, !(rsp_valid_i && inside_q)
             || block_q == {rsp_error_i, rsp_line_i, rsp_block_i},
             "Rule 2: a block's beats are of one line, all with an error or none")
`endif
endmodule
`default_nettype wire
