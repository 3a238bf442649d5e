// wf_crossbar: an item given to any one input for any one output comes out there once, unchanged,
// in order, with its source; a waiting input sees at most N - 1 others served at its output.
`default_nettype none
`include "wf_assert.vh"
module wf_crossbar_props #(
  parameter integer N = 3,
  parameter integer M = 2,
  parameter integer Width = 2,
  localparam integer DestBits = (M > 1) ? $clog2(M) : 1,
  localparam integer SourceBits = (N > 1) ? $clog2(N) : 1
) (
  input wire clk_i, input wire [N-1:0] in_valid, input wire [N*DestBits-1:0] in_dest,
  input wire [N*Width-1:0] in_data, input wire [M-1:0] out_ready, input wire pick
);
`include "formal.vh"
  wire [N-1:0] in_ready;
  wire [M-1:0] out_valid;
  localparam integer OutWidth = Width + SourceBits;
  wire [M*OutWidth-1:0] out_data;
  wf_crossbar #(.N(N), .M(M), .Width(Width), .WithSource(1)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid), .in_ready_o(in_ready),
    .in_dest_i(in_dest), .in_data_i(in_data), .out_valid_o(out_valid), .out_ready_i(out_ready),
    .out_data_o(out_data)
  );
  (* anyconst *) wire [SourceBits-1:0] n;
  (* anyconst *) wire [DestBits-1:0] m;
  `WF_ASSUME(n_range, {1'b0, n} < (SourceBits + 1)'(N), "an input")
  `WF_ASSUME(m_range, {1'b0, m} < (DestBits + 1)'(M), "an output")
  // All items of output m, and of these the followed one from input n.
  logic [N-1:0] pushes;
  always_comb for (int i = 0; i < N; i++)
    pushes[i] = in_valid[i] && in_ready[i] && in_dest[i*DestBits +: DestBits] == m;
  wire push = pushes != '0, pop = out_valid[m] && out_ready[m];
  wire [OutWidth-1:0] first = out_data[m*OutWidth +: OutWidth];
  reg [3:0] model_q;
  initial model_q = 4'd0;
  always @(posedge clk_i) if (rst_ni) model_q <= model_q + {3'd0, push} - {3'd0, pop};
  `WF_ASSERT(one_push, (pushes & (pushes - 1'b1)) == '0, "an output takes one item a cycle")
  `WF_FOLLOW(item, pick && pushes[n], push, {n, in_data[n*Width +: Width]}, pop, first, OutWidth,
             model_q, 4'd2)
  reg [3:0] passed_q;
  initial passed_q = 4'd0;
  wire waits = in_valid[n] && in_dest[n*DestBits +: DestBits] == m;
  always @(posedge clk_i)
    if (!rst_ni || !waits || in_ready[n]) passed_q <= 4'd0;
    else if (push) passed_q <= passed_q + 4'd1;
  `WF_ASSERT(fair, passed_q < N, "others are served at most N - 1 times while one waits")
  `WF_COVER(waited, passed_q == N - 1 && in_ready[n])
  `WF_QUIET(in_valid == '0 && out_valid == '0)
endmodule
`default_nettype wire
