// region_core: beside an SM's L1, tells of each miss which caches should keep its line, by what has
// been learned of the memory region that the line is of, and of the load that asks.
//
// REGIONS. The runtime writes the ranges of lines that a kernel's allocations take (map). A reply
// counts in its region's row: an access, whether L2 found the line shared by cores, or asked for
// again by this one. LOADS (Mode 2): a row for each of a few PCs: its requests, and the hits of
// lines that it brought. Every Period replies all rows are halved, one a cycle where nothing else
// wants them; a row of at least 2^Share accesses then is trained; one whose count exceeds a
// 2^Share-th of its accesses has the property: flags rise, and stay to the launch's end, or until
// the row changes hands:
//   region  shared, private      load  reuse
// A miss of a trained region (else: unknown), by Mode
//   0  private and not shared: past L2, copied back
//   1  not shared: past L2; private besides: copied back
//   2  the same, and a load without reuse goes past L1, unless the line is to be copied back
// If all rows are taken, what has none is counted elsewhere: regions in one counter, PCs by hash in
// a few. After halving, one of these that exceeds the least row's accesses gives it to the region,
// or to the PC of this hash, that comes next. Every Probe-th miss that would go past L1 does not
// know its load, so that loads may show reuse again.
//
// CHANNELS. A transfer is valid and ready at a rising edge; valid never waits for ready.
//   map   a region's range of lines, both ends included; the kernel has not begun
//   acc   a line request that has looked the L1 up, one a cycle. Answer, two edges later; of what
//         is no miss: nothing. past_l1, past_l2: the line goes past; copy: the L1 sends it to L2
//         when it replaces it; region: comes back with the reply
//   rep   a reply of L2 to this core's read, one a cycle
// clear_i: regions, rows and flags are forgotten. Not in a cycle with a request, nor before idle.
// IDLE: nothing is inside and nothing will change until a valid input.
//
// Parameters: below. Storage, in RAM: RegionRows * 3 * Bits; Mode 2: PcRows * 2 * Bits + Hashes *
// Bits + Sets * Ways * clog2(PcRows + 1) beside the L1's tags; 32 * CounterBits. Flops: Regions *
// (2 LineBits + 1) + RegionRows * (clog2(Regions + 1) + 4), Mode 2: PcRows * (PcBits + 3).
//
// Rules
//   1 An answer follows each request two edges later, and none comes without one.
//   2 A line that is copied back goes past L2, and never past L1.
//   3 What is no miss goes nowhere.
//   4 No two rows are of one PC or of one region.
//   5 Flags rise, and fall only where a row changes hands.
//   6 A request is of one of the sets and ways, and not both hit and miss; a reply, a map of a
//     region.
//   7 Maps, clearing and requests come apart.
`default_nettype none
`include "wf_assert.vh"

