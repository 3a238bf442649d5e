// mshr_rich_rows: the requests that wait for lines, in rows of Slots subentries, each row with the
// number of the next. The rows of a line that is here are linked to those of the line before it,
// and walked, a subentry a cycle: so no fill ever waits. Rows that are free: mff_freelist.
//
//   take  the spare row is had; more: there would be another after it at once
//   put   a subentry is written: into the spare row, if it is taken, or another that its line has
//   link  the row that is taken is the next of link_row
//   fill  all rows from head to tail, of which slots 0..last are used, are to be told
// At most one of put and fill a cycle. A row is free as its last subentry is told.
// A link made as its row is read, or stands to be told, is handed on: `late`.
//
// Storage: RAM Rows x (Slots * SubBits + RowW + SlotW + 1), and the free list's Rows x RowW.
//
// Rules
//   1 What is linked, or put, belongs to no line that is here.
//   2 Rows are told while lines are to be told, in their order.
`default_nettype none
`include "wf_assert.vh"

module mshr_rich_rows #(
  parameter integer Rows = 1024,  // 2..65536
  parameter integer Slots = 3,    // 1..16
  parameter integer SubBits = 10,
  localparam integer RowW = $clog2(Rows),
  localparam integer SlotW = Slots > 1 ? $clog2(Slots) : 1
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  output wire               spare_valid_o,
  output wire [RowW-1:0]    spare_o,
  output wire               more_valid_o,
  input  wire               take_i,
  input  wire               put_i,
  input  wire [RowW-1:0]    put_row_i,
  input  wire [SlotW-1:0]   put_slot_i,
  input  wire [SubBits-1:0] put_sub_i,
  input  wire               link_i,
  input  wire [RowW-1:0]    link_row_i,
  input  wire               fill_i,
  input  wire [RowW-1:0]    head_i,
  input  wire [RowW-1:0]    tail_i,
  input  wire [SlotW-1:0]   last_i,
  output wire               done_valid_o,
  input  wire               done_ready_i,
  output wire [SubBits-1:0] done_sub_o,
  output wire               done_last_o,
  output wire               empty_o,
  output wire               idle_o
);
  localparam integer CountW = $clog2(Rows + 1);

  // ---- rows that are free ----

  // Two are drawn ahead, so that whether one is taken, which comes late, is not the list's affair.
  reg spare_valid_q, second_valid_q;
  reg [RowW-1:0] spare_q, second_q;
  wire list_valid, row_told;
  wire [RowW-1:0] list_row;
  wire [CountW-1:0] list_used;
  reg [RowW-1:0] row_q;                 // that is told
  wire draws = list_valid && !second_valid_q;
  mff_freelist #(.Entries(Rows)) u_free (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_o(list_valid), .id_o(list_row), .take_i(draws),
    .put_i(row_told), .put_id_i(row_q), .used_o(list_used)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      spare_valid_q <= 1'b0;
      second_valid_q <= 1'b0;
    end else begin
      spare_valid_q <= second_valid_q || draws || (spare_valid_q && !take_i);
      second_valid_q <= spare_valid_q && !take_i && (second_valid_q || draws);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_i || !spare_valid_q) spare_q <= second_valid_q ? second_q : list_row;
    if (!second_valid_q) second_q <= list_row;
  end
  assign spare_valid_o = spare_valid_q;
  assign spare_o = spare_q;
  assign more_valid_o = second_valid_q || list_valid;

  // ---- lines that are here: their rows are one list ----

  reg [CountW-1:0] lines_q;             // that are not told to their last
  reg [RowW-1:0] start_q, end_q;        // the first row of the first of them; the last of the last
  reg told_q, late_q;                   // row_q was read; its next is late_row_q
  reg [RowW-1:0] late_row_q;
  reg [SlotW-1:0] slot_q;
  wire line_told;
  wire more_lines = lines_q > CountW'(1);
  wire follows = fill_i && (lines_q != '0) && !(line_told && !more_lines);
  wire begins = fill_i && !follows;

  wire [Slots*SubBits-1:0] subs;
  wire [RowW-1:0] next_row;
  wire [SlotW-1:0] row_last;
  wire row_is_last;
  assign row_told = told_q && done_ready_i
                    && slot_q == (row_is_last ? row_last : SlotW'(Slots - 1));
  assign line_told = row_told && row_is_last;
  wire goes_on = row_told && (!row_is_last || more_lines);
  wire starts = !told_q && lines_q != '0;
  wire reads = goes_on || starts;
  wire [RowW-1:0] read_row = !told_q ? start_q : late_q ? late_row_q : next_row;
  wire late = follows && end_q == (reads ? read_row : row_q) && (reads || told_q);

  wire [Slots-1:0] slot_hot;
  generate
    for (genvar s = 0; s < Slots; s = s + 1) begin : g_slot
      assign slot_hot[s] = put_slot_i == SlotW'(s);
    end
  endgenerate
  wf_ram_1r1w #(.Width(Slots * SubBits), .Depth(Rows), .PartBits(SubBits)) u_subs (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(put_i), .wr_mask_i(slot_hot), .wr_addr_i(put_row_i),
    .wr_data_i({Slots{put_sub_i}}), .rd_en_i(reads), .rd_addr_i(read_row), .rd_data_o(subs)
  );
  wf_ram_1r1w #(.Width(RowW), .Depth(Rows)) u_next (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(link_i || follows), .wr_mask_i(1'b1),
    .wr_addr_i(fill_i ? end_q : link_row_i), .wr_data_i(fill_i ? head_i : put_row_i),
    .rd_en_i(reads), .rd_addr_i(read_row), .rd_data_o(next_row)
  );
  // Of each row: is it its line's last, and how far used.
  wf_ram_1r1w #(.Width(SlotW + 1), .Depth(Rows)) u_last (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(link_i || fill_i), .wr_mask_i(1'b1),
    .wr_addr_i(fill_i ? tail_i : link_row_i), .wr_data_i({fill_i, last_i}), .rd_en_i(reads),
    .rd_addr_i(read_row), .rd_data_o({row_is_last, row_last})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lines_q <= '0;
      told_q <= 1'b0;
      late_q <= 1'b0;
    end else begin
      if (fill_i != line_told) lines_q <= fill_i ? lines_q + 1'b1 : lines_q - 1'b1;
      told_q <= reads || (told_q && !row_told);
      late_q <= late || (late_q && !reads);
    end
  end
  always_ff @(posedge clk_i) begin
    if (begins) start_q <= head_i;
    if (fill_i) end_q <= tail_i;
    if (late) late_row_q <= head_i;
    if (reads) row_q <= read_row;
    if (reads) slot_q <= '0;
    else if (told_q && done_ready_i) slot_q <= slot_q + 1'b1;
  end
  assign done_valid_o = told_q;
  assign done_last_o = row_is_last && slot_q == row_last;
  reg [SubBits-1:0] sub;
  always_comb begin
    sub = '0;
    for (int s = 0; s < Slots; s = s + 1)
      if (slot_q == SlotW'(s)) sub = sub | subs[s*SubBits +: SubBits];
  end
  assign done_sub_o = sub;

  // Rows that come back are on offer some edges later.
  reg [6:0] settles_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) settles_q <= '1;
    else settles_q <= {settles_q[5:0], take_i || row_told};
  end
  assign empty_o = lines_q == '0 && !fill_i;
  assign idle_o = lines_q == '0 && settles_q == '0;
  wire unused = &{1'b0, list_used};

  `WF_ASSERT(rule_2_told, !told_q || lines_q != '0, "Rule 2: rows are told while lines are to be")
  `WF_ASSERT(rule_1_one, !(put_i && fill_i), "Rule 1: at most one of put and fill a cycle")
endmodule
`default_nettype wire
