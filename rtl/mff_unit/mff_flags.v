// mff_flags: a bit for each tag; over 1,024 tags in banks of 1,024 flops. Set goes before clear.
//   N 1..1024, or 2048, 4096
// Storage: N flops.
`default_nettype none

module mff_flags #(
  parameter integer N = 256,
  localparam integer AtW = N > 1 ? $clog2(N) : 1
) (
  input  wire           clk_i,
  input  wire           rst_ni,
  input  wire           set_i,
  input  wire [AtW-1:0] set_at_i,
  input  wire           clear_i,
  input  wire [AtW-1:0] clear_at_i,
  output wire [N-1:0]   flags_o
);
  localparam integer Bank = 1024;
  generate
    if (N <= Bank) begin : g_one
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
    end else begin : g_banks
      for (genvar k = 0; k < N / Bank; k = k + 1) begin : g_bank
        mff_flag_bank #(.N(Bank)) u_bank (
          .clk_i(clk_i), .rst_ni(rst_ni),
          .set_i(set_i && set_at_i[AtW-1:10] == (AtW-10)'(k)), .set_at_i(set_at_i[9:0]),
          .clear_i(clear_i && clear_at_i[AtW-1:10] == (AtW-10)'(k)),
          .clear_at_i(clear_at_i[9:0]), .flags_o(flags_o[k*Bank +: Bank])
        );
      end
    end
  endgenerate
endmodule
`default_nettype wire
