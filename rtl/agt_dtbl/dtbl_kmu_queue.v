// dtbl_kmu_queue: kernels that wait, first in, first out: the oldest on chip, the others in a ring
// of records in memory. What comes is kept on chip while there is room and nothing waits in memory;
// from then on it goes to memory, and comes back a line at a time, until memory is empty. A queue
// in front takes what comes at once: all that the lanes of a warp launch. Two words of 16 bytes
// make a record, whose halves have HalfW bits each; four records make a line.
//
// A record's place in memory is free again when it has come back, not when it was asked for: a
// write may overtake a read on the way to memory.
//
//   in    a record. Not ready: as many as Burst wait for memory
//   out   the oldest record
//   mem   write 1: a half at (addr - 16). write 0: the line at addr. One read is on its way at most
//   rsp   the line's words, 0..7 in order; always taken
//
// Timing: a record is offered in the fifth cycle after that of its transfer, if none is before it.
// In and out one a cycle; to memory one in three, out of memory four for each answer. Ports follow
// flops only.
//
//   HalfW 1..128   Burst 3..   Entries 5..   Ring 2^k from 8   AddrW over log2(32 * Ring)
// Storage: RAM (Burst + Entries) * 2 * HalfW, and in memory 32 bytes for each of Ring; flops:
//   2 * log2(Ring) + 3 * log2(Entries) + 3 * log2(Burst) + 16.
//
// Rules
//   1 base_i is a multiple of 32 * Ring, and stays. The words of a line come in order, once each
//     line was asked for.
//   2 Records leave as they came: none is lost, added or overtaken.
//   3 What is kept never exceeds Entries, nor Ring in memory.
`default_nettype none
`include "wf_assert.vh"

