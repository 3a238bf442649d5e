// obm: optimal bypass monitor beside one cache, an L1 or a slice of L2: says of each miss whether
// its line takes the victim's way or goes past the cache.
//
// A replacement history keeps pairs {line that came in (IB), line that it would replace (VB)}, one
// for each set, of misses drawn with probability 2^-DrawBits. The first of these decides a pair:
//   IB is asked for     replacing was right: the counter of IB's PC goes down, that of VB's up
//   VB is asked for     going past was right: IB's up, VB's down
//   IB is replaced      going past was right, for neither came back: IB's up
// A pair that a new one of its set finds undecided is forgotten. A miss whose victim is a line that
// is there goes past if the counter of its PC has reached half of its range; it starts one below.
// The PC of a line that is there (xor-folded to PcIdBits) is kept beside the cache's tags.
//
// CHANNELS. A transfer is valid and ready at a rising edge; valid never waits for ready.
//   acc   a line request that has looked the cache up, one a cycle. keep: its line takes the way
//         whatever has been learned. Answer of a miss, two edges later: past: the line goes past
//         the cache; else it takes the victim's way
// clear_i: pairs are forgotten, counters stay. Not in a cycle with a request.
// LEVEL: seed_i: where the draws begin, taken at clear; 0 counts as 1.
// IDLE: nothing is inside and nothing will change until a valid input.
//
// Parameters: below. Storage, in RAM: Sets * (2 HashBits + 2 PcIdBits) for pairs, Sets * Ways *
// PcIdBits beside the tags, 16 * CounterBits; flops: Sets + 2^PcIdBits * CountBits for what is
// learned.
//
// Rules
//   1 An answer follows each request two edges later, and none comes without one.
//   2 A line goes past only where its victim is a line that is there.
//   3 Clearing and requests come apart.
//   4 A line goes past exactly if it need not stay and its PC's counter has reached half.
//   5 A pair that was made is there for the next request of its set.
//   6 Counters move by one, and not past their ends.
//   7 A request is of one of the sets.
`default_nettype none
`include "wf_assert.vh"

