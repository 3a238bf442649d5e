// mff_rows: rows of lanes between the commands' intake and the sequencer, a ring in RAM. Commands
// are sequenced in the order in which they came, so a row is needed until it is read, and its place
// is free from then on. A command's rows can be read once it is kept; those of a command that has
// nothing to do are dropped, and the next command's take their places.
//
// in_ready_o is a function of registers. next_i (only while a kept row is left) puts the oldest row
// on row_o, where it stays until the next one. It may come late in a cycle: it moves ready-made
// addresses, and the row's place is free a cycle later.
//   Rows 6 or more, so that a command fits   Width of a row 1 or more
// Storage: Rows x Width RAM bits.
`default_nettype none
`include "wf_assert.vh"

module mff_rows #(
  parameter integer Rows = 258,
  parameter integer Width = 216
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             in_valid_i,
  output wire             in_ready_o,
  input  wire [Width-1:0] in_row_i,
  // The rows since the last of these: never in the cycle of a row.
  input  wire             keep_i,
  input  wire             drop_i,
  input  wire             next_i,
  output wire [Width-1:0] row_o
);
  localparam integer RowW = $clog2(Rows);
  localparam integer UsedW = $clog2(Rows + 1);
  localparam integer LastI = Rows - 1;
  localparam [RowW-1:0] LAST = LastI[RowW-1:0];

  reg [RowW-1:0] read_q, after_q;             // after_q: the row behind read_q
  reg [RowW-1:0] write_q, first_q;            // first_q: of the rows that are not yet kept
  reg [UsedW-1:0] used_q;
  reg [2:0] open_q;                           // rows that are not yet kept
  reg next_q;
  assign in_ready_o = used_q != UsedW'(Rows);
  wire push = in_valid_i && in_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= '0;
      after_q <= RowW'(1);
      next_q <= 1'b0;
      write_q <= '0;
      first_q <= '0;
      used_q <= '0;
      open_q <= '0;
    end else begin
      if (push) write_q <= write_q == LAST ? '0 : write_q + 1'b1;
      else if (drop_i) write_q <= first_q;
      if (keep_i) first_q <= write_q;
      open_q <= keep_i || drop_i ? '0 : open_q + {2'd0, push};
      if (next_i) begin
        read_q <= after_q;
        after_q <= after_q == LAST ? '0 : after_q + 1'b1;
      end
      next_q <= next_i;
      used_q <= used_q + UsedW'(push) - UsedW'(next_q) - (drop_i ? UsedW'(open_q) : '0);
    end
  end
  wf_ram_1r1w #(.Width(Width), .Depth(Rows)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(push), .wr_mask_i(1'b1), .wr_addr_i(write_q),
    .wr_data_i(in_row_i), .rd_en_i(next_i), .rd_addr_i(read_q), .rd_data_o(row_o)
  );

  initial if (Rows < 6) $fatal(1, "mff_rows: Rows must be 6 or more: the lanes of a command");
  `WF_ASSERT(rule1, !next_i || used_q - UsedW'(next_q) > UsedW'(open_q),
             "Rule 1: a row that is read was kept")
  `WF_ASSERT(rule2, !(push && (keep_i || drop_i)) && !(keep_i && drop_i),
             "Rule 2: a command's rows come before it is kept or dropped")
  `WF_ASSERT(rule3, !push || open_q != 3'd6, "Rule 3: a command has six rows at most")
  `WF_ASSERT(rule4, (used_q < UsedW'(Rows) || used_q == UsedW'(Rows)) && used_q >= UsedW'(open_q),
             "Rule 4: rows that wait fit the ring")
endmodule

`default_nettype wire