module dtbl_kmu_queue #(
  parameter integer HalfW = 100,
  parameter integer Burst = 32,
  parameter integer Entries = 16,
  parameter integer Ring = 262144,
  parameter integer AddrW = 32,
  localparam integer RecordW = 2 * HalfW,
  localparam integer CountW = $clog2(Burst + Entries + Ring + 1)
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire [AddrW-1:0]   base_i,
  input  wire               in_valid_i,
  output wire               in_ready_o,
  input  wire [RecordW-1:0] in_data_i,
  output wire               out_valid_o,
  input  wire               out_ready_i,
  output wire [RecordW-1:0] out_data_o,
  output wire               mem_valid_o,
  input  wire               mem_ready_i,
  output wire               mem_write_o,
  output wire [AddrW-1:0]   mem_addr_o,
  output wire [127:0]       mem_data_o,
  input  wire               rsp_valid_i,
  input  wire [127:0]       rsp_data_i,
  input  wire [2:0]         rsp_beat_i,
  output wire [CountW-1:0]  held_o,       // records in all
  output wire               ev_spill_o,   // a record is in memory
  output wire               ev_read_o,    // a line is asked for
  output wire               ev_refill_o,  // a record is back
  output wire               quiet_o
);
  localparam integer AtW = $clog2(Entries);
  localparam integer NumW = $clog2(Entries + 1);
  localparam integer RingW = $clog2(Ring);
  localparam integer BurstW = $clog2(Burst + 1);
  localparam [AtW-1:0] LAST = AtW'(Entries - 1);
  localparam [1:0] REST = 2'd0, LOW = 2'd1, HIGH = 2'd2, READ = 2'd3;

  initial begin
    if (HalfW < 1 || HalfW > 128) $fatal(1, "dtbl_kmu_queue: HalfW must be 1..128");
    if (Burst < 3) $fatal(1, "dtbl_kmu_queue: Burst must be 3 or more");
    if (Entries < 5) $fatal(1, "dtbl_kmu_queue: Entries must be 5 or more");
    if (Ring < 8 || (Ring & (Ring - 1)) != 0)
      $fatal(1, "dtbl_kmu_queue: Ring must be 2^k from 8");
    if (AddrW <= RingW + 5) $fatal(1, "dtbl_kmu_queue: AddrW must exceed log2 of 32 * Ring");
  end

  // On chip: RAM, whose output is the oldest record's.
  reg [AtW-1:0] put_q, get_q;
  reg [NumW-1:0] num_q;        // with the one that is offered
  reg out_q;
  // In memory: records written and read, modulo 2 * Ring.
  reg [RingW:0] tail_q, head_q;
  reg reading_q;
  reg [1:0] last_q;            // of the line that is read: its last record
  reg [1:0] state_q;           // of the port to memory

  wire [RingW:0] used = tail_q - head_q;
  wire empty = used == '0;
  wire full = used[RingW];
  wire direct = state_q == REST && empty && !reading_q && num_q != NumW'(Entries);
  wire come;
  wire [RecordW-1:0] record;
  wire keep = come && direct;
  wire mem_take = mem_valid_o && mem_ready_i;
  wire spilled = state_q == HIGH && mem_take;
  wire [BurstW-1:0] in_count;
  wf_fifo #(.Width(RecordW), .Depth(Burst), .Ram(1)) u_in (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i), .in_ready_o(in_ready_o),
    .in_data_i(in_data_i), .out_valid_o(come), .out_ready_i(direct || spilled),
    .out_data_o(record), .count_o(in_count)
  );

  // A line is asked for when there is room for all of it.
  wire want = !empty && !reading_q && num_q <= NumW'(Entries - 4);
  wire [1:0] first = head_q[1:0];
  wire [1:0] end_at = first + used[1:0] - 2'd1;
  wire to_end = used > {{(RingW - 1){1'b0}}, 2'd3 - first};  // the line is full from here on
  reg [1:0] state_d;
  always_comb begin
    case (state_q)
      REST: state_d = want ? READ : come && !direct && !full ? LOW : REST;
      LOW: state_d = mem_take ? HIGH : LOW;
      HIGH: state_d = mem_take ? REST : HIGH;
      default: state_d = mem_take ? REST : READ;
    endcase
  end

  // Words of a line that is read.
  wire [1:0] rsp_record = rsp_beat_i[2:1];
  wire mine = rsp_record >= first && rsp_record <= last_q;
  wire back = rsp_valid_i && mine && rsp_beat_i[0];  // first moves on with each record
  wire write = rsp_valid_i && mine;

  wire stored = num_q != NumW'(out_q);
  wire fetch = stored && (!out_q || out_ready_i);
  wire pop = out_q && out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q <= '0;
      get_q <= '0;
      num_q <= '0;
      out_q <= 1'b0;
      tail_q <= '0;
      head_q <= '0;
      reading_q <= 1'b0;
      state_q <= REST;
    end else begin
      if (keep || back) put_q <= put_q == LAST ? '0 : put_q + 1'b1;
      if (fetch) get_q <= get_q == LAST ? '0 : get_q + 1'b1;
      if ((keep || back) != pop) num_q <= pop ? num_q - 1'b1 : num_q + 1'b1;
      if (!out_q || out_ready_i) out_q <= stored;
      if (spilled) tail_q <= tail_q + 1'b1;
      if (back) head_q <= head_q + 1'b1;
      if (state_q == READ && mem_take) reading_q <= 1'b1;
      else if (rsp_valid_i && rsp_beat_i == 3'd7) reading_q <= 1'b0;
      state_q <= state_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == REST && want) last_q <= to_end ? 2'd3 : end_at;
  end

  wf_ram_1r1w #(.Width(RecordW), .Depth(Entries), .PartBits(HalfW)) u_ram (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(keep || write), .wr_addr_i(put_q),
    .wr_mask_i({keep || rsp_beat_i[0], keep || !rsp_beat_i[0]}),
    .wr_data_i(keep ? record : {2{rsp_data_i[HalfW-1:0]}}), .rd_en_i(fetch), .rd_addr_i(get_q),
    .rd_data_o(out_data_o)
  );
  assign out_valid_o = out_q;

  wire [RingW-1:0] at = state_q == READ ? {head_q[RingW-1:2], 2'd0} : tail_q[RingW-1:0];
  // The address of a write is behind its half.
  wire [RingW:0] behind = {at, 1'b0} + (state_q == READ ? '0 : state_q == HIGH ? (RingW + 1)'(2)
                                                            : (RingW + 1)'(1));
  wire wraps = state_q == HIGH && at == '1;  // behind the last one of the ring
  assign mem_valid_o = state_q != REST;
  assign mem_write_o = state_q != READ;
  assign mem_addr_o = {base_i[AddrW-1:RingW+5] + (AddrW - RingW - 5)'(wraps), behind, 4'd0};
  wire [HalfW-1:0] half = state_q == HIGH ? record[RecordW-1:HalfW] : record[HalfW-1:0];
  assign mem_data_o = state_q == READ ? '0 : 128'(half);

  assign held_o = CountW'(in_count) + CountW'(num_q) + CountW'(used);
  assign ev_spill_o = spilled;
  assign ev_read_o = state_q == READ && mem_take;
  assign ev_refill_o = back;
  assign quiet_o = in_count == '0 && state_q == REST && !reading_q && !want && !(stored && !out_q);
  wire unused = &{1'b0, base_i[RingW+4:0], rsp_data_i};

  `WF_ASSUME_STABLE(rule1_in, in_valid_i, in_ready_o, in_data_i, RecordW,
                    "Rule 1: an offered record holds")
  `WF_ASSUME(rule1_base, base_i[RingW+4:0] == '0, "Rule 1: the ring is aligned to its size")
  `WF_ASSUME(rule1_asked, !rsp_valid_i || reading_q, "Rule 1: a line comes that was asked for")
  `WF_ASSERT_STABLE(rule2_out, out_valid_o, out_ready_i, out_data_o, RecordW,
                    "Rule 2: an offered record holds")
  `WF_ASSERT_STABLE(rule2_mem, mem_valid_o, mem_ready_i, {mem_write_o, mem_addr_o, mem_data_o},
                    1 + AddrW + 128, "Rule 2: an offered memory request holds")
  `WF_ASSERT(rule2_order, !keep || (empty && !reading_q),
             "Rule 2: none is kept on chip while an older one is in memory")
  `WF_ASSERT(rule3_chip, num_q <= NumW'(Entries) && !((keep || back) && num_q == NumW'(Entries)),
             "Rule 3: no more is kept on chip than there is room for")
  `WF_ASSERT(rule3_ring, !full || used[RingW-1:0] == '0,
             "Rule 3: no more is in memory than there is room for")
`ifdef WF_ASSERT_LIVE
  reg [2:0] due_q;  // the word that comes next
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) due_q <= 3'd0;
    else if (rsp_valid_i) due_q <= rsp_beat_i + 1'b1;
  `WF_ASSUME(rule1_order, !rsp_valid_i || rsp_beat_i == due_q, "Rule 1: words come in order")
`endif
endmodule
`default_nettype wire
