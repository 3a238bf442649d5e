// Which slice owns a block: block number modulo the number of slices.
//
// With NSlice = T * 2^k, T odd:  x mod NSlice = ((x >> k) mod T) * 2^k + (x mod 2^k).
// The remainder by 3 is a digit sum: 4, 16 and 256 are 1 modulo 3, so fields of 2, 4 and 8 bits are
// added pairwise (an adder tree of depth clog2(Bits) - 1) until 2 bits remain. For any other T each
// bit of x counts with its weight 2^i mod T; the sum of those is summed once more, then compared
// with the multiples of T: larger and slower than by 3. No divider. The quotient is not offered:
// slices keep whole block numbers.
//
// Timing: Stages = 0 combinational, 1: slice_o follows block_i by one edge with en_i high.
//
// Parameters
//   Bits    1 .. 64   bits of a block number
//   NSlice  T * 2^k, T odd and at most 31; at most 2^16
//   Stages  0, 1
// Storage: Stages * max(1, clog2(NSlice)) flops.
//
// Rules
//   1 A slice number is below NSlice.
`default_nettype none
`include "wf_assert.vh"

module wf_mod_slice #(
  parameter integer Bits   = 25,
  parameter integer NSlice = 6,
  parameter integer Stages = 0,
  localparam integer SliceBits = (NSlice > 1) ? $clog2(NSlice) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire                  en_i,  // with Stages = 0 not looked at
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire  [Bits-1:0]      block_i,
  output logic [SliceBits-1:0] slice_o
);
  // Trailing zeros of NSlice.
  // coverage: evaluated when the design is elaborated
  function automatic integer twos(input integer n);
    twos = 0;
    for (int i = 15; i >= 0; i--) if ((n >> i) % 2 != 0) twos = i;
  endfunction
  localparam integer K = twos(NSlice);
  localparam integer T = NSlice >> K;

  initial if (Bits < 1 || Bits > 64) $fatal(1, "wf_mod_slice: Bits is %0d, must be 1 to 64", Bits);
  initial if (NSlice < 1 || NSlice > 65536 || T > 31)
    $fatal(1, "wf_mod_slice: NSlice is %0d, must be T * 2^k, T odd, at most 31 and 65536",
           NSlice);

  // Weights 2^i mod T of 64 bits, 5 bits each.
  // coverage: evaluated when the design is elaborated
  function automatic [319:0] weights(input integer t);
    integer w;
    weights = '0;
    w = t > 1 ? 1 : 0;
    for (int i = 0; i < 64; i++) begin
      weights[5*i +: 5] = w[4:0];
      w = 2 * w >= t ? 2 * w - t : 2 * w;
    end
  endfunction
  localparam [319:0] Weights = weights(T);

  // Any odd T: 64 weights below 31 give at most 1920, the 11 weights of that at most 330.
  function automatic [4:0] mod_odd(input [63:0] x);
    logic [10:0] sum;
    logic [8:0] again, rest;
    sum = '0;
    for (int i = 0; i < 64; i++) if (x[i]) sum = sum + 11'(Weights[5*i +: 5]);
    again = '0;
    for (int i = 0; i < 11; i++) if (sum[i]) again = again + 9'(Weights[5*i +: 5]);
    rest = again;
    for (int m = 11; m > 0; m--) if (32'(rest) >= m * T) rest = rest - 9'(m * T);
    mod_odd = rest[4:0];
  endfunction

  logic [SliceBits-1:0] slice;
  /* verilator lint_off UNUSEDSIGNAL */
  wire [63:0] block = 64'(block_i);  // the upper bits matter to a remainder by 3 only
  /* verilator lint_on UNUSEDSIGNAL */
  generate
    if (NSlice == 1) begin : g_one
      assign slice = '0;
    end else if (T == 1) begin : g_power
      assign slice = block[SliceBits-1:0];
    end else if (T != 3) begin : g_odd
      localparam integer OddBits = SliceBits - K;
      /* verilator lint_off UNUSEDSIGNAL */
      wire [4:0] odd = mod_odd(block >> K);  // below T
      /* verilator lint_on UNUSEDSIGNAL */
      if (K == 0) begin : g_whole
        assign slice = odd[OddBits-1:0];
      end else begin : g_rest
        assign slice = {odd[OddBits-1:0], block[K-1:0]};
      end
    end else begin : g_three
      // Digit sums in base 4, 16, 256, 65536, each field below its base: the sum of 32 digits is
      // <= 96.
      wire [63:0] x = block >> K;
      wire [63:0] s2 = (x & 64'h3333_3333_3333_3333) + ((x >> 2) & 64'h3333_3333_3333_3333);
      wire [63:0] s4 = (s2 & 64'h0f0f_0f0f_0f0f_0f0f) + ((s2 >> 4) & 64'h0f0f_0f0f_0f0f_0f0f);
      wire [63:0] s8 = (s4 & 64'h00ff_00ff_00ff_00ff) + ((s4 >> 8) & 64'h00ff_00ff_00ff_00ff);
      wire [7:0] sum = s8[7:0] + s8[23:16] + s8[39:32] + s8[55:48];  // <= 96
      wire [4:0] folded = {1'b0, sum[3:0]} + {1'b0, sum[7:4]};       // <= 20
      wire [3:0] last = {2'b0, folded[1:0]} + {2'b0, folded[3:2]} + {3'b0, folded[4]};  // <= 6
      // The upper half of each field of s8 stays 0.
      wire unused = &{1'b0, s8};
      wire [1:0] three = last == 4'd0 || last == 4'd3 || last == 4'd6 ? 2'd0
                         : last == 4'd1 || last == 4'd4 ? 2'd1 : 2'd2;
      if (K == 0) begin : g_whole
        assign slice = three;
      end else begin : g_rest
        assign slice = {three, block[K-1:0]};
      end
    end
    if (Stages == 0) begin : g_direct
      assign slice_o = slice;
    end else begin : g_registered
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) slice_o <= '0;
        else if (en_i) slice_o <= slice;
      end
    end
  endgenerate

  // A block that is not known, between offers, has no slice.
`ifdef FORMAL
  wire known = 1'b1;
`else
  wire known = (^block_i) !== 1'bx;
`endif
  `WF_ASSERT_PROVEN(rule_1_range, !known || {1'b0, slice_o} < (SliceBits + 1)'(NSlice),
                    "Rule 1: a slice number is below NSlice")
endmodule
`default_nettype wire
