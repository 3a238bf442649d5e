// dtbl_lines: lines of groups' records kept beside the scheduler. Records are a chain: each names
// the next, so without lines the groups that found their table entry taken start at one per answer
// of memory. Records lie side by side in about the order in which they are launched: a read takes
// the whole line of memory, and lines behind it are fetched ahead.
//
// What is written goes through to memory, in its order, and into the line if it is kept or on its
// way: memory always holds everything, and a line that is given up costs time only. Fully
// associative, because a chain takes turns between the buffers of several SMXs, whose addresses may
// agree in any bits. What is written into a line on its way is noted (per record: its body, its
// Next), so that the line that arrives does not undo it.
// Nothing is ever invalid: every word that the scheduler uses of a record was written through here
// since the record's 16 bytes became the unit's.
//
//   req   writes and reads of the 16 bytes at addr, one record's, in order
//   ans   a read's record. All that was written before the read has been taken by memory then: the
//         record's 16 bytes may be used for other things.
//   mem   write 1: as it came, addr behind the record. write 0: the whole line at addr; id names it
//         until its last beat
//   rsp   a record of line id, beats 0.. of a line in this order; lines may interleave and
//         overtake. Of addresses where nothing lies anything may come.
//
// Later 0: one read at a time; it waits for its line. The line that came first is given up first.
// Later 1: several readers, each of which waits for a line of its own. A read whose record is not
// here is answered `later`, with the number of the line, which is on its way then. The reader asks
// again when the line has come (arrived_o), and keeps it from being given up until then (wanted_i).
// A line that was read to its end is given up first, else in turn.
//
// Fetching ahead: a read that misses fetches its line, and then depth lines behind it; the first
// read of a line that was fetched ahead fetches the line that lies depth further. Without Later
// depth is Reach; else depth_i, and if that is not Reach only in the same chunk of ChunkLines
// lines, since what lies behind is another list's. Only when nothing else is to be looked up.
//
// Timing: a read that hits: answer 1 cycle after its transfer; so is `later`. A request is looked
// up in the cycle of its offer. With Later the line to be given up is chosen in the cycle before.
// Deadlock: writes and fetches wait for room in the queue to memory, which empties by itself; beats
// are refused only in cycles in which a write enters that queue, and not while a read waits: then
// they go first. A fetch waits for a line that is neither on its way nor wanted: the oldest one's
// beats come, and there is one if fewer than Lines are wanted. A write waits for the beats of a
// read of its record that waits: beats wait for neither.
//
//   Lines 2..64   Reach 1..Lines-1: most lines ahead   ChunkLines 2^k   Later 0, 1   AddrW
//   Records of a line, 2^k   WordW 32 (less for proofs only)
// Storage: Lines * Records * 4 * WordW bits of RAM; flops: Lines * (AddrW + 2 * Records - 1), with
// Later 3 * Lines more, a queue of two requests.
//
// Rules
//   1 A request holds until taken; its address is a multiple of 16, and not the last one; a write
//     is a record's body or its Next.
//   2 Beats come only for lines on their way, in order.
//   3 No line is kept twice.
//   4 A request to memory holds until taken.
//   5 A line that is wanted or on its way stays. Without Later there is one read at a time.
`default_nettype none
`include "wf_assert.vh"

