// spref_count: the shadow counts, one row of Lanes x 4 bits per warp: how many iterations each lane
// has still to run, 0 of a lane that has left. And of each row as it comes the class of its mean: 1
// below 4, 2 below 6, 3 else (over lanes that go on).
//
// Timing: a row taken at edge t is in the RAM after t + 1, and set_o tells its warp and class
// between t + 2 and t + 3. rd_i at an edge puts the warp's row on row_o after it. In the RAM and on
// row_o bit k of all lanes lies side by side (row_o[k*Lanes +: Lanes]).
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

  // Bit k of all lanes side by side: lanes are then compared all at once.
  function automatic [Lanes*4-1:0] planes(input [Lanes*4-1:0] counts);
    for (int i = 0; i < Lanes; i = i + 1)
      for (int k = 0; k < 4; k = k + 1) planes[k*Lanes + i] = counts[i*4 + k];
  endfunction
  // Sums of four lanes each, then of all.
  function automatic [Groups*6-1:0] sums(input [Lanes*4-1:0] row);
    sums = '0;
    for (int i = 0; i < Lanes; i = i + 1)
      sums[(i/4)*6 +: 6] = sums[(i/4)*6 +: 6] + {2'd0, row[3*Lanes + i], row[2*Lanes + i],
                                                 row[Lanes + i], row[i]};
  endfunction
  function automatic [Groups*3-1:0] pops(input [Lanes*4-1:0] row);
    pops = '0;
    for (int i = 0; i < Lanes; i = i + 1)
      pops[(i/4)*3 +: 3] = pops[(i/4)*3 +: 3] + {2'd0, row[3*Lanes + i] || row[2*Lanes + i]
                                                 || row[Lanes + i] || row[i]};
  endfunction
  reg [Groups*6-1:0] sum_q;
  reg [Groups*3-1:0] pop_q;
  localparam integer CompareW = SumW > PopW + 3 ? SumW : PopW + 3;
  function automatic [1:0] class_of(input [Groups*6-1:0] group_sums,
                                    input [Groups*3-1:0] group_pops);
    reg [CompareW-1:0] all, lanes;
    all = '0;
    lanes = '0;
    for (int g = 0; g < Groups; g = g + 1) begin
      all = all + CompareW'(group_sums[g*6 +: 6]);
      lanes = lanes + CompareW'(group_pops[g*3 +: 3]);
    end
    class_of = all < (lanes << 2) ? 2'd1 : all < (lanes << 2) + (lanes << 1) ? 2'd2 : 2'd3;
  endfunction
  reg [1:0] class_q;
  always_ff @(posedge clk_i) begin
    if (wr_i) begin
      c1_warp_q <= wr_warp_i;
      c1_row_q <= planes(wr_row_i);
    end
    if (c1_q) begin
      c2_warp_q <= c1_warp_q;
      sum_q <= sums(c1_row_q);
      pop_q <= pops(c1_row_q);
    end
    if (c2_q) begin
      c3_warp_q <= c2_warp_q;
      class_q <= class_of(sum_q, pop_q);
    end
  end
  wf_ram_1r1w #(.Width(Lanes * 4), .Depth(NumWarp)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(c1_q), .wr_addr_i(c1_warp_q), .wr_mask_i(1'b1),
    .wr_data_i(c1_row_q), .rd_en_i(rd_i), .rd_addr_i(rd_warp_i), .rd_data_o(row_o)
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
