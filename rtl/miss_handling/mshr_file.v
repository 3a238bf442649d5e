// mshr_file: miss-status holding registers of one L1. Lines on their way stand in entries; a
// further request of such a line is merged, and asks memory for nothing.
//
// An entry is a line in a CAM, the number of requests that wait for it, and in a RAM a row of Merge
// subentries: what each request wants back with its data, SubBits that the file does not look at.
//   thin    the number of a load, which has its lanes' offsets itself: 10 bits
//   thread  warp, lane, offset in the line: 18 bits
//   full    warp, register, mask of lanes, an offset for each: 270 bits
//
// CHANNELS. A transfer is valid and ready at a rising edge; valid never waits for ready.
//   req   a request whose line is not in the L1. Answer in its own cycle. ready: it is in. new: no
//         entry waited for its line, so the line is to be asked for, under the number `entry`; else
//         it was merged there. Not ready: no entry is free, or the line's has Merge requests; then
//         nothing changes. What was not taken may be withdrawn: a fill may have made it a hit
//   fill  the line of an entry is here. Always taken. In the same cycle the entry is off the CAM
//         and may be had anew: requests see the file as the fill leaves it
//   done  an edge after a fill, for one cycle: how many requests waited, and their subentries, the
//         first that came in the lowest bits
// empty: no line is on its way, and nothing is to be told.
// IDLE: nothing will change until a valid input; entries may wait.
//
// The LSU's look-up of the tags has gone before: a request never stands in front of a fill, so that
// whoever waits for ready blocks no reply.
//
// Parameters: below. Storage, in RAM: Entries * Merge * SubBits, 14 * CounterBits; flops:
// Entries * (LineBits + clog2(Merge + 1) + 2).
//
// Rules
//   1 A fill is of an entry whose line is on its way.
//   2 No two entries wait for one line.
//   3 An entry that waits has 1 to Merge requests.
//   4 A request that is not taken changes nothing.
//   5 An answer follows each fill, an edge later, and none comes without one.
//   6 What is new gets an entry that nobody has, and what is merged the one of its line.
//   7 A request is refused only where no entry is free, or its line's has Merge requests.
//   8 Each request that was taken is answered once, by the fill of its line.
`default_nettype none
`include "wf_assert.vh"

