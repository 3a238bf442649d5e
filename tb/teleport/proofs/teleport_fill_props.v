// teleport_fill: a block without an error is written beat by beat and comes with the last; of one
// with an error nothing is written, and before it comes a store to its block has been taken and
// answered, once; the SM's accesses reach the buffer in order, once, and have their answers and no
// other. The buffer answers four edges after it takes.
`default_nettype none
`include "wf_assert.vh"
module teleport_fill_props #(
  parameter integer BlockBits = 2,
  parameter integer LineW = 1
) (
  input wire clk_i, input wire rsp_valid, input wire [BlockBits-1:0] rsp_block,
  input wire [LineW-1:0] rsp_line, input wire rsp_last, input wire rsp_error, input wire fill_ready,
  input wire acc_valid, input wire acc_store, input wire [BlockBits-1:0] acc_block,
  input wire buf_ready
);
`include "formal.vh"
  wire rsp_ready, fill_valid, come, acc_ready, acc_rsp_valid, buf_valid, buf_store, bad_valid, idle;
  wire [BlockBits-1:0] buf_block;
  reg [3:0] taken_q, own_q;  // accesses by age; those of the SM
  initial {taken_q, own_q} = 8'd0;
  teleport_fill #(.BlockBits(BlockBits), .LineW(LineW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .rsp_valid_i(rsp_valid), .rsp_ready_o(rsp_ready),
    .rsp_block_i(rsp_block), .rsp_line_i(rsp_line), .rsp_last_i(rsp_last),
    .rsp_error_i(rsp_error), .fill_valid_o(fill_valid), .fill_ready_i(fill_ready), .come_o(come),
    .acc_valid_i(acc_valid), .acc_ready_o(acc_ready), .acc_store_i(acc_store),
    .acc_block_i(acc_block), .acc_rsp_valid_o(acc_rsp_valid), .buf_valid_o(buf_valid),
    .buf_ready_i(buf_ready), .buf_store_o(buf_store), .buf_block_o(buf_block),
    .buf_rsp_valid_i(taken_q[3]), .bad_valid_o(bad_valid), .idle_o(idle)
  );
  wire acc = rst_ni && acc_valid && acc_ready, buffer = rst_ni && buf_valid && buf_ready;
  wire beat = rst_ni && rsp_valid && rsp_ready;
  always @(posedge clk_i) if (rst_ni) begin
    taken_q <= {taken_q[2:0], buffer};
    own_q <= {own_q[2:0], acc};
  end
  `WF_ASSERT(own_answers, acc_rsp_valid == own_q[3], "the SM gets its answers and no other")
  `WF_ASSERT(own_access, !acc || (buffer && buf_store == acc_store && buf_block == acc_block),
             "its access is taken as it is")
  `WF_ASSERT(no_other, !buffer || acc || (bad_valid && buf_store && buf_block == rsp_block),
             "another is the store of a failed block")
  `WF_ASSERT(bad_taken, !bad_valid || (buffer && !acc && rsp_valid && rsp_error),
             "which is told when it is taken")
  // Stores of the block at hand: how many, and whether the first was answered.
  reg stored_q, answered_q;
  reg [3:0] bad_age_q;
  initial {stored_q, answered_q} = 2'd0;
  initial bad_age_q = 4'd0;
  always @(posedge clk_i) if (rst_ni) begin
    bad_age_q <= {bad_age_q[2:0], bad_valid};
    stored_q <= (stored_q || bad_valid) && !come;
    answered_q <= (answered_q || bad_age_q[3]) && !come;
  end
  `WF_ASSERT(once, !bad_valid || !stored_q, "a failed block is stored to once")
  `WF_ASSERT(dead_first, !(beat && rsp_error) || answered_q, "before any of it comes")
  `WF_ASSERT(written, fill_valid == (rsp_valid && !rsp_error), "only what is right is written")
  `WF_ASSERT(beat_taken, rsp_error || !rsp_valid || rsp_ready == fill_ready,
             "beats wait for shared memory alone")
  `WF_ASSERT(comes, come == (rsp_valid && rsp_ready && rsp_last), "a line comes with its last beat")
  // While the buffer takes what it is offered, a failed block is gone in a few edges.
  reg [3:0] late_q;
  initial late_q = 4'd0;
  always @(posedge clk_i)
    late_q <= rst_ni && rsp_valid && rsp_error && !rsp_ready && buf_ready ? late_q + 4'd1 : 4'd0;
  `WF_ASSERT(in_time, late_q < 4'd8, "a failed block goes on")
  `WF_COVER(failed, come && rsp_error)
  `WF_COVER(beside, bad_valid && acc_valid)
  `WF_COVER(waited, bad_valid && own_q != 4'd0)
  `WF_QUIET(idle && !rsp_valid && !acc_valid)
endmodule
`default_nettype wire
