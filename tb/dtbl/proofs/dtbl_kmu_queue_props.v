// dtbl_kmu_queue with a memory of any speed, which finds what was written before a read, and may
// find what is written after it: records leave as they came and in their order, none is lost, and
// something moves. Records have one of two values, all of the first come before any of the second:
// where an order or a value is wrong for some contents, it is for these.
`default_nettype none
`include "wf_assert.vh"
module dtbl_kmu_queue_props #(
  parameter integer Burst = 3,
  parameter integer Entries = 5,
  parameter integer Ring = 8,
  parameter integer AddrW = 10,
  // Cycles in which nothing is offered though memory never waits.
  parameter integer Slow = 24
) (
  input wire clk_i, input wire in_valid, input wire second, input wire out_ready,
  input wire mem_ready, input wire rsp, input wire late
);
`include "formal.vh"
  localparam [AddrW-1:0] BASE = AddrW'(32 * Ring);
  localparam integer CountW = $clog2(Burst + Entries + Ring + 1);
  reg seen_q, held_q, held_second_q;  // the second value came; what is offered holds
  initial seen_q = 1'b0;
  initial held_q = 1'b0;
  wire valid = rst_ni && (in_valid || held_q);
  wire value = held_q ? held_second_q : second || seen_q;
  wire in_ready, out_valid, mem_valid, mem_write, quiet, spill, line, refill;
  wire [1:0] out;
  wire [AddrW-1:0] addr;
  wire [127:0] mem_data;
  wire [CountW-1:0] held;
  reg reading_q, old_q;
  reg [2:0] beat_q;
  reg [2*Ring-1:0] word_q;            // a bit for each half in memory
  reg [7:0] line_q;                   // as the read found it
  reg [$clog2(2*Ring)-1:0] at_q;      // the line's first half
  initial reading_q = 1'b0;
  wire answer = rst_ni && reading_q && rsp;
  wire word = old_q ? line_q[beat_q] : word_q[at_q + ($clog2(2*Ring))'(beat_q)];
  dtbl_kmu_queue #(
    .HalfW(1), .Burst(Burst), .Entries(Entries), .Ring(Ring), .AddrW(AddrW)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .base_i(BASE), .in_valid_i(valid), .in_ready_o(in_ready),
    .in_data_i({2{value}}), .out_valid_o(out_valid), .out_ready_i(out_ready), .out_data_o(out),
    .mem_valid_o(mem_valid), .mem_ready_i(mem_ready), .mem_write_o(mem_write), .mem_addr_o(addr),
    .mem_data_o(mem_data), .rsp_valid_i(answer), .rsp_data_i(128'(word)), .rsp_beat_i(beat_q),
    .held_o(held), .ev_spill_o(spill), .ev_read_o(line), .ev_refill_o(refill), .quiet_o(quiet)
  );
  wire in_take = valid && in_ready;
  wire out_take = rst_ni && out_valid && out_ready;
  wire mem_take = rst_ni && mem_valid && mem_ready;
  wire [AddrW-1:0] place = (addr - BASE - AddrW'(mem_write ? 16 : 0)) >> 4;
  wire [$clog2(2*Ring)-1:0] half = place[$clog2(2*Ring)-1:0];
  reg [$clog2(2*Ring)-1:0] next_q;    // the half that is written next
  reg [5:0] inside_q;                 // records that came and did not leave
  reg [5:0] firsts_q;                 // of these, with the first value
  reg out_second_q;                   // the second value has left
  reg [5:0] slow_q;
  reg [1:0] memory_q;                 // a record was in memory; all came back
  initial memory_q = 2'd0;
  always @(posedge clk_i) begin
    held_q <= valid && !in_ready;
    held_second_q <= value;
    if (!rst_ni) begin
      seen_q <= 1'b0;
      reading_q <= 1'b0;
      next_q <= '0;
      inside_q <= 6'd0;
      firsts_q <= 6'd0;
      out_second_q <= 1'b0;
      slow_q <= 6'd0;
      memory_q <= 2'd0;
    end else begin
      if (in_take && value) seen_q <= 1'b1;
      if (out_take && out == 2'b11) out_second_q <= 1'b1;
      inside_q <= inside_q + 6'(in_take) - 6'(out_take);
      firsts_q <= firsts_q + 6'(in_take && !value) - 6'(out_take && out == 2'b00);
      if (mem_take && mem_write) begin
        word_q[half] <= mem_data[0];
        next_q <= next_q + 1'b1;
      end
      if (mem_take && !mem_write) begin
        reading_q <= 1'b1;
        old_q <= !late;
        beat_q <= 3'd0;
        at_q <= half;
        for (int i = 0; i < 8; i++) line_q[i] <= word_q[half + ($clog2(2*Ring))'(i)];
      end
      if (answer) begin
        beat_q <= beat_q + 1'b1;
        if (beat_q == 3'd7) reading_q <= 1'b0;
      end
      if (held == '0 || out_valid || !mem_ready || (reading_q && !rsp)) slow_q <= 6'd0;
      else slow_q <= slow_q + 1'b1;
      if (spill) memory_q[0] <= 1'b1;
      if (memory_q[0] && refill) memory_q[1] <= 1'b1;
    end
  end
  `WF_ASSERT(order, !(out_valid && out_second_q) || out == 2'b11, "records leave in their order")
  `WF_ASSERT(whole, !out_valid || out == 2'b11 || out == 2'b00, "records leave as they came")
  `WF_ASSERT(none_lost, !(out_valid && out == 2'b11) || firsts_q == 6'd0,
             "none is overtaken or lost")
  `WF_ASSERT(counted, 6'(held) == inside_q, "what came and did not leave is held")
  `WF_ASSERT(inside, !mem_take || (place >> $clog2(2*Ring)) == '0, "it stays inside its ring")
  `WF_ASSERT(places, !(mem_take && mem_write) || half == next_q, "halves lie side by side")
  `WF_ASSERT(moves, slow_q < 6'(Slow), "something moves")
  `WF_COVER(back, memory_q == 2'b11 && out_take && out == 2'b11)
  `WF_COVER(several, refill && memory_q[1])
  `WF_COVER(write_while_reading, reading_q && mem_take && mem_write)
  // Rules of the queue note an offer that stands a cycle later.
  wire rests = quiet && !valid && !out_take && !answer;
  reg rests_q;
  initial rests_q = 1'b0;
  always @(posedge clk_i) rests_q <= rst_ni && rests;
  `WF_QUIET(rests && rests_q)
endmodule
`default_nettype wire
