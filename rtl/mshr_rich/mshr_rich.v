// mshr_rich: miss-status holding registers of one L1, thousands of them: lines on their way stand
// in tables of RAM, found by hashes; the requests that wait for a line in rows of RAM, linked.
//
// A line has one place in each of Ways tables (cuckoo hashing): a new one takes a free place; if it
// finds none it goes to the stash, a few entries that every look-up is compared with. Whenever no
// request goes, what is in the stash is moved: to a place that is free by now, else to that of
// another line, which takes its entry in the stash, and is moved in its turn.
//
// Table w has a line at its remainder by a polynomial of its own, over GF(2). Table 0's is
// x^SetW + 1: the sum of the line's fields, as in MFF's first bank. Lines in a row, or a power of
// two apart, spread over the whole of each table.
//
// An entry: the line, the first and the last of its rows, and how far the last is used.
// mshr_rich_rows has the rows.
//
// STAGES. S0: a fill, else a request, else a move; the tables are read at its line's hashes. S1, an
// edge later: what was read is compared, and one table or the stash written. What S0 reads as S1
// writes it is handed on.
//
// CHANNELS. A transfer is valid and ready at a rising edge; valid never waits for ready.
//   req   a request whose line is not in the L1. Not ready: behind a fill, or an entry, a place in
//         the stash or a row may not be there for it; nothing changes then, and what was not taken
//         may be withdrawn
//   ans   an edge after a request was taken: new: no entry waited for its line, which is to be
//         asked for; else it is on its way
//   fill  a line is here. Taken in every cycle but while the tables are cleared, after reset
//   done  a subentry of a line that is here, in the order of fills, and of requests of each line;
//         last: all of its line's are told
// empty: no line is on its way, and nothing is to be told.
// IDLE: nothing will change until a valid input; entries may wait.
//
// Whoever stands before req blocks neither fill nor done: nothing deadlocks while those move.
//
// Parameters: below. Storage, in RAM: Lines * (LineBits + 2 * RowW + SlotW + 1), 20 * CounterBits,
// and that of the rows; flops: Stash times as much as of a line, and of stages.
//
// Rules
//   1 A fill is of a line on its way.
//   2 No line is in two places.
//   3 A new line finds a place, in a table or in the stash.
//   4 A request that is not taken changes nothing.
//   5 An answer follows each request that was taken, an edge later, and none comes without one.
//   6 A request that needs a row has one.
//   7 A request is refused only behind a fill, or where lines, stash or rows may not suffice.
//   8 Each request that was taken is answered once, by the fill of its line.
`default_nettype none
`include "wf_assert.vh"