module dtbl_lines #(
  parameter integer Lines = 16,
  parameter integer Reach = Lines / 2,
  parameter integer ChunkLines = 8,
  parameter integer Later = 0,
  parameter integer AddrW = 32,
  parameter integer Records = 8,
  parameter integer WordW = 32,
  localparam integer IdW = $clog2(Lines),
  localparam integer RecW = $clog2(Records),
  localparam integer LeftW = $clog2(Reach + 1),
  localparam integer DataW = 4 * WordW
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  // from the scheduler's queue
  input  wire             req_valid_i,
  output wire             req_ready_o,
  input  wire             req_write_i,
  input  wire [AddrW-1:0] req_addr_i,
  input  wire [3:0]       req_mask_i,
  input  wire [DataW-1:0] req_data_i,
  output wire             ans_valid_o,
  input  wire             ans_ready_i,
  output wire [DataW-1:0] ans_data_o,
  output wire             later_o,      // with Later, in place of an answer
  output wire [IdW-1:0]   later_id_o,
  output wire [Lines-1:0] arrived_o,
  input  wire [Lines-1:0] wanted_i,
  input  wire [LeftW-1:0] depth_i,
  // memory
  output wire             mem_valid_o,
  input  wire             mem_ready_i,
  output wire             mem_write_o,
  output wire [AddrW-1:0] mem_addr_o,
  output wire [3:0]       mem_mask_o,
  output wire [DataW-1:0] mem_data_o,
  output wire [IdW-1:0]   mem_id_o,
  input  wire             rsp_valid_i,
  output wire             rsp_ready_o,
  input  wire [IdW-1:0]   rsp_id_i,
  input  wire [RecW-1:0]  rsp_beat_i,
  input  wire [DataW-1:0] rsp_data_i,
  // events: a read found its record, without Later also if it is on its way; a line is fetched
  // ahead
  output wire             ev_hit_o,
  output wire             ev_ahead_o,
  output wire             quiet_o
);
  localparam integer LineW = AddrW - 4 - RecW;
  localparam [LineW-1:0] IN_CHUNK = LineW'(ChunkLines - 1);
  localparam [IdW-1:0] LAST_LINE = IdW'(Lines - 1);
  localparam [RecW-1:0] LAST_BEAT = {RecW{1'b1}};  // Yosys 0.23 reads '1 as 1 here

  initial begin
    if (Lines < 2 || Lines > 64) $fatal(1, "dtbl_lines: Lines must be 2..64");
    if (Reach < 1 || Reach >= Lines) $fatal(1, "dtbl_lines: Reach must be 1..Lines-1");
    if (ChunkLines < 1 || (ChunkLines & (ChunkLines - 1)) != 0)
      $fatal(1, "dtbl_lines: ChunkLines must be 2^k");
    if (Records < 2 || (Records & (Records - 1)) != 0)
      $fatal(1, "dtbl_lines: Records must be 2^k, k >= 1");
    if (LineW < 1) $fatal(1, "dtbl_lines: AddrW must exceed that of a line");
    if (WordW < 1) $fatal(1, "dtbl_lines: WordW must be 1 or more");
  end

  reg [LineW-1:0] tag_q [Lines];
  reg [Lines-1:0] valid_q, pend_q, fresh_q;     // pend: on its way; fresh: fetched
                                                // ahead and not read yet
  reg [2*Records-1:0] late_q [Lines];           // of a line on its way: {Next, body} of
                                                // each record written since
  wire [IdW-1:0] victim;                        // the next line to be given up
  wire victim_free, victim_settled;
  reg [LineW-1:0] ahead_q;                      // the next line to fetch ahead
  reg [LeftW-1:0] left_q;
  reg wait_q, ans_q, later_q;                   // a read waits for its line; its answer is there
  reg [IdW-1:0] wait_id_q;
  reg [RecW-1:0] wait_rec_q;
  reg [1:0] writes_q;                           // in the queue to memory

  // One look-up a cycle: the request's line, else the one to fetch ahead.
  wire [AddrW-5:0] at = req_addr_i[AddrW-1:4];
  wire [LineW-1:0] line = at[AddrW-5:RecW];
  wire [RecW-1:0] rec = at[RecW-1:0];
  wire [LineW-1:0] look = req_valid_i ? line : ahead_q;
  reg [Lines-1:0] match_c;
  reg [IdW-1:0] id_c;
  always_comb begin
    id_c = '0;
    for (int i = 0; i < Lines; i++) begin
      match_c[i] = valid_q[i] && tag_q[i] == look;
      if (match_c[i]) id_c = id_c | IdW'(i);
    end
  end
  wire hit = match_c != '0;
  wire pend = (match_c & pend_q) != '0;
  wire fresh = (match_c & fresh_q) != '0;

  wire mq_ready;
  wire can_fetch = mq_ready && victim_free;
  wire same = wait_q && hit && id_c == wait_id_q && rec == wait_rec_q;
  wire write = req_valid_i && req_write_i && mq_ready && !same && !(wait_q && rsp_valid_i);
  wire look_read = req_valid_i && !req_write_i && !wait_q && !ans_q;
  wire told = writes_q == 2'd0;
  wire get = look_read && hit && !pend && told;            // at once
  wire late_get = wait_q && !pend_q[wait_id_q];            // when the line has come
  wire on_way = look_read && hit && pend && (told || Later != 0);
  wire found = look_read && hit && (told || (pend && Later != 0));  // get or on_way
  wire miss = look_read && !hit && can_fetch;
  wire ahead = !req_valid_i && left_q != '0;
  wire [LeftW-1:0] depth = Later != 0 ? depth_i : LeftW'(Reach);
  wire alone = depth == LeftW'(Reach);                 // one list: its chunks follow each other
  wire outside = (ahead_q & IN_CHUNK) == '0 && !alone; // lines ahead begin behind a chunk's first
  wire ahead_miss = ahead && !outside && !hit && can_fetch;
  wire fetch = miss || ahead_miss;
  wire beat = rsp_valid_i && rsp_ready_o;
  wire [LineW-1:0] further = line + LineW'(depth);
  wire goes_on = found && fresh && left_q == '0;
  wire further_inside = alone || (depth != '0 && ((further ^ line) & ~IN_CHUNK) == '0);

  // Written so that hit comes last: it is late, and the queue before this one waits for it.
  assign req_ready_o = write || (look_read && (hit ? told || (pend && Later != 0) : can_fetch));
  assign rsp_ready_o = wait_q || !(req_valid_i && req_write_i && mq_ready);  // of flops

  // The next line to be given up.
  generate
    if (Later != 0) begin : g_spent
      reg [Lines-1:0] spent_q;            // its last record was read
      reg [Lines-1:0] behind_q;           // lines behind the last one given up
      reg [IdW-1:0] victim_q;
      reg [Lines-1:0] victim1_q;
      reg free_q, moved_q;
      wire [Lines-1:0] may_go = ~(pend_q | wanted_i);
      wire [Lines-1:0] behind = (may_go & spent_q) != '0 ? may_go & spent_q : may_go & behind_q;
      wire [Lines-1:0] next;
      wire [IdW-1:0] next_at;
      wire any;
      wf_priority_enc #(.N(Lines)) u_victim (
        .bits_i(behind != '0 ? behind : may_go), .onehot_o(next), .index_o(next_at), .any_o(any)
      );
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          spent_q <= '0;
          behind_q <= '0;
          free_q <= 1'b0;
          moved_q <= 1'b1;
        end else begin
          if (fetch) begin
            behind_q <= ~(victim1_q | (victim1_q - 1'b1));
            spent_q[victim_q] <= 1'b0;
          end else if (get) begin
            spent_q[id_c] <= rec == LAST_BEAT;
          end
          free_q <= any && !fetch;
          moved_q <= fetch || get || beat || wanted_i != '0;
        end
      end
      always_ff @(posedge clk_i) begin
        victim_q <= next_at;
        victim1_q <= next;
      end
      assign victim = victim_q;
      assign victim_free = free_q && !wanted_i[victim_q];
      assign victim_settled = !moved_q;
    end else begin : g_oldest
      reg [IdW-1:0] victim_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) victim_q <= '0;
        else if (fetch) victim_q <= victim_q == LAST_LINE ? '0 : victim_q + 1'b1;
      end
      assign victim = victim_q;
      assign victim_free = !pend_q[victim_q];
      assign victim_settled = 1'b1;
      wire unused_wanted = &{1'b0, wanted_i, depth_i};
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      pend_q <= '0;
      left_q <= '0;
      wait_q <= 1'b0;
      ans_q <= 1'b0;
      later_q <= 1'b0;
      writes_q <= 2'd0;
    end else begin
      if (beat && rsp_beat_i == LAST_BEAT) pend_q[rsp_id_i] <= 1'b0;
      if (fetch) begin
        valid_q[victim] <= 1'b1;
        pend_q[victim] <= 1'b1;
      end
      if (miss) left_q <= depth;
      else if (goes_on) left_q <= LeftW'(further_inside);
      else if (ahead && outside) left_q <= '0;
      else if (ahead_miss || (ahead && hit)) left_q <= left_q - 1'b1;
      wait_q <= Later == 0 && (miss || on_way || (wait_q && !late_get));
      later_q <= Later != 0 && (miss || on_way);
      ans_q <= get || late_get || (ans_q && !ans_ready_i);
      writes_q <= writes_q + {1'b0, write} - {1'b0, mem_valid_o && mem_ready_i && mem_write_o};
    end
  end
  always_ff @(posedge clk_i) begin
    if (fetch) begin
      tag_q[victim] <= look;
      fresh_q[victim] <= ahead_miss;
      late_q[victim] <= '0;
    end
    if (miss) ahead_q <= line + 1'b1;
    else if (goes_on) ahead_q <= further;
    else if (ahead_miss || (ahead && hit)) ahead_q <= ahead_q + 1'b1;
    if (goes_on) fresh_q[id_c] <= 1'b0;
    if (found || miss) begin
      wait_id_q <= found ? id_c : victim;
      wait_rec_q <= rec;
    end
    if (write && pend) late_q[id_c][{rec, req_mask_i[2]}] <= 1'b1;
  end

  // Records: beats that arrive, without what was written meanwhile; writes of the scheduler.
  wire [2*Records-1:0] late_line = late_q[rsp_id_i];
  wire late_body = late_line[{rsp_beat_i, 1'b0}], late_next = late_line[{rsp_beat_i, 1'b1}];
  wf_ram_1r1w #(.Width(DataW), .Depth(Lines * Records), .PartBits(WordW)) u_ram (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i((write && hit) || beat),
    .wr_addr_i(write ? {id_c, rec} : {rsp_id_i, rsp_beat_i}),
    .wr_mask_i(write ? req_mask_i : {!late_body, !late_next, !late_body, !late_body}),
    .wr_data_i(write ? req_data_i : rsp_data_i),
    .rd_en_i(get || late_get),
    .rd_addr_i(get || Later != 0 ? {id_c, rec} : {wait_id_q, wait_rec_q}), .rd_data_o(ans_data_o)
  );
  assign ans_valid_o = ans_q;
  assign later_o = later_q;
  assign later_id_o = wait_id_q;
  assign arrived_o = ~pend_q;

  // To memory.
  localparam integer MemW = 1 + IdW + AddrW + 4 + DataW;
  wire [1:0] mq_count;
  wire [AddrW-5:0] behind = at + 1'b1;
  wire [MemW-1:0] mq_in = write ? {1'b1, {IdW{1'b0}}, behind, 4'd0, req_mask_i, req_data_i}
                                : {1'b0, victim, look, {(RecW + 4){1'b0}}, 4'b0000,
                                   {DataW{1'b0}}};
  wf_fifo #(.Width(MemW), .Depth(2)) u_mem (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(write || fetch), .in_ready_o(mq_ready),
    .in_data_i(mq_in), .out_valid_o(mem_valid_o), .out_ready_i(mem_ready_i),
    .out_data_o({mem_write_o, mem_id_o, mem_addr_o, mem_mask_o, mem_data_o}), .count_o(mq_count)
  );

  assign ev_hit_o = Later != 0 ? get : found;
  assign ev_ahead_o = ahead_miss;
  assign quiet_o = !req_valid_i && !wait_q && !ans_q && !later_q && mq_count == 2'd0 && pend_q == '0
                   && left_q == '0 && victim_settled;
  wire unused = &{1'b0, req_addr_i[3:0]};

  `WF_ASSUME_STABLE(rule1_req, req_valid_i, req_ready_o,
                    {req_write_i, req_addr_i, req_mask_i, req_data_i}, 1 + AddrW + 4 + DataW,
                    "Rule 1: an offered request holds")
  `WF_ASSUME(rule1_addr, !req_valid_i || (req_addr_i[3:0] == 4'd0 && at != '1),
             "Rule 1: an address is a multiple of 16, and not the last one")
  `WF_ASSUME(rule1_mask, !(req_valid_i && req_write_i) || req_mask_i == 4'b1011
             || req_mask_i == 4'b0100,
             "Rule 1: a write is a record's body or its Next")
  `WF_ASSUME(rule2_asked, !rsp_valid_i || (|(pend_q & (Lines'(1) << rsp_id_i))),
             "Rule 2: beats come only for lines on their way")
  `WF_ASSERT(rule3_once, (match_c & (match_c - 1'b1)) == '0, "Rule 3: no line is kept twice")
  `WF_ASSERT_STABLE(rule4_mem, mem_valid_o, mem_ready_i,
                    {mem_write_o, mem_id_o, mem_addr_o, mem_mask_o, mem_data_o}, MemW,
                    "Rule 4: an offered memory request holds")
  `WF_ASSERT(rule5_stays, !fetch || !(pend_q[victim] || (wanted_i[victim] && Later != 0)),
             "Rule 5: a line that is wanted or on its way stays")
  `WF_ASSERT(rule5_one, !(wait_q && ans_q), "Rule 5: one read at a time")
`ifdef WF_ASSERT_LIVE
  // The beat that is due of each line.
  reg [RecW-1:0] due_q [Lines];
  always @(posedge clk_i) begin
    if (fetch) due_q[victim] <= '0;
    if (beat) due_q[rsp_id_i] <= rsp_beat_i + 1'b1;
  end
  `WF_ASSUME(rule2_order, !rsp_valid_i || rsp_beat_i == due_q[rsp_id_i],
             "Rule 2: beats of a line come in order")
`endif
endmodule
`default_nettype wire
