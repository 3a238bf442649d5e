// mff_sm_reply: any one word that comes in a reply is written once, unchanged, at its lane's target
// plus its place, for its warp; the end of a flit is told after its words, and none is lost.
`default_nettype none
`include "wf_assert.vh"
module mff_sm_reply_props #(
  parameter integer AddrW = 6,
  parameter integer Most = 2  // words of a flit, 1..3
) (
  input wire clk_i, input wire target_we, input wire [2:0] beat, input wire [4*AddrW-1:0] target,
  input wire rsp_valid, input wire in_done, input wire [1:0] some, input wire [Most-1:0] word,
  input wire [10*Most-1:0] at, input wire end_ready
);
`include "formal.vh"
  wire rsp_ready, wr_valid, end_valid, end_entry, end_refused, ev_words, ev_done, ev_look, ev_bank,
       idle;
  wire [5:0] wr_warp, end_warp;
  wire [4:0] wr_mask;
  wire [5*AddrW-1:0] wr_addr;
  wire [159:0] wr_data;
  wire [2:0] end_count;
  (* anyconst *) wire [9:0] f_at;         // {place, lane}
  (* anyconst *) wire [AddrW-1:0] f_target;
  (* anyconst *) wire [5:0] f_warp;
  // Flits of one command; of a word one bit, which stands for all.
  wire [2:0] n = Most == 1 ? 3'd1 : Most == 2 ? {1'b0, some[0], !some[0]}
                 : {1'b0, some[1], some[0] || !some[1]};
  logic [255:0] rsp;
  always_comb begin
    rsp = '0;
    for (int k = 0; k < Most; k++) begin
      rsp[32*k] = word[k];
      rsp[160+10*k +: 10] = at[10*k +: 10];
    end
    rsp[224] = in_done;
    rsp[230:228] = n;
    rsp[245:240] = f_warp;
  end
  mff_sm_reply #(.Commands(1), .AddrW(AddrW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .target_we_i(target_we && rst_ni),
    .target_row_i({1'b0, beat}), .target_i(target), .rsp_valid_i(rsp_valid && rst_ni),
    .rsp_ready_o(rsp_ready), .rsp_data_i(rsp), .wr_valid_o(wr_valid), .wr_warp_o(wr_warp),
    .wr_mask_o(wr_mask), .wr_addr_o(wr_addr), .wr_data_o(wr_data), .end_valid_o(end_valid),
    .end_ready_i(end_ready), .end_entry_o(end_entry), .end_warp_o(end_warp),
    .end_count_o(end_count), .end_refused_o(end_refused), .ev_words_o(ev_words),
    .ev_done_o(ev_done), .ev_look_o(ev_look), .ev_bank_o(ev_bank), .idle_o(idle)
  );
  // Its lane's target, set once and before; others are anything.
  reg set_q;
  initial set_q = 1'b0;
  wire sets = target_we && beat == f_at[4:2];
  always @(posedge clk_i) if (rst_ni && sets) set_q <= 1'b1;
  `WF_ASSUME(target_right, !sets || target[f_at[1:0]*AddrW +: AddrW] == f_target,
             "the lane's target is this one")
  `WF_ASSUME_STABLE(rsp_stable, rsp_valid, rsp_ready, rsp, 256, "an offer holds until taken")
  wire take = rsp_valid && rsp_ready && rst_ni;
  wire [2:0] count = in_done ? 3'd1 : n;
  logic [2:0] mine;
  logic bits;
  always_comb begin
    mine = '0;
    bits = '0;
    for (int k = 0; k < Most; k++)
      if (!in_done && 3'(k) < n && at[10*k +: 10] == f_at) begin
        mine = mine + 3'd1;
        bits = bits | word[k];
      end
  end
  reg in_q, out_q, bit_q;
  initial in_q = 1'b0;
  initial out_q = 1'b0;
  `WF_ASSUME(once, !rsp_valid || mine == 3'd0 || (mine == 3'd1 && !in_q && set_q),
             "the word comes once, after its target")
  always @(posedge clk_i) if (take && mine != 3'd0) begin
    in_q <= 1'b1;
    bit_q <= bits;
  end
  // Words that are written are counted; the followed one is known by where it stands in its flit.
  wire [AddrW-1:0] f_addr = f_target + AddrW'(f_at[9:5]);
  logic [2:0] now;
  logic hit, wrong;
  reg [49:0] at_q;                        // places of the flit in R2
  (* hierconn *) wire \dut.r1_go ;
  (* hierconn *) wire [49:0] \dut.r1_at_q ;
  always @(posedge clk_i) if (\dut.r1_go ) at_q <= \dut.r1_at_q ;
  always_comb begin
    now = '0;
    hit = 1'b0;
    wrong = 1'b0;
    for (int k = 0; k < 5; k++)
      if (wr_valid && wr_mask[k]) begin
        now = now + 3'd1;
        if (at_q[10*k +: 10] == f_at) begin
          if (hit) wrong = 1'b1;
          hit = 1'b1;
          if (wr_addr[k*AddrW +: AddrW] != f_addr || wr_data[32*k] != bit_q) wrong = 1'b1;
        end
      end
  end
  always @(posedge clk_i) if (rst_ni && hit) out_q <= 1'b1;
  `WF_ASSERT(written_once, !hit || (in_q && !out_q), "the word is written once, if it came")
  `WF_ASSERT(written_right, !wrong, "at target and place, unchanged")
  `WF_ASSERT(written_for, !wr_valid || wr_warp == f_warp, "for its warp")
  // Conservation: ends tell what came, after it was written.
  reg [5:0] came_q, told_q, wrote_q, done_q;
  initial came_q = 6'd0;
  initial told_q = 6'd0;
  initial wrote_q = 6'd0;
  initial done_q = 6'd0;
  wire told = end_valid && end_ready && rst_ni;
  always @(posedge clk_i) begin
    if (take) came_q <= came_q + {3'd0, count};
    if (take && in_done) done_q <= done_q + 6'd1;
    if (told) told_q <= told_q + {3'd0, end_count};
    if (rst_ni) wrote_q <= wrote_q + {3'd0, now};
  end
  `WF_ASSUME(short, came_q < 6'd50, "so that the sums do not wrap")
  `WF_ASSERT(told_after, !rst_ni || told_q + (told ? {3'd0, end_count} : 6'd0) <= wrote_q + done_q,
             "an end is told after its words are written")
  `WF_ASSERT(all_told, !rst_ni || !idle || (told_q == came_q && told_q == wrote_q + done_q),
             "at rest all that came is written and told")
  `WF_ASSERT(all_written, !rst_ni || !idle || in_q == out_q, "at rest the word is written")
  reg [4:0] late_q;
  initial late_q = 5'd0;
  always @(posedge clk_i)
    late_q <= rst_ni && rsp_valid && !rsp_ready && end_ready ? late_q + 5'd1 : 5'd0;
  `WF_ASSERT(in_time, late_q < 5'(2 * Most), "a flit waits for the banks of one before it, at most")
  `WF_COVER(written, out_q && told_q == 6'd4)
  `WF_COVER(looked_twice, ev_look && hit)
  `WF_COVER(banks, ev_bank && in_q && !out_q)
  `WF_QUIET(idle && !rsp_valid && !target_we)
  wire unused = &{1'b0, end_entry, end_warp, end_refused, ev_words, ev_done};
endmodule
`default_nettype wire
