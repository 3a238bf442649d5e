// dtbl_fcfs: which kernel the SMX scheduler takes next: first come, first served. A kernel is
// queued when it comes into the kernel distributor, and again (re-marked) when a group joins it
// after all it had was distributed.
//
// This is the place of prioritised scheduling (queues 1..L in front of this one, queue 0): the
// pushes carry a priority, which must be 0 as long as there is one queue.
//
// Timing: a push is offered one cycle later. At most one push a cycle; a kernel is in the queue
// once, so it never overflows.
//
//   NumKde 1..64   PrioBits 1..
// Storage: NumKde * clog2(NumKde) flops.
//
// Rules
//   1 A kernel is in the queue once at most.
//   2 The priority is 0.
//   3 A push finds room.
`default_nettype none
`include "wf_assert.vh"

module dtbl_fcfs #(
  parameter integer NumKde = 32,
  parameter integer PrioBits = 2,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                push_i,
  input  wire [KdeW-1:0]     push_kdei_i,
  input  wire [PrioBits-1:0] push_prio_i,
  output wire                valid_o,
  input  wire                pop_i,
  output wire [KdeW-1:0]     kdei_o
);
  localparam integer CountW = $clog2(NumKde + 1);
  wire room;
  wire [CountW-1:0] count;
  wf_fifo #(.Width(KdeW), .Depth(NumKde)) u_queue (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(push_i), .in_ready_o(room), .in_data_i(push_kdei_i),
    .out_valid_o(valid_o), .out_ready_i(pop_i), .out_data_o(kdei_o), .count_o(count)
  );
  wire unused = &{1'b0, push_prio_i, room, count};

`ifdef WF_ASSERT_LIVE
  reg [NumKde-1:0] in_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q <= '0;
    end else begin
      if (valid_o && pop_i) in_q[kdei_o] <= 1'b0;
      if (push_i) in_q[push_kdei_i] <= 1'b1;
    end
  end
`endif
  `WF_ASSERT(rule1_once, !push_i || !in_q[push_kdei_i],
             "Rule 1: a kernel is in the queue once at most")
  `WF_ASSUME(rule2_prio, !push_i || push_prio_i == '0, "Rule 2: the priority is 0")
  `WF_ASSERT(rule3_room, !push_i || room, "Rule 3: a push finds room")
endmodule
`default_nettype wire