module obm #(
  parameter integer Sets = 64,         // of the cache, 2..1024
  parameter integer Ways = 6,          // of the cache, 1..64
  parameter integer LineBits = 25,     // of a line address, more than HashBits
  parameter integer PcBits = 12,       // of an instruction's number in its kernel
  parameter integer HashBits = 16,     // of a line in a pair, 4..20
  parameter integer PcIdBits = 5,      // a counter for each folded PC: 2^PcIdBits, 1..8
  parameter integer CountBits = 5,     // of these counters, 2..8
  parameter integer DrawBits = 3,      // one of 2^DrawBits misses makes a pair, 1..8
  parameter integer CounterBits = 28,  // of the performance counters, up to 64; 0: none
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1,
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire [15:0]         seed_i,
  input  wire                clear_i,
  input  wire                acc_valid_i,
  output wire                acc_ready_o,
  input  wire [PcBits-1:0]   acc_pc_i,
  input  wire [LineBits-1:0] acc_line_i,
  input  wire [SetW-1:0]     acc_set_i,
  input  wire                acc_miss_i,
  input  wire                acc_keep_i,
  input  wire [WayW-1:0]     acc_vway_i,   // of a miss: the way that it would take
  input  wire                acc_vvalid_i, // a line is there
  input  wire [LineBits-1:0] acc_vline_i,  // which
  output wire                acc_rsp_valid_o,
  output wire                acc_rsp_past_o,
  input  wire                cnt_snapshot_i,
  input  wire                cnt_clear_i,
  input  wire [2:0]          cnt_index_i,
  output wire [63:0]         cnt_value_o,
  output wire                idle_o
);
  localparam integer NCount = 8;
  localparam integer PcIds = 1 << PcIdBits;
  localparam integer PairW = 2 * HashBits + 2 * PcIdBits;
  localparam [CountBits-1:0] HALF = {1'b1, {(CountBits-1){1'b0}}};

  initial begin
    if (Sets < 2 || Sets > 1024) $fatal(1, "obm: Sets is %0d, must be 2 to 1024", Sets);
    if (Ways < 1 || Ways > 64) $fatal(1, "obm: Ways is %0d, must be 1 to 64", Ways);
    if (HashBits < 4 || HashBits > 20) $fatal(1, "obm: HashBits is %0d, must be 4 to 20", HashBits);
    if (LineBits <= HashBits || LineBits > 60)
      $fatal(1, "obm: LineBits is %0d, must exceed HashBits, up to 60", LineBits);
    if (PcIdBits < 1 || PcIdBits > 8) $fatal(1, "obm: PcIdBits is %0d, must be 1 to 8", PcIdBits);
    if (PcBits < 1 || PcBits > 64) $fatal(1, "obm: PcBits is %0d, must be 1 to 64", PcBits);
    if (CountBits < 2 || CountBits > 8)
      $fatal(1, "obm: CountBits is %0d, must be 2 to 8", CountBits);
    if (DrawBits < 1 || DrawBits > 8) $fatal(1, "obm: DrawBits is %0d, must be 1 to 8", DrawBits);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "obm: CounterBits is %0d, must be 0 to 64", CounterBits);
  end

  function automatic [HashBits-1:0] hash_of(input [LineBits-1:0] line);
    hash_of = '0;
    for (int i = 0; i < LineBits; i = i + 1)
      hash_of[i % HashBits] = hash_of[i % HashBits] ^ line[i];
  endfunction
  function automatic [PcIdBits-1:0] id_of(input [PcBits-1:0] pc);
    id_of = '0;
    for (int i = 0; i < PcBits; i = i + 1) id_of[i % PcIdBits] = id_of[i % PcIdBits] ^ pc[i];
  endfunction

  // S1: the set's rows are there.
  reg acc_q, miss_q, keep_q, vvalid_q;
  reg [PcIdBits-1:0] id_q;
  reg [HashBits-1:0] hash_q, vhash_q;
  reg [SetW-1:0] set_q;
  reg [WayW-1:0] vway_q;
  assign acc_ready_o = 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_q <= 1'b0;
    else acc_q <= acc_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      miss_q <= acc_miss_i;
      keep_q <= acc_keep_i;
      vvalid_q <= acc_miss_i && acc_vvalid_i;
      id_q <= id_of(acc_pc_i);
      hash_q <= hash_of(acc_line_i);
      vhash_q <= hash_of(acc_vline_i);
      set_q <= acc_set_i;
      vway_q <= acc_vway_i;
    end
  end

  // A row that was written at the edge at which it was read comes from here.
  reg fresh_pair_q, fresh_owner_q;
  reg [PairW-1:0] last_pair_q;
  reg [Ways*PcIdBits-1:0] last_owner_q;
  wire [PairW-1:0] pair_read;
  wire [Ways*PcIdBits-1:0] owner_read;
  wire [PairW-1:0] pair = fresh_pair_q ? last_pair_q : pair_read;
  wire [Ways*PcIdBits-1:0] owner = fresh_owner_q ? last_owner_q : owner_read;

  // Compared before it is chosen: the choice drives few wires then.
  function automatic is_of(input [PairW-1:0] among, input which, input [HashBits-1:0] hash);
    is_of = among[which*HashBits +: HashBits] == hash;
  endfunction
  wire is_ib = fresh_pair_q ? is_of(last_pair_q, 1'b0, hash_q) : is_of(pair_read, 1'b0, hash_q);
  wire is_vb = fresh_pair_q ? is_of(last_pair_q, 1'b1, hash_q) : is_of(pair_read, 1'b1, hash_q);
  wire takes_ib = fresh_pair_q ? is_of(last_pair_q, 1'b0, vhash_q)
                               : is_of(pair_read, 1'b0, vhash_q);
  wire [PcIdBits-1:0] ib_id = pair[2*HashBits +: PcIdBits];
  wire [PcIdBits-1:0] vb_id = pair[2*HashBits + PcIdBits +: PcIdBits];
  function automatic [PcIdBits-1:0] of_way(input [Ways*PcIdBits-1:0] row, input [WayW-1:0] way);
    of_way = '0;
    for (int w = 0; w < Ways; w = w + 1) if (way == WayW'(w)) of_way = row[w*PcIdBits +: PcIdBits];
  endfunction
  wire [PcIdBits-1:0] victim_id = of_way(owner, vway_q);

  // What is learned.
  reg [Sets-1:0] open_q;  // sets with a pair
  reg [PcIds*CountBits-1:0] count_q;
  reg [15:0] draw_q;
  wire past = vvalid_q && !keep_q && count_q[id_q*CountBits +: CountBits] >= HALF;
  wire enters = miss_q && !past;
  reg open_here_q;  // of the request's set
  wire open = acc_q && open_here_q;
  wire ib_asked = open && is_ib;
  wire vb_asked = open && !ib_asked && is_vb;
  wire ib_gone = open && !ib_asked && !vb_asked && enters && vvalid_q && takes_ib;
  wire decided = ib_asked || vb_asked || ib_gone;
  wire make = acc_q && vvalid_q && draw_q[DrawBits-1:0] == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      draw_q <= 16'd1;
    end else if (clear_i) begin
      open_q <= '0;
      draw_q <= seed_i == '0 ? 16'd1 : seed_i;
    end else if (acc_q) begin
      if (decided || make) open_q[set_q] <= make;
      if (vvalid_q)
        draw_q <= {draw_q[14:0], draw_q[15] ^ draw_q[13] ^ draw_q[12] ^ draw_q[10]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (acc_valid_i)
      open_here_q <= (decided || make) && set_q == acc_set_i ? make : open_q[acc_set_i];
  end

  // Up and down by one, both at once if they are of one PC: then it stays.
  wire ib_up = vb_asked || ib_gone, ib_down = ib_asked, vb_up = ib_asked, vb_down = vb_asked;
  generate
    for (genvar i = 0; i < PcIds; i = i + 1) begin : g_count
      wire of_ib = ib_id == PcIdBits'(i), of_vb = vb_id == PcIdBits'(i);
      wire up = (of_ib && ib_up) || (of_vb && vb_up);
      wire down = (of_ib && ib_down) || (of_vb && vb_down);
      wire [CountBits-1:0] old = count_q[i*CountBits +: CountBits];
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) count_q[i*CountBits +: CountBits] <= HALF - 1'b1;
        else if (up && !down && old != '1) count_q[i*CountBits +: CountBits] <= old + 1'b1;
        else if (down && !up && old != '0) count_q[i*CountBits +: CountBits] <= old - 1'b1;
      end
    end
  endgenerate

  wire [PairW-1:0] new_pair = {victim_id, id_q, vhash_q, hash_q};
  wire write_owner = acc_q && enters;
  reg [Ways*PcIdBits-1:0] owner_c;
  reg [Ways-1:0] owner_mask_c;
  always_comb begin
    owner_c = owner;
    owner_mask_c = '0;
    for (int w = 0; w < Ways; w = w + 1)
      if (vway_q == WayW'(w)) begin
        owner_c[w*PcIdBits +: PcIdBits] = id_q;
        owner_mask_c[w] = 1'b1;
      end
  end
  wf_ram_1r1w #(.Width(PairW), .Depth(Sets)) u_pairs (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(make), .wr_mask_i(1'b1), .wr_addr_i(set_q),
    .wr_data_i(new_pair), .rd_en_i(acc_valid_i), .rd_addr_i(acc_set_i), .rd_data_o(pair_read)
  );
  wf_ram_1r1w #(.Width(Ways * PcIdBits), .Depth(Sets), .PartBits(PcIdBits)) u_owners (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(write_owner), .wr_mask_i(owner_mask_c),
    .wr_addr_i(set_q), .wr_data_i(owner_c), .rd_en_i(acc_valid_i), .rd_addr_i(acc_set_i),
    .rd_data_o(owner_read)
  );
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      fresh_pair_q <= make && set_q == acc_set_i;
      fresh_owner_q <= write_owner && set_q == acc_set_i;
      last_pair_q <= new_pair;
      last_owner_q <= owner_c;
    end
  end

  reg rsp_q, past_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= 1'b0;
    else rsp_q <= acc_q;
  end
  always_ff @(posedge clk_i) if (acc_q) past_q <= past;
  assign acc_rsp_valid_o = rsp_q;
  assign acc_rsp_past_o = past_q;
  assign idle_o = !acc_q && !rsp_q;

  generate
    if (CounterBits > 0) begin : gen_counters
      wf_counters #(.N(NCount), .Width(CounterBits), .IncBits(1)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({open && make && !decided, ib_gone, vb_asked, ib_asked, make, acc_q && past,
                acc_q && miss_q, acc_q}),
        .snapshot_i(cnt_snapshot_i), .clear_i(cnt_clear_i), .index_i(cnt_index_i),
        .value_o(cnt_value_o)
      );
    end else begin : gen_no_counters
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i};
      assign cnt_value_o = '0;
    end
  endgenerate

