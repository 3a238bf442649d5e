// A unit's performance counters: increments and requests are registered, so that no path of the
// unit ends in an adder, and totals lie in RAM (wf_counter_ram).
//
// Timing: what wf_counter_ram says, one edge later. A snapshot includes the increments of the edge
// at which it is asked for.
//
// Parameters and storage: those of wf_counter_ram, and N * IncBits + 2 flops.
`default_nettype none

module wf_counters #(
  parameter integer N          = 8,
  parameter integer Width      = 48,
  parameter integer IncBits    = 1,
  parameter [N-1:0] Wide       = {N{1'b1}},
  parameter integer NarrowBits = IncBits,
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1,
  localparam integer FrontBits = IncBits + IndexBits,  // what a counter adds to its total at once
  localparam integer TotalBits = Width > FrontBits ? Width : FrontBits
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [N*IncBits-1:0] inc_i,
  input  wire                  snapshot_i,
  input  wire                  clear_i,
  input  wire  [IndexBits-1:0] index_i,
  output wire  [63:0]          value_o
);
  reg [N*IncBits-1:0] inc_q;
  reg snapshot_q, clear_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inc_q <= '0;
      snapshot_q <= 1'b0;
      clear_q <= 1'b0;
    end else begin
      inc_q <= inc_i;
      snapshot_q <= snapshot_i;
      clear_q <= clear_i;
    end
  end

  wire [TotalBits-1:0] value;
  wire busy;
  wf_counter_ram #(
    .N(N), .Width(TotalBits), .IncBits(IncBits), .Wide(Wide), .NarrowBits(NarrowBits)
  ) u_ram (
    .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc_q), .snapshot_i(snapshot_q), .clear_i(clear_q),
    .index_i(index_i), .value_o(value), .busy_o(busy)
  );
  assign value_o = 64'(value[Width-1:0]);
  wire unused = &{1'b0, busy, value};
endmodule
`default_nettype wire
