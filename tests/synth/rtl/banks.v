// Test piece: storage in all the forms that synthesis turns into flops. Bits words of 8 bits each.
`default_nettype none
module banks #(
  parameter integer Words = 256,
  parameter integer Form  = 0,  // 0 array, 1 one vector, 2 one register per word
  localparam integer AddrW = $clog2(Words)
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             we_i,
  input  wire [AddrW-1:0] addr_i,
  input  wire [7:0]       data_i,
  output wire [7:0]       data_o
);
  wire unused = &{1'b0, rst_ni};
  generate
    if (Form == 0) begin : g_array
      reg [7:0] word_q [0:Words-1];
      always_ff @(posedge clk_i) if (we_i) word_q[addr_i] <= data_i;
      assign data_o = word_q[addr_i];
    end else if (Form == 1) begin : g_vector
      reg [8*Words-1:0] word_q;
      always_ff @(posedge clk_i) if (we_i) word_q[addr_i*8 +: 8] <= data_i;
      assign data_o = word_q[addr_i*8 +: 8];
    end else begin : g_registers
      wire [8*Words-1:0] all;
      for (genvar i = 0; i < Words; i = i + 1) begin : g_word
        reg [7:0] word_q;
        always_ff @(posedge clk_i) if (we_i && addr_i == AddrW'(i)) word_q <= data_i;
        assign all[i*8 +: 8] = word_q;
      end
      assign data_o = all[addr_i*8 +: 8];
    end
  endgenerate
endmodule
`default_nettype wire
