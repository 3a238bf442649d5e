// teleport_buffer: the preload buffer of one SM: tags of the blocks that lie in the shared memory
// which the kernel leaves free, the ranges of the controller walked block by block and filtered by
// them, and the count of blocks that each waiting thread block lacks. README.md has the page; this
// header is the contract for whoever connects it.
//
// The data are not here: line n is LineBytes of shared memory, e.g. the n-th from its end. Lines in
// use are 0 .. Sets * ways - 1.
//
// CHANNELS. A transfer is valid and ready at a rising edge; an offer holds until taken; valid may
// not wait for ready. acc_rsp has no ready.
//
//   start  a kernel begins: everything is forgotten; `ways`, up to Ways: lines that it leaves free
//          / Sets. Taken when no thread block is left, no block is on its way and no range waits;
//          every access has its answer. After reset ways is 0: every request is dropped.
//   ask    from the controller: the thread block of `slot` wants the bytes low .. high (signed, one
//          bit wider than an address) and `lines` more such ranges, each `pitch` bytes further.
//          none = 1: nothing; last = 1: this was all. Ranges of thread blocks are not interleaved.
//          Ranges of them wait here; those of a slot whose thread block has not ended hold up the
//          others. Line by line, each block that holds a byte of it and lies within bound_lo_i ..
//          bound_hi_i (both included) is requested once, ascending; after cap_i requests a thread
//          block gets no more.
//   fetch  to memory: block `block` into line `line`. In the order of the requests; what is here or
//          on its way is not fetched. What finds no line is dropped: nobody waits for it.
//   rsp    from memory: the block of line `line` has come; its data are written to shared memory at
//          this edge or before. Always ready.
//   acc    line requests of loads (store = 0) and stores (1; atomics too) of this SM, in their
//          order. Nearly always ready. acc_rsp_valid_o after E3 for the transfer of edge E0: hit:
//          the block is in line `line`; coming: it is on its way there (then hit = 0). A load that
//          hits reads line `line` before a later rsp for that line writes it. A store that finds
//          the block makes it go: loads after it miss; if it was on its way what comes is not kept.
//          Stores go on to memory in any case.
//   go     the thread block of `slot` may start: all its requests came and every block that it
//          waits for is here (overlap_i: or not).
//   end    that thread block has ended. Always ready. Its slot is free when nothing is on its way
//          for it any more.
//
// ORDER. acc acts in the order of its edges. A store that is taken at an edge acts before every
// fetch that is taken later. So what a fetch reads must not be older than a store of this SM that
// was taken on acc before it: both reach memory in this order.
//
// LEVELS: overlap_i: thread blocks go as soon as their requests are known; bound_lo_i, bound_hi_i,
// cap_i. Changed only while no thread block is left and no range waits.
//
// TIME: a range is a request 6 edges after it was taken; from then on one request or access a
// cycle, accesses first (after 8 cycles of which one request goes); two requests that follow each
// other to one set take two cycles. A thread block goes 5 edges after its last block came.
//
// STORAGE in RAM: Sets * Ways * (BlockBits - log2 Sets + MaxTb), and the ranges that wait, Ranges *
// (SlotW + 2 * AddrBits + PitchBits + HeightBits + 4).
//
// IDLE: idle_o: nothing will change until a valid input: the clock may be withheld.
//
// Rules
//   1 Offers hold.   2 Slots and lines exist.   3 Requests of thread blocks are not interleaved.
//   4 The queue of fetches has room.   5 Nothing is on its way for a slot that is free.
//   6 An idle unit holds nothing.
//   7 A kernel starts only when nothing of the one before is left.
`default_nettype none
`include "wf_assert.vh"

