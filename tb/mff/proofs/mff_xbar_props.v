// mff_xbar: an item from any one input to any one output comes out there once, unchanged, in the
// order of that input; a waiting item sees at most N - 1 others pass.
`default_nettype none
`include "wf_assert.vh"
module mff_xbar_props #(
  parameter integer N = 2,
  parameter integer Width = 2,
  localparam integer DestW = N > 1 ? $clog2(N) : 1
) (
  input wire clk_i, input wire [N-1:0] in_valid, input wire [N*DestW-1:0] in_dest,
  input wire [N*Width-1:0] in_data, input wire [N-1:0] out_ready, input wire pick
);
`include "formal.vh"
  wire [N-1:0] in_ready, out_valid;
  wire [N*Width-1:0] out_data;
  mff_xbar #(.N(N), .Width(Width)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid), .in_ready_o(in_ready),
    .in_dest_i(in_dest), .in_data_i(in_data), .out_valid_o(out_valid), .out_ready_i(out_ready),
    .out_data_o(out_data)
  );
  (* anyconst *) wire [DestW-1:0] n;
  (* anyconst *) wire [DestW-1:0] m;
  `WF_ASSUME(range, {1'b0, n} < (DestW + 1)'(N) && {1'b0, m} < (DestW + 1)'(N),
             "an input, an output")
  // Items say where they come from: the lowest bit is 1 for input n and 0 for the others.
  logic marked;
  always_comb begin
    marked = 1'b1;
    for (int i = 0; i < N; i++)
      if (in_valid[i] && in_data[i*Width] != (DestW'(i) == n)) marked = 1'b0;
    for (int i = 0; i < N; i++)
      if ({1'b0, in_dest[i*DestW +: DestW]} >= (DestW + 1)'(N)) marked = 1'b0;
  end
  `WF_ASSUME(mark, marked, "the lowest bit tells input n")
  wire [Width-1:0] out_item = out_data[m*Width +: Width];
  wire push = in_valid[n] && in_ready[n] && in_dest[n*DestW +: DestW] == m;
  wire pop = out_valid[m] && out_ready[m] && out_item[0];
  reg [3:0] model_q;
  initial model_q = 4'd0;
  always @(posedge clk_i) if (rst_ni) model_q <= model_q + {3'd0, push} - {3'd0, pop};
  `WF_FOLLOW(item, pick, push, in_data[n*Width +: Width], pop, out_item, Width, model_q, 4'd3)
  // Fairness at the queue: others served by output m while input n has one waiting for it.
  (* hierconn *) wire [N*N-1:0] \dut.some , \dut.pop_c ;
  wire waiting = \dut.some [{30'd0, m}*N + {30'd0, n}],
       served = \dut.pop_c [{30'd0, m}*N + {30'd0, n}];
  wire [N-1:0] pops = \dut.pop_c [{30'd0, m}*N +: N];
  reg [3:0] passed_q;
  initial passed_q = 4'd0;
  always @(posedge clk_i)
    if (!rst_ni || !waiting || served) passed_q <= 4'd0;
    else if (pops != '0) passed_q <= passed_q + 4'd1;
  `WF_ASSERT(fair, passed_q < N, "others are served at most N - 1 times while one waits")
  `WF_COVER(waited, passed_q == N - 1 && served)
  `WF_QUIET(in_valid == '0 && \dut.some == '0 && out_valid == '0)
endmodule
`default_nettype wire
