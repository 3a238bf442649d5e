// mshr_file, by one tracked request: any one that is taken while its number is not on its way. It
// is answered once, by the fill of its line's entry, and not before. The unit's own rules (2 to 7)
// are proven with these, and rule 2 for all pairs of entries.
`default_nettype none
`include "wf_assert.vh"
module mshr_props #(
  parameter integer Entries = 2,
  parameter integer Merge = 2,
  parameter integer LineBits = 2,
  parameter integer SubBits = 2,
  localparam integer EntryW = Entries > 1 ? $clog2(Entries) : 1,
  localparam integer CountW = $clog2(Merge + 1)
) (
  input wire clk_i, input wire pick, input wire req, input wire [LineBits-1:0] line,
  input wire [SubBits-1:0] sub, input wire fill, input wire [EntryW-1:0] fill_entry
);
`include "formal.vh"
  wire ready, is_new, fill_ready, done, empty, idle;
  wire [EntryW-1:0] entry;
  wire [CountW-1:0] count;
  wire [Merge*SubBits-1:0] subs;
  mshr_file #(.Entries(Entries), .Merge(Merge), .LineBits(LineBits), .SubBits(SubBits),
              .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_valid_i(req), .req_ready_o(ready), .req_line_i(line),
    .req_sub_i(sub), .req_new_o(is_new), .req_entry_o(entry), .fill_valid_i(fill),
    .fill_ready_o(fill_ready), .fill_entry_i(fill_entry), .done_valid_o(done),
    .done_count_o(count), .done_subs_o(subs), .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0),
    .cnt_index_i(3'd0), .cnt_value_o(), .empty_o(empty), .idle_o(idle)
  );

  // What is outside: which entries were given and not filled, with which line, how often.
  reg [Entries-1:0] out_q;
  reg [LineBits-1:0] line_q [Entries];
  reg [CountW-1:0] count_q [Entries];
  wire takes = req && ready;
  initial out_q = '0;
  always @(posedge clk_i) if (rst_ni) begin
    if (fill) out_q[fill_entry] <= 1'b0;
    if (takes) out_q[entry] <= 1'b1;
  end
  always @(posedge clk_i) if (takes) begin
    line_q[entry] <= line;
    count_q[entry] <= is_new ? 1 : count_q[entry] + 1'b1;
  end

  // The tracked request: in which entry it waits, and as the how-manyth.
  reg on_q, told_q;
  reg [EntryW-1:0] at_q;
  reg [CountW-1:0] nth_q;
  reg [SubBits-1:0] sub_q;
  initial on_q = 1'b0;
  initial told_q = 1'b0;
  wire ends = on_q && fill && fill_entry == at_q;
  always @(posedge clk_i) if (rst_ni) begin
    told_q <= ends;
    if (ends) on_q <= 1'b0;
    if (!on_q && !told_q && pick && takes) begin
      on_q <= 1'b1;
      at_q <= entry;
      nth_q <= is_new ? '0 : count_q[entry];
      sub_q <= sub;
    end
  end
  reg [CountW-1:0] filled_count_q;
  reg filled_q;
  initial filled_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) filled_q <= fill;
  always @(posedge clk_i) if (fill) filled_count_q <= count_q[fill_entry];

  wire known = out_q[fill_entry] && {1'b0, fill_entry} < (EntryW + 1)'(Entries);
  `WF_ASSUME(fills_what_is_out, !fill || known, "Rule 1: a fill is of an entry on its way")
  `WF_ASSERT(told, done == filled_q, "Rule 5: an answer to each fill, none without one")
  `WF_ASSERT(all_answered, !done || count == filled_count_q,
             "Rule 8: as many are answered as were taken")
  `WF_ASSERT(answered_once, !told_q
             || (done && nth_q < count && subs[nth_q*SubBits +: SubBits] == sub_q),
             "Rule 8: a request that was taken is answered by its line's fill")
  `WF_ASSERT(merge_bound, !takes || is_new || count_q[entry] < CountW'(Merge),
             "Rule 3: at most Merge requests")
  `WF_ASSERT(new_is_free, !takes || !is_new || !out_q[entry] || (fill && fill_entry == entry),
             "Rule 6: what is new gets an entry that nobody has")
  `WF_ASSERT(merged_is_its, !takes || is_new
             || (out_q[entry] && line_q[entry] == line && !(fill && fill_entry == entry)),
             "Rule 6: what is merged gets its line's")
  `WF_ASSERT(empty_says_all, !empty || (out_q == '0 && !on_q && !told_q),
             "empty: nothing is owed")
  // Rules 2 and 3 of all entries.
  reg same, odd_count;
  always_comb begin
    same = 1'b0;
    odd_count = 1'b0;
    for (int a = 0; a < Entries; a = a + 1) begin
      if (out_q[a] && (count_q[a] == '0 || {1'b0, count_q[a]} > (CountW + 1)'(Merge)))
        odd_count = 1'b1;
      for (int b = 0; b < a; b = b + 1)
        if (out_q[a] && out_q[b] && line_q[a] == line_q[b]) same = 1'b1;
    end
  end
  `WF_ASSERT(apart, !same, "Rule 2: no two entries wait for one line")
  `WF_ASSERT(counts, !odd_count, "Rule 3: an entry that waits has 1 to Merge requests")
  `WF_COVER(all_full, out_q == '1 && req && !ready && is_new)
  `WF_COVER(merge_full, req && !ready && !is_new)
  `WF_COVER(tracked_last, told_q && nth_q == CountW'(Merge - 1))
  `WF_COVER(taken_as_filled, takes && is_new && fill && fill_entry == entry)
  // The unit's own assertions look a cycle back.
  reg was_q;
  initial was_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) was_q <= req || fill;
  `WF_QUIET(idle && !req && !fill && !was_q)
endmodule
`default_nettype wire
