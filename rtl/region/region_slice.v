// region_slice: what a slice of L2 knows of its lines' cores: beside each tag the core that brought
// the line, whether another read it there (shared), whether the same did (private), and whether an
// L1 sent it back (copied). Replies take these bits along; a copied line leaves for the core that
// sent it.
//
// CHANNELS. A transfer is valid and ready at a rising edge; valid never waits for ready.
//   acc   what the slice's tags did, one a cycle, by acc_kind_i:
//           HIT      a read of the line in a way
//           MISS     a read or an atomic takes the MSHR for a line that is not there
//           JOIN     a read whose line is on its way, in the MSHR
//           FILL     what the MSHR waited for has taken the way
//           VICTIM   what a core's L1 replaced has taken the way
//           STORE    a core's store has taken the way
//         asks: a HIT, MISS or JOIN is answered two edges later: past: the line takes no way on
//         behalf of this request; leaves: it goes with the reply; shared, private: the line's bits
// IDLE: nothing is inside and nothing will change until a valid input.
//
// Parameters: below. Storage, in RAM: Sets * Ways * (CoreBits + 3) beside the tags, Mshrs *
// (CoreBits + 1), 18 * CounterBits.
//
// Rules
//   1 An answer follows each question two edges later, and none comes without one.
//   2 A line leaves for the core that its L1 sent it from, if the L1 keeps it, and for no other.
//   3 A line goes past exactly where the request says so.
//   4 A hit answers private to the core that brought the line, shared to others.
//   5 What was written to a way or an MSHR is there for the next of it.
//   6 A transfer is of one of the sets, ways and MSHRs.
`default_nettype none
`include "wf_assert.vh"

