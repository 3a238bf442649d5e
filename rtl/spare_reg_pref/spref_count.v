// spref_count: the shadow counts, one row of Lanes x 4 bits per warp: how many iterations each lane has still to run, 0 of a lane
// that has left. And of each row as it comes the class of its mean: 1 below 4, 2 below 6, 3 else (over lanes that go on).
//
// Timing: a row taken at edge t is in the RAM after t + 1, and set_o tells its warp and class between t + 2 and t + 3. rd_i at an
// edge puts the warp's row on row_o after it.
// Storage: NumWarp * Lanes * 4 bits of RAM; flops: a row, 9 bits per four lanes, and two warps.
//
// Rules
//   1 A warp is below NumWarp.
`default_nettype none
`include "wf_assert.vh"

module spref_count #(
  parameter integer NumWarp = 48,
  parameter integer Lanes = 32,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                wr_i,
  input  wire [WarpW-1:0]    wr_warp_i,
  input  wire [Lanes*4-1:0]  wr_row_i,
  input  wire                rd_i,
  input  wire [WarpW-1:0]    rd_warp_i,
  output wire [Lanes*4-1:0]  row_o,
  output wire                set_o,
  output wire [WarpW-1:0]    set_warp_o,
  output wire [1:0]          set_class_o,
  output wire                busy_o
);
  localparam integer Groups = (Lanes + 3) / 4;
  localparam integer SumW = $clog2(Lanes * 15 + 1), PopW = $clog2(Lanes + 1);
  initial if (Lanes < 1 || Lanes > 64) $fatal(1, "spref_count: Lanes must be 1..64");

  reg c1_q, c2_q, c3_q;
  reg [WarpW-1:0] c1_warp_q, c2_warp_q, c3_warp_q;
  reg [Lanes*4-1:0] c1_row_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      c1_q <= 1'b0;
      c2_q <= 1'b0;
      c3_q <= 1'b0;
    end else begin
      c1_q <= wr_i;
      c2_q <= c1_q;
      c3_q <= c2_q;
    end
  end

  // Sums of four lanes each, then of all.
  reg [Groups*6-1:0] sum_c, sum_q;
  reg [Groups*3-1:0] pop_c, pop_q;
  reg [SumW-1:0] all_c;
  reg [PopW-1:0] lanes_c;
  always_comb begin
    sum_c = '0;
    pop_c = '0;
    for (int i = 0; i < Lanes; i = i + 1) begin
      sum_c[(i/4)*6 +: 6] = sum_c[(i/4)*6 +: 6] + {2'd0, c1_row_q[i*4 +: 4]};
      pop_c[(i/4)*3 +: 3] = pop_c[(i/4)*3 +: 3] + {2'd0, c1_row_q[i*4 +: 4] != 4'd0};
    end
    all_c = '0;
    lanes_c = '0;
    for (int g = 0; g < Groups; g = g + 1) begin
      all_c = all_c + SumW'(sum_q[g*6 +: 6]);
      lanes_c = lanes_c + PopW'(pop_q[g*3 +: 3]);
    end
  end
  wire [PopW+2:0] four = {1'b0, lanes_c, 2'b00}, six = {1'b0, lanes_c, 2'b00} + {2'b00, lanes_c, 1'b0};
  localparam integer CompareW = SumW > PopW + 3 ? SumW : PopW + 3;
  reg [1:0] class_q;
  always_ff @(posedge clk_i) begin
    if (wr_i) begin
      c1_warp_q <= wr_warp_i;
      c1_row_q <= wr_row_i;
    end
    if (c1_q) begin
      c2_warp_q <= c1_warp_q;
      sum_q <= sum_c;
      pop_q <= pop_c;
    end
    if (c2_q) begin
      c3_warp_q <= c2_warp_q;
      class_q <= CompareW'(all_c) < CompareW'(four) ? 2'd1 : CompareW'(all_c) < CompareW'(six) ? 2'd2 : 2'd3;
    end
  end
  wf_ram_1r1w #(.Width(Lanes * 4), .Depth(NumWarp)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(c1_q), .wr_addr_i(c1_warp_q), .wr_mask_i(1'b1), .wr_data_i(c1_row_q),
    .rd_en_i(rd_i), .rd_addr_i(rd_warp_i), .rd_data_o(row_o)
  );
  assign set_o = c3_q;
  assign set_warp_o = c3_warp_q;
  assign set_class_o = class_q;
  assign busy_o = c1_q || c2_q || c3_q;
  wire [31:0] wr_warp_n = 32'(wr_warp_i);
  `WF_ASSUME(rule1_warp, !wr_i || wr_warp_n < NumWarp, "Rule 1: a warp is below NumWarp")
  wire unused = &{1'b0, wr_warp_n};
endmodule
`default_nettype wire