module teleport_buffer #(
  parameter integer Sets = 4,          // 1, 2, 4 .. 64
  parameter integer Ways = 96,         // 1..128
  parameter integer MaxTb = 8,         // slots of the SM, 1..64
  parameter integer BlockBits = 25,    // of a block's address; over log2 of Sets, to 58
  parameter integer LineBytes = 128,   // of a block, a power of two
  parameter integer PitchBits = 20,    // of the distance of two lines in bytes, 1..
  parameter integer HeightBits = 8,    // of the number of lines; with PitchBits up to an address's
  parameter integer CapBits = 10,      // of cap_i, 1..20
  parameter integer Ranges = 8,        // that wait, 3..64
  parameter integer CounterBits = 40,  // of the performance counters, up to 64; 0: none
  parameter integer KeepUnread = 0,    // 1: lines that no load has found since
                                       // they were asked for go last
  localparam integer Lines = Sets * Ways,
  localparam integer LineW = Lines > 1 ? $clog2(Lines) : 1,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer FillW = $clog2(Ways + 1),
  localparam integer AddrBits = BlockBits + $clog2(LineBytes)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  // levels
  input  wire                 overlap_i,
  input  wire [BlockBits-1:0] bound_lo_i,
  input  wire [BlockBits-1:0] bound_hi_i,
  input  wire [CapBits-1:0]   cap_i,
  // a kernel begins
  input  wire                 start_valid_i,
  output wire                 start_ready_o,
  input  wire [FillW-1:0]     start_ways_i,
  // ranges
  input  wire                 ask_valid_i,
  output wire                 ask_ready_o,
  input  wire [SlotW-1:0]     ask_slot_i,
  input  wire                 ask_last_i,
  input  wire                 ask_none_i,
  input  wire [AddrBits:0]    ask_low_i,
  input  wire [AddrBits:0]    ask_high_i,
  input  wire [PitchBits-1:0] ask_pitch_i,
  input  wire [HeightBits-1:0] ask_lines_i,
  // fetches and what they bring
  output wire                 fetch_valid_o,
  input  wire                 fetch_ready_i,
  output wire [BlockBits-1:0] fetch_block_o,
  output wire [LineW-1:0]     fetch_line_o,
  input  wire                 rsp_valid_i,
  output wire                 rsp_ready_o,
  input  wire [LineW-1:0]     rsp_line_i,
  // loads and stores
  input  wire                 acc_valid_i,
  output wire                 acc_ready_o,
  input  wire                 acc_store_i,
  input  wire [BlockBits-1:0] acc_block_i,
  output wire                 acc_rsp_valid_o,
  output wire                 acc_rsp_hit_o,
  output wire                 acc_rsp_coming_o,
  output wire [LineW-1:0]     acc_rsp_line_o,
  // thread blocks
  output wire                 go_valid_o,
  input  wire                 go_ready_i,
  output wire [SlotW-1:0]     go_slot_o,
  input  wire                 end_valid_i,
  output wire                 end_ready_o,
  input  wire [SlotW-1:0]     end_slot_i,
  // counters: snapshot copies all, clear zeroes the running ones; order in unit.ini
  input  wire                 cnt_snapshot_i,
  input  wire                 cnt_clear_i,
  input  wire [4:0]           cnt_index_i,
  output wire [63:0]          cnt_value_o,
  output wire                 idle_o
);
  localparam integer SetB = $clog2(Sets);
  localparam integer SetW = Sets > 1 ? SetB : 1;
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1;
  localparam integer TagW = BlockBits - SetB;
  localparam integer FetchDepth = 8, Ahead = 4;  // requests that may be in the pipeline
  localparam integer FetchW = $clog2(FetchDepth + 1);
  localparam integer FlyW = $clog2(Lines + 1);
  localparam integer NCount = 22;
  localparam [1:0] LOAD = 2'd0, STORE = 2'd1, ASK = 2'd2, CLOSE = 2'd3;

  initial begin
    if (Sets < 1 || Sets > 64 || (Sets & (Sets - 1)) != 0)
      $fatal(1, "teleport_buffer: Sets must be a power of two, 1..64");
    if (Ways < 1 || Ways > 128) $fatal(1, "teleport_buffer: Ways must be 1..128");
    if (MaxTb < 1 || MaxTb > 64) $fatal(1, "teleport_buffer: MaxTb must be 1..64");
    if (BlockBits <= SetB || BlockBits > 58)
      $fatal(1, "teleport_buffer: BlockBits must exceed log2 of Sets, up to 58");
    if (LineBytes < 2 || (LineBytes & (LineBytes - 1)) != 0 || AddrBits > 63)
      $fatal(1, "teleport_buffer: LineBytes must be a power of two, 2 or more, an address 63 bits");
    if (PitchBits < 1 || HeightBits < 1 || PitchBits + HeightBits > AddrBits)
      $fatal(1, "teleport_buffer: PitchBits + HeightBits must be 2 .. an address's, neither 0");
    if (CapBits < 1 || CapBits > 20) $fatal(1, "teleport_buffer: CapBits must be 1..20");
    if (Ranges < 3 || Ranges > 64) $fatal(1, "teleport_buffer: Ranges must be 3..64");
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "teleport_buffer: CounterBits must be 0..64");
    if (KeepUnread < 0 || KeepUnread > 1) $fatal(1, "teleport_buffer: KeepUnread must be 0 or 1");
  end

  // A block's set: all its address bits, folded, each fold turned by one more; so the lines of a
  // tile, whose distance is a power of two, spread over the sets, and two blocks of a line with
  // them.
  function automatic [SetW-1:0] set_of(input [BlockBits-1:0] block);
    set_of = '0;
    if (Sets > 1) for (int i = 0; i < BlockBits; i = i + 1)
      set_of[(i % SetW + i / SetW) % SetW] = set_of[(i % SetW + i / SetW) % SetW] ^ block[i];
  endfunction

  // Ranges wait; the oldest is cut into lines, and these are walked block by block.
  localparam integer RangeW = SlotW + 2 + 2 * (AddrBits + 1) + PitchBits + HeightBits;
  localparam integer LineItemW = SlotW + 2 + 2 * BlockBits;
  wire range_valid, range_ready, range_last, range_none, cut_valid, cut_ready, cut_empty, cut_end,
       line_valid, line_ready, line_empty, line_end, step_valid, step_ready, step_last, outside,
       clipped, cut, tiling, walking;
  wire [SlotW-1:0] range_slot, cut_slot, line_slot, step_slot;
  wire [AddrBits:0] range_low, range_high;
  wire [PitchBits-1:0] range_pitch;
  wire [HeightBits-1:0] range_lines;
  wire [BlockBits-1:0] cut_first, cut_last, line_first, line_last, step_block;
  wire [1:0] line_count;
  wire [$clog2(Ranges+1)-1:0] range_count;
  wf_fifo #(.Width(RangeW), .Depth(Ranges), .Ram(1)) u_ranges (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(ask_valid_i), .in_ready_o(ask_ready_o),
    .in_data_i({ask_slot_i, ask_last_i, ask_none_i, ask_low_i, ask_high_i, ask_pitch_i,
                ask_lines_i}),
    .out_valid_o(range_valid), .out_ready_i(range_ready),
    .out_data_o({range_slot, range_last, range_none, range_low, range_high, range_pitch,
                 range_lines}),
    .count_o(range_count)
  );
  teleport_tile #(
    .BlockBits(BlockBits), .LineBytes(LineBytes), .PitchBits(PitchBits), .HeightBits(HeightBits),
    .SlotW(SlotW)
  ) u_tile (
    .clk_i(clk_i), .rst_ni(rst_ni), .bound_lo_i(bound_lo_i), .bound_hi_i(bound_hi_i),
    .item_valid_i(range_valid), .item_ready_o(range_ready), .item_slot_i(range_slot),
    .item_none_i(range_none), .item_last_i(range_last), .item_low_i(range_low),
    .item_high_i(range_high), .item_pitch_i(range_pitch), .item_lines_i(range_lines),
    .line_valid_o(cut_valid), .line_ready_i(cut_ready), .line_slot_o(cut_slot),
    .line_empty_o(cut_empty), .line_end_o(cut_end), .line_first_o(cut_first),
    .line_last_o(cut_last), .outside_o(outside), .clipped_o(clipped), .busy_o(tiling)
  );
  // Two lines, so that the walk's pace does not reach the tile within a cycle.
  wf_fifo #(.Width(LineItemW), .Depth(2)) u_lines_cut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(cut_valid), .in_ready_o(cut_ready),
    .in_data_i({cut_slot, cut_empty, cut_end, cut_first, cut_last}), .out_valid_o(line_valid),
    .out_ready_i(line_ready), .out_data_o({line_slot, line_empty, line_end, line_first, line_last}),
    .count_o(line_count)
  );
  teleport_walk #(.BlockBits(BlockBits), .CapBits(CapBits), .SlotW(SlotW)) u_walk (
    .clk_i(clk_i), .rst_ni(rst_ni), .cap_i(cap_i), .item_valid_i(line_valid),
    .item_ready_o(line_ready), .item_slot_i(line_slot), .item_empty_i(line_empty),
    .item_end_i(line_end), .item_first_i(line_first), .item_last_i(line_last),
    .req_valid_o(step_valid), .req_ready_i(step_ready), .req_slot_o(step_slot),
    .req_last_o(step_last), .req_block_o(step_block), .cut_o(cut), .busy_o(walking)
  );
  // Something is there or was an edge ago: start empties all lines, and has no time for more.
  reg front_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) front_q <= 1'b0;
    else front_q <= ask_valid_i || range_count != '0 || tiling || line_count != 2'd0 || walking;
  end

  // S0: an access, else the oldest request.
  wire head_valid, head_last, ask_go;
  wire [SlotW-1:0] head_slot;
  wire [BlockBits-1:0] head_block;
  wire [1:0] head_count;
  wire [SetW-1:0] head_set;
  wf_fifo #(.Width(SlotW + 1 + SetW + BlockBits), .Depth(2)) u_asks (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(step_valid), .in_ready_o(step_ready),
    .in_data_i({step_slot, step_last, set_of(step_block), step_block}), .out_valid_o(head_valid),
    .out_ready_i(ask_go), .out_data_o({head_slot, head_last, head_set, head_block}),
    .count_o(head_count)
  );
  reg open_q;       // requests of a thread block came, not yet its last
  reg acc_ready_q;
  reg [2:0] wait_q; // cycles in which accesses went before a request
  reg s1_q, s2_q;
  reg [1:0] s1_kind_q;
  reg s2_load_q, s2_store_q, s2_ask_q, s2_close_q;  // decoded in S1: each drives all lines
  reg [SetW-1:0] s1_set_q, s2_set_q;
  reg [BlockBits-1:0] s1_block_q, s2_block_q, s3_block_q;
  reg [SlotW-1:0] s1_slot_q, s2_slot_q, s3_slot_q;
  wire [MaxTb-1:0] used;
  wire [FetchW-1:0] fetch_count;
  wire acc_take = acc_valid_i && acc_ready_q;
  wire same_set = s1_q && s1_kind_q == ASK && s1_set_q == head_set && !head_last;
  wire room = fetch_count <= FetchW'(FetchDepth - Ahead);
  wire may_go = head_valid && (open_q || !used[head_slot]) && !same_set && room;
  assign ask_go = may_go && !acc_take;
  wire starved = may_go && acc_take;
  assign acc_ready_o = acc_ready_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
      acc_ready_q <= 1'b1;
      wait_q <= '0;
      s1_q <= 1'b0;
      s2_q <= 1'b0;
      s2_load_q <= 1'b0;
      s2_store_q <= 1'b0;
      s2_ask_q <= 1'b0;
      s2_close_q <= 1'b0;
    end else begin
      if (ask_go) open_q <= !head_last;
      acc_ready_q <= !(starved && wait_q == 3'd7);
      wait_q <= starved ? wait_q + 1'b1 : 3'd0;
      s1_q <= acc_take || ask_go;
      s2_q <= s1_q;
      s2_load_q <= s1_q && s1_kind_q == LOAD;
      s2_store_q <= s1_q && s1_kind_q == STORE;
      s2_ask_q <= s1_q && s1_kind_q == ASK;
      s2_close_q <= s1_q && s1_kind_q == CLOSE;
    end
  end
  wire [SetW-1:0] s0_set = acc_take ? set_of(acc_block_i) : head_set;
  always_ff @(posedge clk_i) begin
    if (acc_take || ask_go) begin
      s1_kind_q <= acc_take ? (acc_store_i ? STORE : LOAD) : head_last ? CLOSE : ASK;
      s1_set_q <= s0_set;
      s1_block_q <= acc_take ? acc_block_i : head_block;
      s1_slot_q <= head_slot;
    end
    if (s1_q) begin
      s2_set_q <= s1_set_q;
      s2_block_q <= s1_block_q;
      s2_slot_q <= s1_slot_q;
    end
    if (s2_q) begin
      s3_block_q <= s2_block_q;
      s3_slot_q <= s2_slot_q;
    end
  end

  // S1 and S2: tags and lines.
  wire start = start_valid_i && start_ready_o;
  wire load = s2_load_q, store = s2_store_q, ask = s2_ask_q, close = s2_close_q;
  wire here, coming, known, alloc, evict, ageing;
  wire [Ways-1:0] match, alloc_way, way;
  reg rsp_q;
  reg [SetW-1:0] rsp_set_q;
  reg [WayW-1:0] rsp_way_q;
  generate
    for (genvar b = 0; b < Ways; b = b + 16) begin : g_bank
      localparam integer Here = Ways - b > 16 ? 16 : Ways - b;
      teleport_tags #(.Sets(Sets), .Ways(Here), .TagW(TagW)) u_tags (
        .clk_i(clk_i), .rst_ni(rst_ni), .rd_i(acc_take || ask_go), .rd_set_i(s0_set),
        .s1_set_i(s1_set_q), .s1_tag_i(s1_block_q[BlockBits-1:SetB]), .s2_set_i(s2_set_q),
        .s2_ask_i(ask), .s2_alloc_i(alloc_way[b +: Here]), .s2_match_o(match[b +: Here])
      );
    end
  endgenerate
  teleport_lines #(.Sets(Sets), .Ways(Ways), .KeepUnread(KeepUnread)) u_lines (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(start), .ways_i(start_ways_i),
    .s0_i(acc_take || ask_go), .s0_set_i(s0_set), .load_i(load), .store_i(store), .ask_i(ask),
    .close_i(close), .s2_match_i(match), .here_o(here), .coming_o(coming), .known_o(known),
    .alloc_o(alloc), .evict_o(evict), .alloc_way_o(alloc_way), .way_o(way), .rsp_i(rsp_q),
    .rsp_set_i(rsp_set_q), .rsp_way_i(rsp_way_q), .busy_o(ageing)
  );

  // S3: the line's number; fetch, wait, answer.
  reg s3_acc_q, s3_wait_q, s3_new_q, s3_close_q, s3_hit_q, s3_coming_q;
  reg [Ways-1:0] s3_way_q;
  reg [SetW-1:0] s3_set_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s3_acc_q <= 1'b0;
      s3_wait_q <= 1'b0;
      s3_new_q <= 1'b0;
      s3_close_q <= 1'b0;
    end else begin
      s3_acc_q <= load || store;
      s3_wait_q <= alloc || (ask && coming && !known);
      s3_new_q <= alloc;
      s3_close_q <= close;
    end
  end
  always_ff @(posedge clk_i) begin
    if (s2_q) begin
      s3_hit_q <= here;
      s3_coming_q <= coming;
      s3_way_q <= way;
      s3_set_q <= s2_set_q;
    end
  end
  wire [WayW-1:0] s3_way;
  wire s3_any;
  wf_onehot_enc #(.N(Ways)) u_way (.onehot_i(s3_way_q), .index_o(s3_way), .any_o(s3_any));
  wire [31:0] s3_number = 32'(s3_way) * Sets + (Sets > 1 ? 32'(s3_set_q) : 32'd0);
  wire [LineW-1:0] s3_line = LineW'(s3_number);
  reg acc_rsp_q, acc_hit_q, acc_coming_q;
  reg [LineW-1:0] acc_line_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_rsp_q <= 1'b0;
    else acc_rsp_q <= s3_acc_q;
  end
  always_ff @(posedge clk_i) begin
    if (s3_acc_q) begin
      acc_hit_q <= s3_hit_q;
      acc_coming_q <= s3_coming_q;
      acc_line_q <= s3_line;
    end
  end
  assign acc_rsp_valid_o = acc_rsp_q;
  assign acc_rsp_hit_o = acc_hit_q;
  assign acc_rsp_coming_o = acc_coming_q;
  assign acc_rsp_line_o = acc_line_q;
  wire fetch_room;
  wf_fifo #(.Width(BlockBits + LineW), .Depth(FetchDepth)) u_fetches (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(s3_new_q), .in_ready_o(fetch_room),
    .in_data_i({s3_block_q, s3_line}), .out_valid_o(fetch_valid_o), .out_ready_i(fetch_ready_i),
    .out_data_o({fetch_block_o, fetch_line_o}), .count_o(fetch_count)
  );

  // Replies: line n is way n / Sets of set n % Sets.
  assign rsp_ready_o = 1'b1;
  wire [31:0] rsp_number = 32'(rsp_line_i);
  reg [LineW-1:0] rsp_line_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= 1'b0;
    else rsp_q <= rsp_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (rsp_valid_i) begin
      rsp_line_q <= rsp_line_i;
      rsp_set_q <= SetW'(rsp_number % Sets);
      rsp_way_q <= WayW'(rsp_number / Sets);
    end
  end
  reg [FlyW-1:0] fly_q;  // blocks on their way
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fly_q <= '0;
    else if (s3_new_q != rsp_q) fly_q <= s3_new_q ? fly_q + 1'b1 : fly_q - 1'b1;
  end

  // Thread blocks.
  wire waiting, slots_busy;
  assign end_ready_o = 1'b1;
  teleport_slots #(.Lines(Lines), .MaxTb(MaxTb)) u_slots (
    .clk_i(clk_i), .rst_ni(rst_ni), .overlap_i(overlap_i), .open_i(ask_go), .open_slot_i(head_slot),
    .wait_i(s3_wait_q), .wait_new_i(s3_new_q), .wait_slot_i(s3_slot_q), .wait_line_i(s3_line),
    .close_i(s3_close_q), .close_slot_i(s3_slot_q), .used_o(used), .rsp_i(rsp_q),
    .rsp_line_i(rsp_line_q), .go_valid_o(go_valid_o), .go_ready_i(go_ready_i),
    .go_slot_o(go_slot_o), .end_i(end_valid_i), .end_slot_i(end_slot_i), .waiting_o(waiting),
    .busy_o(slots_busy)
  );
  // As it was an edge ago, as front_q is: what comes from there is seen by one of the two.
  wire rest = used == '0 && fly_q == '0 && !head_valid;
  reg rest_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rest_q <= 1'b1;
    else rest_q <= rest;
  end
  assign start_ready_o = rest_q && !front_q;
  assign idle_o = !(front_q || head_valid || s1_q || s2_q || s3_acc_q || s3_wait_q || s3_close_q
                    || acc_rsp_q || fetch_valid_o || fly_q != '0 || slots_busy || wait_q != 3'd0
                    || !acc_ready_q || ageing || rest_q != rest);

  // Counters: the order is that of unit.ini.
  generate
    if (CounterBits != 0) begin : g_count
      wire [NCount-1:0] inc = {
        cut, clipped, outside, ask_valid_i && ask_ready_o,
        ask_valid_i && !ask_ready_o, starved, waiting, go_valid_o && go_ready_i, rsp_q,
        store && coming, store && here, store, load && coming, load && here, load, evict,
        ask && !here && !coming && !alloc, alloc, ask && coming && !known,
        ask && known, ask && here && !known, ask};
      wf_counters #(.N(NCount), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, evict, waiting, cut, clipped,
                        outside};
      assign cnt_value_o = '0;
    end
  endgenerate

  `WF_ASSUME_STABLE(rule1_acc, acc_valid_i, acc_ready_o, {acc_store_i, acc_block_i}, 1 + BlockBits,
                    "Rule 1: an offered access holds")
  `WF_ASSUME_STABLE(rule1_start, start_valid_i, start_ready_o, start_ways_i, FillW,
                    "Rule 1: an offered kernel holds")
  `WF_ASSERT_STABLE(rule1_go, go_valid_o, go_ready_i, go_slot_o, SlotW,
                    "Rule 1: an offered thread block holds")
  wire [31:0] ask_slot_n = 32'(ask_slot_i), end_slot_n = 32'(end_slot_i),
              ways_n = 32'(start_ways_i);
  `WF_ASSUME(rule2_ask, !ask_valid_i || ask_slot_n < MaxTb,
             "Rule 2: a range's slot is below MaxTb")
  `WF_ASSUME(rule2_end, !end_valid_i || end_slot_n < MaxTb, "Rule 2: an ended slot is below MaxTb")
  `WF_ASSUME(rule2_ways, !start_valid_i || ways_n <= Ways, "Rule 2: at most Ways ways are in use")
  `WF_ASSUME(rule2_rsp, !rsp_valid_i || rsp_number < Lines,
             "Rule 2: a reply's line is below Sets * Ways")
`ifdef WF_ASSERT_LIVE
  reg [SlotW-1:0] open_slot_q;
  always_ff @(posedge clk_i) if (ask_go) open_slot_q <= head_slot;
`endif
  `WF_ASSUME(rule3_order, !(head_valid && open_q) || head_slot == open_slot_q,
             "Rule 3: requests of thread blocks are not interleaved")
  `WF_ASSERT(rule4_room, !s3_new_q || fetch_room, "Rule 4: the queue of fetches has room")
  `WF_ASSERT(rule7_start, !start_ready_o || (rest && range_count == '0 && !tiling && !walking),
             "Rule 7: a kernel starts only when nothing of the one before is left")
  `WF_ASSERT(rule6_idle, !idle_o || (head_count == '0 && fetch_count == '0 && !waiting
                                      && range_count == '0 && !tiling && !walking),
             "Rule 6: an idle unit holds nothing")
  `WF_ASSUME(rule2_range, !ask_valid_i || ask_none_i || $signed(ask_low_i) <= $signed(ask_high_i),
             "Rule 2: a range that is not nothing has low <= high")
  wire unused = &{1'b0, ask_slot_n, end_slot_n, ways_n, rsp_number, s3_number, s3_any, fetch_room,
                  head_count};
endmodule
`default_nettype wire
