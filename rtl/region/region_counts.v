// region_counts: rows of saturating counters in RAM; one row a cycle counts up or is halved.
//
// op_valid_i: of row op_index_i field f counts up by inc_i[f] and stays at its top; halve: every
// field of it is halved. zero_valid_i: this row begins at 0, before what is asked at the same edge;
// clear_i: all do, and nothing is inside.
//
// TIMING. An operation's index is taken (R), the row is read, changed (M) and written. In M, the
// second cycle after what was asked: some_o, the first field was not 0; halve_en_i, low: it is not
// halved. In the third, valid_o: a row was halved; index_o; had_o, what some_o was; row_o, the row.
//
// Parameters: below. Storage: Entries * Fields * Bits in RAM, Entries + a few flops.
//
// Rules
//   1 A row never counts past its top, nor does halving make it more.
//   2 An index is of one of the rows.
`default_nettype none
`include "wf_assert.vh"

module region_counts #(
  parameter integer Entries = 16,  // rows, 2 to 64
  parameter integer Fields = 1,    // of a row
  parameter integer Bits = 16,     // of a field
  localparam integer IndexW = $clog2(Entries)
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  input  wire                   clear_i,
  input  wire                   zero_valid_i,
  input  wire [IndexW-1:0]      zero_index_i,
  input  wire                   op_valid_i,
  input  wire                   op_halve_i,
  input  wire [IndexW-1:0]      op_index_i,
  input  wire [Fields-1:0]      op_inc_i,
  input  wire                   halve_en_i,
  output wire                   some_o,
  output wire                   valid_o,
  output wire [IndexW-1:0]      index_o,
  output wire                   had_o,
  output wire [Fields*Bits-1:0] row_o,
  output wire                   busy_o
);
  localparam integer Width = Fields * Bits;
  // R
  reg op_q, halve_q, zero_q;
  reg [IndexW-1:0] index_q, zero_index_q;
  reg [Fields-1:0] inc_q;
  // M
  reg m_op_q, m_halve_q, m_fresh_q, m_read_q; // what the row is: last_q, what is read; neither: 0
  reg [IndexW-1:0] m_index_q;
  reg [Fields-1:0] m_inc_q;
  reg [Entries-1:0] live_q;
  // the row that was changed last
  reg done_q, had_q;
  reg [IndexW-1:0] done_index_q;
  reg [Width-1:0] last_q;

  wire again = m_op_q && m_index_q == index_q;
  wire live = (live_q[index_q] || again) && !(zero_q && zero_index_q == index_q);
  wire [Width-1:0] row_read;
  wire [Width-1:0] row = (m_fresh_q ? last_q : '0) | (m_read_q ? row_read : '0);
  wire [Width-1:0] new_row;
  generate
    for (genvar f = 0; f < Fields; f = f + 1) begin : g_field
      wire [Bits-1:0] old = row[f*Bits +: Bits];
      wire up = !m_halve_q && m_inc_q[f] && !(&old);
      wire down = m_halve_q && halve_en_i;
      assign new_row[f*Bits] = down ? old[1] : old[0] ^ up;
      for (genvar b = 1; b < Bits; b = b + 1) begin : g_bit
        wire above;
        if (b == Bits - 1) begin : g_top
          assign above = 1'b0;
        end else begin : g_in
          assign above = old[b+1];
        end
        assign new_row[f*Bits+b] = down ? above : old[b] ^ (up && &old[b-1:0]);
      end
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q <= 1'b0;
      zero_q <= 1'b0;
      m_op_q <= 1'b0;
      done_q <= 1'b0;
      live_q <= '0;
    end else begin
      op_q <= op_valid_i;
      zero_q <= zero_valid_i;
      m_op_q <= op_q;
      done_q <= m_op_q && m_halve_q;
      if (clear_i) begin
        live_q <= '0;
      end else begin
        if (m_op_q) live_q[m_index_q] <= 1'b1;
        if (zero_q) live_q[zero_index_q] <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (op_valid_i) begin
      halve_q <= op_halve_i;
      index_q <= op_index_i;
      inc_q <= op_inc_i;
    end
    if (zero_valid_i) zero_index_q <= zero_index_i;
    if (op_q) begin
      m_halve_q <= halve_q;
      m_index_q <= index_q;
      m_inc_q <= inc_q;
      m_fresh_q <= live && again;
      m_read_q <= live && !again;
    end
    if (m_op_q) begin
      done_index_q <= m_index_q;
      had_q <= some_o;
      last_q <= new_row;
    end
  end
  wf_ram_1r1w #(.Width(Width), .Depth(Entries)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(m_op_q), .wr_mask_i(1'b1), .wr_addr_i(m_index_q),
    .wr_data_i(new_row), .rd_en_i(op_q), .rd_addr_i(index_q), .rd_data_o(row_read)
  );
  assign some_o = row[Bits-1:0] != '0;
  assign valid_o = done_q;
  assign index_o = done_index_q;
  assign had_o = had_q;
  assign row_o = last_q;
  assign busy_o = op_q || zero_q || m_op_q || done_q;

  `WF_ASSERT(rule_1_range, !m_op_q || (m_halve_q ? new_row[Bits-1:0] <= row[Bits-1:0]
             : new_row[Bits-1:0] >= row[Bits-1:0]),
             "Rule 1: a row never counts past its top, nor does halving make it more")
  `WF_ASSERT(rule_2_index, (!op_valid_i || {1'b0, op_index_i} < (IndexW+1)'(Entries))
             && (!zero_valid_i || {1'b0, zero_index_i} < (IndexW+1)'(Entries)),
             "Rule 2: an index is of one of the rows")
endmodule
`default_nettype wire
