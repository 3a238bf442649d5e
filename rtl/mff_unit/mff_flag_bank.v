// mff_flag_bank: a bank of mff_flags, a module of its own: it is mapped once.
//   N a power of two   Storage: N flops.
`default_nettype none

module mff_flag_bank #(
  parameter integer N = 1024,
  localparam integer AtW = $clog2(N)
) (
  input  wire           clk_i,
  input  wire           rst_ni,
  input  wire           set_i,
  input  wire [AtW-1:0] set_at_i,
  input  wire           clear_i,
  input  wire [AtW-1:0] clear_at_i,
  output wire [N-1:0]   flags_o
);
  reg [N-1:0] flags_q;
  assign flags_o = flags_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      flags_q <= '0;
    end else begin
      if (clear_i) flags_q[clear_at_i] <= 1'b0;
      if (set_i) flags_q[set_at_i] <= 1'b1;
    end
  end
endmodule
`default_nettype wire