module mshr_file #(
  parameter integer Entries = 128,     // lines on their way at once, 1..1024
  parameter integer Merge = 8,         // requests that wait for one of them, 1..64
  parameter integer LineBits = 25,     // of a line's address, up to 60
  parameter integer SubBits = 10,      // of a subentry, 1..512
  parameter integer CounterBits = 28,  // of the performance counters, up to 64; 0: none
  localparam integer EntryW = Entries > 1 ? $clog2(Entries) : 1,
  localparam integer CountW = $clog2(Merge + 1)
) (
  input  wire                     clk_i,
  input  wire                     rst_ni,
  input  wire                     req_valid_i,
  output wire                     req_ready_o,
  input  wire [LineBits-1:0]      req_line_i,
  input  wire [SubBits-1:0]       req_sub_i,
  output wire                     req_new_o,
  output wire [EntryW-1:0]        req_entry_o,
  input  wire                     fill_valid_i,
  output wire                     fill_ready_o,
  input  wire [EntryW-1:0]        fill_entry_i,
  output wire                     done_valid_o,
  output wire [CountW-1:0]        done_count_o,
  output wire [Merge*SubBits-1:0] done_subs_o,
  input  wire                     cnt_snapshot_i,
  input  wire                     cnt_clear_i,
  input  wire [2:0]               cnt_index_i,
  output wire [63:0]              cnt_value_o,
  output wire                     empty_o,
  output wire                     idle_o
);
  localparam integer NCount = 7;
  localparam integer UsedW = $clog2(Entries + 1);
  localparam integer IncW = UsedW > CountW ? UsedW : CountW;

  initial begin
    if (Entries < 1 || Entries > 1024)
      $fatal(1, "mshr_file: Entries is %0d, must be 1 to 1024", Entries);
    if (Merge < 1 || Merge > 64) $fatal(1, "mshr_file: Merge is %0d, must be 1 to 64", Merge);
    if (LineBits < 1 || LineBits > 60)
      $fatal(1, "mshr_file: LineBits is %0d, must be 1 to 60", LineBits);
    if (SubBits < 1 || SubBits > 512)
      $fatal(1, "mshr_file: SubBits is %0d, must be 1 to 512", SubBits);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "mshr_file: CounterBits is %0d, must be 0 to 64", CounterBits);
  end

  reg [Entries-1:0] waits_q;            // its line is on its way
  reg [Entries-1:0] merged_out_q;       // it has Merge requests
  reg [Entries*LineBits-1:0] line_q;
  reg [Entries*CountW-1:0] count_q;

  // The file as the fill leaves it.
  wire [Entries-1:0] fills, match;
  wire [Entries-1:0] live = waits_q & ~fills;
  generate
    for (genvar e = 0; e < Entries; e = e + 1) begin : g_match
      assign fills[e] = fill_valid_i && fill_entry_i == EntryW'(e);
      assign match[e] = live[e] && line_q[e*LineBits +: LineBits] == req_line_i;
    end
  endgenerate
  wire merges, none_free;
  wire [EntryW-1:0] match_index, free_index;
  wire [Entries-1:0] free_hot;
  wire any_free;
  wf_onehot_enc #(.N(Entries)) u_match (
    .onehot_i(match), .index_o(match_index), .any_o(merges)
  );
  wf_priority_enc #(.N(Entries)) u_free (
    .bits_i(~waits_q), .onehot_o(free_hot), .index_o(free_index), .any_o(any_free)
  );
  assign none_free = !any_free && !fill_valid_i;
  wire merge_full = |(match & merged_out_q);

  assign req_ready_o = merges ? !merge_full : !none_free;
  assign req_new_o = !merges;
  assign req_entry_o = merges ? match_index : any_free ? free_index : fill_entry_i;
  assign fill_ready_o = 1'b1;
  wire takes = req_valid_i && req_ready_o;
  wire [Entries-1:0] taken = !takes ? '0 : merges ? match : any_free ? free_hot : fills;

  // The count of the request's entry, and of the fill's.
  function automatic [CountW-1:0] count_of(input [Entries*CountW-1:0] counts,
                                           input [Entries-1:0] entry);
    count_of = '0;
    for (int e = 0; e < Entries; e = e + 1)
      if (entry[e]) count_of = count_of | counts[e*CountW +: CountW];
  endfunction
  wire [CountW-1:0] has = count_of(count_q, match);  // 0: new
  wire [CountW-1:0] ends = count_of(count_q, fills);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= '0;
    else if (takes || fill_valid_i) waits_q <= live | taken;
  end
  generate
    for (genvar e = 0; e < Entries; e = e + 1) begin : g_entry
      always_ff @(posedge clk_i) if (taken[e]) begin
        count_q[e*CountW +: CountW] <= has + 1'b1;
        merged_out_q[e] <= has == CountW'(Merge - 1);
        if (!merges) line_q[e*LineBits +: LineBits] <= req_line_i;
      end
    end
  endgenerate

  wire [Merge-1:0] slot;
  generate
    for (genvar m = 0; m < Merge; m = m + 1) begin : g_slot
      assign slot[m] = has == CountW'(m);
    end
  endgenerate
  wf_ram_1r1w #(.Width(Merge * SubBits), .Depth(Entries), .PartBits(SubBits)) u_subs (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(takes), .wr_mask_i(slot), .wr_addr_i(req_entry_o),
    .wr_data_i({Merge{req_sub_i}}), .rd_en_i(fill_valid_i), .rd_addr_i(fill_entry_i),
    .rd_data_o(done_subs_o)
  );

  reg done_q;
  reg [CountW-1:0] done_count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= 1'b0;
    else done_q <= fill_valid_i;
  end
  always_ff @(posedge clk_i) if (fill_valid_i) done_count_q <= ends;
  assign done_valid_o = done_q;
  assign done_count_o = done_count_q;
  assign empty_o = waits_q == '0 && !done_q;
  assign idle_o = !done_q;

  // Entries in use, as a new request finds them.
  reg [UsedW-1:0] used_q;
  wire enters = takes && !merges;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) used_q <= '0;
    else if (enters != fill_valid_i) used_q <= enters ? used_q + 1'b1 : used_q - 1'b1;
  end

  generate
    if (CounterBits > 0) begin : gen_counters
      wf_counters #(.N(NCount), .Width(CounterBits), .IncBits(IncW)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({enters ? IncW'(used_q) : IncW'(0), fill_valid_i ? IncW'(ends) : IncW'(0),
                IncW'(fill_valid_i), IncW'(req_valid_i && merges && merge_full),
                IncW'(req_valid_i && !merges && none_free), IncW'(takes && merges),
                IncW'(enters)}),
        .snapshot_i(cnt_snapshot_i), .clear_i(cnt_clear_i), .index_i(cnt_index_i),
        .value_o(cnt_value_o)
      );
    end else begin : gen_no_counters
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, used_q};
      assign cnt_value_o = '0;
    end
  endgenerate

`ifdef WF_ASSERT_LIVE
  // coverage: what the assertions compare with
  reg refused_q, filled_q;
  reg [Entries-1:0] waited_q;
  reg [Entries*CountW-1:0] counted_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      refused_q <= 1'b0;
      filled_q <= 1'b0;
    end else begin
      refused_q <= req_valid_i && !req_ready_o && !fill_valid_i;
      filled_q <= fill_valid_i;
    end
  end
  always_ff @(posedge clk_i) if (req_valid_i && !req_ready_o) begin
    waited_q <= waits_q;
    counted_q <= count_q;
  end
  wire [Entries-1:0] of_fill = waits_q & fills;
`endif
  `WF_ASSUME(rule_1_on_its_way, !fill_valid_i || of_fill != '0,
             "Rule 1: a fill is of an entry whose line is on its way")
  `WF_ASSERT(rule_2_one_entry, !req_valid_i || (match & (match - 1'b1)) == '0,
             "Rule 2: no two entries wait for one line")
  `WF_ASSERT(rule_3_counts, (!merges || (has != '0 && merge_full == (has == CountW'(Merge))))
             && (!fill_valid_i || ends != '0),
             "Rule 3: an entry that waits has 1 to Merge requests")
  `WF_ASSERT(rule_4_refused, !refused_q || (waits_q == waited_q && count_q === counted_q),
             "Rule 4: a request that is not taken changes nothing")
  `WF_ASSERT(rule_5_answered, done_valid_o == filled_q,
             "Rule 5: an answer follows each fill, an edge later, and none comes without one")
  `WF_ASSERT(rule_6_entry, !takes || merges == live[req_entry_o],
             "Rule 6: what is new gets an entry that nobody has, what is merged its line's")
  `WF_ASSERT(rule_7_refusal, !req_valid_i || req_ready_o || (merges ? has == CountW'(Merge)
             : live == '1),
             "Rule 7: a request is refused only where no entry is free, or its line's is full")
endmodule
`default_nettype wire
