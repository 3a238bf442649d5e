// mff_sm_reply: writes the words of reply flits into the SM's shared memory.
//
// R0, a flit: each word's lane has a target. The RAM of targets has eight banks, lanes by their
// number modulo 8: words of lanes in different banks, and all words of one lane, are looked up in
// one cycle; a flit stays until all of its words were. R1, the RAM's answer: target and place make
// the address. R2, the write: words that fall into one of shared memory's 32 banks follow each
// other. After its last word the end of a flit is told to mff_sm_join; a completion passes in the
// same order. Without conflicts a flit a cycle.
//
// Shared memory takes a write when it is offered: its other users wait. So the flit waits for its
// own banks and, one cycle at most, for mff_sm_join; rsp_ready_o is a function of registers.
// Storage, RAM: 8 x (Commands x 4 x AddrW).
//
// Rules
//   1 An offered flit holds until it is taken.
//   2 Words that are written at once lie in different banks.
//   3 Words that are looked up at once lie in different banks, or are of one lane.
//   4 A flit of words has 1 to 5.
`default_nettype none
`include "wf_assert.vh"

module mff_sm_reply #(
  parameter integer Commands = 17,
  parameter integer AddrW = 14,
  localparam integer EntryW = Commands > 1 ? $clog2(Commands) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                target_we_i,
  input  wire [EntryW+2:0]   target_row_i,     // {entry, beat}
  input  wire [4*AddrW-1:0]  target_i,
  input  wire                rsp_valid_i,
  output wire                rsp_ready_o,
  input  wire [255:0]        rsp_data_i,
  output wire                wr_valid_o,
  output wire [5:0]          wr_warp_o,
  output wire [4:0]          wr_mask_o,
  output wire [5*AddrW-1:0]  wr_addr_o,        // in words
  output wire [159:0]        wr_data_o,
  // a flit is over
  output wire                end_valid_o,
  input  wire                end_ready_i,
  output wire [EntryW-1:0]   end_entry_o,
  output wire [5:0]          end_warp_o,
  output wire [2:0]          end_count_o,      // words, or 1: the completion
  output wire                end_refused_o,
  output wire                ev_words_o,       // a flit of words is over
  output wire                ev_done_o,
  output wire                ev_look_o,        // words wait for another look-up
  output wire                ev_bank_o,        // and for another write
  output wire                idle_o
);
  localparam integer Banks = 8;
  localparam integer RowN = Commands * 4;
  localparam integer RowW = $clog2(RowN);
  localparam integer WhoW = EntryW + 6 + 3 + 2;

  // R0
  reg r0_q;
  reg [4:0] look_q;                       // words that were not looked up
  reg [159:0] r0_words_q;
  reg [49:0] r0_at_q;                     // {place, lane} of each
  reg [WhoW-1:0] r0_who_q;                // {entry, warp, count, refused, done}
  wire in_done = rsp_data_i[224];
  wire [2:0] in_count = rsp_data_i[230:228];

  // Words whose bank of targets nobody before them needs for another lane.
  reg [4:0] look;
  always_comb begin
    look = look_q;
    for (int k = 1; k < 5; k = k + 1)
      for (int j = 0; j < 4; j = j + 1)
        if (j < k && look_q[j] && r0_at_q[10*j +: 3] == r0_at_q[10*k +: 3]
            && r0_at_q[10*j + 3 +: 2] != r0_at_q[10*k + 3 +: 2]) look[k] = 1'b0;
  end
  wire r0_last = look == look_q;
  wire r1_free, r2_free;
  wire r0_go = r0_q && r1_free;
  assign rsp_ready_o = !r0_q || (r0_last && r1_free);
  wire take = rsp_valid_i && rsp_ready_o;

  wire [EntryW-1:0] r0_entry = r0_who_q[WhoW-1 -: EntryW];
  wire [Banks*AddrW-1:0] target;
  generate
    for (genvar b = 0; b < Banks; b = b + 1) begin : g_bank
      localparam integer BankI = b;
      reg some;
      reg [1:0] row;
      always_comb begin
        some = 1'b0;
        row = '0;
        for (int k = 0; k < 5; k = k + 1)
          if (look[k] && r0_at_q[10*k +: 3] == 3'(BankI)) begin
            some = 1'b1;
            row = row | r0_at_q[10*k + 3 +: 2];
          end
      end
      wf_ram_1r1w #(.Width(AddrW), .Depth(RowN)) u_targets (
        .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(target_we_i && target_row_i[0] == 1'(BankI / 4)),
        .wr_mask_i(1'b1), .wr_addr_i(RowW'(target_row_i[EntryW+2:1])),
        .wr_data_i(target_i[(b%4)*AddrW +: AddrW]), .rd_en_i(some && r0_go),
        .rd_addr_i(RowW'({r0_entry, row})), .rd_data_o(target[b*AddrW +: AddrW])
      );
    end
  endgenerate

  // R1
  reg r1_q, r1_last_q;
  reg [4:0] r1_mask_q;
  reg [159:0] r1_words_q;
  reg [49:0] r1_at_q;
  reg [WhoW-1:0] r1_who_q;
  assign r1_free = !r1_q || r2_free;
  wire r1_go = r1_q && r2_free;

  // R2
  reg r2_q, r2_last_q;
  reg [4:0] write_q;                      // words that are to be written
  reg [159:0] r2_words_q;
  reg [5*AddrW-1:0] addr_q;
  reg [WhoW-1:0] r2_who_q;
  // Words whose bank of shared memory nobody before them needs.
  reg [4:0] write;
  always_comb begin
    write = write_q;
    for (int k = 1; k < 5; k = k + 1)
      for (int j = 0; j < 4; j = j + 1)
        if (j < k && write_q[j] && addr_q[j*AddrW +: 5] == addr_q[k*AddrW +: 5]) write[k] = 1'b0;
  end
  reg end_q;
  reg [WhoW-1:0] end_who_q;
  wire end_free = !end_q || end_ready_i;
  wire r2_over = r2_q && write == write_q && (!r2_last_q || end_free);
  assign r2_free = !r2_q || r2_over;
  wire leave = r2_over && r2_last_q;
  wire [2:0] r2_count;
  wire r2_refused, r2_done;
  wire [EntryW-1:0] r2_entry;
  assign {r2_entry, wr_warp_o, r2_count, r2_refused, r2_done} = r2_who_q;
  assign wr_valid_o = write_q != '0;
  assign wr_mask_o = write;
  assign wr_data_o = r2_words_q;

  // The end of a flit, until it is heard.
  wire end_done;
  assign end_valid_o = end_q;
  assign {end_entry_o, end_warp_o, end_count_o, end_refused_o, end_done} = end_who_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r0_q <= 1'b0;
      r1_q <= 1'b0;
      r2_q <= 1'b0;
      end_q <= 1'b0;
      look_q <= '0;
      write_q <= '0;
    end else begin
      if (rsp_ready_o) r0_q <= rsp_valid_i;
      if (take) for (int k = 0; k < 5; k = k + 1) look_q[k] <= !in_done && 3'(k) < in_count;
      else if (r0_go) look_q <= look_q & ~look;
      if (r1_free) r1_q <= r0_q;
      if (r2_free) r2_q <= r1_q;
      write_q <= r1_go ? r1_mask_q : write_q & ~write;
      if (leave) end_q <= 1'b1;
      else if (end_ready_i) end_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      r0_words_q <= rsp_data_i[159:0];
      r0_at_q <= rsp_data_i[209:160];
      r0_who_q <= {rsp_data_i[248 +: EntryW], rsp_data_i[245:240], in_done ? 3'd1 : in_count,
                   in_done && rsp_data_i[17], in_done};
    end
    if (r0_go) begin
      r1_last_q <= r0_last;
      r1_mask_q <= look;
      r1_words_q <= r0_words_q;
      r1_at_q <= r0_at_q;
      r1_who_q <= r0_who_q;
    end
    if (r1_go) begin
      r2_last_q <= r1_last_q;
      r2_words_q <= r1_words_q;
      r2_who_q <= r1_who_q;
    end
    if (leave) end_who_q <= r2_who_q;
  end
  generate
    for (genvar k = 0; k < 5; k = k + 1) begin : g_addr
      wire [2:0] bank = r1_at_q[10*k +: 3];
      wire [4:0] place = r1_at_q[10*k + 5 +: 5];
      always_ff @(posedge clk_i)
        if (r1_go) addr_q[k*AddrW +: AddrW] <= target[bank*AddrW +: AddrW] + AddrW'(place);
      assign wr_addr_o[k*AddrW +: AddrW] = write[k] ? addr_q[k*AddrW +: AddrW] : '0;
    end
  endgenerate

  assign ev_words_o = leave && !r2_done;
  assign ev_done_o = leave && r2_done;
  assign ev_look_o = r0_go && !r0_last;
  assign ev_bank_o = write_q != write;
  assign idle_o = !r0_q && !r1_q && !r2_q && !end_q;
  wire unused = &{1'b0, rsp_data_i, r1_at_q, r2_entry, r2_count, r2_refused, end_done};

`ifdef WF_ASSERT_LIVE
  reg write_clash, look_clash;
  always_comb begin
    write_clash = 1'b0;
    look_clash = 1'b0;
    for (int k = 1; k < 5; k = k + 1)
      for (int j = 0; j < 4; j = j + 1) begin
        // coverage: true when a rule is broken
        if (j < k && wr_mask_o[j] && wr_mask_o[k]
            && addr_q[j*AddrW +: 5] == addr_q[k*AddrW +: 5]) write_clash = 1'b1;
        if (j < k && look[j] && look[k] && r0_at_q[10*j +: 3] == r0_at_q[10*k +: 3]
            && r0_at_q[10*j +: 5] != r0_at_q[10*k +: 5]) look_clash = 1'b1;
      end
  end
`endif
  `WF_ASSUME_STABLE(rule1, rsp_valid_i, rsp_ready_o, rsp_data_i, 256,
                    "Rule 1: an offered flit holds until it is taken")
  `WF_ASSERT(rule2, !write_clash,
             "Rule 2: words that are written at once lie in different banks")
  `WF_ASSERT(rule3, !look_clash,
             "Rule 3: words that are looked up at once lie in different banks, or are of one lane")
  `WF_ASSUME(rule4, !rsp_valid_i || in_done || (in_count != 3'd0 && in_count < 3'd6),
             "Rule 4: a flit of words has 1 to 5")
endmodule
`default_nettype wire
