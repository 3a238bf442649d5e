// Test piece for the model layer: ports of every storage class, and every way for a unit to stop.
`default_nettype none
`include "wf_assert.vh"

module probe #(
  parameter integer Step    = 1,
  parameter [7:0]   Code    = 8'hA5,
  parameter integer Offset  = -3,
  localparam integer Twice  = 2 * Step
) (
  input  wire          clk_i,
  input  wire          rst_ni,
  input  wire          bit_i,
  input  wire  [7:0]   byte_i,
  input  wire  [12:0]  half_i,
  input  wire  [31:0]  word_i,
  input  wire  [47:0]  long_i,
  input  wire  [129:0] wide_i,
  output logic         bit_o,
  output logic [7:0]   byte_o,
  output logic [12:0]  half_o,
  output logic [31:0]  word_o,
  output logic [47:0]  long_o,
  output logic [129:0] wide_o,
  output logic [31:0]  sum_o,    // combinational: word_i + count_o
  output logic [31:0]  count_o,
  output logic [31:0]  unset_o,  // a register that nothing sets
  output logic [31:0]  random_o,
  input  wire  [2:0]   stop_i,   // 1 assertion, 2 $finish, 3 $error, 4 never settles, 5 $stop
  output logic         idle_o,
  input  wire          snapshot_i,
  input  wire          clear_i,
  input  wire  [1:0]   index_i,
  output logic [39:0]  value_o
);
  initial if (Step < 1) $fatal(1, "probe: Step is %0d, must be 1 or more", Step);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bit_o   <= 1'b0;
      byte_o  <= Code;
      half_o  <= '0;
      word_o  <= '0;
      long_o  <= 48'(Offset) & 48'hff;
      wide_o  <= '0;
      count_o <= '0;
    end else begin
      bit_o   <= bit_i;
      byte_o  <= byte_i;
      half_o  <= half_i;
      word_o  <= word_i;
      long_o  <= long_i;
      wide_o  <= wide_i;
      count_o <= count_o + 32'(Twice) - 32'(Step);
    end
  end
  assign sum_o  = word_i + count_o;
  assign idle_o = !bit_i && !bit_o;

  logic [31:0] unset_q;
  /* verilator lint_off UNDRIVEN */
  logic [31:0] nothing;
  /* verilator lint_on UNDRIVEN */
  always_ff @(posedge clk_i) if (bit_i && byte_i == 8'hff) unset_q <= nothing;
  assign unset_o = unset_q;

  always_ff @(posedge clk_i) if (bit_i) random_o <= $random;

  always_ff @(posedge clk_i) begin
    if (stop_i == 3'd2) $finish;
    if (stop_i == 3'd3) $error("probe says no to %0d", word_i);
    if (stop_i == 3'd5) $stop;
  end
  /* verilator lint_off UNOPTFLAT */
  logic ring;
  assign ring = (stop_i == 3'd4) ? !ring : 1'b0;
  /* verilator lint_on UNOPTFLAT */
  logic seen_q;
  always_ff @(posedge clk_i) seen_q <= ring;
  `WF_ASSERT(rule_0_settled, !seen_q || stop_i == 3'd4, "Rule 0: the ring is quiet")

  probe_inner u_inner (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .trip_i  (stop_i == 3'd1)
  );

  wf_counter_bank #(.N(3), .Width(40), .IncBits(8)) u_counters (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .inc_i      ({byte_i, 7'd0, bit_i, 8'd1}),
    .snapshot_i (snapshot_i),
    .clear_i    (clear_i),
    .index_i    (index_i),
    .value_o    (value_o)
  );
endmodule
`default_nettype wire
