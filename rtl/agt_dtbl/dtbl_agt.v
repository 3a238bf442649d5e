// dtbl_agt: aggregated group table. Per entry 20 bytes: AggDim and parameter address, Next, and the
// state {valid, blocks}. A group's entry is the one that its thread's number hashes to, or none.
//
// State operations go one a cycle through one read-modify-write pipeline; of one cycle `fin` goes
// first, then `done`, then `alloc`:
//   alloc  takes the entry if it is free; alloc_got_o tells, the cycle after
//   done   one block of the group has ended
//   fin    all n blocks of the group were distributed
// Blocks are counted down from 0 by `done`; `fin` adds their number, so that the sum is 0 only when
// all have ended. The `done` that makes zero after `fin` frees the entry: ExeBL = 0, nothing left.
// The last block never ends before `fin`, which follows its start by one cycle. So starting a block
// costs the table nothing.
//
// Timing: an operation reads in its cycle and writes in the next; the word written last is
// forwarded. After reset the table clears itself, one entry a cycle, and takes no operation. `fin`
// is always taken (none exists before). Reads of info and Next answer after the edge.
//
//   Entries 2^k, k >= 1   InfoW, LinkW 1..   CountW 2..
// Storage: RAM Entries * (InfoW + LinkW + CountW + 1).
//
// Rules
//   1 done and fin name a valid entry.
//   2 No more blocks end than were distributed; the last one ends after fin.
//   3 Info and Next are written in and read from valid entries only.
`default_nettype none
`include "wf_assert.vh"

