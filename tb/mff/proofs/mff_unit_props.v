// mff_unit with every table at its smallest, one command after reset, and a memory of which one
// word of C and one word of V (or one bit of the bit vector) are followed; all others are free.
//   gather   any one element (lane, i) is answered exactly once, with the word that memory holds at
//            V[C[c_index + i]]
//   scatter  any one bit of the vector is set at the end if an element names it, and unchanged if
//            none does
// and completion comes once, after the last, with the command's names and count; within a bounded
// time, stalls not counted; then the unit is idle and empty. Bases are 0. At most Stalls cycles
// have a lazy neighbour.
`default_nettype none
`include "wf_assert.vh"
module mff_unit_props #(
  parameter integer Op = 0,       // 0 gather, 1 scatter_set
  parameter integer Named = 1,    // scatter: the followed element names the
                                  // followed bit; 0: no element does
  parameter integer Mask = 1,     // active ones of lanes 0 and 1
  parameter integer Size = 1,     // elements per lane, 1 to 3
  parameter integer Stalls = 0,
  parameter integer Bound = 90
) (
  input wire clk_i, input wire cmd_lazy, input wire rsp_lazy, input wire rd_lazy,
  input wire wr_lazy, input wire mem_lazy, input wire mem_side, input wire [255:0] fresh
);
`include "formal.vh"
  wire cmd_ready, rsp_valid, rd_valid, mem_ready, wr_valid, wr_last, idle, cfg_ready;
  wire [255:0] rsp, wr_data;
  wire [31:0] rd_addr, wr_addr, errors;
  wire [15:0] rd_id;
  wire [7:0] wr_mask;
  wire [63:0] cnt_value;
  // The command.
  wire [1:0] mask = 2'(Mask);
  (* anyconst *) wire [11:0] indexes;  // of lanes 0 and 1
  wire [11:0] sizes = {6'(Size), 6'(Size)};
  (* anyconst *) wire [7:0] tag;
  (* anyconst *) wire f_lane;
  (* anyconst *) wire [1:0] f_i;
  (* anyconst *) wire [11:0] f_c;      // what C holds there
  (* anyconst *) wire [31:0] f_v;      // what V holds at f_c
  (* anyconst *) wire [11:0] f_bit;
  (* anyconst *) wire f_bit_before;
  wire [5:0] size0 = sizes[5:0], size1 = sizes[11:6];
  wire [5:0] f_size = f_lane ? size1 : size0;
  wire follows = mask[f_lane] && {4'd0, f_i} < f_size;
  `WF_ASSUME(element, follows || (Op == 1 && Named == 0),
             "the followed element is one of the command's")
  wire [6:0] total = (mask[0] ? {1'b0, size0} : 7'd0) + (mask[1] ? {1'b0, size1} : 7'd0);
  wire [255:0] header = {189'd0, 3'd1, {30'd0, mask}, tag, 2'd0, 6'd0, 2'd0, 6'd0, 7'd0, Op != 0};
  wire [5:0] first_i = mask[0] ? indexes[5:0] : indexes[11:6], first_s = mask[0] ? size0 : size1;
  wire [255:0] lanes = {52'd0, size1, first_s, 128'd0, 26'd0, indexes[11:6], 26'd0, first_i};
  reg [1:0] sent_q;
  initial sent_q = 2'd0;
  wire cmd_valid = rst_ni && sent_q != 2'd2 && !cmd_lazy;
  always @(posedge clk_i) if (cmd_valid && cmd_ready) sent_q <= sent_q + 2'd1;
  reg offered_q;  // an offer is not taken back
  initial offered_q = 1'b0;
  always @(posedge clk_i) offered_q <= cmd_valid && !cmd_ready;
  `WF_ASSUME(cmd_stable, !(offered_q && cmd_lazy), "an offer holds")

  // Memory: reads wait per side (C, V); a block's beats come in a row.
  reg [1:0] asked_q;
  reg [24:0] c_blk_q, v_blk_q;
  reg busy_q, side_q;
  reg [1:0] beat_q;
  reg [255:0] data_q;
  initial asked_q = 2'd0;
  initial busy_q = 1'b0;
  wire rd_fire = rd_valid && !rd_lazy && rst_ni, mem_fire = busy_q && mem_ready;
  wire begins = !busy_q && !mem_lazy && asked_q[mem_side];
  always @(posedge clk_i) if (rst_ni) begin
    if (rd_fire && rd_id[15]) c_blk_q <= rd_addr[31:7];
    if (rd_fire && !rd_id[15]) v_blk_q <= rd_addr[31:7];
    if (rd_fire) asked_q[rd_id[15]] <= 1'b1;
    if (begins) begin
      busy_q <= 1'b1;
      side_q <= mem_side;
      beat_q <= 2'd0;
      asked_q[mem_side] <= 1'b0;
    end
    if (mem_fire) begin
      beat_q <= beat_q + 2'd1;
      if (beat_q == 2'd3) busy_q <= 1'b0;
    end
    if (begins || mem_fire) data_q <= fresh;
  end
  `WF_ASSERT(read_once, !rd_fire || (!asked_q[rd_id[15]] && !(busy_q && side_q == rd_id[15])),
             "a tag has one read outstanding")
  `WF_ASSERT(block_aligned, !rd_valid || rd_addr[6:0] == '0, "reads are of blocks")
  // In C.
  wire [6:0] f_word = {1'b0, f_lane ? (mask[0] ? indexes[11:6] : first_i) : first_i} + {5'd0, f_i};
  wire [29:0] word0 = {side_q ? c_blk_q : v_blk_q, beat_q, 3'd0};
  wire [29:0] v_word = Op == 0 ? {18'd0, f_c} : {23'd0, f_bit[11:5]};
  reg bit_q;  // the followed bit in memory
  logic [255:0] beat;
  always_comb begin
    beat = data_q;
    for (int j = 0; j < 8; j++) begin
      if (side_q) begin
        // C: values below 4096; of a scatter 2048 and up, so that the bit vector lies beyond C.
        beat[j*32+12 +: 20] = '0;
        if (Op == 1) beat[j*32+11] = 1'b1;
        if (Op == 1 && Named == 0 && beat[j*32 +: 12] == f_bit) beat[j*32] = !f_bit[0];
        if (follows && word0 + 30'(j) == {23'd0, f_word}) beat[j*32 +: 12] = f_c;
      end else if (word0 + 30'(j) == v_word) begin
        if (Op == 0) beat[j*32 +: 32] = f_v;
        else beat[j*32 + {27'd0, f_bit[4:0]}] = bit_q;
      end
    end
  end
  `WF_ASSUME(bit_range,
             Op == 0 || (f_bit[11] && f_c[11] && (Named == 1 ? f_bit == f_c : f_bit != f_c)),
             "bits 2048 to 4095")
  wire wr_fire = wr_valid && !wr_lazy && rst_ni;
  reg written_q;
  initial written_q = 1'b0;
  always @(posedge clk_i)
    if (!rst_ni) bit_q <= f_bit_before;
    else if (wr_fire)
      for (int j = 0; j < 8; j++)
        if (wr_mask[j] && {wr_addr[31:5], 3'd0} + 30'(j) == v_word)
          bit_q <= wr_data[j*32 + {27'd0, f_bit[4:0]}];
  `WF_ASSERT(no_writes, Op == 1 || !wr_valid, "a gather writes nothing")
  `WF_ASSERT(bit_kept, Op == 0 || Named == 1 || bit_q == f_bit_before,
             "a bit that no element names keeps its value")
  `WF_ASSERT(bit_stays, Op == 0 || !f_bit_before || bit_q, "a bit that is set stays set")

  mff_unit #(
    .NSlice(1), .NumSm(1), .NumWarp(1), .TagEntries(2), .CLines(1), .VLines(1), .WorkRegs(2),
    .CRegs(1), .JobEntries(1), .InterleaveBytes(128), .PackWords(1), .PackEntries(1), .VQueue(1),
    .Keep(0), .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .cfg_valid_i(1'b0), .cfg_ready_o(cfg_ready), .cfg_addr_i(4'd0),
    .cfg_data_i(32'd0), .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready),
    .cmd_data_i(sent_q == 2'd0 ? header : lanes), .rsp_valid_o(rsp_valid), .rsp_ready_i(!rsp_lazy),
    .rsp_data_o(rsp), .mem_rd_valid_o(rd_valid), .mem_rd_ready_i(!rd_lazy), .mem_rd_addr_o(rd_addr),
    .mem_rd_id_o(rd_id), .mem_rsp_valid_i(busy_q), .mem_rsp_ready_o(mem_ready),
    .mem_rsp_id_i({side_q, 15'd0}), .mem_rsp_beat_i(beat_q), .mem_rsp_data_i(beat),
    .mem_wr_valid_o(wr_valid), .mem_wr_ready_i(!wr_lazy), .mem_wr_addr_o(wr_addr),
    .mem_wr_mask_o(wr_mask), .mem_wr_last_o(wr_last), .mem_wr_data_o(wr_data),
    .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_slice_i(5'd0), .cnt_index_i(6'd0),
    .cnt_value_o(cnt_value), .error_count_o(errors), .idle_o(idle)
  );
  reg [7:0] lazy_q;
  initial lazy_q = 8'd0;
  wire lazy = (cmd_lazy && sent_q != 2'd2) || (rsp_lazy && rsp_valid) || (rd_lazy && rd_valid)
              || (wr_lazy && wr_valid)
              || (!busy_q && asked_q != 2'd0 && !begins);
  always @(posedge clk_i) if (rst_ni && lazy) lazy_q <= lazy_q + 8'd1;
  `WF_ASSUME(few_stalls, lazy_q + {7'd0, lazy && rst_ni} <= 8'(Stalls),
             "a bounded number of stalls")

  // Answers.
  wire take = rsp_valid && !rsp_lazy && rst_ni, done = take && rsp[224], word = take && !rsp[224];
  wire f_here = word && rsp[164:160] == {4'd0, f_lane} && rsp[169:165] == {3'd0, f_i};
  reg answered_q, done_q;
  reg [6:0] words_q;
  initial answered_q = 1'b0;
  initial done_q = 1'b0;
  initial words_q = '0;
  always @(posedge clk_i) if (rst_ni) begin
    if (f_here) answered_q <= 1'b1;
    if (done) done_q <= 1'b1;
    if (word) words_q <= words_q + {4'd0, rsp[230:228]};
  end
  `WF_ASSERT(right_word, !f_here || Op != 0 || rsp[31:0] == f_v,
             "an element is answered with the word memory holds")
  `WF_ASSERT(answered_once, !f_here || !answered_q, "an element is answered once")
  `WF_ASSERT(only_gathers, !word || (Op == 0 && rsp[230:228] == 3'd1 && !done_q),
             "words are a gather's, before its completion")
  `WF_ASSERT(done_once, !done || (!done_q && sent_q == 2'd2), "a command completes once")
  `WF_ASSERT(done_last, !done || Op != 0 || (words_q == total && (!follows || answered_q)),
             "completion comes after the last word")
  `WF_ASSERT(bit_set, !done || Op == 0 || Named == 0 || bit_q,
             "at completion a named bit is set in memory")
  `WF_ASSERT(done_names, !done || (rsp[255:248] == tag && rsp[15:0] == {9'd0, total}
                                   && rsp[16] == (Op != 0) && !rsp[17]),
             "completion names its command and counts its elements")
  reg [7:0] age_q;
  initial age_q = 8'd0;
  always @(posedge clk_i) if (rst_ni && !lazy && !(&age_q)) age_q <= age_q + 8'd1;
  `WF_ASSERT(bounded, age_q < 8'(Bound) || done_q,
             "a command completes in bounded time while its neighbours serve")
  `WF_ASSERT(idle_empty, !idle || ((sent_q == 2'd0 || done_q) && asked_q == 2'd0 && !busy_q
                                   && !rsp_valid && !rd_valid && !wr_valid),
             "an idle unit owes nothing")
  `WF_QUIET(idle && !cmd_valid)
  `WF_COVER(both_sides, busy_q && !side_q)
  `WF_COVER(completes, done)
endmodule
`default_nettype wire
