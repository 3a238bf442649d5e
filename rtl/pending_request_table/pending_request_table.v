// pending_request_table: loads of one SM that wait for lines, each until its last line is here.
// Nothing is merged: a line that two loads want is asked for twice.
//
// An entry is a load: how many of its lines are asked for and not here, whether all are asked for,
// and in a RAM its number and each lane's offset in its line. A reply brings the number of its
// entry and the mask of the lanes that wanted the line, and is told to the registers an edge later
// with what the RAM has. With LaneSlots, loads also share so many places for their lanes.
//
// CHANNELS. A transfer is valid and ready at a rising edge; valid never waits for ready.
//   req    one line of a load. first: the load's first line, which takes an entry; its number,
//          active lanes and their offsets come with it. Ready: it is in, as entry `entry`. Not
//          ready: no entry is free, or its lanes have no places; then nothing changes, and what was
//          not taken may be withdrawn. Later lines, of the load begun last, are always taken. mask:
//          lanes that want this line; last: all lines are asked for. The line itself goes past the
//          table, to memory, with `entry` and the mask
//   reply  a line is here, with the entry and mask of its request. Always taken. The last of a load
//          gives its entry and places back in this cycle: requests see the table as it leaves it
//   lanes  an edge after a reply, for one cycle: the load, the mask, all lanes' offsets; last: the
//          load has all its lines
// empty: no load waits, and nothing is to be told.
// IDLE: nothing will change until a valid input; loads may wait.
//
// The LSU stands in front of req alone, and no reply ever waits for it: nothing deadlocks.
//
// Parameters: below. Storage, in RAM: Entries * (LoadBits + Lanes * OffBits), 14 * CounterBits;
// flops: Entries * (clog2(Lanes + 1) + 2), as many again for places where LaneSlots is not 0.
//
// Rules
//   1 A request's lanes are active and not asked for yet; last is the one that leaves none.
//   2 A reply is of lanes that wait in its entry.
//   3 An entry waits for 1 to Lanes lines, or is still being asked for.
//   4 A request that is not taken changes nothing.
//   5 An answer follows each reply, an edge later, and none comes without one.
//   6 A load gets an entry that nobody has, and its later lines the same.
//   7 A first line is refused only where no entry is free or places are lacking; no other line is.
//   8 Each request that was taken is answered once, and the load ends with its last line.
//   9 Lanes that wait never need more than LaneSlots places.
`default_nettype none
`include "wf_assert.vh"

