// flexcl: flexible exclusion at one slice of L2: says of each read whether its line lives in the L1
// alone, or in both caches.
//
// Two groups of leading sets keep a policy each: Leaders sets are non-inclusive (a line that is
// fetched goes to both caches), Leaders sets are exclusive (it goes to the L1 alone, and comes back
// when the L1 replaces it). A read that misses in a set of the first moves PSEL up by one, in a set
// of the second down by one, up to its ends. All other sets are exclusive while PSEL is over half
// of its range, where it starts. Leading sets are spread evenly: with 96 sets and two leaders the
// non-inclusive ones are 0 and 48, the exclusive ones 24 and 72.
//
// CHANNELS. A transfer is valid and ready at a rising edge; valid never waits for ready.
//   acc   a read that has looked the slice up, one a cycle; miss: its line is neither there nor on
//         its way; keeps: the L1 will keep the line. Answer, two edges later: excl: a line that is
//         there leaves with the reply, one that is fetched takes no way, and the L1 sends it back
//         when it replaces it; else it stays, or takes a way
// IDLE: nothing is inside and nothing will change until a valid input.
//
// Parameters: below. Storage: PselBits + 8 flops, 16 * CounterBits in RAM.
//
// Rules
//   1 An answer follows each request two edges later, and none comes without one.
//   2 A leading set keeps its policy.
//   3 PSEL moves by one, at a leading set's miss only, and not past its ends.
//   4 Another set follows PSEL.
//   5 A line that the L1 does not keep stays.
//   6 A request is of one of the sets.
`default_nettype none
`include "wf_assert.vh"

module flexcl #(
  parameter integer Sets = 96,         // of the slice, 2..4096
  parameter integer Leaders = 2,       // sets that keep each policy, 1..16; 2 Leaders <= Sets
  parameter integer PselBits = 11,     // 2..16
  parameter integer CounterBits = 28,  // of the performance counters, up to 64; 0: none
  localparam integer SetW = $clog2(Sets)
) (
  input  wire            clk_i,
  input  wire            rst_ni,
  input  wire            acc_valid_i,
  output wire            acc_ready_o,
  input  wire [SetW-1:0] acc_set_i,
  input  wire            acc_miss_i,
  input  wire            acc_keeps_i,
  output wire            acc_rsp_valid_o,
  output wire            acc_rsp_excl_o,
  input  wire            cnt_snapshot_i,
  input  wire            cnt_clear_i,
  input  wire [2:0]      cnt_index_i,
  output wire [63:0]     cnt_value_o,
  output wire            idle_o
);
  localparam integer NCount = 8;
  localparam [PselBits-1:0] HALF = {1'b1, {(PselBits-1){1'b0}}};

  initial begin
    if (Sets < 2 || Sets > 4096) $fatal(1, "flexcl: Sets is %0d, must be 2 to 4096", Sets);
    if (Leaders < 1 || Leaders > 16 || 2 * Leaders > Sets)
      $fatal(1, "flexcl: Leaders is %0d, must be 1 to 16, and at most half of Sets", Leaders);
    if (PselBits < 2 || PselBits > 16)
      $fatal(1, "flexcl: PselBits is %0d, must be 2 to 16", PselBits);
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "flexcl: CounterBits is %0d, must be 0 to 64", CounterBits);
  end

  // Is the set the leader of a group, which begins at `from`?
  function automatic leads(input [SetW-1:0] set, input integer from);
    leads = 1'b0;
    for (int k = 0; k < Leaders; k = k + 1)
      if (set == SetW'(k * Sets / Leaders + from)) leads = 1'b1;
  endfunction

  reg acc_q, non_q, excl_q, miss_q, keeps_q;
  assign acc_ready_o = 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) acc_q <= 1'b0;
    else acc_q <= acc_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      non_q <= leads(acc_set_i, 0);
      excl_q <= leads(acc_set_i, Sets / (2 * Leaders));
      miss_q <= acc_miss_i;
      keeps_q <= acc_keeps_i;
    end
  end

  reg [PselBits-1:0] psel_q;
  wire over = psel_q > HALF;
  wire up = acc_q && non_q && miss_q, down = acc_q && excl_q && miss_q;
  wire stuck = (up && psel_q == '1) || (down && psel_q == '0);
  wire [PselBits-1:0] psel_d = stuck ? psel_q : up ? psel_q + 1'b1 : down ? psel_q - 1'b1 : psel_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) psel_q <= HALF;
    else psel_q <= psel_d;
  end
  wire excl = keeps_q && (excl_q || (!non_q && over));

  reg rsp_q, rsp_excl_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= 1'b0;
    else rsp_q <= acc_q;
  end
  always_ff @(posedge clk_i) if (acc_q) rsp_excl_q <= excl;
  assign acc_rsp_valid_o = rsp_q;
  assign acc_rsp_excl_o = rsp_excl_q;
  assign idle_o = !acc_q && !rsp_q;

  generate
    if (CounterBits > 0) begin : gen_counters
      wf_counters #(.N(NCount), .Width(CounterBits), .IncBits(1)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({stuck, (psel_d > HALF) != over, acc_q && excl, down, up, acc_q && keeps_q,
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
  reg before_q, led_q, was_non_q, was_excl_q, kept_q, over_q;
  reg [PselBits-1:0] was_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      before_q <= 1'b0;
      led_q <= 1'b0;
      was_q <= HALF;
    end else begin
      before_q <= acc_q;
      led_q <= acc_q && (non_q || excl_q) && miss_q;
      was_q <= psel_q;
    end
  end
  always_ff @(posedge clk_i) if (acc_q) begin
    was_non_q <= non_q;
    was_excl_q <= excl_q;
    kept_q <= keeps_q;
    over_q <= over;
  end
`endif
  `WF_ASSERT(rule_1_answered, acc_rsp_valid_o == before_q,
             "Rule 1: an answer follows each request, and none comes without one")
  `WF_ASSERT(rule_2_policy, !before_q || !kept_q || ((!was_non_q || !rsp_excl_q)
             && (!was_excl_q || rsp_excl_q)), "Rule 2: a leading set keeps its policy")
  `WF_ASSERT(rule_3_by_one, psel_q == was_q || (led_q && {1'b0, psel_q} <= {1'b0, was_q} + 1'b1
             && {1'b0, was_q} <= {1'b0, psel_q} + 1'b1),
             "Rule 3: PSEL moves by one, at a leading set's miss only, and not past its ends")
  `WF_ASSERT(rule_4_follows, !before_q || !kept_q || was_non_q || was_excl_q
             || rsp_excl_q == over_q, "Rule 4: another set follows PSEL")
  `WF_ASSERT(rule_5_stays, !before_q || kept_q || !rsp_excl_q,
             "Rule 5: a line that the L1 does not keep stays")
  `WF_ASSUME(rule_6_set, !acc_valid_i || {1'b0, acc_set_i} < (SetW+1)'(Sets),
             "Rule 6: a request is of one of the sets")
endmodule
`default_nettype wire
