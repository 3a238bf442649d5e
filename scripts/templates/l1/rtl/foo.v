// foo: one sentence of what it does, beside one SM's L1 data cache.
// As scripts/new-unit leaves it: loads go through the L1, or past it while bypass_i is high; a
// miss takes an invalid way, else the oldest that no fill is on its way to, as LRU would.
// README.md is the page.
//
// CHANNELS. A transfer is valid and ready at a rising edge; valid never waits for ready. Answers
// are registers, valid for one cycle after the edge of their transfer; they must be taken.
//   ld    a global load of a warp, before its requests. Answer: bypass: past the L1
//   acc   a line request of a load. Answer of a miss: alloc: it takes `way`; else it goes past
// IDLE: nothing is inside and nothing will change until a valid input.
//
// Parameters: below. Storage: WayW + 4 flops, and 8 * CounterBits of counters.
//
// Rules
//   1 A way that a fill is on its way to is never given.
//   2 An answer follows each transfer, and none comes without one.
`default_nettype none
`include "wf_assert.vh"

module foo #(
  parameter integer Ways = 4,          // of the L1, 1..64
  parameter integer CounterBits = 40,  // of the performance counters, up to 64; 0: none
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 bypass_i,
  input  wire                 ld_valid_i,
  output wire                 ld_ready_o,
  output wire                 ld_rsp_valid_o,
  output wire                 ld_rsp_bypass_o,
  input  wire                 acc_valid_i,
  output wire                 acc_ready_o,
  input  wire                 acc_miss_i,
  input  wire [Ways-1:0]      acc_invalid_i,
  input  wire [Ways-1:0]      acc_reserved_i,
  input  wire [Ways*WayW-1:0] acc_rank_i, // of each way: 0 the newest .. Ways - 1 the oldest
  output wire                 acc_rsp_valid_o,
  output wire                 acc_rsp_alloc_o,
  output wire [WayW-1:0]      acc_rsp_way_o,
  input  wire                 cnt_snapshot_i,
  input  wire                 cnt_clear_i,
  input  wire [1:0]           cnt_index_i,
  output wire [63:0]          cnt_value_o,
  output wire                 idle_o
);
  localparam integer NCount = 4;

  initial if (Ways < 1 || Ways > 64)
    $fatal(1, "foo: Ways is %0d, must be 1 to 64", Ways);
  initial if (CounterBits < 0 || CounterBits > 64)
    $fatal(1, "foo: CounterBits is %0d, must be 0 to 64", CounterBits);

  assign ld_ready_o = 1'b1;
  assign acc_ready_o = 1'b1;

  logic [WayW-1:0] way;
  logic [WayW-1:0] oldest;
  always_comb begin
    way = '0;
    oldest = '0;
    for (int i = 0; i < Ways; i++)
      if (!acc_reserved_i[i] && acc_rank_i[i*WayW +: WayW] >= oldest) begin
        way = WayW'(i);
        oldest = acc_rank_i[i*WayW +: WayW];
      end
    for (int i = 0; i < Ways; i++)
      if (!acc_reserved_i[i] && acc_invalid_i[i]) way = WayW'(i);
  end
  wire alloc = acc_miss_i && acc_reserved_i != '1;

  logic            ld_q, bypass_q, acc_q, alloc_q;
  logic [WayW-1:0] way_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ld_q <= 1'b0;
      acc_q <= 1'b0;
    end else begin
      ld_q <= ld_valid_i;
      acc_q <= acc_valid_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (ld_valid_i) bypass_q <= bypass_i;
    if (acc_valid_i) alloc_q <= alloc;
    if (acc_valid_i) way_q <= way;
  end
  assign ld_rsp_valid_o = ld_q;
  assign ld_rsp_bypass_o = bypass_q;
  assign acc_rsp_valid_o = acc_q;
  assign acc_rsp_alloc_o = alloc_q;
  assign acc_rsp_way_o = way_q;
  assign idle_o = !ld_q && !acc_q;

  generate
    if (CounterBits > 0) begin : gen_counters
      wire [CounterBits-1:0] value;
      wf_counter_bank #(.N(NCount), .Width(CounterBits), .IncBits(1)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .inc_i({acc_valid_i && alloc, acc_valid_i && acc_miss_i, acc_valid_i, ld_valid_i}),
        .snapshot_i(cnt_snapshot_i), .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(value)
      );
      assign cnt_value_o = 64'(value);
    end else begin : gen_no_counters
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i};
      assign cnt_value_o = '0;
    end
  endgenerate

`ifdef WF_ASSERT_LIVE
  logic [Ways-1:0] reserved_q;
  always_ff @(posedge clk_i) if (acc_valid_i) reserved_q <= acc_reserved_i;
`endif
  `WF_ASSERT(rule_1_free, !(acc_q && alloc_q) || !reserved_q[way_q],
             "Rule 1: a way that a fill is on its way to is never given")
endmodule
`default_nettype wire
