// Which slice owns a block where slices are hashed: row r = x / NSlice of block numbers is turned
// by h = r ^ r >> 4 ^ r >> 9 ^ r >> 15 places, slice = (x + h) mod NSlice. r and h have 32 bits.
//
// No divider: x is cut into digits of two bits; what the digits above each leave modulo T, the odd
// part of NSlice, is found by a parallel prefix over tables of six inputs, and gives each digit of
// the quotient.
//
// Timing: Stages = 0 combinational; 3: slice_o follows block_i by three edges with en_i high. The
// stages end at the remainders, at h, and at the two numbers that are added.
//
// Parameters
//   Bits    1 .. 64   bits of a block number
//   NSlice  T * 2^k, T one of 1, 3, 5, 7; at most 256
//   Stages  0, 3
// Storage with Stages = 3: 3 bits a digit and Bits; 32; 3 clog2(NSlice) flops.
//
// Rules
//   1 A slice number is below NSlice.
`default_nettype none
`include "wf_assert.vh"

module wf_slice_hash #(
  parameter integer Bits   = 24,
  parameter integer NSlice = 10,
  parameter integer Stages = 3,
  localparam integer SliceBits = (NSlice > 1) ? $clog2(NSlice) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire                  en_i,  // with Stages = 0 not looked at
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire  [Bits-1:0]      block_i,
  output wire  [SliceBits-1:0] slice_o
);
  localparam integer K = $clog2(NSlice & -NSlice);        // its trailing zeros
  localparam integer T = NSlice >> K;
  initial if (Bits < 1 || Bits > 64)
    $fatal(1, "wf_slice_hash: Bits is %0d, must be 1 to 64", Bits);
  initial if (NSlice < 1 || NSlice > 256 || (T != 1 && T != 3 && T != 5 && T != 7))
    $fatal(1, "wf_slice_hash: NSlice is %0d, must be T * 2^k, T 1, 3, 5 or 7, at most 256", NSlice);
  initial if (Stages != 0 && Stages != 3)
    $fatal(1, "wf_slice_hash: Stages is %0d, must be 0 or 3", Stages);

  localparam integer Upper = Bits > K ? Bits - K : 1;     // bits of x over the lowest K
  localparam integer Digits = (Upper + 1) / 2;
  localparam integer Levels = Digits > 1 ? $clog2(Digits) : 1;
  localparam integer Places = 16;                         // digits of h

  // What {hi, lo}, 3 bits each, leave modulo T if hi counts 4^digits times, for 2^l digits.
  // coverage: evaluated when the design is elaborated
  function automatic [6*192-1:0] joins(input integer t);
    integer weight;
    joins = '0;
    weight = 4 % t;
    for (int l = 0; l < 6; l++) begin
      for (int i = 0; i < 64; i++)
        joins[l*192 + i*3 +: 3] = 3'(((i >> 3) * weight + (i & 7)) % t);
      weight = weight * weight % t;
    end
  endfunction
  // The digit of the quotient, of {what is left above, digit}.
  // coverage: evaluated when the design is elaborated
  function automatic [63:0] quotients(input integer t);
    quotients = '0;
    for (int i = 0; i < 32; i++) quotients[i*2 +: 2] = 2'(i / t);
  endfunction
  localparam [6*192-1:0] Joins = joins(T);
  localparam [63:0] Quotients = quotients(T);

  // Remainders: left[i] of digit i and all above it.
  localparam integer PadW = 2 * Digits + K;
  wire [PadW-1:0] padded = PadW'(block_i);
  wire [2*Digits-1:0] upper = padded[PadW-1:K];
  logic [3*Digits-1:0] left;
  always_comb begin
    for (int i = 0; i < Digits; i++)
      left[3*i +: 3] = Joins[3*upper[2*i +: 2] +: 3];
    for (int l = 0; l < Levels; l++)
      for (int i = 0; i < Digits; i++) if (i + (1 << l) < Digits)
        left[3*i +: 3] = Joins[l*192 + 3*{left[3*(i+(1<<l)) +: 3], left[3*i +: 3]} +: 3];
  end

  localparam integer LowBits = K > 0 ? K : 1;             // with K = 0 one that is 0
  wire [LowBits-1:0] low = LowBits'(block_i) & LowBits'((1 << K) - 1);
  wire [2*Digits-1:0] s1_upper;
  wire [3*Digits-1:0] s1_left;
  wire [LowBits-1:0] s1_low;
  wf_stage #(.Width(5*Digits + LowBits), .Stages(Stages)) u_s1 (
    .clk_i(clk_i), .en_i(en_i), .d_i({upper, left, low}), .q_o({s1_upper, s1_left, s1_low})
  );

  // The quotient, folded; x modulo NSlice.
  logic [2*Digits-1:0] row;
  wire [3*Digits+2:0] above = {3'd0, s1_left};
  always_comb
    for (int i = 0; i < Digits; i++)
      row[2*i +: 2] = Quotients[2*{above[3*(i+1) +: 3], s1_upper[2*i +: 2]} +: 2];
  wire [31:0] r = 32'(row);
  wire [31:0] h = r ^ r >> 4 ^ r >> 9 ^ r >> 15;
  wire [31:0] s2_h;
  wire [SliceBits-1:0] s2_x;
  wire [SliceBits-1:0] x = SliceBits'({s1_left[2:0], s1_low} >> (K > 0 ? 0 : 1));
  wf_stage #(.Width(32 + SliceBits), .Stages(Stages)) u_s2 (
    .clk_i(clk_i), .en_i(en_i), .d_i({h, x}), .q_o({s2_h, s2_x})
  );

  // h modulo NSlice: pairs of digits, then pairs of those.
  wire [31:0] h_upper = s2_h >> K;
  logic [3*Places-1:0] rest;
  always_comb begin
    for (int i = 0; i < Places; i++) rest[3*i +: 3] = Joins[3*h_upper[2*i +: 2] +: 3];
    for (int l = 0; l < 4; l++)
      for (int i = 0; i < Places; i++) if (i % (2 << l) == 0)
        rest[3*i +: 3] = Joins[l*192 + 3*{rest[3*(i+(1<<l)) +: 3], rest[3*i +: 3]} +: 3];
  end
  wire [LowBits-1:0] h_low = LowBits'(s2_h) & LowBits'((1 << K) - 1);
  wire [SliceBits-1:0] turn = SliceBits'({rest[2:0], h_low} >> (K > 0 ? 0 : 1));
  wire [SliceBits-1:0] s3_turn, s3_x;
  wf_stage #(.Width(2 * SliceBits), .Stages(Stages)) u_s3 (
    .clk_i(clk_i), .en_i(en_i), .d_i({turn, s2_x}), .q_o({s3_turn, s3_x})
  );

  wire [SliceBits:0] sum = {1'b0, s3_turn} + {1'b0, s3_x};
  wire [SliceBits:0] less = sum - (SliceBits + 1)'(NSlice);
  assign slice_o = NSlice == 1 ? '0 : less[SliceBits] ? sum[SliceBits-1:0] : less[SliceBits-1:0];

  // A block that is not known, between offers, has no slice.
`ifdef FORMAL
  wire known = 1'b1;
`else
  wire known = (^{s3_turn, s3_x}) !== 1'bx;
`endif
  wire unused = &{1'b0, row, left, padded};
  `WF_ASSERT(rule_1_range, !known || {1'b0, slice_o} < (SliceBits + 1)'(NSlice),
             "Rule 1: a slice number is below NSlice")
endmodule
`default_nettype wire
