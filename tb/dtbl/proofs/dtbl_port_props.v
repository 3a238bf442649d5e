// dtbl_port: two users at one port of memory, each with any request, in any order: what goes is
// what one of them offers, as it is, and stays until it is taken; who waits goes after one of the
// other's at most; an answer is offered to who asked and taken by him alone.
`default_nettype none
`include "wf_assert.vh"
module dtbl_port_props (
  input wire clk_i, input wire a, input wire [1:0] a_data, input wire a_id, input wire a_takes,
  input wire b, input wire [1:0] b_data, input wire b_takes, input wire ready, input wire rsp,
  input wire rsp_b
);
`include "formal.vh"
  reg held_a_q, held_b_q, a_id_q;
  reg [1:0] a_data_q, b_data_q;
  initial held_a_q = 1'b0;
  initial held_b_q = 1'b0;
  wire do_a = rst_ni && (a || held_a_q), do_b = rst_ni && (b || held_b_q);
  wire [1:0] a_v = held_a_q ? a_data_q : a_data, b_v = held_b_q ? b_data_q : b_data;
  wire a_id_v = held_a_q ? a_id_q : a_id;
  wire do_rsp = rst_ni && rsp;
  wire a_ready, b_ready, a_rsp, b_rsp, mem_valid, rsp_ready;
  wire [1:0] mem_data, mem_id;
  dtbl_port #(.PayW(2), .IdW(1)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .a_valid_i(do_a), .a_ready_o(a_ready), .a_data_i(a_v),
    .a_id_i(a_id_v), .a_rsp_valid_o(a_rsp), .a_rsp_ready_i(a_takes), .b_valid_i(do_b),
    .b_ready_o(b_ready), .b_data_i(b_v), .b_rsp_valid_o(b_rsp), .b_rsp_ready_i(b_takes),
    .mem_valid_o(mem_valid), .mem_ready_i(ready), .mem_data_o(mem_data), .mem_id_o(mem_id),
    .rsp_valid_i(do_rsp), .rsp_ready_o(rsp_ready), .rsp_b_i(rsp_b)
  );
  wire a_goes = do_a && a_ready, b_goes = do_b && b_ready, goes = mem_valid && ready;
  reg a_passed_q, b_passed_q, offer_q;       // passed: one of the other's went while it waited
  reg [1:0] offer_data_q, offer_id_q;
  initial a_passed_q = 1'b0;
  initial b_passed_q = 1'b0;
  initial offer_q = 1'b0;
  always @(posedge clk_i) begin
    held_a_q <= do_a && !a_ready;
    held_b_q <= do_b && !b_ready;
    {a_data_q, a_id_q, b_data_q} <= {a_v, a_id_v, b_v};
    a_passed_q <= do_a && !a_ready && (a_passed_q || b_goes);
    b_passed_q <= do_b && !b_ready && (b_passed_q || a_goes);
    offer_q <= mem_valid && !ready;
    {offer_data_q, offer_id_q} <= {mem_data, mem_id};
  end
  `WF_ASSERT(some, mem_valid == (do_a || do_b), "something is offered while somebody asks")
  `WF_ASSERT(one, goes == (a_goes || b_goes) && !(a_goes && b_goes),
             "each goes once, one at a time")
  `WF_ASSERT(a_right, !a_goes || (mem_data == a_v && mem_id == {1'b0, a_id_v}),
             "the first's goes as it is")
  `WF_ASSERT(b_right, !b_goes || (mem_data == b_v && mem_id == 2'd2), "the second's goes as it is")
  `WF_ASSERT(held, !offer_q || (mem_valid && {mem_data, mem_id} == {offer_data_q, offer_id_q}),
             "an offer stays until it is taken")
  `WF_ASSERT(a_in_turn, !(a_passed_q && b_goes), "the first waits for one of the second's at most")
  `WF_ASSERT(b_in_turn, !(b_passed_q && a_goes), "the second waits for one of the first's at most")
  `WF_ASSERT(a_first, !(do_a && do_b && b_goes) || b_passed_q || held_b_q, "the first goes first")
  `WF_ASSERT(answer_right, a_rsp == (do_rsp && !rsp_b) && b_rsp == (do_rsp && rsp_b),
             "an answer goes to who asked")
  `WF_ASSERT(answer_taken, rsp_ready == (rsp_b ? b_takes : a_takes), "and waits for him")
  `WF_COVER(a_waits, a_passed_q)
  `WF_COVER(b_waits, b_passed_q)
  `WF_COVER(b_stalls, do_a && do_b && mem_id[1] && !ready)
  wire quiet = !do_b;
  reg quiet_q;
  initial quiet_q = 1'b0;
  always @(posedge clk_i) quiet_q <= rst_ni && quiet;
  `WF_QUIET(quiet && quiet_q && !do_a)
endmodule
`default_nettype wire
