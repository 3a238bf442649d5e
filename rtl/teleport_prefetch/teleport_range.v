// teleport_range: one end of a row's range: base + size * (x * px + y * py + z * pz + offset),
// exact.
//
// Products and the offset are signed, the ids, the size and the base are not. The result is wide
// enough for every value, so that nothing wraps: what lies outside of memory is seen as such.
//
// Timing: a pipeline without stalls, one row a cycle; ADDRESS_STAGES = 7 edges from the inputs to
// address_o. Each multiplication is cut in halves: partial products in one stage, their sum in the
// next.
//
//   1 half products of ids         2 products
//   3 x*px + y*py, z*pz + offset   4 their sum: the index
//   5 half products with the size  6 product                7 + base
//
//   IdxBits 1..32   ProdBits 2..32   SizeBits 1..16   AddrBits 8..64
// Storage: flops only, about 2 * 3 * (IdxBits + ProdBits) + 7 * FullW.
`default_nettype none

module teleport_range #(
  parameter integer IdxBits = 16,
  parameter integer ProdBits = 16,
  parameter integer SizeBits = 8,
  parameter integer AddrBits = 32,
  localparam integer IndexW = IdxBits + ProdBits + 2,
  localparam integer ScaledW = IndexW + SizeBits + 1,
  localparam integer FullW = (ScaledW > AddrBits + 1 ? ScaledW : AddrBits + 1) + 1
) (
  input  wire                  clk_i,
  input  wire [3*IdxBits-1:0]  ids_i,       // z, y, x
  input  wire [3*ProdBits-1:0] products_i,  // of z, y, x
  input  wire [ProdBits-1:0]   offset_i,
  input  wire [SizeBits-1:0]   size4_i,     // of the row that is in stage 4: its half
                                            // products are made next
  input  wire [AddrBits:0]     base6_i,     // of the row in stage 6, signed
  output wire [FullW-1:0]      address_o    // signed
);
  localparam integer ProdW = IdxBits + ProdBits;    // a product
  localparam integer LowB = ProdBits / 2;           // bits of the lower half of a factor
  localparam integer HighB = ProdBits - LowB;
  localparam integer LowS = (SizeBits + 1) / 2;
  localparam integer HighS = SizeBits - LowS;

  // 1, 2: id (unsigned) * product (signed)
  wire [3*ProdW-1:0] full;
  generate
    for (genvar d = 0; d < 3; d = d + 1) begin : g_product
      wire signed [IdxBits:0] id = {1'b0, ids_i[d*IdxBits +: IdxBits]};
      wire signed [LowB:0] low = {1'b0, products_i[d*ProdBits +: LowB]};
      wire signed [HighB-1:0] high = products_i[d*ProdBits+LowB +: HighB];
      reg signed [ProdW-1:0] low_q, high_q, full_q;
      always_ff @(posedge clk_i) begin
        low_q <= ProdW'(id) * ProdW'(low);
        high_q <= ProdW'(id) * ProdW'(high);
        full_q <= low_q + (high_q <<< LowB);
      end
      assign full[d*ProdW +: ProdW] = full_q;
    end
  endgenerate

  reg signed [ProdBits-1:0] offset1_q, offset2_q;
  reg signed [IndexW-1:0] xy_q, z_q, index_q;
  wire signed [ProdW-1:0] x = full[0 +: ProdW], y = full[ProdW +: ProdW],
                          z = full[2*ProdW +: ProdW];
  always_ff @(posedge clk_i) begin
    offset1_q <= offset_i;
    offset2_q <= offset1_q;
    xy_q <= IndexW'(x) + IndexW'(y);
    z_q <= IndexW'(z) + IndexW'(offset2_q);
    index_q <= xy_q + z_q;
  end

  // 5, 6, 7: * size + base
  reg signed [ScaledW-1:0] scaled_q;
  reg signed [FullW-1:0] address_q;
  wire signed [LowS:0] size_low = {1'b0, size4_i[LowS-1:0]};
  wire signed [AddrBits:0] base = base6_i;
  reg signed [ScaledW-1:0] size_low_q;
  always_ff @(posedge clk_i) size_low_q <= ScaledW'(index_q) * ScaledW'(size_low);
  generate
    if (HighS > 0) begin : g_high
      wire signed [HighS:0] size_high = {1'b0, size4_i[SizeBits-1:LowS]};
      reg signed [ScaledW-1:0] size_high_q;
      always_ff @(posedge clk_i) begin
        size_high_q <= ScaledW'(index_q) * ScaledW'(size_high);
        scaled_q <= size_low_q + (size_high_q <<< LowS);
      end
    end else begin : g_no_high
      always_ff @(posedge clk_i) scaled_q <= size_low_q;
    end
  endgenerate
  always_ff @(posedge clk_i) address_q <= FullW'(scaled_q) + FullW'(base);
  assign address_o = address_q;
endmodule
`default_nettype wire
