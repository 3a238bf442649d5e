// spref_count: a row that was taken is what is read, and its class is that of its mean over the
// lanes that go on.
`default_nettype none
`include "wf_assert.vh"
module spref_count_props #(
  parameter integer NumWarp = 2,
  parameter integer Lanes = 2,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1
) (
  input wire clk_i, input wire wr, input wire [WarpW-1:0] wr_warp, input wire [Lanes*4-1:0] wr_row,
  input wire rd, input wire [WarpW-1:0] rd_warp
);
`include "formal.vh"
  wire [Lanes*4-1:0] row;
  wire set, busy;
  wire [WarpW-1:0] set_warp;
  wire [1:0] set_class;
  wire go = wr && rst_ni, read = rd && rst_ni;
  spref_count #(.NumWarp(NumWarp), .Lanes(Lanes)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_i(go), .wr_warp_i(wr_warp), .wr_row_i(wr_row), .rd_i(read),
    .rd_warp_i(rd_warp), .row_o(row), .set_o(set), .set_warp_o(set_warp), .set_class_o(set_class),
    .busy_o(busy)
  );
  `WF_ASSUME(warps,
             {1'b0, wr_warp} < (WarpW + 1)'(NumWarp) && {1'b0, rd_warp} < (WarpW + 1)'(NumWarp),
             "warps are below NumWarp")
  // One warp, any: what was taken for it two edges before a read, or earlier.
  (* anyconst *) wire [WarpW-1:0] warp;
  reg known_q, known2_q, asked_q;
  reg [Lanes*4-1:0] row_q, row2_q, want_q;
  initial known_q = 1'b0;
  initial known2_q = 1'b0;
  initial asked_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    if (go && wr_warp == warp) begin
      known_q <= 1'b1;
      row_q <= wr_row;
    end
    known2_q <= known_q;
    row2_q <= row_q;
    asked_q <= read && rd_warp == warp && known2_q;
    if (read && rd_warp == warp) want_q <= row2_q;
  end
  reg [Lanes*4-1:0] want_planes_c;
  always @(*) for (int i = 0; i < Lanes; i = i + 1)
    for (int k = 0; k < 4; k = k + 1) want_planes_c[k*Lanes + i] = want_q[i*4 + k];
  `WF_ASSERT(row_right, !asked_q || row == want_planes_c,
             "a row is read as it was taken, bit by bit of all lanes")
  // Its class, two edges later.
  reg [2:0] at_q;
  reg [Lanes*4-1:0] r1_q, r2_q, r3_q;
  reg [WarpW-1:0] w1_q, w2_q, w3_q;
  initial at_q = 3'd0;
  always @(posedge clk_i) if (rst_ni) begin
    at_q <= {at_q[1:0], go};
    r1_q <= wr_row;
    r2_q <= r1_q;
    r3_q <= r2_q;
    w1_q <= wr_warp;
    w2_q <= w1_q;
    w3_q <= w2_q;
  end
  reg [9:0] sum_c, lanes_c;
  always @(*) begin
    sum_c = 10'd0;
    lanes_c = 10'd0;
    for (int i = 0; i < Lanes; i = i + 1) begin
      sum_c = sum_c + {6'd0, r3_q[i*4 +: 4]};
      if (r3_q[i*4 +: 4] != 4'd0) lanes_c = lanes_c + 10'd1;
    end
  end
  wire [1:0] class_c = sum_c < 10'd4 * lanes_c ? 2'd1 : sum_c < 10'd6 * lanes_c ? 2'd2 : 2'd3;
  `WF_ASSERT(told, set == at_q[2], "each row is told, after three edges")
  `WF_ASSERT(class_right, !set || (set_warp == w3_q && set_class == class_c),
             "its warp, and the class of its mean")
  `WF_COVER(class_1, set && set_class == 2'd1)
  `WF_COVER(class_2, set && set_class == 2'd2)
  `WF_COVER(class_3, set && set_class == 2'd3)
  `WF_COVER(read_back, asked_q)
  `WF_QUIET(!go && !read && !busy)
endmodule
`default_nettype wire