module region_core #(
  parameter integer Mode = 2,          // 0: R-Exclusion; 1: by regions alone; 2: and by PCs (B+C)
  parameter integer Sets = 64,         // of the L1, 2..1024
  parameter integer Ways = 6,          // 1..16
  parameter integer LineBits = 25,     // of a line's number, 2..60
  parameter integer PcBits = 16,       // 4..64
  parameter integer Regions = 31,      // 2..63
  parameter integer RegionRows = 31,   // 2..Regions
  parameter integer PcRows = 15,       // 2..63
  parameter integer Hashes = 16,       // a power of two, 2..64
  parameter integer Bits = 16,         // of a count, 4..24
  parameter integer Share = 6,         // 1..Bits - 2
  parameter integer Period = 1024,     // replies, 2..65536
  parameter integer Probe = 64,        // 2..4096; 0: never
  parameter integer CounterBits = 28,  // of the performance counters, up to 64; 0: none
  localparam integer SetW = $clog2(Sets),
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1,
  localparam integer RegionW = $clog2(Regions + 1)  // Regions itself: of none
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                clear_i,
  input  wire                map_valid_i,
  output wire                map_ready_o,
  input  wire [RegionW-1:0]  map_region_i,
  input  wire [LineBits-1:0] map_first_i,
  input  wire [LineBits-1:0] map_last_i,
  input  wire                acc_valid_i,
  output wire                acc_ready_o,
  input  wire [PcBits-1:0]   acc_pc_i,
  input  wire [LineBits-1:0] acc_line_i,
  input  wire [SetW-1:0]     acc_set_i,
  input  wire [WayW-1:0]     acc_way_i,  // of a hit; of a miss: the way that it would take
  input  wire                acc_hit_i,
  input  wire                acc_miss_i, // neither: the line is on its way
  output wire                acc_rsp_valid_o,
  output wire                acc_rsp_past_l1_o,
  output wire                acc_rsp_past_l2_o,
  output wire                acc_rsp_copy_o,
  output wire [RegionW-1:0]  acc_rsp_region_o,
  input  wire                rep_valid_i,
  output wire                rep_ready_o,
  input  wire [RegionW-1:0]  rep_region_i,
  input  wire                rep_shared_i,
  input  wire                rep_private_i,
  input  wire                cnt_snapshot_i,
  input  wire                cnt_clear_i,
  input  wire [3:0]          cnt_index_i,
  output wire [63:0]         cnt_value_o,
  output wire                idle_o
);
  localparam integer NCount = 16;
  localparam [RegionW-1:0] NONE = RegionW'(Regions);
  localparam integer RowW = $clog2(RegionRows);
  localparam integer PeriodW = $clog2(Period);

  initial begin
    if (Mode < 0 || Mode > 2) $fatal(1, "region_core: Mode is %0d, must be 0 to 2", Mode);
    if (Sets < 2 || Sets > 1024) $fatal(1, "region_core: Sets is %0d, must be 2 to 1024", Sets);
    if (Ways < 1 || Ways > 16) $fatal(1, "region_core: Ways is %0d, must be 1 to 16", Ways);
    if (LineBits < 2 || LineBits > 60)
      $fatal(1, "region_core: LineBits is %0d, must be 2 to 60", LineBits);
    if (PcBits < 4 || PcBits > 64) $fatal(1, "region_core: PcBits is %0d, must be 4 to 64", PcBits);
    if (Regions < 2 || Regions > 63)
      $fatal(1, "region_core: Regions is %0d, must be 2 to 63", Regions);
    if (RegionRows < 2 || RegionRows > Regions)
      $fatal(1, "region_core: RegionRows is %0d, must be 2 to Regions", RegionRows);
    if (PcRows < 2 || PcRows > 63) $fatal(1, "region_core: PcRows is %0d, must be 2 to 63", PcRows);
    if (Hashes < 2 || Hashes > 64 || (Hashes & (Hashes - 1)) != 0)
      $fatal(1, "region_core: Hashes is %0d, must be a power of two, 2 to 64", Hashes);
    if (Bits < 4 || Bits > 24) $fatal(1, "region_core: Bits is %0d, must be 4 to 24", Bits);
    if (Share < 1 || Share > Bits - 2)
      $fatal(1, "region_core: Share is %0d, must be 1 to Bits - 2", Share);
    if (Period < 2 || Period > 65536)
      $fatal(1, "region_core: Period is %0d, must be 2 to 65536", Period);
    if (Probe < 0 || Probe == 1 || Probe > 4096)
      $fatal(1, "region_core: Probe is %0d, must be 0, or 2 to 4096", Probe);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "region_core: CounterBits is %0d, must be 0 to 64", CounterBits);
  end

  // ---- regions ----
  reg [Regions-1:0] map_q;
  reg [Regions*LineBits-1:0] first_q, last_q;
  assign map_ready_o = 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      map_q <= '0;
    end else if (clear_i) begin
      map_q <= '0;
    end else if (map_valid_i) begin
      for (int r = 0; r < Regions; r = r + 1) if (map_region_i == RegionW'(r)) map_q[r] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (map_valid_i) begin
      for (int r = 0; r < Regions; r = r + 1)
        if (map_region_i == RegionW'(r)) begin
          first_q[r*LineBits +: LineBits] <= map_first_i;
          last_q[r*LineBits +: LineBits] <= map_last_i;
        end
    end
  end

  // ---- a request: which region, and what is known of it; then what becomes of it ----
  reg one_q, one_miss_q, two_q, miss_q;
  reg [Regions-1:0] in_q;
  reg [RegionW-1:0] region_q;
  reg known_q, alone_q, private_q; // alone: known, not shared; private: besides asked for again
  // Of each region that has a row.
  reg [Regions-1:0] trained_q, shared_q, asked_q;
  assign acc_ready_o = 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      one_q <= 1'b0;
      two_q <= 1'b0;
    end else begin
      one_q <= acc_valid_i;
      two_q <= one_q;
    end
  end
  // The lowest, if ranges overlap.
  reg [Regions-1:0] lowest_c;
  reg [RegionW-1:0] region_c;
  always_comb begin
    region_c = NONE;
    lowest_c = '0;
    for (int r = Regions - 1; r >= 0; r = r - 1)
      if (in_q[r]) begin
        region_c = RegionW'(r);
        lowest_c = Regions'(1) << r;
      end
  end
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      for (int r = 0; r < Regions; r = r + 1)
        in_q[r] <= map_q[r] && acc_line_i >= first_q[r*LineBits +: LineBits]
                   && acc_line_i <= last_q[r*LineBits +: LineBits];
      one_miss_q <= acc_miss_i;
    end
    if (one_q) begin
      region_q <= region_c;
      known_q <= |(lowest_c & trained_q);
      alone_q <= |(lowest_c & trained_q & ~shared_q);
      private_q <= |(lowest_c & trained_q & ~shared_q & asked_q);
      miss_q <= one_miss_q;
    end
  end

  // ---- rows of regions ----
  reg [RegionRows-1:0] row_q;
  reg [RegionRows*RegionW-1:0] row_key_q;

  // A reply.
  reg rep_q, rep_shared_q, rep_private_q;
  reg [RegionW-1:0] rep_region_q;
  assign rep_ready_o = 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rep_q <= 1'b0;
    else rep_q <= rep_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (rep_valid_i) begin
      rep_region_q <= rep_region_i;
      rep_shared_q <= rep_shared_i;
      rep_private_q <= rep_private_i;
    end
  end
  reg [RegionRows-1:0] rep_at_c, row_free_c;
  reg [RowW-1:0] at_index_c, free_index_c;
  always_comb begin
    row_free_c = '0;
    at_index_c = '0;
    free_index_c = '0;
    for (int e = RegionRows - 1; e >= 0; e = e - 1) begin
      rep_at_c[e] = row_q[e] && row_key_q[e*RegionW +: RegionW] == rep_region_q;
      if (rep_at_c[e]) at_index_c = at_index_c | RowW'(e);
      if (!row_q[e]) begin
        row_free_c = RegionRows'(1) << e;
        free_index_c = RowW'(e);
      end
    end
  end
  wire rep_named = rep_q && rep_region_q != NONE;
  wire row_full = &row_q;
  wire rep_there = |rep_at_c;
  wire row_takes = rep_named && !rep_there && !row_full;
  wire rep_lost = rep_named && !rep_there && row_full;

  // Periods: all rows are halved, a row a cycle, where nothing is counted.
  reg [PeriodW-1:0] period_q;
  reg row_sweep_q;
  reg [3:0] tail_q; // how far the last step has come; [2]: all is judged, [3]: and compared
  reg [RowW-1:0] row_next_q;
  wire pc_sweep;
  wire period_ends = rep_q && period_q == PeriodW'(Period - 1);
  wire row_sweeps = row_sweep_q || (|tail_q);
  wire sweep_starts = period_ends && !row_sweeps && !pc_sweep;
  wire row_step = row_sweep_q && !rep_q;
  wire row_step_last = row_step && row_next_q == RowW'(RegionRows - 1);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      period_q <= '0;
      row_sweep_q <= 1'b0;
      tail_q <= '0;
    end else begin
      tail_q <= {tail_q[2:0], row_step_last};
      if (clear_i) period_q <= '0;
      else if (rep_q) period_q <= period_ends ? '0 : period_q + 1'b1;
      if (sweep_starts) row_sweep_q <= 1'b1;
      else if (row_step_last) row_sweep_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (sweep_starts) row_next_q <= '0;
    else if (row_step) row_next_q <= row_next_q + 1'b1;
  end
  reg next_there_c;
  always_comb begin
    next_there_c = 1'b0;
    for (int e = 0; e < RegionRows; e = e + 1) if (row_next_q == RowW'(e)) next_there_c = row_q[e];
  end

  wire row_judged, row_some, row_had, row_busy;
  wire [RowW-1:0] row_index;
  wire [3*Bits-1:0] row;
  wire [Bits-1:0] row_count = row[Bits-1:0];
  region_counts #(.Entries(RegionRows), .Fields(3), .Bits(Bits)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i), .zero_valid_i(row_takes),
    .zero_index_i(free_index_c),
    .op_valid_i((row_step && next_there_c) || (rep_named && !rep_lost)), .op_halve_i(!rep_q),
    .op_index_i(!rep_q ? row_next_q : rep_there ? at_index_c : free_index_c),
    .op_inc_i({rep_private_q, rep_shared_q, 1'b1}), .halve_en_i(1'b1), .some_o(row_some),
    .valid_o(row_judged), .index_o(row_index), .had_o(row_had), .row_o(row), .busy_o(row_busy)
  );
  wire unused_counts = &{1'b0, row_some, row_had};
  wire row_trained = row_count >= Bits'(1 << Share);
  wire row_shared = row[Bits +: Bits] > row_count >> Share;
  wire row_private = row[2*Bits +: Bits] > row_count >> Share;
  // The region of the row that is judged: rows change hands only when all have been.
  reg [RegionW-1:0] row_key_c;
  always_comb begin
    row_key_c = '0;
    for (int e = 0; e < RegionRows; e = e + 1)
      if (row_index == RowW'(e)) row_key_c = row_key_c | row_key_q[e*RegionW +: RegionW];
  end

  // The row of the fewest accesses, of those that have been halved in this period.
  reg row_min_valid_q;
  reg [RowW-1:0] row_min_at_q;
  reg [RegionW-1:0] row_min_key_q;
  reg [Bits-1:0] row_min_q, lost_q;
  wire row_lower = row_judged && (!row_min_valid_q || row_count < row_min_q);
  wire row_frees = tail_q[3] && row_full && row_min_valid_q && lost_q > row_min_q;
  wire [Bits-1:0] lost = tail_q[2] ? lost_q >> 1 : lost_q;
  wire [Bits-1:0] lost_d = rep_lost && lost != '1 ? lost + 1'b1 : lost;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_min_valid_q <= 1'b0;
      lost_q <= '0;
    end else if (clear_i) begin
      row_min_valid_q <= 1'b0;
      lost_q <= '0;
    end else begin
      if (sweep_starts) row_min_valid_q <= 1'b0;
      else if (row_judged) row_min_valid_q <= 1'b1;
      lost_q <= row_frees ? {{Bits-1{1'b0}}, rep_lost} : lost_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (row_lower) begin
      row_min_q <= row_count;
      row_min_at_q <= row_index;
      row_min_key_q <= row_key_c;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_q <= '0;
    end else if (clear_i) begin
      row_q <= '0;
    end else begin
      if (row_frees) row_q[row_min_at_q] <= 1'b0;
      if (row_takes) row_q <= row_q | row_free_c;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int e = 0; e < RegionRows; e = e + 1)
      if (row_takes && row_free_c[e]) row_key_q[e*RegionW +: RegionW] <= rep_region_q;
  end
  // A region without a row has no flag.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      trained_q <= '0;
      shared_q <= '0;
      asked_q <= '0;
    end else if (clear_i) begin
      trained_q <= '0;
      shared_q <= '0;
      asked_q <= '0;
    end else begin
      for (int r = 0; r < Regions; r = r + 1) begin
        if (row_judged && row_key_c == RegionW'(r)) begin
          if (row_trained) trained_q[r] <= 1'b1;
          if (row_shared) shared_q[r] <= 1'b1;
          if (row_private) asked_q[r] <= 1'b1;
        end
        if (row_frees && row_min_key_q == RegionW'(r)) begin
          trained_q[r] <= 1'b0;
          shared_q[r] <= 1'b0;
          asked_q[r] <= 1'b0;
        end
      end
    end
  end

  // ---- rows of loads ----
  wire pc_known, reuse;   // of the request's
  wire enters;            // its line takes the way in L1
  wire probes;
  wire pc_busy;           // something of the rows is inside
  wire pc_lost, pc_swaps;
  generate
    if (Mode == 2) begin : g_pcs
      region_pcs #(
        .Sets(Sets), .Ways(Ways), .PcBits(PcBits), .PcRows(PcRows), .Hashes(Hashes), .Bits(Bits),
        .Share(Share)
      ) u_pcs (
        .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i), .start_i(sweep_starts),
        .acc_valid_i(acc_valid_i), .acc_pc_i(acc_pc_i), .acc_set_i(acc_set_i),
        .acc_way_i(acc_way_i), .acc_hit_i(acc_hit_i), .one_i(one_q), .two_i(two_q),
        .enters_i(enters), .known_o(pc_known), .reuse_o(reuse), .lost_o(pc_lost),
        .swaps_o(pc_swaps), .sweeps_o(pc_sweep), .busy_o(pc_busy)
      );
    end else begin : g_no_pcs
      wire unused = &{1'b0, acc_pc_i, acc_set_i, acc_way_i, acc_hit_i, enters};
      assign {pc_known, reuse, pc_busy, pc_lost, pc_swaps, pc_sweep} = 6'b0;
    end
  endgenerate

  // ---- what becomes of a miss ----
  wire miss = two_q && miss_q;
  wire copy = miss && private_q;
  wire past_l2 = miss && (private_q || (alone_q && Mode != 0));
  wire no_reuse = miss && pc_known && !reuse && !private_q;
  wire past_l1 = no_reuse && !probes;
  assign enters = miss && !past_l1;
  generate
    if (Mode == 2 && Probe != 0) begin : g_probe
      localparam integer ProbeW = $clog2(Probe);
      reg [ProbeW-1:0] probe_q;
      assign probes = no_reuse && probe_q == ProbeW'(Probe - 1);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) probe_q <= '0;
        else if (clear_i) probe_q <= '0;
        else if (no_reuse) probe_q <= probes ? '0 : probe_q + 1'b1;
      end
    end else begin : g_no_probe
      assign probes = 1'b0;
    end
  endgenerate

  assign acc_rsp_valid_o = two_q;
  assign acc_rsp_past_l1_o = past_l1;
  assign acc_rsp_past_l2_o = past_l2;
  assign acc_rsp_copy_o = copy;
  assign acc_rsp_region_o = region_q;
  assign idle_o = !one_q && !two_q && !rep_q && !row_sweeps && !row_busy && !pc_busy;

  generate
    if (CounterBits > 0) begin : gen_counters
      wf_counters #(.N(NCount), .Width(CounterBits), .IncBits(1)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({sweep_starts, row_frees, pc_swaps, pc_lost, rep_lost, rep_q && rep_private_q,
                rep_q && rep_shared_q, rep_q, probes, miss && !pc_known, miss && !known_q,
                copy, past_l2, past_l1, miss, two_q}),
        .snapshot_i(cnt_snapshot_i), .clear_i(cnt_clear_i), .index_i(cnt_index_i),
        .value_o(cnt_value_o)
      );
    end else begin : gen_no_counters
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, pc_lost, pc_swaps, known_q};
      assign cnt_value_o = '0;
    end
  endgenerate

`ifdef WF_ASSERT_LIVE
  // coverage: what the assertions compare with
  reg before_q;
  reg [Regions-1:0] was_trained_q, was_shared_q, was_asked_q, has_row_c;
  wire [Regions-1:0] given_up = clear_i ? '1 : row_frees ? Regions'(1) << row_min_key_q : '0;
  always_comb begin
    has_row_c = '0;
    for (int e = 0; e < RegionRows; e = e + 1)
      if (row_q[e])
        has_row_c = has_row_c | (Regions'(1) << row_key_q[e*RegionW +: RegionW]);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      before_q <= 1'b0;
      was_trained_q <= '0;
      was_shared_q <= '0;
      was_asked_q <= '0;
    end else begin
      before_q <= one_q;
      if (row_judged || row_frees || clear_i) begin
        was_trained_q <= trained_q & ~given_up;
        was_shared_q <= shared_q & ~given_up;
        was_asked_q <= asked_q & ~given_up;
      end
    end
  end
`endif
  `WF_ASSERT(rule_1_answered, acc_rsp_valid_o == before_q,
             "Rule 1: an answer follows each request, and none comes without one")
  `WF_ASSERT(rule_2_copied, !acc_rsp_valid_o || !acc_rsp_copy_o
             || (acc_rsp_past_l2_o && !acc_rsp_past_l1_o),
             "Rule 2: a line that is copied back goes past L2, and never past L1")
  `WF_ASSERT(rule_3_miss, !acc_rsp_valid_o || miss_q
             || !(acc_rsp_past_l1_o || acc_rsp_past_l2_o || acc_rsp_copy_o),
             "Rule 3: what is no miss goes nowhere")
  `WF_ASSERT(rule_4_reply_once, !rep_q || (rep_at_c & (rep_at_c - 1'b1)) == '0,
             "Rule 4: no two rows are of one region")
  `WF_ASSERT(rule_5_no_row, ((trained_q | shared_q | asked_q) & ~has_row_c) == '0,
             "Rule 5: a region without a row has no flag")
  `WF_ASSERT(rule_5_trained, (was_trained_q & ~trained_q & has_row_c) == '0,
             "Rule 5: flags rise, and fall only where a row changes hands")
  `WF_ASSERT(rule_5_shared, (was_shared_q & ~shared_q & has_row_c) == '0,
             "Rule 5: flags rise, and fall only where a row changes hands")
  `WF_ASSERT(rule_5_private, (was_asked_q & ~asked_q & has_row_c) == '0,
             "Rule 5: flags rise, and fall only where a row changes hands")
  `WF_ASSUME(rule_6_request, !acc_valid_i || ({1'b0, acc_set_i} < (SetW+1)'(Sets)
             && {1'b0, acc_way_i} < (WayW+1)'(Ways) && !(acc_hit_i && acc_miss_i)),
             "Rule 6: a request is of one of the sets and ways, and not both hit and miss")
  `WF_ASSUME(rule_6_reply, (!rep_valid_i || {1'b0, rep_region_i} < (RegionW+1)'(Regions + 1))
             && (!map_valid_i || map_region_i < NONE), "Rule 6: a reply, a map of a region")
  `WF_ASSUME(rule_7_apart, !(clear_i || map_valid_i)
             || (idle_o && !acc_valid_i && !rep_valid_i && !(clear_i && map_valid_i)),
             "Rule 7: maps, clearing and requests come apart")
endmodule
`default_nettype wire