module region_slice #(
  parameter integer Sets = 96,         // of the slice, 2..4096
  parameter integer Ways = 8,          // 1..16
  parameter integer Mshrs = 64,        // 2..1024
  parameter integer CoreBits = 4,      // of a core's number, 1..8
  parameter integer CounterBits = 28,  // of the performance counters, up to 64; 0: none
  localparam integer SetW = $clog2(Sets),
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1,
  localparam integer MshrW = $clog2(Mshrs)
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                acc_valid_i,
  output wire                acc_ready_o,
  input  wire [2:0]          acc_kind_i,
  input  wire                acc_asks_i,
  input  wire [SetW-1:0]     acc_set_i,
  input  wire [WayW-1:0]     acc_way_i,   // of a HIT, FILL, VICTIM, STORE
  input  wire [MshrW-1:0]    acc_mshr_i,  // of a MISS, JOIN, FILL
  input  wire [CoreBits-1:0] acc_core_i,  // who asks, or sends
  input  wire                acc_past_i,  // it asks that the line takes no way
  input  wire                acc_keeps_i, // its L1 keeps the line
  output wire                acc_rsp_valid_o,
  output wire                acc_rsp_past_o,
  output wire                acc_rsp_leaves_o,
  output wire                acc_rsp_shared_o,
  output wire                acc_rsp_private_o,
  input  wire                cnt_snapshot_i,
  input  wire                cnt_clear_i,
  input  wire [3:0]          cnt_index_i,
  output wire [63:0]         cnt_value_o,
  output wire                idle_o
);
  localparam integer NCount = 9;
  localparam [2:0] HIT = 3'd0, MISS = 3'd1, JOIN = 3'd2, FILL = 3'd3, VICTIM = 3'd4, STORE = 3'd5;
  // Of a line: {copied, private, shared, core}; of an MSHR: {shared, core}.
  localparam integer LineW = CoreBits + 3;
  localparam integer FlightW = CoreBits + 1;

  initial begin
    if (Sets < 2 || Sets > 4096) $fatal(1, "region_slice: Sets is %0d, must be 2 to 4096", Sets);
    if (Ways < 1 || Ways > 16) $fatal(1, "region_slice: Ways is %0d, must be 1 to 16", Ways);
    if (Mshrs < 2 || Mshrs > 1024)
      $fatal(1, "region_slice: Mshrs is %0d, must be 2 to 1024", Mshrs);
    if (CoreBits < 1 || CoreBits > 8)
      $fatal(1, "region_slice: CoreBits is %0d, must be 1 to 8", CoreBits);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "region_slice: CounterBits is %0d, must be 0 to 64", CounterBits);
  end

  // S1: the rows are there.
  reg acc_q, asks_q, past_q, keeps_q;
  reg [2:0] kind_q;
  reg [SetW-1:0] set_q;
  reg [WayW-1:0] way_q;
  reg [MshrW-1:0] mshr_q;
  reg [CoreBits-1:0] core_q;
  assign acc_ready_o = 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_q <= 1'b0;
    else acc_q <= acc_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      kind_q <= acc_kind_i;
      asks_q <= acc_asks_i;
      set_q <= acc_set_i;
      way_q <= acc_way_i;
      mshr_q <= acc_mshr_i;
      core_q <= acc_core_i;
      past_q <= acc_past_i;
      keeps_q <= acc_keeps_i;
    end
  end

  // A row that was written at the edge at which it was read comes from here.
  reg fresh_line_q, fresh_flight_q;
  reg [Ways*LineW-1:0] last_lines_q;
  reg [FlightW-1:0] last_flight_q;
  wire [Ways*LineW-1:0] lines_read;
  wire [FlightW-1:0] flight_read;
  wire [Ways*LineW-1:0] lines = fresh_line_q ? last_lines_q : lines_read;
  wire [FlightW-1:0] flight = fresh_flight_q ? last_flight_q : flight_read;
  function automatic [LineW-1:0] of_way(input [Ways*LineW-1:0] row, input [WayW-1:0] way);
    of_way = '0;
    for (int w = 0; w < Ways; w = w + 1) if (way == WayW'(w)) of_way = row[w*LineW +: LineW];
  endfunction

  wire [LineW-1:0] line = of_way(lines, way_q);
  wire own = line[CoreBits-1:0] == core_q;
  wire line_shared = line[CoreBits] || !own, line_private = line[CoreBits+1] || own;
  wire copied = line[CoreBits+2];
  wire other = flight[CoreBits-1:0] != core_q;

  wire hit = acc_q && kind_q == HIT, miss = acc_q && kind_q == MISS;
  wire join_ = acc_q && kind_q == JOIN, fill = acc_q && kind_q == FILL;
  wire victim = acc_q && kind_q == VICTIM, store = acc_q && kind_q == STORE;
  wire answers = acc_q && asks_q && (kind_q == HIT || kind_q == MISS || kind_q == JOIN);
  wire leaves = hit && copied && own && keeps_q;

  // What is written.
  wire [LineW-1:0] new_line =
      hit ? {copied, line_private, line_shared, line[CoreBits-1:0]}
          : fill ? {1'b0, 1'b0, flight} : {victim, 1'b0, 1'b0, core_q};
  wire [FlightW-1:0] new_flight = miss ? {1'b0, core_q} : {flight[CoreBits] || other,
                                                           flight[CoreBits-1:0]};
  wire write_line = hit || fill || victim || store, write_flight = miss || join_;
  reg [Ways*LineW-1:0] lines_c;
  reg [Ways-1:0] mask_c;
  always_comb begin
    lines_c = lines;
    mask_c = '0;
    for (int w = 0; w < Ways; w = w + 1)
      if (way_q == WayW'(w)) begin
        lines_c[w*LineW +: LineW] = new_line;
        mask_c[w] = 1'b1;
      end
  end
  wf_ram_1r1w #(.Width(Ways * LineW), .Depth(Sets), .PartBits(LineW)) u_lines (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(write_line), .wr_mask_i(mask_c),
    .wr_addr_i(set_q), .wr_data_i(lines_c), .rd_en_i(acc_valid_i), .rd_addr_i(acc_set_i),
    .rd_data_o(lines_read)
  );
  wf_ram_1r1w #(.Width(FlightW), .Depth(Mshrs)) u_flights (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(write_flight), .wr_mask_i(1'b1),
    .wr_addr_i(mshr_q), .wr_data_i(new_flight), .rd_en_i(acc_valid_i), .rd_addr_i(acc_mshr_i),
    .rd_data_o(flight_read)
  );
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      fresh_line_q <= write_line && set_q == acc_set_i;
      fresh_flight_q <= write_flight && mshr_q == acc_mshr_i;
      last_lines_q <= lines_c;
      last_flight_q <= new_flight;
    end
  end

  reg rsp_q;
  reg [3:0] rsp_bits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= 1'b0;
    else rsp_q <= answers;
  end
  always_ff @(posedge clk_i) begin
    if (answers)
      rsp_bits_q <= {!hit && past_q, leaves, hit ? line_shared : join_ && new_flight[CoreBits],
                     hit && line_private};
  end
  assign acc_rsp_valid_o = rsp_q;
  assign {acc_rsp_past_o, acc_rsp_leaves_o, acc_rsp_shared_o, acc_rsp_private_o} = rsp_bits_q;
  assign idle_o = !acc_q && !rsp_q;

  generate
    if (CounterBits > 0) begin : gen_counters
      wf_counters #(.N(NCount), .Width(CounterBits), .IncBits(1)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({store, victim, fill, answers && !hit && past_q, join_ && other, leaves,
                hit && own, hit && !own, answers}),
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
  reg asked_q, hit_q, own_q, copied_q, kept_q, said_q, wrote_line_q, wrote_flight_q;
  reg [SetW-1:0] wrote_set_q;
  reg [WayW-1:0] wrote_way_q;
  reg [MshrW-1:0] wrote_mshr_q;
  reg [LineW-1:0] wrote_line_as_q;
  reg [FlightW-1:0] wrote_flight_as_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= 1'b0;
      wrote_line_q <= 1'b0;
      wrote_flight_q <= 1'b0;
    end else begin
      asked_q <= answers;
      if (acc_q) wrote_line_q <= write_line;
      if (acc_q) wrote_flight_q <= write_flight;
    end
  end
  always_ff @(posedge clk_i) if (acc_q) begin
    hit_q <= hit;
    own_q <= own;
    copied_q <= copied;
    kept_q <= keeps_q;
    said_q <= past_q;
    wrote_set_q <= set_q;
    wrote_way_q <= way_q;
    wrote_mshr_q <= mshr_q;
    wrote_line_as_q <= new_line;
    wrote_flight_as_q <= new_flight;
  end
