// mff_rows: rows of kept commands come out once each, in order and unchanged; those of dropped
// commands never; a place is not lost. Commands of up to six rows, any of them kept.
`default_nettype none
`include "wf_assert.vh"
module mff_rows_props #(
  parameter integer Rows = 6
) (
  input wire clk_i, input wire in_valid, input wire in_row, input wire keep, input wire drop,
  input wire next
);
`include "formal.vh"
  localparam integer UsedW = $clog2(Rows + 1);
  wire in_ready, row;
  wire push = in_valid && in_ready && rst_ni;
  reg [2:0] open_q;               // rows of the command that comes in
  reg [UsedW-1:0] kept_q;         // rows that may be read
  reg [2*Rows-1:0] rows_q;        // both, oldest lowest
  reg out_q, expected_q;
  initial {open_q, kept_q, out_q} = '0;
  wire ends = (keep || drop) && rst_ni;
  mff_rows #(.Rows(Rows), .Width(1)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid && rst_ni), .in_ready_o(in_ready),
    .in_row_i(in_row), .keep_i(keep && rst_ni), .drop_i(drop && rst_ni), .next_i(next && rst_ni),
    .row_o(row)
  );
  `WF_ASSUME(one_at_a_time, !(keep && drop) && !(in_valid && (keep || drop)),
             "a command ends after its rows")
  `WF_ASSUME(six, !in_valid || open_q != 3'd6, "a command has six rows at most")
  `WF_ASSUME(kept, !next || kept_q != '0, "kept rows are read")
  wire [UsedW:0] fill = {1'b0, kept_q} + (UsedW + 1)'(open_q);
  wire [2*Rows-1:0] after = next ? {1'b0, rows_q[2*Rows-1:1]} : rows_q;
  wire [UsedW:0] at = fill - (UsedW + 1)'(next);
  always @(posedge clk_i) if (rst_ni) begin
    open_q <= ends ? 3'd0 : open_q + {2'd0, push};
    kept_q <= kept_q + (keep ? UsedW'(open_q) : '0) - UsedW'(next);
    rows_q <= push ? (after & ~((2*Rows)'(1) << at)) | ((2*Rows)'(in_row) << at) : after;
    out_q <= next;
    if (next) expected_q <= rows_q[0];
  end
  `WF_ASSERT(in_order, !out_q || row == expected_q, "kept rows come out in order and unchanged")
  `WF_ASSERT(room, in_ready == (fill + (UsedW + 1)'(out_q) != (UsedW + 1)'(Rows)),
             "each place serves again, a cycle after its row was read")
  `WF_QUIET(!in_valid && !keep && !drop && !next && !out_q)
  reg dropped_q;
  initial dropped_q = 1'b0;
  always @(posedge clk_i) if (rst_ni && drop && open_q == 3'd2) dropped_q <= 1'b1;
  `WF_COVER(full_after_drop, dropped_q && !in_ready)
  `WF_COVER(read_after_drop, dropped_q && out_q && kept_q == '0)
endmodule
`default_nettype wire
