// apcm_lat: load alias table. A CAM of the program counters of the first Ids load instructions of a
// kernel; the load's id is the number of its entry. When it is full, later loads are not tracked.
//
// Entries are taken in order and never given back but by clear_i, so the fill count says which are
// valid: no valid bits.
//
// Timing: tracked_o and id_o are combinational while look_valid_i; a new entry is written at the
// edge.
//
//   Ids 2..64   PcBits 1..
// Storage: Ids * PcBits latches (compared all at once), PcBits flops, and a fill count.
//
// Rules
//   1 No two entries have one program counter.
//   2 A tracked load's entry holds its program counter, or takes it now.
`default_nettype none
`include "wf_assert.vh"

module apcm_lat #(
  parameter integer Ids = 16,
  parameter integer PcBits = 12,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1,
  localparam integer FillW = $clog2(Ids + 1)
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              clear_i,
  input  wire              look_valid_i,
  input  wire [PcBits-1:0] look_pc_i,
  output wire              tracked_o,
  output wire [IdW-1:0]    id_o,
  output wire [FillW-1:0]  fill_o  // for assertions
);
  wire [Ids*PcBits-1:0] pcs;
  reg [FillW-1:0] fill_q;

  reg hit_c;
  reg [IdW-1:0] index_c;
  always_comb begin
    hit_c = 1'b0;
    index_c = '0;
    if (look_valid_i) begin
      for (int i = 0; i < Ids; i = i + 1) begin
        if (pcs[i*PcBits +: PcBits] == look_pc_i && FillW'(i) < fill_q) begin
          hit_c = 1'b1;
          index_c = IdW'(i);
        end
      end
    end
  end
  wire full = fill_q == FillW'(Ids);
  wire take = look_valid_i && !hit_c && !full;
  wire [IdW-1:0] next = fill_q[IdW-1:0];

  assign tracked_o = look_valid_i && (hit_c || !full);
  assign id_o = hit_c ? index_c : tracked_o ? next : '0;
  assign fill_o = fill_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fill_q <= '0;
    else if (clear_i) fill_q <= '0;
    else if (take) fill_q <= fill_q + 1'b1;
  end
  reg [Ids-1:0] take_c;
  always_comb begin
    for (int i = 0; i < Ids; i = i + 1) take_c[i] = take && next == IdW'(i);
  end
  wf_latch_words #(.Width(PcBits), .Depth(Ids)) u_pcs (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_i(take_c), .wr_data_i(look_pc_i), .words_o(pcs)
  );

`ifdef WF_ASSERT_LIVE
  reg twice_c;
  always_comb begin
    twice_c = 1'b0;
    if (look_valid_i)
      for (int i = 0; i < Ids; i = i + 1)
        // coverage: the branch is taken when rule 1 is broken
        if (pcs[i*PcBits +: PcBits] == look_pc_i && FillW'(i) < fill_q && IdW'(i) != index_c)
          twice_c = 1'b1;
  end
`endif
  `WF_ASSERT(rule1, !twice_c, "Rule 1: no two entries have one program counter")
  `WF_ASSERT(rule2, !hit_c || pcs[id_o*PcBits +: PcBits] == look_pc_i,
             "Rule 2: a load's entry holds its program counter")
endmodule
`default_nettype wire
