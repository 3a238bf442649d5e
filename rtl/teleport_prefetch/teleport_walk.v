// teleport_walk: turns ranges of blocks into one request a cycle: each block once, in address
// order, range by range, then the marker that ends the thread block. At most cap_i blocks per
// thread block: what is beyond is not asked for. The slot goes along.
//
// Timing: an item that is loaded at an edge is on req at the next; a new range follows the one
// before without a gap. An empty range costs a cycle. req_* are registers.
//
//   BlockBits 1..   CapBits 1..   SlotW 1..
// Storage: 3 * BlockBits + CapBits + 2 * SlotW + 6 flops.
//
// Rules
//   1 A request holds until taken.
//   2 A range that is not empty has first <= last.
`default_nettype none
`include "wf_assert.vh"

module teleport_walk #(
  parameter integer BlockBits = 25,
  parameter integer CapBits = 10,
  parameter integer SlotW = 3
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire [CapBits-1:0]   cap_i,
  // ranges
  input  wire                 item_valid_i,
  output wire                 item_ready_o,
  input  wire [SlotW-1:0]     item_slot_i,
  input  wire                 item_empty_i,
  input  wire                 item_end_i,    // the last of its thread block
  input  wire [BlockBits-1:0] item_first_i,
  input  wire [BlockBits-1:0] item_last_i,
  // requests
  output wire                 req_valid_o,
  input  wire                 req_ready_i,
  output wire [SlotW-1:0]     req_slot_o,
  output wire                 req_last_o,    // the marker; no block
  output wire [BlockBits-1:0] req_block_o,
  output wire                 cut_o,         // blocks of a range are left out
  output wire                 busy_o
);
  reg load_q, blocks_q, end_q;  // an item is loaded; it has blocks left; it ends the thread block
  reg [BlockBits-1:0] at_q, last_q;
  reg [CapBits-1:0] left_q;  // requests that this thread block still has
  reg req_q, req_last_q;
  reg [BlockBits-1:0] req_block_q;
  reg [SlotW-1:0] slot_q, req_slot_q;

  wire free = !req_q || req_ready_i;
  wire some_left = left_q != '0;
  wire block = load_q && blocks_q && some_left;
  wire final_block = at_q == last_q;
  wire marker = load_q && !block && end_q;
  // The item is over: skipped, its marker sent, or its last block with no marker to come.
  wire over = load_q && !block && (!end_q || free);
  wire done = over || (block && free && !end_q && final_block);
  wire next = !load_q || done;
  assign item_ready_o = next;
  wire take = item_valid_i && next;
  assign cut_o = over && blocks_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_q <= 1'b0;
      blocks_q <= 1'b0;
      end_q <= 1'b0;
      req_q <= 1'b0;
      req_last_q <= 1'b0;
    end else begin
      if (next) begin
        load_q <= item_valid_i;
        blocks_q <= item_valid_i && !item_empty_i;
        end_q <= item_valid_i && item_end_i;
      end else if (block && free && final_block) begin
        blocks_q <= 1'b0;
      end
      if (free) begin
        req_q <= block || marker;
        req_last_q <= marker;
      end
    end
  end
  reg fresh_q;  // the next item is the first of its thread block
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fresh_q <= 1'b1;
    else if (take) fresh_q <= item_end_i;
  end
  always_ff @(posedge clk_i) begin
    if (take) at_q <= item_first_i;
    else if (block && free) at_q <= at_q + 1'b1;
    if (take) last_q <= item_last_i;
    if (take) slot_q <= item_slot_i;
    if (take && fresh_q) left_q <= cap_i;
    else if (block && free) left_q <= left_q - 1'b1;
    if (free && block) req_block_q <= at_q;
    if (free && load_q) req_slot_q <= slot_q;
  end
  assign req_valid_o = req_q;
  assign req_slot_o = req_slot_q;
  assign req_last_o = req_last_q;
  assign req_block_o = req_last_q ? '0 : req_block_q;
  assign busy_o = load_q || req_q;

  `WF_ASSERT_STABLE(rule1, req_valid_o, req_ready_i, {req_slot_o, req_last_o, req_block_o},
                    SlotW + 1 + BlockBits, "Rule 1: a request holds until taken")
  `WF_ASSUME(rule2, !item_valid_i || item_empty_i || item_first_i <= item_last_i,
             "Rule 2: a range that is not empty has first <= last")
endmodule
`default_nettype wire
