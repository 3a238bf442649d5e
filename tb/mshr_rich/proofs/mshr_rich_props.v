// mshr_rich, by one tracked request: any one that is taken while no other is tracked, and which
// alone has subentry 1. It is told once, after the fill of its line; beside that all requests are
// counted. The unit's own rules are proven with these, its assumption among them: that a fill finds
// its line.
`default_nettype none
`include "wf_assert.vh"
module mshr_rich_props #(
  parameter integer Lines = 4,
  parameter integer Ways = 2,
  parameter integer Stash = 2,
  parameter integer Rows = 4,
  parameter integer Slots = 2,
  parameter integer LineBits = 2,
  localparam integer Addresses = 1 << LineBits
) (
  input wire clk_i, input wire pick, input wire req, input wire [LineBits-1:0] line,
  input wire fill, input wire [LineBits-1:0] fill_line, input wire done_ready
);
`include "formal.vh"
  localparam integer Patience = 2;
  wire ready, ans, is_new, fill_ready, done, done_sub, done_last, empty, idle;
  reg on_q, filled_q;                   // a request is tracked; its line was filled
  wire sub = pick && !on_q;
  mshr_rich #(.Lines(Lines), .Ways(Ways), .Stash(Stash), .Rows(Rows), .Slots(Slots),
              .LineBits(LineBits), .SubBits(1), .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_valid_i(req), .req_ready_o(ready), .req_line_i(line),
    .req_sub_i(sub), .ans_valid_o(ans), .ans_new_o(is_new), .fill_valid_i(fill),
    .fill_ready_o(fill_ready), .fill_line_i(fill_line), .done_valid_o(done),
    .done_ready_i(done_ready), .done_sub_o(done_sub), .done_last_o(done_last),
    .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(4'd0), .cnt_value_o(),
    .empty_o(empty), .idle_o(idle)
  );
  wire takes = req && ready;
  wire fills = fill && fill_ready;
  wire tells = done && done_ready;

  // What is outside: lines on their way; requests that wait; those whose line is here; lines here.
  reg [Addresses-1:0] out_q;
  reg [4:0] count_q [Addresses];
  reg [4:0] due_q, here_q, lines_q;
  initial out_q = '0;
  initial due_q = '0;
  initial here_q = '0;
  initial lines_q = '0;
  always @(posedge clk_i) if (rst_ni) begin
    if (fills) out_q[fill_line] <= 1'b0;
    if (takes) out_q[line] <= 1'b1;
    due_q <= due_q + {4'd0, takes} - {4'd0, tells};
    here_q <= here_q + (fills ? count_q[fill_line] : 5'd0) - {4'd0, tells};
    lines_q <= lines_q + {4'd0, fills} - {4'd0, tells && done_last};
  end
  always @(posedge clk_i) if (takes) count_q[line] <= out_q[line] ? count_q[line] + 5'd1 : 5'd1;

  reg [4:0] out;
  always_comb begin
    out = '0;
    for (int a = 0; a < Addresses; a = a + 1) out = out + {4'd0, out_q[a]};
  end

  reg [LineBits-1:0] at_q;
  initial on_q = 1'b0;
  initial filled_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    if (tells && done_sub) on_q <= 1'b0;
    if (fills && on_q && !filled_q && fill_line == at_q) filled_q <= 1'b1;
    if (takes && sub) begin
      on_q <= 1'b1;
      filled_q <= 1'b0;
      at_q <= line;
    end
  end
  reg took_q, new_q;
  initial took_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) took_q <= takes;
  always @(posedge clk_i) new_q <= !out_q[line];

  // How long nothing is told, though a line is here; how long nothing has waited.
  reg [3:0] silent_q, quiet_q;
  reg worked_q;                         // a request was taken
  initial worked_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) worked_q <= worked_q || takes;
  initial silent_q = '0;
  initial quiet_q = '0;
  always @(posedge clk_i) if (rst_ni) begin
    silent_q <= done || here_q == '0 ? '0 : silent_q + 4'd1;
    quiet_q <= !empty || req || fill ? '0 : quiet_q == '1 ? quiet_q : quiet_q + 4'd1;
  end

  `WF_ASSUME(fills_what_is_out, !fill || out_q[fill_line], "Rule 1: a fill is of a line on its way")
  `WF_ASSERT(answer, ans == took_q, "Rule 5: an answer an edge after each request")
  `WF_ASSERT(answer_new, !took_q || is_new == new_q, "Rule 5: new is what nobody waited for")
  `WF_ASSERT(told_once, !done || !done_sub || (on_q && filled_q),
             "Rule 8: a request is told once, after the fill of its line")
  `WF_ASSERT(told_of_here, !done || here_q != '0, "Rule 8: what is told is of a line that is here")
  `WF_ASSERT(last_of_line, !done || here_q != 5'd1 || done_last,
             "Rule 8: the last that is here ends its line")
  `WF_ASSERT(lines_end, lines_q <= here_q, "Rule 8: each line that is here has a request to tell")
  `WF_ASSERT(empty_says_all, !empty || (due_q == '0 && !on_q && out_q == '0 && lines_q == '0),
             "empty: nothing is owed")
  `WF_ASSERT(told_soon, silent_q <= 4'd3, "Rule 8: what is here is told within four cycles")
  `WF_ASSERT(taken_when_empty, quiet_q < Patience || !req || fill || ready,
             "Rule 7: nothing waits, and a request is taken")
  `WF_COVER(empty_again, worked_q && quiet_q >= Patience && req && !fill)
  `WF_COVER(linked_row_told, tells && done_sub && done_last && here_q == 5'd3)
  `WF_ASSERT(lines_bound, out <= 5'(Lines), "Rule 3: at most Lines are on their way")
  `WF_COVER(all_lines_out, out == 5'(Addresses < Lines ? Addresses : Lines))
  `WF_COVER(refused, req && !ready && !fill && due_q > 5'd1)
  `WF_COVER(two_lines_here, lines_q == 5'd2)
  reg was_q;
  initial was_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) was_q <= req || fill;
  `WF_QUIET(idle && !req && !fill && !was_q)
endmodule
`default_nettype wire
