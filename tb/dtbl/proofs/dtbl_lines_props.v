// dtbl_lines: each answer is what memory holds. One record and one bit of it, any, are followed:
// every answer of it is what was written last before the read, though memory may tell of a write
// that came after a line was asked for, or not; memory is told all writes, in order, and before the
// answer of a later read; beats of lines interleave and overtake; requests do not wait for ever.
// With Later a reader that was told so waits for its line, and then asks again.
`default_nettype none
`include "wf_assert.vh"
module dtbl_lines_props #(
  parameter integer Lines = 2,
  parameter integer Later = 0,
  // Cycles in which nothing moves although memory takes and answers everything.
  parameter integer Stuck = 12,
  localparam integer IdW = $clog2(Lines),
  localparam integer AddrW = 7   // four lines of two records
) (
  input wire clk_i, input wire req, input wire write, input wire [2:0] record, input wire next_word,
  input wire [3:0] data, input wire mem_ready, input wire answer, input wire [IdW-1:0] which,
  input wire late, input wire [3:0] other
);
`include "formal.vh"
  (* anyconst *) wire [2:0] at;      // the record that is followed: the one at 16 * at
  (* anyconst *) wire next_bit;      // a bit of its Next, or of its body
  (* anyconst *) wire first_bit;     // what it is at first
  wire [1:0] bit_at = next_bit ? 2'd2 : 2'd0;

  // Requests hold until taken; a read only after the answer of the last one.
  reg held_q, write_q, next_q, reading_q;
  reg [2:0] record_q;
  reg [3:0] data_q;
  initial held_q = 1'b0;
  initial reading_q = 1'b0;
  wire req_ready, ans_valid, mem_valid, mem_write, rsp_ready, hit, ahead, quiet;
  wire w = held_q ? write_q : write;
  wire n = held_q ? next_q : next_word;
  wire [2:0] r = held_q ? record_q : record;
  wire [3:0] d = held_q ? data_q : data;
  wire later, owed_here;
  wire [IdW-1:0] later_id;
  wire [Lines-1:0] arrived;
  reg owed_q;                        // a read waits for its line, and is to be asked again
  reg [IdW-1:0] owed_id_q;
  reg [2:0] owed_record_q;
  initial owed_q = 1'b0;
  wire [Lines-1:0] wanted = owed_q ? Lines'(1) << owed_id_q : '0;
  assign owed_here = owed_q && arrived[owed_id_q];
  wire v = rst_ni && (held_q || (req && record != 3'd7
                                 && (write || (!reading_q
                                               && (!owed_q || (owed_here
                                                               && record == owed_record_q))))));
  wire [AddrW-1:0] addr = {r, 4'd0};
  wire [3:0] mask = !w ? 4'd0 : n ? 4'b0100 : 4'b1011;
  wire [3:0] ans_data, mem_mask, mem_data;
  wire [AddrW-1:0] mem_addr;
  wire [IdW-1:0] mem_id;
  wire go = v && req_ready;
  always @(posedge clk_i) begin
    held_q <= v && !req_ready;
    {write_q, next_q, record_q, data_q} <= {w, n, r, d};
    if (!rst_ni) reading_q <= 1'b0;
    else if (go && !w) reading_q <= 1'b1;
    else if (ans_valid || later) reading_q <= 1'b0;
    if (!rst_ni || ans_valid) owed_q <= 1'b0;
    else if (later) owed_q <= 1'b1;
    if (later) owed_id_q <= later_id;
    if (go && !w) owed_record_q <= r;
  end

  // Memory: the bit; lines on their way, with what the bit was when they were asked for.
  reg bit_q, bit_there_q;            // as the requests have it; as memory has it
  reg [Lines-1:0] busy_q, sent_q, early_q;
  reg [1:0] line_q [Lines];
  initial busy_q = '0;
  wire mem_go = rst_ni && mem_valid && mem_ready;
  wire rsp = rst_ni && answer && busy_q[which];
  wire beat = rsp && rsp_ready;
  wire mine = line_q[which] == at[2:1] && sent_q[which] == at[0];
  wire told = late ? bit_there_q : early_q[which];
  wire [3:0] rsp_data = mine ? (other & ~(4'd1 << bit_at)) | ({3'd0, told} << bit_at) : other;
  wire write_mine = go && w && r == at && n == next_bit;
  wire [2:0] mem_record = mem_addr[6:4] - 3'd1;
  wire there_mine = mem_go && mem_write && mem_record == at && mem_mask[bit_at];
  reg [2:0] under_q;                 // writes of the bit that memory has not taken
  initial under_q = 3'd0;
  always @(posedge clk_i) begin
    if (write_mine) bit_q <= d[bit_at];
    if (there_mine) bit_there_q <= mem_data[bit_at];
    if (!rst_ni) {bit_q, bit_there_q} <= {first_bit, first_bit};
    under_q <= under_q + {2'd0, write_mine} - {2'd0, there_mine};
    if (mem_go && !mem_write) begin
      busy_q[mem_id] <= 1'b1;
      sent_q[mem_id] <= 1'b0;
      early_q[mem_id] <= bit_there_q;
      line_q[mem_id] <= mem_addr[6:5];
    end
    if (beat) begin
      sent_q[which] <= 1'b1;
      if (sent_q[which]) busy_q[which] <= 1'b0;
    end
  end

  dtbl_lines #(
    .Lines(Lines), .Reach(1), .Later(Later), .AddrW(AddrW), .Records(2), .WordW(1)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_valid_i(v), .req_ready_o(req_ready), .req_write_i(w),
    .req_addr_i(addr), .req_mask_i(mask), .req_data_i(d), .ans_valid_o(ans_valid),
    .ans_ready_i(1'b1), .ans_data_o(ans_data), .later_o(later), .later_id_o(later_id),
    .arrived_o(arrived), .wanted_i(wanted), .depth_i(1'b1), .mem_valid_o(mem_valid),
    .mem_ready_i(mem_ready),
    .mem_write_o(mem_write), .mem_addr_o(mem_addr), .mem_mask_o(mem_mask), .mem_data_o(mem_data),
    .mem_id_o(mem_id), .rsp_valid_i(rsp), .rsp_ready_o(rsp_ready), .rsp_id_i(which),
    .rsp_beat_i(sent_q[which]), .rsp_data_i(rsp_data), .ev_hit_o(hit), .ev_ahead_o(ahead),
    .quiet_o(quiet)
  );

  // The read of the followed record.
  reg asked_q, expect_q;
  initial asked_q = 1'b0;
  always @(posedge clk_i) begin
    if (!rst_ni || ans_valid || later) asked_q <= 1'b0;
    if (rst_ni && go && !w) begin
      asked_q <= r == at;
      expect_q <= bit_q;
    end
  end
  `WF_ASSERT(answer_right, !(ans_valid && asked_q) || ans_data[bit_at] == expect_q,
             "an answer is what was written last before the read")
  `WF_ASSERT(answer_asked, !(ans_valid || later) || reading_q, "an answer comes to a read")
  `WF_ASSERT(later_once, !later || (Later != 0 && !ans_valid && !owed_q),
             "a read is told to come again once, if at all")
  `WF_ASSERT(memory_first, !(ans_valid && asked_q) || under_q == 3'd0,
             "memory has taken the record's writes before a read of it is answered")
  `WF_ASSERT(memory_told, !(there_mine) || under_q != 3'd0, "memory is told what was written, once")
  `WF_ASSERT(memory_right, under_q != 3'd0 || bit_there_q == bit_q, "memory holds what was written")
  `WF_ASSERT(line_once, !(mem_go && !mem_write) || !busy_q[mem_id],
             "a line's number is given again after its last beat")
  `WF_ASSERT(line_aligned, !(mem_go && !mem_write) || mem_addr[4:0] == 5'd0,
             "lines are asked for whole")

  wire moved = go || beat || mem_go || ans_valid || later || (owed_here && !v);
  reg [4:0] stuck_q;
  initial stuck_q = 5'd0;
  wire owes = v || reading_q || owed_q;
  wire serves = mem_ready && (busy_q == '0 || rsp);
  always @(posedge clk_i) stuck_q <= rst_ni && serves && owes && !moved ? stuck_q + 5'd1 : 5'd0;
  `WF_ASSERT(moves, stuck_q <= 5'(Stuck), "something moves")

  `WF_COVER(read_hits, ans_valid && asked_q && hit == 1'b0 && bit_q)
  `WF_COVER(write_while_line_comes, write_mine && busy_q != '0 && under_q == 3'd0)
  `WF_COVER(overtakes, beat && sent_q[which] && busy_q == '1 && which == 0)
  `WF_COVER(fetched_ahead, ahead)
  `WF_QUIET(quiet && !v && !rsp)
endmodule
`default_nettype wire
