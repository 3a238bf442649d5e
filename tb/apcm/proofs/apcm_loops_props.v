// apcm_loops: exits come in the order in which they were seen, each once, and none before the loads
// that had entered; an exit goes from a loop that a jump backward showed to behind it.
`default_nettype none
`include "wf_assert.vh"
module apcm_loops_props #(
  parameter integer NumWarp = 2,
  parameter integer PcBits = 2,
  parameter integer Loops = 2,
  parameter integer Exits = 2,
  parameter integer SeqBits = 3,
  parameter integer EnterBits = 2,
  localparam integer WarpW = 1
) (
  input wire clk_i, input wire clear, input wire go, input wire care, input wire valid,
  input wire [WarpW-1:0] warp, input wire [PcBits-1:0] from, input wire [PcBits-1:0] to,
  input wire jump, input wire push, input wire [EnterBits-1:0] enters, input wire leaves,
  input wire pop
);
`include "formal.vh"
  wire ready, due, seen, counts;
  wire [WarpW-1:0] due_warp;
  wire cf = valid && rst_ni, leave = leaves && rst_ni && !clear;
  wire [EnterBits-1:0] enter = rst_ni && !clear ? enters : '0;
  apcm_loops #(
    .NumWarp(NumWarp), .PcBits(PcBits), .Loops(Loops), .Exits(Exits), .SeqBits(SeqBits),
    .EnterBits(EnterBits)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .go_i(go), .care_i(care), .cf_valid_i(cf),
    .cf_ready_o(ready), .cf_warp_i(warp), .cf_from_i(from), .cf_to_i(to), .cf_jump_i(jump),
    .cf_push_i(push), .lsu_in_i(enter), .lsu_out_i(leave), .left_o(seen), .exit_valid_o(due),
    .exit_warp_o(due_warp), .exit_pop_i(pop), .busy_o(counts)
  );
  // Loads inside; fewer than 2^(SeqBits-1). Up to three enter at an edge.
  reg [SeqBits-1:0] inside_q;
  initial inside_q = '0;
  always @(posedge clk_i) if (rst_ni)
    inside_q <= clear ? '0 : inside_q + SeqBits'(enter) - SeqBits'(leave);
  // Those that are not counted: one is at each edge.
  reg [SeqBits-1:0] late_q;
  initial late_q = '0;
  wire [SeqBits-1:0] late = late_q + SeqBits'(enter);
  always @(posedge clk_i) if (rst_ni)
    late_q <= clear || late == '0 ? '0 : late - 1'b1;
  wire [SeqBits-1:0] before = inside_q - late_q;  // counted, at an edge before
  `WF_ASSUME(room, inside_q + SeqBits'(enter) <= SeqBits'(3)
             && !(leave && before == '0 && late == '0),
             "a load leaves after it entered, and three are inside at most")
  `WF_ASSERT(counted_first, !(cf && ready) || late <= SeqBits'(1),
             "no branch is taken before the loads that entered are counted")
  `WF_ASSERT(busy_right, counts == (late_q != '0), "busy until all are counted")
  `WF_ASSUME(soon, !due || pop || !leave, "an exit that is due is taken before more loads leave")
  // One exit, any one, is followed: how many are before it, and how many loads.
  (* anyseq *) wire follow;
  reg on_q, warp_q;
  reg [1:0] before_q;
  reg [SeqBits-1:0] loads_q;
  initial on_q = 1'b0;
  wire popped = due && pop;
  reg [1:0] count;  // exits inside
  initial count = 2'd0;
  always @(posedge clk_i) if (rst_ni)
    count <= clear ? 2'd0 : count + 2'(seen) - 2'(popped);
  `WF_ASSERT(no_more, count <= 2'(Exits) && (!seen || ready), "the queue does not overflow")
  always @(posedge clk_i) if (rst_ni) begin
    if (clear) on_q <= 1'b0;
    else if (!on_q && seen && follow) begin
      on_q <= 1'b1;
      warp_q <= warp;
      before_q <= count - 2'(popped);
      loads_q <= inside_q + SeqBits'(enter) - SeqBits'(leave);
    end else if (on_q) begin
      if (popped && before_q == 2'd0) on_q <= 1'b0;
      if (popped) before_q <= before_q - 2'd1;
      if (leave && loads_q != '0) loads_q <= loads_q - 1'b1;
    end
  end
  `WF_ASSERT(order, !(on_q && due && before_q == 2'd0) || (loads_q == '0 && due_warp == warp_q),
             "an exit comes after the loads before it")
  `WF_ASSERT(comes, !(on_q && before_q == 2'd0 && loads_q == '0) || due, "and then at once")
  `WF_ASSERT(kept, !on_q || before_q < count, "it is not lost")
  // A pc that no jump backward passed over is in no loop.
  (* anyconst *) wire [PcBits-1:0] pc;
  reg passed_q;
  initial passed_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    if (clear) passed_q <= 1'b0;
    else if (cf && ready && jump && to <= pc && pc <= from) passed_q <= 1'b1;
  end
  `WF_ASSERT(from_a_loop, !(seen && from == pc) || passed_q,
             "an exit is from a loop that was shown")
  `WF_ASSERT(forward, !seen || (to > from && !push && care), "all lanes go forward")
  `WF_COVER(waits, on_q && before_q == 2'd0 && loads_q == SeqBits'(2))
  `WF_COVER(still_inside, cf && ready && care && jump && to < from && on_q)
  `WF_COVER(second, on_q && before_q == 2'd1)
  `WF_COVER(many_at_once, cf && !ready && enter == 2'd3 && count == 2'd0)
  reg was_q;
  initial was_q = 1'b1;
  always @(posedge clk_i) was_q <= clear || !rst_ni;
  `WF_QUIET(!was_q && !clear && !counts && !cf && enter == '0 && !leave && !popped)
endmodule
`default_nettype wire