`endif
  `WF_ASSERT(rule_1_answered, acc_rsp_valid_o == asked_q,
             "Rule 1: an answer follows each question, and none comes without one")
  `WF_ASSERT(rule_2_leaves, !asked_q
             || acc_rsp_leaves_o == (hit_q && copied_q && own_q && kept_q),
             "Rule 2: a line leaves for the core that its L1 sent it from, if the L1 keeps it")
  `WF_ASSERT(rule_3_past, !asked_q || acc_rsp_past_o == (!hit_q && said_q),
             "Rule 3: a line goes past exactly where the request says so")
  `WF_ASSERT(rule_4_whose, !asked_q || !hit_q || (own_q ? acc_rsp_private_o : acc_rsp_shared_o),
             "Rule 4: a hit answers private to the core that brought the line, shared to others")
  `WF_ASSERT(rule_5_line_fresh, !(wrote_line_q && acc_q && set_q == wrote_set_q
             && way_q == wrote_way_q) || line == wrote_line_as_q,
             "Rule 5: what was written to a way is there for the next of it")
  `WF_ASSERT(rule_5_flight_fresh, !(wrote_flight_q && acc_q && mshr_q == wrote_mshr_q)
             || flight == wrote_flight_as_q,
             "Rule 5: what was written to an MSHR is there for the next of it")
  `WF_ASSUME(rule_6_there, !acc_valid_i || ({1'b0, acc_set_i} < (SetW+1)'(Sets)
             && {1'b0, acc_way_i} < (WayW+1)'(Ways) && {1'b0, acc_mshr_i} < (MshrW+1)'(Mshrs)
             && acc_kind_i <= STORE && (!acc_asks_i || acc_kind_i <= JOIN)),
             "Rule 6: a transfer is of one of the sets, ways and MSHRs")
endmodule
`default_nettype wire