module dtbl_agt #(
  parameter integer Entries = 1024,
  parameter integer InfoW = 96,
  parameter integer LinkW = 32,
  parameter integer CountW = 31,
  localparam integer IdxW = $clog2(Entries)
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  output wire              clearing_o,
  input  wire              fin_valid_i,
  input  wire [IdxW-1:0]   fin_idx_i,
  input  wire [CountW-1:0] fin_n_i,
  input  wire              done_valid_i,
  output wire              done_ready_o,
  input  wire [IdxW-1:0]   done_idx_i,
  input  wire              alloc_valid_i,
  output wire              alloc_ready_o,
  input  wire [IdxW-1:0]   alloc_idx_i,
  output wire              alloc_got_o,
  // contents
  input  wire              put_i,
  input  wire [IdxW-1:0]   put_idx_i,
  input  wire [InfoW-1:0]  put_info_i,
  input  wire              link_i,
  input  wire [IdxW-1:0]   link_idx_i,
  input  wire [LinkW-1:0]  link_next_i,
  input  wire              get_i,
  input  wire [IdxW-1:0]   get_idx_i,
  output wire [InfoW-1:0]  info_o,
  output wire [LinkW-1:0]  next_o,
  output wire              freed_o,     // an entry becomes free
  output wire              quiet_o      // no operation is on its way
);
  localparam integer WordW = CountW + 1;  // {valid, blocks}
  localparam [1:0] FIN = 2'd0, DONE = 2'd1, ALLOC = 2'd2;
  localparam [IdxW-1:0] LAST = IdxW'(Entries - 1);

  // Clearing after reset.
  reg clear_q;
  reg [IdxW-1:0] clear_at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      clear_at_q <= '0;
    end else if (clear_q) begin
      clear_q <= clear_at_q != LAST;
      clear_at_q <= clear_at_q + 1'b1;
    end
  end
  assign clearing_o = clear_q;

  // First stage: choose and read.
  assign done_ready_o = !fin_valid_i && !clear_q;
  assign alloc_ready_o = !fin_valid_i && !done_valid_i && !clear_q;
  wire go = fin_valid_i || done_valid_i || (alloc_valid_i && !clear_q);
  wire [IdxW-1:0] idx = fin_valid_i ? fin_idx_i : done_valid_i ? done_idx_i : alloc_idx_i;

  // Second stage: change and write.
  reg op_q;
  reg [1:0] kind_q;
  reg [IdxW-1:0] idx_q;
  reg [CountW-1:0] n_q;
  reg last_q;               // the word of the operation before belongs to this entry
  reg last_valid_q, last_free_q;  // and says that it is valid, or not: early, for alloc_got_o
  reg [WordW-1:0] last_word_q;
  wire again = op_q && idx == idx_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) op_q <= 1'b0;
    else op_q <= go;
  end
  always_ff @(posedge clk_i) begin
    if (go) begin
      kind_q <= fin_valid_i ? FIN : done_valid_i ? DONE : ALLOC;
      idx_q <= idx;
      n_q <= fin_n_i;
      last_q <= again;
      last_valid_q <= again && word_d[WordW-1];
      last_free_q <= again && !word_d[WordW-1];
    end
    if (op_q) last_word_q <= word_d;
  end
  wire [WordW-1:0] ram_word;
  wire [WordW-1:0] word = last_q ? last_word_q : ram_word;
  wire valid = last_valid_q || (ram_word[WordW-1] && !last_free_q);
  wire [CountW-1:0] left = word[CountW-1:0];
  wire [CountW-1:0] sum = kind_q == FIN ? left + n_q : left - 1'b1;
  wire over = kind_q == DONE && sum == '0;
  reg [WordW-1:0] word_d;
  always_comb begin
    if (kind_q == ALLOC) word_d = valid ? word : {1'b1, {CountW{1'b0}}};
    else word_d = over ? '0 : {1'b1, sum};
  end
  assign alloc_got_o = !valid;
  assign freed_o = op_q && over;
  assign quiet_o = !op_q && !clear_q;

  wf_ram_1r1w #(.Width(WordW), .Depth(Entries)) u_state (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(op_q || clear_q),
    .wr_addr_i(clear_q ? clear_at_q : idx_q), .wr_mask_i(1'b1), .wr_data_i(clear_q ? '0 : word_d),
    .rd_en_i(go), .rd_addr_i(idx), .rd_data_o(ram_word)
  );
  wf_ram_1r1w #(.Width(InfoW), .Depth(Entries)) u_info (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(put_i), .wr_addr_i(put_idx_i), .wr_mask_i(1'b1),
    .wr_data_i(put_info_i), .rd_en_i(get_i), .rd_addr_i(get_idx_i), .rd_data_o(info_o)
  );
  wf_ram_1r1w #(.Width(LinkW), .Depth(Entries)) u_next (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(link_i), .wr_addr_i(link_idx_i), .wr_mask_i(1'b1),
    .wr_data_i(link_next_i), .rd_en_i(get_i), .rd_addr_i(get_idx_i), .rd_data_o(next_o)
  );

  `WF_ASSERT(rule1_valid, !op_q || kind_q == ALLOC || valid,
             "Rule 1: done and fin name a valid entry")
  `WF_ASSERT(rule2_sum, !op_q || kind_q != DONE || sum != '1 || !finished_q[idx_q],
             "Rule 2: no more blocks end than were distributed")
  `WF_ASSERT(rule2_fin, !op_q || kind_q != FIN || n_q > -left,
             "Rule 2: fin comes before the last block has ended")
  `WF_ASSERT(rule4_clear, !clear_q || !(fin_valid_i || done_valid_i),
             "Rule 4: nothing is in the table while it is cleared")
`ifdef WF_ASSERT_LIVE
  reg valid_q [Entries];
  reg finished_q [Entries];
  always_ff @(posedge clk_i) begin
    if (clear_q) valid_q[clear_at_q] <= 1'b0;
    else if (op_q) valid_q[idx_q] <= word_d[WordW-1];
  end
  always_ff @(posedge clk_i) begin
    if (op_q) finished_q[idx_q] <= kind_q == FIN || (finished_q[idx_q] && kind_q == DONE);
  end
`endif
  `WF_ASSERT(rule3_put, !put_i || valid_q[put_idx_i] || (op_q && idx_q == put_idx_i),
             "Rule 3: info is written into a valid entry")
  `WF_ASSERT(rule3_link, !link_i || valid_q[link_idx_i],
             "Rule 3: Next is written into a valid entry")
  `WF_ASSERT(rule3_get, !get_i || valid_q[get_idx_i], "Rule 3: a valid entry is read")
endmodule
`default_nettype wire
