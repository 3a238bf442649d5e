// wf_counter_ram: every counter is the sum of its increments since the hand last zeroed it; a
// snapshot is that sum at the moment of the copy; passes visit every counter once; nothing is lost
// between a copy and a zero.
`default_nettype none
`include "wf_assert.vh"
module wf_counter_ram_props #(
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
  wire busy;
  // The last counter is narrow.
  `WF_ASSUME(narrow, !inc[N*IncBits-1], "narrow counters get narrow increments")
  wf_counter_ram #(
    .N(N), .Width(Width), .IncBits(IncBits), .Wide(N'((1 << (N - 1)) - 1)), .NarrowBits(1)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(snapshot && rst_ni),
    .clear_i(clear && rst_ni), .index_i(index), .value_o(value), .busy_o(busy)
  );
  (* anyconst *) wire [IndexBits-1:0] which;
  `WF_ASSUME(which_range, {1'b0, which} < (IndexBits + 1)'(N), "a counter")
  (* hierconn *) wire \dut.visit , \dut.pass , \dut.copy_q , \dut.zero_q ;
  (* hierconn *) wire [IndexBits-1:0] \dut.at ;
  wire mine = rst_ni && \dut.visit && \dut.at == which;
  wire copies = mine && \dut.pass && \dut.copy_q , zeroes = mine && \dut.pass && \dut.zero_q ;
  // The sum, and the snapshot a cycle after its copy, when it lies in the RAM.
  reg [Width-1:0] count_q, early_q, shot_q, expected_q;
  reg early_valid_q, shot_valid_q, expected_valid_q;
  reg [IndexBits-1:0] index_q;
  initial count_q = '0;
  initial early_valid_q = 1'b0;
  initial shot_valid_q = 1'b0;
  initial expected_valid_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    count_q <= (zeroes ? '0 : count_q) + Width'(inc[which*IncBits +: IncBits]);
    early_valid_q <= copies;
    early_q <= count_q;
    if (early_valid_q) begin
      shot_q <= early_q;
      shot_valid_q <= 1'b1;
    end
    expected_valid_q <= shot_valid_q;
    expected_q <= shot_q;
    index_q <= index;
  end
  `WF_ASSERT(value_right, !expected_valid_q || index_q != which || value == expected_q,
             "the snapshot's value")
  `WF_ASSERT(beyond_zero, !expected_valid_q || {1'b0, index_q} < (IndexBits + 1)'(N) || value == '0,
             "an index beyond reads 0")
  // A snapshot or clear is done in time: asked for at rest, every counter was visited N + 1 cycles
  // later.
  reg [3:0] asked_q, cleared_q;
  reg seen_q, zeroed_q;
  initial asked_q = 4'd0;
  initial cleared_q = 4'd0;
  always @(posedge clk_i) if (rst_ni) begin
    asked_q <= snapshot ? 4'd1 : asked_q != 4'd0 && asked_q != 4'd15 ? asked_q + 4'd1 : asked_q;
    seen_q <= !snapshot && (seen_q || copies);
    cleared_q <= clear ? 4'd1 : cleared_q != 4'd0 && cleared_q != 4'd15 ? cleared_q + 4'd1
                 : cleared_q;
    zeroed_q <= !clear && (zeroed_q || zeroes);
  end
  localparam integer Round = (N > 1) ? N : 2;
  `WF_ASSERT(copied, asked_q < 4'(2 * Round + 3) || seen_q,
             "a snapshot copies every counter in bounded time")
  `WF_ASSERT(zeroed, cleared_q < 4'(2 * Round + 3) || zeroed_q,
             "a clear zeroes every counter in bounded time")
  reg still_q;
  initial still_q = 1'b0;
  always @(posedge clk_i)
    still_q <= rst_ni && !busy && inc == '0 && !snapshot && !clear && index == index_q;
  `WF_QUIET(still_q && !busy && inc == '0 && !snapshot && !clear && index == index_q)
  `WF_COVER(counted, expected_valid_q && index_q == which && value == {Width{1'b1}})
  `WF_COVER(rests, still_q && shot_valid_q && count_q != shot_q)
  `WF_COVER(copied_zeroed, copies && zeroes && count_q > 4'd2)
endmodule
`default_nettype wire
