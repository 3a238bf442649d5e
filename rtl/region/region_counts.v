// region_counts: rows of saturating counters in RAM; one row a cycle counts up or is halved.
//
// op_valid_i: of row op_index_i; halve: every field of it is halved, if halve_en_i is high in the
// cycle after, else field f counts up by inc_i[f] and stays at its top. In the cycle after, new_o
// is the row as it will be; some_o: its first field was not 0. zero_i: these rows begin at 0,
// before what is asked at the same edge. clear_i: all do.
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
  input  wire [Entries-1:0]     zero_i,
  input  wire                   op_valid_i,
  input  wire                   op_halve_i,
  input  wire [IndexW-1:0]      op_index_i,
  input  wire [Fields-1:0]      op_inc_i,
  input  wire                   halve_en_i,
  output wire                   valid_o,
  output wire                   halve_o,
  output wire [IndexW-1:0]      index_o,
  output wire                   some_o,
  output wire [Fields*Bits-1:0] new_o
);
  localparam integer Width = Fields * Bits;
  reg op_q, halve_q, fresh_q;
  reg [IndexW-1:0] index_q;
  reg [Fields-1:0] inc_q;
  reg [Width-1:0] last_q;
  reg [Entries-1:0] live_q;
  wire [Width-1:0] row_read;
  wire [Width-1:0] row = !live_q[index_q] ? '0 : fresh_q ? last_q : row_read;
  reg [Width-1:0] new_c;
  always_comb begin
    new_c = row;
    for (int f = 0; f < Fields; f = f + 1) begin
      if (halve_q) begin
        if (halve_en_i) new_c[f*Bits +: Bits] = row[f*Bits +: Bits] >> 1;
      end else if (inc_q[f] && row[f*Bits +: Bits] != '1) begin
        new_c[f*Bits +: Bits] = row[f*Bits +: Bits] + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q <= 1'b0;
      live_q <= '0;
    end else begin
      op_q <= op_valid_i;
      if (clear_i) begin
        live_q <= '0;
      end else begin
        if (op_q) live_q[index_q] <= 1'b1;
        for (int e = 0; e < Entries; e = e + 1) if (zero_i[e]) live_q[e] <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (op_valid_i) begin
      halve_q <= op_halve_i;
      index_q <= op_index_i;
      inc_q <= op_inc_i;
      fresh_q <= op_q && index_q == op_index_i;
      last_q <= new_c;
    end
  end
  wf_ram_1r1w #(.Width(Width), .Depth(Entries)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(op_q), .wr_mask_i(1'b1), .wr_addr_i(index_q),
    .wr_data_i(new_c), .rd_en_i(op_valid_i), .rd_addr_i(op_index_i), .rd_data_o(row_read)
  );
  assign valid_o = op_q;
  assign halve_o = halve_q;
  assign index_o = index_q;
  assign some_o = row[Bits-1:0] != '0;
  assign new_o = new_c;

  `WF_ASSERT(rule_1_range, !op_q || (halve_q ? new_c[Bits-1:0] <= row[Bits-1:0]
             : new_c[Bits-1:0] >= row[Bits-1:0]),
             "Rule 1: a row never counts past its top, nor does halving make it more")
  `WF_ASSERT(rule_2_index, !op_valid_i || {1'b0, op_index_i} < (IndexW+1)'(Entries),
             "Rule 2: an index is of one of the rows")
endmodule
`default_nettype wire