module mshr_rich #(
  parameter integer Lines = 1024,      // on their way at once: Ways times 2, 4, .. 65536
  parameter integer Ways = 4,          // tables, 2..8
  parameter integer Stash = 4,         // 2..16
  parameter integer Rows = 1024,       // of subentries, 2..65536
  parameter integer Slots = 3,         // subentries of a row, 1..16
  parameter integer LineBits = 25,     // of a line's address, up to 60
  parameter integer SubBits = 10,      // of a subentry, 1..512
  parameter integer CounterBits = 28,  // of the performance counters, up to 64; 0: none
  localparam integer RowW = $clog2(Rows),
  localparam integer SlotW = Slots > 1 ? $clog2(Slots) : 1,
  localparam integer UsedW = $clog2(Lines + 1)
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                req_valid_i,
  output wire                req_ready_o,
  input  wire [LineBits-1:0] req_line_i,
  input  wire [SubBits-1:0]  req_sub_i,
  output wire                ans_valid_o,
  output wire                ans_new_o,
  input  wire                fill_valid_i,
  output wire                fill_ready_o,
  input  wire [LineBits-1:0] fill_line_i,
  output wire                done_valid_o,
  input  wire                done_ready_i,
  output wire [SubBits-1:0]  done_sub_o,
  output wire                done_last_o,
  input  wire                cnt_snapshot_i,
  input  wire                cnt_clear_i,
  input  wire [3:0]          cnt_index_i,
  output wire [63:0]         cnt_value_o,
  output wire                empty_o,
  output wire                idle_o
);
  localparam integer NCount = 10;
  localparam integer Sets = Lines / Ways;
  localparam integer SetW = $clog2(Sets);
  localparam integer ListW = 2 * RowW + SlotW;     // what an entry knows of its rows
  localparam integer EntryBits = LineBits + ListW;
  localparam integer StashW = Stash > 1 ? $clog2(Stash) : 1;

  initial begin
    if (Ways < 2 || Ways > 8) $fatal(1, "mshr_rich: Ways is %0d, must be 2 to 8", Ways);
    if (Sets < 2 || Sets > 65536 || Sets * Ways != Lines || (Sets & (Sets - 1)) != 0)
      $fatal(1, "mshr_rich: Lines is %0d, must be Ways (%0d) times 2, 4, .. 65536", Lines, Ways);
    if (Stash < 2 || Stash > 16) $fatal(1, "mshr_rich: Stash is %0d, must be 2 to 16", Stash);
    if (Rows < 2 || Rows > 65536) $fatal(1, "mshr_rich: Rows is %0d, must be 2 to 65536", Rows);
    if (Slots < 1 || Slots > 16) $fatal(1, "mshr_rich: Slots is %0d, must be 1 to 16", Slots);
    if (LineBits < 1 || LineBits > 60)
      $fatal(1, "mshr_rich: LineBits is %0d, must be 1 to 60", LineBits);
    if (SubBits < 1 || SubBits > 512)
      $fatal(1, "mshr_rich: SubBits is %0d, must be 1 to 512", SubBits);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "mshr_rich: CounterBits is %0d, must be 0 to 64", CounterBits);
  end

  // After reset all places are emptied, one of each table a cycle.
  reg cleared_q;
  reg [SetW-1:0] clear_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cleared_q <= 1'b0;
      clear_q <= '0;
    end else if (!cleared_q) begin
      cleared_q <= clear_q == '1;
      clear_q <= clear_q + 1'b1;
    end
  end

  // ---- S0 ----

  reg s1_req_q, s1_fill_q, s1_move_q;
  reg [StashW-1:0] s1_stash_q;          // of a move: which it is
  reg [Stash-1:0] stash_held_q;
  reg [Stash*EntryBits-1:0] stash_q;
  reg [UsedW-1:0] used_q;               // lines on their way, without that of a request in S1
  wire spare_valid, more_valid;         // rows for this request, and for one more

  wire full = used_q == UsedW'(Lines) || (s1_req_q && used_q == UsedW'(Lines - 1));
  wire [Stash-1:0] stash_free = ~stash_held_q;
  wire [Stash-1:0] stash_free_more = stash_free & (stash_free - 1'b1);
  wire stash_room = stash_free_more != '0 || (stash_free != '0 && !s1_req_q);
  wire row_room = spare_valid && (more_valid || !s1_req_q);
  assign req_ready_o = cleared_q && !fill_valid_i && !full && stash_room && row_room;
  assign fill_ready_o = cleared_q;
  wire takes = req_valid_i && req_ready_o;
  wire fills = fill_valid_i && cleared_q;
  // Not what S1 moves: that may put another line there.
  wire [Stash-1:0] in_s1 = s1_move_q ? Stash'(1) << s1_stash_q : '0;
  wire move_any;
  wire moves = !fills && !takes && move_any;
  wire reads = fills || takes || moves;

  wire [StashW-1:0] move_index;
  wire [Stash-1:0] move_hot;
  wf_priority_enc #(.N(Stash)) u_move (
    .bits_i(stash_held_q & ~in_s1), .onehot_o(move_hot), .index_o(move_index), .any_o(move_any)
  );
  wire [LineBits-1:0] s0_line = fill_valid_i ? fill_line_i : takes ? req_line_i
                                : stash_q[move_index*EntryBits+ListW +: LineBits];

  // Bits of a line whose sum is bit b of its place in table w. Bytes: the tables' polynomials.
  // coverage: evaluated when the design is elaborated
  function automatic [LineBits-1:0] hashed(input integer w, input integer b);
    integer power, polynomial;  // power: x to the i
    // coverage: evaluated when the design is elaborated
    polynomial = 1 << SetW | 32'(64'h4d69_6563_5f2b_1d01 >> 8 * w & 64'hff) & ((1 << SetW) - 1);
    power = 1;
    hashed = '0;
    for (int i = 0; i < LineBits; i = i + 1) begin
      hashed[i] = (power >> b & 1) != 0;
      power = power << 1;
      if (power[SetW]) power = power ^ polynomial;
    end
  endfunction

  // ---- S1 ----

  reg [LineBits-1:0] s1_line_q;
  reg [SubBits-1:0] s1_sub_q;
    reg [EntryBits:0] handed_q;           // what S1 wrote, valid in its highest bit
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s1_req_q <= 1'b0;
      s1_fill_q <= 1'b0;
      s1_move_q <= 1'b0;
    end else begin
      s1_req_q <= takes;
      s1_fill_q <= fills;
      s1_move_q <= moves;
    end
  end
  always_ff @(posedge clk_i) if (reads) begin
    s1_line_q <= s0_line;
    s1_sub_q <= req_sub_i;
    s1_stash_q <= move_index;
  end

  wire [Ways-1:0] held, match, free_hot, write;
  wire [Ways*EntryBits-1:0] entry;
  wire [Stash-1:0] stash_match, stash_new;
  wire [EntryBits:0] written;
  generate
    for (genvar w = 0; w < Ways; w = w + 1) begin : g_way
      wire [SetW-1:0] set;
      reg [SetW-1:0] set_q;
      for (genvar b = 0; b < SetW; b = b + 1) begin : g_hash
        localparam [LineBits-1:0] Bits = hashed(w, b);
        assign set[b] = ^(s0_line & Bits);
      end
      reg handed_on_q;
      wire [EntryBits:0] kept;
      always_ff @(posedge clk_i) if (reads) begin
        set_q <= set;
        handed_on_q <= write[w] && set == set_q;
      end
      wf_ram_1r1w #(.Width(EntryBits + 1), .Depth(Sets)) u_lines (
        .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(write[w] || !cleared_q), .wr_mask_i(1'b1),
        .wr_addr_i(cleared_q ? set_q : clear_q), .wr_data_i(written), .rd_en_i(reads),
        .rd_addr_i(set), .rd_data_o(kept)
      );
      wire [EntryBits:0] now = handed_on_q ? handed_q : kept;
      assign held[w] = now[EntryBits];
      assign entry[w*EntryBits +: EntryBits] = now[EntryBits-1:0];
      assign match[w] = held[w] && now[ListW +: LineBits] == s1_line_q;
    end
    for (genvar s = 0; s < Stash; s = s + 1) begin : g_stash
      assign stash_match[s] = stash_held_q[s]
                              && stash_q[s*EntryBits+ListW +: LineBits] == s1_line_q;
    end
  endgenerate
  always_ff @(posedge clk_i) if (write != '0) handed_q <= written;

  // The entry of its line.
  wire hit = match != '0 || stash_match != '0;
  reg [ListW-1:0] found;
  always_comb begin
    found = '0;
    for (int w = 0; w < Ways; w = w + 1)
      if (match[w]) found = found | entry[w*EntryBits +: ListW];
    for (int s = 0; s < Stash; s = s + 1)
      if (stash_match[s]) found = found | stash_q[s*EntryBits +: ListW];
  end
  wire [RowW-1:0] head = found[SlotW+RowW +: RowW];
  wire [RowW-1:0] tail = found[SlotW +: RowW];
  wire [RowW-1:0] spare;
  wire [SlotW-1:0] last = found[SlotW-1:0];

  // Where its subentry goes.
  wire row_ends = last == SlotW'(Slots - 1);
  wire takes_row = s1_req_q && (!hit || row_ends);
  wire [RowW-1:0] row = !hit || row_ends ? spare : tail;
  wire [SlotW-1:0] slot = !hit || row_ends ? '0 : last + 1'b1;
  wire [EntryBits-1:0] changed = {s1_line_q, hit ? head : spare, row, slot};

  // Where its entry goes.
  wire any_free, stash_any_free;
  wire [StashW-1:0] stash_free_index;
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1;
  wire [WayW-1:0] free_way;
  wf_priority_enc #(.N(Ways)) u_free (
    .bits_i(~held), .onehot_o(free_hot), .index_o(free_way), .any_o(any_free)
  );
  wf_priority_enc #(.N(Stash)) u_stash (
    .bits_i(stash_free), .onehot_o(stash_new), .index_o(stash_free_index), .any_o(stash_any_free)
  );
  wire enters = s1_req_q && !hit;
  wire move = s1_move_q && stash_held_q[s1_stash_q];  // it may be gone, by a fill
  reg [WayW-1:0] turn_q;                              // which table gives way next
  wire [Ways-1:0] turn = Ways'(1) << turn_q;
  reg [EntryBits-1:0] gives_way;
  always_comb begin
    gives_way = '0;
    for (int w = 0; w < Ways; w = w + 1)
      if (turn[w]) gives_way = gives_way | entry[w*EntryBits +: EntryBits];
  end
  assign write = enters ? free_hot : s1_req_q || s1_fill_q ? match
                 : !move ? '0 : any_free ? free_hot : turn;
  assign written = !cleared_q || s1_fill_q ? '0
                   : {1'b1, s1_move_q ? stash_q[s1_stash_q*EntryBits +: EntryBits] : changed};

  wire [Stash-1:0] stash_moved = move ? Stash'(1) << s1_stash_q : '0;
  wire [Stash-1:0] stash_in = enters && !any_free ? stash_new : '0;
  wire [Stash-1:0] stash_out = any_free ? stash_moved : '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stash_held_q <= '0;
      used_q <= '0;
      turn_q <= '0;
    end else begin
      stash_held_q <= (stash_held_q | stash_in) & ~stash_out & ~(s1_fill_q ? stash_match : '0);
      if (enters != s1_fill_q) used_q <= enters ? used_q + 1'b1 : used_q - 1'b1;
      if (move && !any_free) turn_q <= turn_q == WayW'(Ways - 1) ? '0 : turn_q + 1'b1;
    end
  end
  generate
    for (genvar s = 0; s < Stash; s = s + 1) begin : g_keep
      always_ff @(posedge clk_i)
        if (stash_in[s] || (s1_req_q && stash_match[s]))
          stash_q[s*EntryBits +: EntryBits] <= changed;
        else if (stash_moved[s]) stash_q[s*EntryBits +: EntryBits] <= gives_way;
    end
  endgenerate

  wire rows_idle, rows_empty;
  mshr_rich_rows #(.Rows(Rows), .Slots(Slots), .SubBits(SubBits)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .spare_valid_o(spare_valid), .spare_o(spare),
    .more_valid_o(more_valid), .take_i(takes_row), .put_i(s1_req_q), .put_row_i(row),
    .put_slot_i(slot), .put_sub_i(s1_sub_q), .link_i(s1_req_q && hit && row_ends),
    .link_row_i(tail), .fill_i(s1_fill_q), .head_i(head), .tail_i(tail), .last_i(last),
    .done_valid_o(done_valid_o), .done_ready_i(done_ready_i), .done_sub_o(done_sub_o),
    .done_last_o(done_last_o), .empty_o(rows_empty), .idle_o(rows_idle)
  );

  assign ans_valid_o = s1_req_q;
  assign ans_new_o = !hit;
  wire s1_idle = !s1_req_q && !s1_fill_q && !s1_move_q;
  assign empty_o = used_q == '0 && !s1_req_q && rows_empty;
  assign idle_o = cleared_q && s1_idle && stash_held_q == '0 && rows_idle;

  generate
    if (CounterBits > 0) begin : gen_counters
      wire asks = req_valid_i && cleared_q;
      wire may = !fill_valid_i;
      wf_counters #(.N(NCount), .Width(CounterBits), .IncBits(UsedW)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({enters ? used_q : UsedW'(0), UsedW'(move), UsedW'(done_valid_o && done_ready_i),
                UsedW'(fills), UsedW'(asks && !may),
                UsedW'(asks && may && !full && stash_room && !row_room),
                UsedW'(asks && may && !full && !stash_room), UsedW'(asks && may && full),
                UsedW'(s1_req_q && hit), UsedW'(enters)}),
        .snapshot_i(cnt_snapshot_i), .clear_i(cnt_clear_i), .index_i(cnt_index_i),
        .value_o(cnt_value_o)
      );
    end else begin : gen_no_counters
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i};
      assign cnt_value_o = '0;
    end
  endgenerate
  wire unused = &{1'b0, move_hot, move_any, free_way, stash_free_index, stash_any_free};

`ifdef WF_ASSERT_LIVE
  // coverage: what the assertions compare with
  localparam integer DueW = $clog2(Rows * Slots + 2);
  wire [Ways+Stash-1:0] places = {match, stash_match};
  reg took_q;
  reg [DueW-1:0] due_q;                 // requests that wait
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      took_q <= 1'b0;
      due_q <= '0;
    end else begin
      took_q <= takes;
      due_q <= due_q + DueW'(takes) - DueW'(done_valid_o && done_ready_i);
    end
  end
`endif
  `WF_ASSUME(rule_1_on_its_way, !s1_fill_q || hit, "Rule 1: a fill is of a line on its way")
  `WF_ASSERT(rule_2_one_place, !(s1_req_q || s1_fill_q) || (places & (places - 1'b1)) == '0,
             "Rule 2: no line is in two places")
  `WF_ASSERT(rule_2_moved, !move || match == '0, "Rule 2: what is in the stash is in no table")
  `WF_ASSERT(rule_3_place, !enters || any_free || stash_free != '0,
             "Rule 3: a new line finds a place, in a table or in the stash")
  `WF_ASSERT(rule_3_bound, used_q <= UsedW'(Lines), "Rule 3: at most Lines are on their way")
  `WF_ASSERT(rule_4_refused, s1_req_q == took_q,
             "Rule 4: a request that is not taken changes nothing")
  `WF_ASSERT(rule_5_answered, ans_valid_o == took_q,
             "Rule 5: an answer follows each request, an edge later, and none comes without one")
  `WF_ASSERT(rule_6_row, !takes_row || spare_valid, "Rule 6: a request that needs a row has one")
  `WF_ASSERT(rule_7_refusal, !req_valid_i || req_ready_o || fill_valid_i || !cleared_q
             || used_q >= UsedW'(Lines - 1) || stash_free_more == '0 || !spare_valid || !more_valid,
             "Rule 7: a request is refused only behind a fill, or for want of lines, stash or rows")
  `WF_ASSERT(rule_8_due, !done_valid_o || due_q != '0, "Rule 8: what is told has waited")
  `WF_ASSERT(rule_8_empty, !empty_o || due_q == '0, "Rule 8: empty: no request waits")
endmodule
`default_nettype wire
