// pending_request_table, by one tracked line: any one that is taken while no other is tracked. It
// is answered once, by the reply of its entry and lanes, with its load's number and its lanes'
// offsets, and not before; its load ends with its last line. The unit's own rules (3 to 9) are
// proven with these.
`default_nettype none
`include "wf_assert.vh"
module prt_props #(
  parameter integer Entries = 2,
  parameter integer Lanes = 2,
  parameter integer OffBits = 1,
  parameter integer LoadBits = 2,
  parameter integer LaneSlots = 0,
  localparam integer EntryW = Entries > 1 ? $clog2(Entries) : 1,
  localparam integer CountW = $clog2(Lanes + 1)
) (
  input wire clk_i, input wire pick, input wire req, input wire first, input wire last,
  input wire [Lanes-1:0] mask, input wire [Lanes-1:0] active, input wire [LoadBits-1:0] load,
  input wire [Lanes*OffBits-1:0] offsets, input wire reply, input wire [EntryW-1:0] reply_entry,
  input wire [Lanes-1:0] reply_mask
);
`include "formal.vh"
  wire ready, reply_ready, told, told_last, empty, idle;
  wire [EntryW-1:0] entry;
  wire [LoadBits-1:0] told_load;
  wire [Lanes-1:0] told_mask;
  wire [Lanes*OffBits-1:0] told_offsets;
  pending_request_table #(.Entries(Entries), .Lanes(Lanes), .OffBits(OffBits),
                          .LoadBits(LoadBits), .LaneSlots(LaneSlots), .CounterBits(0)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_valid_i(req), .req_ready_o(ready), .req_first_i(first),
    .req_last_i(last), .req_mask_i(mask), .req_active_i(active), .req_load_i(load),
    .req_offsets_i(offsets), .req_entry_o(entry), .reply_valid_i(reply),
    .reply_ready_o(reply_ready), .reply_entry_i(reply_entry), .reply_mask_i(reply_mask),
    .lanes_valid_o(told), .lanes_load_o(told_load), .lanes_mask_o(told_mask),
    .lanes_offsets_o(told_offsets), .lanes_last_o(told_last), .cnt_snapshot_i(1'b0),
    .cnt_clear_i(1'b0), .cnt_index_i(3'd0), .cnt_value_o(), .empty_o(empty), .idle_o(idle)
  );

  // What is outside: which lanes of which entry wait, of loads begun and not ended; which lanes of
  // the load begun last are not asked for yet.
  reg [Entries-1:0] out_q;
  reg [Entries*Lanes-1:0] wait_q, held_q;
  reg [Lanes-1:0] unasked_q;
  reg [EntryW-1:0] open_q;
  wire takes = req && ready;
  wire [Lanes-1:0] unasked = first ? active : unasked_q;
  wire [Lanes-1:0] due = wait_q[reply_entry*Lanes +: Lanes];
  wire opens = unasked_q != '0;
  wire ends = reply && due == reply_mask && !(opens && reply_entry == open_q);
  initial out_q = '0;
  initial wait_q = '0;
  initial unasked_q = '0;
  always @(posedge clk_i) if (rst_ni) begin
    if (takes) unasked_q <= unasked & ~mask;
    if (takes && first) open_q <= entry;
    for (int e = 0; e < Entries; e = e + 1) begin
      if (reply && reply_entry == e) begin
        wait_q[e*Lanes +: Lanes] <= wait_q[e*Lanes +: Lanes] & ~reply_mask;
        if (ends) out_q[e] <= 1'b0;
      end
      if (takes && entry == e) begin
        out_q[e] <= 1'b1;
        if (first) held_q[e*Lanes +: Lanes] <= active;
        wait_q[e*Lanes +: Lanes] <= first ? mask
          : (wait_q[e*Lanes +: Lanes] & ~(reply && reply_entry == e ? reply_mask : '0)) | mask;
      end
    end
  end

  // The tracked line.
  reg on_q, told_q;
  reg [EntryW-1:0] at_q;
  reg [Lanes-1:0] lanes_q;
  reg [LoadBits-1:0] load_q, open_load_q;
  reg [Lanes*OffBits-1:0] offsets_q, open_offsets_q;
  initial on_q = 1'b0;
  initial told_q = 1'b0;
  always @(posedge clk_i) if (takes && first) begin
    open_load_q <= load;
    open_offsets_q <= offsets;
  end
  wire of_it = on_q && reply && reply_entry == at_q && (reply_mask & lanes_q) != '0;
  always @(posedge clk_i) if (rst_ni) begin
    told_q <= of_it;
    if (of_it) on_q <= 1'b0;
    if (!on_q && !told_q && pick && takes) begin
      on_q <= 1'b1;
      at_q <= entry;
      lanes_q <= mask;
      load_q <= first ? load : open_load_q;
      offsets_q <= first ? offsets : open_offsets_q;
    end
  end
  reg replied_q, ended_q;
  initial replied_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) replied_q <= reply;
  always @(posedge clk_i) ended_q <= ends;

  // Offsets of lanes that the tracked line is not for do not matter.
  reg other_offset;
  always_comb begin
    other_offset = 1'b0;
    for (int l = 0; l < Lanes; l = l + 1)
      if (lanes_q[l] && told_offsets[l*OffBits +: OffBits] != offsets_q[l*OffBits +: OffBits])
        other_offset = 1'b1;
  end

  // The LSU: a load's lines come one after the other, each lane in one of them.
  `WF_ASSUME(lines_of_a_load, !req || (mask != '0 && (mask & ~unasked) == '0
             && first == !opens && last == ((unasked & ~mask) == '0)),
             "Rule 1: a request's lanes are active and not asked for; last leaves none")
  // Replies are of what was asked for: a line comes whole, the tracked one as all others.
  `WF_ASSUME(replies_what_is_out, !reply || ({1'b0, reply_entry} < (EntryW + 1)'(Entries)
             && reply_mask != '0 && (reply_mask & ~due) == '0
             && (!(on_q && reply_entry == at_q && (reply_mask & lanes_q) != '0)
                 || reply_mask == lanes_q)),
             "Rule 2: a reply is of lanes that wait in its entry")
  // A reply has the lanes of one request: the count of replies is that of lines.
  reg [Entries*Lanes*Lanes-1:0] line_q;  // of each lane: all lanes of its line
  wire [Lanes-1:0] line_of;
  reg [Lanes-1:0] whole;
  always @(posedge clk_i) if (takes)
    for (int l = 0; l < Lanes; l = l + 1)
      if (mask[l]) line_q[(entry*Lanes + l)*Lanes +: Lanes] <= mask;
  always_comb begin
    whole = '0;
    for (int l = Lanes - 1; l >= 0; l = l - 1)
      if (reply_mask[l]) whole = line_q[(reply_entry*Lanes + l)*Lanes +: Lanes];
  end
  assign line_of = whole;
  `WF_ASSUME(whole_lines, !reply || reply_mask == line_of, "Rule 2: a reply is of one request")

  `WF_ASSERT(answered, told == replied_q, "Rule 5: an answer to each reply, none without one")
  `WF_ASSERT(answered_once, !told_q || (told && told_mask == lanes_q && told_load == load_q
             && !other_offset), "Rule 8: a line that was taken is answered by its reply")
  `WF_ASSERT(ends_with_last, !told || told_last == ended_q,
             "Rule 8: a load ends with its last line")
  `WF_ASSERT(new_is_free, !(takes && first) || !out_q[entry] || (ends && reply_entry == entry),
             "Rule 6: a load gets an entry that nobody has")
  `WF_ASSERT(later_is_its, !(takes && !first) || entry == open_q,
             "Rule 6: a load's later lines have its entry")
  `WF_ASSERT(later_taken, !req || first || ready, "Rule 7: a load that is begun is never refused")
  `WF_ASSERT(empty_says_all, !empty || (out_q == '0 && !on_q && !told_q), "empty: nothing is owed")
  `WF_ASSERT(held_is_known, !on_q || out_q[at_q], "Rule 8: a load that waits keeps its entry")
  // Rule 9, and that nobody waits for ever: a table that refuses waits for a reply.
  reg [7:0] places;
  always_comb begin
    places = 8'd0;
    for (int i = 0; i < Entries * Lanes; i = i + 1)
      if (out_q[i / Lanes] && held_q[i]) places = places + 8'd1;
  end
  `WF_ASSERT(places_bound, LaneSlots == 0 || places <= 8'(LaneSlots),
             "Rule 9: lanes that wait never need more than LaneSlots places")
  `WF_ASSERT(refusal_waits, !(req && !ready) || wait_q != '0,
             "Rule 7: whoever is refused waits for a line that is on its way")
  `WF_COVER(all_full, out_q == '1 && req && !ready)
  `WF_COVER(told_early, told_q && !told_last)
  `WF_COVER(told_last_of_all, told_q && told_last)
  `WF_COVER(taken_as_freed, takes && first && ends && reply_entry == entry)
  // The unit's own assertions look a cycle back.
  reg was_q;
  initial was_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) was_q <= req || reply;
  `WF_QUIET(idle && !req && !reply && !was_q)
endmodule
`default_nettype wire
