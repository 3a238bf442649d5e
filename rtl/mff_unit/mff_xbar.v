// mff_xbar: crossbar between the slices, N inputs to N outputs, one item per output and cycle. Each
// input has a queue of Depth items per output, so that items for a busy output do not hold up the
// ones behind them that go elsewhere. Round robin per output; items of one input for one output
// stay in order.
//
// in_ready_o depends on in_dest_i and on registers only (with Depth = 1 a queue also accepts in the
// cycle it empties); outputs are two-entry FIFOs whose fill is registered.
//   N 1..24   Width 1 or more   Depth 1, 2, 4, 8
// Storage: (N * N * Depth + 2 * N) * Width flops.
`default_nettype none
`include "wf_assert.vh"

module mff_xbar #(
  parameter integer N = 6,
  parameter integer Width = 50,
  parameter integer Depth = 1,
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
  localparam [N-1:0] AFTER_FIRST = ~N'(1);
  // Queue of input i for output o: bit o * N + i. level_q[k]: holds more than k items.
  (* mem2reg *) reg [N*N-1:0] level_q [0:Depth-1];
  reg [N*N-1:0] after_q;              // per output, the inputs behind the one served last
  wire [N*N-1:0] some = level_q[0];
  wire [N*N-1:0] full = level_q[Depth-1];

  wire [N-1:0] fifo_ready;
  reg [N*N-1:0] gnt_c, pop_c, push_c, after_c;
  reg [N-1:0] any_c, ready_c, here_c, behind_c, search_c;

  // What an output would take does not depend on whether it has room.
  always_comb begin
    gnt_c = '0;
    pop_c = '0;
    any_c = '0;
    here_c = '0;
    behind_c = '0;
    search_c = '0;
    after_c = '0;
    if (some != '0) for (int o = 0; o < N; o = o + 1) begin
      if (some[o*N +: N] != '0) begin
        here_c = some[o*N +: N];
        behind_c = here_c & after_q[o*N +: N];
        // Both lowest bits are found at once: with Depth = 1 in_ready_o waits for this.
        search_c = behind_c != '0 ? behind_c & (~behind_c + 1'b1) : here_c & (~here_c + 1'b1);
        gnt_c[o*N +: N] = search_c;
        after_c[o*N +: N] = ~(search_c | (search_c - 1'b1));
        any_c[o] = fifo_ready[o];
        if (fifo_ready[o]) pop_c[o*N +: N] = search_c;
      end
    end
  end

  always_comb begin
    push_c = '0;
    ready_c = '0;
    if (in_valid_i != '0) for (int i = 0; i < N; i = i + 1) begin
      for (int o = 0; o < N; o = o + 1) begin
        if (in_dest_i[i*DestW +: DestW] == DestW'(o)
            && (!full[o*N+i] || (Depth == 1 && pop_c[o*N+i]))) begin
          ready_c[i] = 1'b1;
          push_c[o*N+i] = in_valid_i[i];
        end
      end
    end
  end
  assign in_ready_o = ready_c;

  wire [N*N-1:0] up = push_c & ~pop_c;
  wire [N*N-1:0] down = pop_c & ~push_c;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int k = 0; k < Depth; k = k + 1) level_q[k] <= '0;
      after_q <= {N{AFTER_FIRST}};
    end else begin
      if ((up | down) != '0) begin
        for (int k = 0; k < Depth; k = k + 1)
          level_q[k] <= (level_q[k] & ~down) | (k == 0 ? up : up & level_q[k == 0 ? 0 : k-1])
                        | (k == Depth - 1 ? '0 : down & level_q[k == Depth - 1 ? k : k+1]);
      end
      if (any_c != '0) for (int o = 0; o < N; o = o + 1)
        if (any_c[o]) after_q[o*N +: N] <= after_c[o*N +: N];
    end
  end

  generate
    for (genvar o = 0; o < N; o = o + 1) begin : g_out
      (* mem2reg *) reg [Width-1:0] queue_q [0:N*Depth-1];
      reg [Width-1:0] head;
      wire [N-1:0] here = gnt_c[o*N +: N];
      if (Depth == 1) begin : g_one
        always_ff @(posedge clk_i) begin
          if (push_c[o*N +: N] != '0) for (int i = 0; i < N; i = i + 1)
            if (push_c[o*N+i]) queue_q[i] <= in_data_i[i*Width +: Width];
        end
        always_comb begin
          head = '0;
          if (here != '0) for (int i = 0; i < N; i = i + 1)
            if (here[i]) head = head | queue_q[i];
        end
      end else begin : g_deep
        localparam integer PtrW = $clog2(Depth);
        localparam integer IndexW = $clog2(N * Depth);
        (* mem2reg *) reg [PtrW-1:0] head_q [0:N-1];
        (* mem2reg *) reg [PtrW-1:0] tail_q [0:N-1];
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) begin
            for (int i = 0; i < N; i = i + 1) begin
              head_q[i] <= '0;
              tail_q[i] <= '0;
            end
          end else begin
            if (push_c[o*N +: N] != '0) for (int i = 0; i < N; i = i + 1)
              if (push_c[o*N+i]) tail_q[i] <= tail_q[i] + 1'b1;
            if (any_c[o]) for (int i = 0; i < N; i = i + 1)
              if (pop_c[o*N+i]) head_q[i] <= head_q[i] + 1'b1;
          end
        end
        always_ff @(posedge clk_i) begin
          if (push_c[o*N +: N] != '0) for (int i = 0; i < N; i = i + 1)
            if (push_c[o*N+i])
              queue_q[IndexW'({i[DestW-1:0], tail_q[i]})] <= in_data_i[i*Width +: Width];
        end
        always_comb begin
          head = '0;
          if (here != '0) for (int i = 0; i < N; i = i + 1)
            if (here[i]) head = head | queue_q[IndexW'({DestW'(i), head_q[i]})];
        end
      end
      wire [1:0] fill;
      wire unused = &{1'b0, fill};
      wf_fifo #(.Width(Width), .Depth(2)) u_fifo (
        .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(any_c[o]), .in_ready_o(fifo_ready[o]),
        .in_data_i(head), .out_valid_o(out_valid_o[o]), .out_ready_i(out_ready_i[o]),
        .out_data_o(out_data_o[o*Width +: Width]), .count_o(fill)
      );
      wf_fair #(.N(N), .Proven(1)) u_fair (
        .clk_i(clk_i), .rst_ni(rst_ni), .wait_i(some[o*N +: N]), .served_i(pop_c[o*N +: N])
      );
    end
  endgenerate

  initial if (Depth != 1 && Depth != 2 && Depth != 4 && Depth != 8)
    $fatal(1, "mff_xbar: Depth must be 1, 2, 4 or 8");
  `WF_ASSERT_PROVEN(rule1, (push_c & full & ~pop_c) == '0, "Rule 1: no queued item is overwritten")
  `WF_ASSERT_PROVEN(rule2, (pop_c & ~some) == '0, "Rule 2: only queued items leave")
endmodule

`default_nettype wire