`ifdef WF_ASSERT_LIVE
  // coverage: what the assertions compare with
  reg before_q, there_q, over_q, kept_q, made_q;
  reg [SetW-1:0] made_set_q;
  reg [PairW-1:0] made_pair_q;
  reg [PcIdBits-1:0] taught_q;
  reg [CountBits-1:0] was_q;
  wire [CountBits-1:0] is = count_q[taught_q*CountBits +: CountBits];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      before_q <= 1'b0;
      made_q <= 1'b0;
    end else begin
      before_q <= acc_q;
      made_q <= make;
    end
  end
  always_ff @(posedge clk_i) if (acc_q) begin
    there_q <= vvalid_q;
    kept_q <= keep_q;
    over_q <= count_q[id_q*CountBits + CountBits - 1];
    made_set_q <= set_q;
    made_pair_q <= new_pair;
    taught_q <= ib_id;
    was_q <= count_q[ib_id*CountBits +: CountBits];
  end
`endif
  `WF_ASSERT(rule_1_answered, acc_rsp_valid_o == before_q,
             "Rule 1: an answer follows each request, and none comes without one")
  `WF_ASSERT(rule_2_there, !(acc_rsp_valid_o && acc_rsp_past_o) || there_q,
             "Rule 2: a line goes past only where its victim is a line that is there")
  `WF_ASSERT(rule_4_as_counted, !before_q || past_q == (there_q && !kept_q && over_q),
             "Rule 4: a line goes past exactly if its PC's counter has reached half")
  `WF_ASSERT(rule_5_fresh, !(made_q && acc_q && set_q == made_set_q)
             || (open_here_q && pair == made_pair_q),
             "Rule 5: a pair that was made is there for the next request of its set")
  `WF_ASSERT(rule_6_by_one, !before_q || {1'b0, is} <= {1'b0, was_q} + 1'b1
             && {1'b0, was_q} <= {1'b0, is} + 1'b1,
             "Rule 6: counters move by one, and not past their ends")
  `WF_ASSUME(rule_7_set, !acc_valid_i || {1'b0, acc_set_i} < (SetW+1)'(Sets),
             "Rule 7: a request is of one of the sets")
  `WF_ASSUME(rule_3_apart, !clear_i || (!acc_valid_i && !acc_q),
             "Rule 3: clearing and requests come apart")
endmodule
`default_nettype wire
