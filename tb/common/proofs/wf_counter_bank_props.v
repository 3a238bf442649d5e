// wf_counter_bank: every counter is the sum of its increments since the last clear, read from one
// moment.
`default_nettype none
`include "wf_assert.vh"
module wf_counter_bank_props #(
  parameter integer N = 3,
  parameter integer Width = 4,
  parameter integer IncBits = 2,
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1
) (
  input wire clk_i, input wire [N*IncBits-1:0] inc, input wire snapshot, input wire clear,
  input wire [IndexBits-1:0] index
);
`include "formal.vh"
  wire [Width-1:0] value;
  wf_counter_bank #(.N(N), .Width(Width), .IncBits(IncBits)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(snapshot), .clear_i(clear),
    .index_i(index), .value_o(value)
  );
  (* anyconst *) wire [IndexBits-1:0] which;
  `WF_ASSUME(which_range, {1'b0, which} < (IndexBits + 1)'(N), "a counter")
  reg [Width-1:0] count_q, shot_q;
  reg shot_taken_q;
  initial count_q = '0;
  initial shot_taken_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    count_q <= clear ? '0 : count_q + inc[which*IncBits +: IncBits];
    if (snapshot) begin
      shot_q <= count_q;
      shot_taken_q <= 1'b1;
    end
  end
  `WF_ASSERT(value_right, !shot_taken_q || index != which || value == shot_q,
             "the snapshot's value")
  `WF_ASSERT(beyond_zero, {1'b0, index} < (IndexBits + 1)'(N) || value == '0,
             "an index beyond reads 0")
  `WF_COVER(counted, shot_taken_q && index == which && value == {Width{1'b1}})
  (* hierconn *) wire [Width-1:0] \dut.count_q[0] , \dut.count_q[1] , \dut.count_q[2] ,
      \dut.shot_q[0] , \dut.shot_q[1] , \dut.shot_q[2] ;
  wire [N*Width-1:0] live = {\dut.count_q[2] , \dut.count_q[1] , \dut.count_q[0] };
  wire [N*Width-1:0] shots = {\dut.shot_q[2] , \dut.shot_q[1] , \dut.shot_q[0] };
  `WF_ASSERT(live_right, live[which*Width +: Width] == count_q, "the running value")
  `WF_ASSERT(shot_right, !shot_taken_q || shots[which*Width +: Width] == shot_q, "the kept value")
  reg still_q;  // the assertions of the bank look one cycle back
  initial still_q = 1'b0;
  always @(posedge clk_i) still_q <= rst_ni && inc == '0 && !clear;
  `WF_QUIET(still_q && inc == '0 && !snapshot && !clear)
endmodule
`default_nettype wire
