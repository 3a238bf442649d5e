// mff_xbar: crossbar between the slices, N inputs to N outputs, one item per output and cycle. Each
// input has a one-entry queue per output, so that an item for a busy output does not hold up
// the ones behind it that go elsewhere. Round robin per output; items of one input for one output
// stay in order.
//
// in_ready_o may depend on in_valid_i and on registers, not on out_ready_i: outputs are two-entry
// FIFOs whose fill is registered, and a queue accepts in the cycle it empties.
//   N 1..24   Width 1 or more
// Storage: (N * N + 2 * N) * Width flops.
`default_nettype none
`include "wf_assert.vh"

module mff_xbar #(
  parameter integer N = 6,
  parameter integer Width = 50,
  localparam integer DestW = N > 1 ? $clog2(N) : 1
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire [N-1:0]       in_valid_i,
  output wire [N-1:0]       in_ready_o,
  input  wire [N*DestW-1:0] in_dest_i,
  input  wire [N*Width-1:0] in_data_i,
  output wire [N-1:0]       out_valid_o,
  input  wire [N-1:0]       out_ready_i,
  output wire [N*Width-1:0] out_data_o
);
  reg [N*N-1:0] full_q;                 // queue of input i for output o: bit o * N + i
  (* mem2reg *) reg [Width-1:0] queue_q [0:N*N-1];
  (* mem2reg *) reg [DestW-1:0] last_q [0:N-1];       // input served last, per output

  wire [N-1:0] fifo_ready;
  reg [N*N-1:0] pop_c, push_c;
  (* mem2reg *) reg [DestW-1:0] pick_c [0:N-1];
  reg [N-1:0] any_c, ready_c;

  always_comb begin
    pop_c = '0;
    any_c = '0;
    for (int o = 0; o < N; o = o + 1) pick_c[o] = '0;
    if (full_q != '0) for (int o = 0; o < N; o = o + 1) begin
      if (full_q[o*N +: N] != '0 && fifo_ready[o]) begin
        any_c[o] = 1'b1;
        for (int i = N - 1; i >= 0; i = i - 1) if (full_q[o*N+i]) pick_c[o] = DestW'(i);
        for (int i = N - 1; i >= 0; i = i - 1)
          if (full_q[o*N+i] && DestW'(i) > last_q[o]) pick_c[o] = DestW'(i);
        pop_c[o*N + {{(32-DestW){1'b0}}, pick_c[o]}] = 1'b1;
      end
    end
  end

  always_comb begin
    push_c = '0;
    ready_c = '0;
    if (in_valid_i != '0) for (int i = 0; i < N; i = i + 1) begin
      for (int o = 0; o < N; o = o + 1) begin
        if (in_dest_i[i*DestW +: DestW] == DestW'(o)
            && (!full_q[o*N+i] || pop_c[o*N+i])) begin
          ready_c[i] = 1'b1;
          push_c[o*N+i] = in_valid_i[i];
        end
      end
    end
  end
  assign in_ready_o = ready_c;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= '0;
      for (int o = 0; o < N; o = o + 1) last_q[o] <= '0;
    end else begin
      full_q <= (full_q & ~pop_c) | push_c;
      if (any_c != '0) for (int o = 0; o < N; o = o + 1) if (any_c[o]) last_q[o] <= pick_c[o];
    end
  end

  generate
    for (genvar o = 0; o < N; o = o + 1) begin : g_out
      for (genvar i = 0; i < N; i = i + 1) begin : g_queue
        always_ff @(posedge clk_i)
          if (push_c[o*N+i]) queue_q[o*N+i] <= in_data_i[i*Width +: Width];
      end
      wire [1:0] fill;
      wire unused = &{1'b0, fill};
      wf_fifo #(.Width(Width), .Depth(2)) u_fifo (
        .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(any_c[o]), .in_ready_o(fifo_ready[o]),
        .in_data_i(queue_q[o*N + {{(32-DestW){1'b0}}, pick_c[o]}]),
        .out_valid_o(out_valid_o[o]), .out_ready_i(out_ready_i[o]),
        .out_data_o(out_data_o[o*Width +: Width]), .count_o(fill)
      );
    end
  endgenerate

  `WF_ASSERT(rule1, (push_c & full_q & ~pop_c) == '0, "Rule 1: no queued item is overwritten")
endmodule

`default_nettype wire
