// mff_fence: a completion is taken only when every write that was on its way as it was offered has
// been answered; it is let pass in the end, whatever is written meanwhile. The writes are those of
// a model: any one of many is followed.
`default_nettype none
`include "wf_assert.vh"
module mff_fence_props #(parameter integer N = 2) (
  input wire clk_i, input wire [N-1:0] offer, input wire [N-1:0] ready, input wire write,
  input wire answer, input wire follow, input wire done
);
`include "formal.vh"
  wire [N-1:0] pass;
  wire fence;
  // Offers stay until they are taken.
  reg [N-1:0] offer_q;
  initial offer_q = '0;
  wire [N-1:0] wanted = offer_q | offer;
  wire [N-1:0] taken = wanted & pass & ready;
  always @(posedge clk_i) offer_q <= rst_ni ? wanted & ~taken : '0;
  mff_fence #(.N(N)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i(wanted), .taken_i(taken), .pass_o(pass),
    .fence_o(fence), .done_i(done)
  );
  // The followed write, and what the converters' fence says of it: wf_bus_writes.
  reg on_q, old_q;
  initial {on_q, old_q} = 2'd0;
  wire begins = rst_ni && write && follow && !on_q, ends = rst_ni && on_q && answer;
  always @(posedge clk_i) if (rst_ni) begin
    on_q <= begins || (on_q && !ends);
    old_q <= fence ? begins || (on_q && !ends) : old_q && !ends;
  end
  `WF_ASSUME(fence_waits, !done || !old_q, "a fence waits for the writes before it")
  // It was on its way when the completion was offered first, and still is.
  reg [N-1:0] before_q;
  initial before_q = '0;
  wire [N-1:0] first = wanted & ~offer_q;
  wire [N-1:0] before = (before_q | (on_q ? first : '0)) & {N{on_q}};
  always @(posedge clk_i) before_q <= rst_ni ? before & ~taken & {N{!ends}} : '0;
  `WF_ASSERT(in_memory, (taken & before) == '0, "what was written before is in memory")
  `WF_ASSERT(none_early, (pass & ~offer_q) == '0, "who may pass was offered before")
  // With a fence that ends at once when it may, two fences are all that one waits for.
  reg [2:0] late_q;
  initial late_q = 3'd0;
  always @(posedge clk_i)
    late_q <= rst_ni && wanted[0] && !pass[0] && done ? late_q + 3'd1 : 3'd0;
  `WF_ASSERT(in_time, late_q < 3'd5, "a completion waits for two fences at most")
  `WF_COVER(waited, taken[0] && fence)
  `WF_COVER(joined, taken == '1)
  `WF_COVER(held, wanted[0] && on_q && before[0] && pass[1])
  (* hierconn *) wire \dut.run_q ;
  wire runs = \dut.run_q ;
  `WF_QUIET(wanted == '0 && !runs)
endmodule
`default_nettype wire