module pending_request_table #(
  parameter integer Entries = 44,      // loads that wait at once, 1..1024
  parameter integer Lanes = 32,        // of a load, 1..32
  parameter integer OffBits = 7,       // of a lane's place in its line, 1..12
  parameter integer LoadBits = 10,     // of a load's number, 1..64
  parameter integer LaneSlots = 0,     // places for lanes that wait, 0: no bound; Lanes..32768
  parameter integer CounterBits = 28,  // of the performance counters, up to 64; 0: none
  localparam integer EntryW = Entries > 1 ? $clog2(Entries) : 1,
  localparam integer CountW = Lanes > 0 ? $clog2(Lanes + 1) : 1,
  localparam integer OffsetsW = Lanes * OffBits
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                req_valid_i,
  output wire                req_ready_o,
  input  wire                req_first_i,
  input  wire                req_last_i,
  input  wire [Lanes-1:0]    req_mask_i,
  input  wire [Lanes-1:0]    req_active_i,
  input  wire [LoadBits-1:0] req_load_i,
  input  wire [OffsetsW-1:0] req_offsets_i,
  output wire [EntryW-1:0]   req_entry_o,
  input  wire                reply_valid_i,
  output wire                reply_ready_o,
  input  wire [EntryW-1:0]   reply_entry_i,
  input  wire [Lanes-1:0]    reply_mask_i,
  output wire                lanes_valid_o,
  output wire [LoadBits-1:0] lanes_load_o,
  output wire [Lanes-1:0]    lanes_mask_o,
  output wire [OffsetsW-1:0] lanes_offsets_o,
  output wire                lanes_last_o,
  input  wire                cnt_snapshot_i,
  input  wire                cnt_clear_i,
  input  wire [2:0]          cnt_index_i,
  output wire [63:0]         cnt_value_o,
  output wire                empty_o,
  output wire                idle_o
);
  localparam integer NCount = 7;
  localparam integer UsedW = Entries > 0 ? $clog2(Entries + 1) : 1;
  localparam integer PlaceW = $clog2(LaneSlots + Lanes + 1);

  initial begin
    if (Entries < 1 || Entries > 1024)
      $fatal(1, "pending_request_table: Entries is %0d, must be 1 to 1024", Entries);
    if (Lanes < 1 || Lanes > 32)
      $fatal(1, "pending_request_table: Lanes is %0d, must be 1 to 32", Lanes);
    if (OffBits < 1 || OffBits > 12)
      $fatal(1, "pending_request_table: OffBits is %0d, must be 1 to 12", OffBits);
    if (LoadBits < 1 || LoadBits > 64)
      $fatal(1, "pending_request_table: LoadBits is %0d, must be 1 to 64", LoadBits);
    if (LaneSlots < 0 || LaneSlots > 32768)
      $fatal(1, "pending_request_table: LaneSlots is %0d, must be 0 to 32768", LaneSlots);
    if (LaneSlots > 0 && LaneSlots < Lanes)
      $fatal(1, "pending_request_table: LaneSlots is %0d, must be 0, or Lanes (%0d) at least",
             LaneSlots, Lanes);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "pending_request_table: CounterBits is %0d, must be 0 to 64", CounterBits);
  end

  reg [Entries-1:0] waits_q;         // a load has it
  reg [Entries-1:0] closed_q;        // all its lines are asked for
  reg [Entries-1:0] single_q;        // of these one is not here
  reg [Entries*CountW-1:0] pending_q;
  reg [EntryW-1:0] open_q;           // of the load begun last

  // Of an entry, what is in `from`.
  function automatic [CountW-1:0] count_of(input [Entries*CountW-1:0] from,
                                           input [Entries-1:0] entry);
    count_of = '0;
    for (int e = 0; e < Entries; e = e + 1)
      if (entry[e]) count_of = count_of | from[e*CountW +: CountW];
  endfunction

  // The table as the reply leaves it.
  wire [Entries-1:0] replies, ends;
  generate
    for (genvar e = 0; e < Entries; e = e + 1) begin : g_reply
      assign replies[e] = reply_valid_i && reply_entry_i == EntryW'(e);
    end
  endgenerate
  assign ends = replies & closed_q & single_q;
  wire load_ends = ends != '0;
  wire [Entries-1:0] live = waits_q & ~ends;

  wire [EntryW-1:0] free_index;
  wire [Entries-1:0] free_hot;
  wire any_free, places_left;
  wf_priority_enc #(.N(Entries)) u_free (
    .bits_i(~waits_q), .onehot_o(free_hot), .index_o(free_index), .any_o(any_free)
  );
  wire none_free = !any_free && !load_ends;
  wire takes = req_valid_i && req_ready_o;
  wire enters = takes && req_first_i;
  assign req_ready_o = !req_first_i || (!none_free && places_left);
  assign req_entry_o = !req_first_i ? open_q : any_free ? free_index : reply_entry_i;
  assign reply_ready_o = 1'b1;

  wire [Entries-1:0] taken;
  generate
    for (genvar e = 0; e < Entries; e = e + 1) begin : g_taken
      assign taken[e] = takes && (!req_first_i ? open_q == EntryW'(e)
                                  : any_free ? free_hot[e] : ends[e]);
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= '0;
    else if (enters || load_ends) waits_q <= enters ? live | taken : live;
  end
  always_ff @(posedge clk_i) if (enters) open_q <= req_entry_o;
  generate
    for (genvar e = 0; e < Entries; e = e + 1) begin : g_entry
      wire [CountW-1:0] pending = pending_q[e*CountW +: CountW];
      wire [CountW-1:0] then_pending = taken[e] && req_first_i ? CountW'(1)
        : taken[e] == replies[e] ? pending : taken[e] ? pending + 1'b1 : pending - 1'b1;
      always_ff @(posedge clk_i) if (taken[e] || replies[e]) begin
        pending_q[e*CountW +: CountW] <= then_pending;
        single_q[e] <= then_pending == CountW'(1);
      end
      always_ff @(posedge clk_i) if (taken[e]) closed_q[e] <= req_last_i;
    end
  endgenerate

  // What goes with the data into the registers.
  wf_ram_1r1w #(.Width(LoadBits + OffsetsW), .Depth(Entries)) u_loads (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(enters), .wr_mask_i(1'b1), .wr_addr_i(req_entry_o),
    .wr_data_i({req_load_i, req_offsets_i}), .rd_en_i(reply_valid_i), .rd_addr_i(reply_entry_i),
    .rd_data_o({lanes_load_o, lanes_offsets_o})
  );
  reg told_q, last_q;
  reg [Lanes-1:0] mask_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) told_q <= 1'b0;
    else told_q <= reply_valid_i;
  end
  always_ff @(posedge clk_i) if (reply_valid_i) begin
    mask_q <= reply_mask_i;
    last_q <= load_ends;
  end
  assign lanes_valid_o = told_q;
  assign lanes_mask_o = mask_q;
  assign lanes_last_o = last_q;
  assign empty_o = waits_q == '0 && !told_q;
  assign idle_o = !told_q;

  // Entries in use, as a new load finds them.
  reg [UsedW-1:0] used_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) used_q <= '0;
    else if (enters != load_ends) used_q <= enters ? used_q + 1'b1 : used_q - 1'b1;
  end

  // Places for lanes.
  generate
    if (LaneSlots > 0) begin : g_places
      function automatic [CountW-1:0] lanes_of(input [Lanes-1:0] mask);
        lanes_of = '0;
        for (int l = 0; l < Lanes; l = l + 1) lanes_of = lanes_of + CountW'(mask[l]);
      endfunction
      reg [Entries*CountW-1:0] held_q;
      reg [PlaceW-1:0] left_q;
      wire [CountW-1:0] wanted = lanes_of(req_active_i);
      wire [PlaceW-1:0] left = left_q + PlaceW'(count_of(held_q, ends));
      assign places_left = left >= PlaceW'(wanted);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) left_q <= PlaceW'(LaneSlots);
        else if (enters || load_ends) left_q <= left - (enters ? PlaceW'(wanted) : '0);
      end
      for (genvar e = 0; e < Entries; e = e + 1) begin : g_held
        always_ff @(posedge clk_i)
          if (taken[e] && req_first_i) held_q[e*CountW +: CountW] <= wanted;
      end
      `WF_ASSERT(rule_9_places, left <= PlaceW'(LaneSlots),
                 "Rule 9: lanes that wait never need more than LaneSlots places")
    end else begin : g_no_places
      assign places_left = 1'b1;
    end
  endgenerate

  generate
    if (CounterBits > 0) begin : gen_counters
      wf_counters #(.N(NCount), .Width(CounterBits), .IncBits(UsedW)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({UsedW'(takes && req_first_i && req_last_i), enters ? UsedW'(used_q) : UsedW'(0),
                UsedW'(reply_valid_i),
                UsedW'(req_valid_i && req_first_i && !none_free && !places_left),
                UsedW'(req_valid_i && req_first_i && none_free), UsedW'(takes), UsedW'(enters)}),
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
  reg refused_q, replied_q;
  reg [Entries-1:0] waited_q;
  reg [Entries*CountW-1:0] counted_q;
  reg [Lanes-1:0] unasked_q;            // lanes of the open load
  reg [Lanes-1:0] waiting_q [Entries];  // lanes of each entry, asked for and not here
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      refused_q <= 1'b0;
      replied_q <= 1'b0;
      unasked_q <= '0;
    end else begin
      refused_q <= req_valid_i && !req_ready_o && !reply_valid_i;
      replied_q <= reply_valid_i;
      if (takes) unasked_q <= unasked & ~req_mask_i;
    end
  end
  wire [Lanes-1:0] unasked = req_first_i ? req_active_i : unasked_q;
  wire [Lanes-1:0] waiting = waiting_q[reply_entry_i];
  wire [Lanes-1:0] still = !reply_valid_i || reply_entry_i != req_entry_o
                           ? waiting_q[req_entry_o] : waiting_q[req_entry_o] & ~reply_mask_i;
  always_ff @(posedge clk_i) begin
    if (reply_valid_i) waiting_q[reply_entry_i] <= waiting & ~reply_mask_i;
    if (takes) waiting_q[req_entry_o] <= req_first_i ? req_mask_i : still | req_mask_i;
  end
  always_ff @(posedge clk_i) if (req_valid_i && !req_ready_o) begin
    waited_q <= waits_q;
    counted_q <= pending_q;
  end
  wire [Entries-1:0] of_reply = waits_q & replies;
  wire [CountW-1:0] due = count_of(pending_q, replies);
`endif
  `WF_ASSUME(rule_1_request, !req_valid_i || (req_mask_i != '0 && (req_mask_i & ~unasked) == '0
             && req_last_i == ((unasked & ~req_mask_i) == '0)),
             "Rule 1: a request's lanes are active and not asked for; last leaves none")
  `WF_ASSUME(rule_2_reply, !reply_valid_i || (of_reply != '0 && reply_mask_i != '0
             && (reply_mask_i & ~waiting) == '0),
             "Rule 2: a reply is of lanes that wait in its entry")
  `WF_ASSERT(rule_3_counts, !reply_valid_i || (due != '0
             && (single_q & replies) == (due == CountW'(1) ? replies : '0)),
             "Rule 3: an entry waits for 1 to Lanes lines, or is still being asked for")
  `WF_ASSERT(rule_4_refused, !refused_q || (waits_q == waited_q && pending_q === counted_q),
             "Rule 4: a request that is not taken changes nothing")
  `WF_ASSERT(rule_5_answered, lanes_valid_o == replied_q,
             "Rule 5: an answer follows each reply, an edge later, and none comes without one")
  `WF_ASSERT(rule_6_entry, !takes || req_first_i != live[req_entry_o],
             "Rule 6: a load gets an entry that nobody has, and its later lines the same")
  `WF_ASSERT(rule_7_refusal, !req_valid_i || req_ready_o
             || (req_first_i && (live == '1 || !places_left)),
             "Rule 7: a first line is refused only where no entry is free or places are lacking")
  `WF_ASSERT(rule_8_last, !reply_valid_i
             || load_ends == ((closed_q & replies) != '0 && (waiting & ~reply_mask_i) == '0),
             "Rule 8: a load ends with its last line")
endmodule
`default_nettype wire
