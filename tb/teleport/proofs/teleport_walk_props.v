// teleport_walk: what its ranges ask for, kept in a small queue: each block once, ascending, no
// more than the cap in a thread block, then its marker, and nothing else; every request comes
// within three edges of what is before it.
`default_nettype none
`include "wf_assert.vh"
module teleport_walk_props #(
  parameter integer BlockBits = 3,
  parameter integer CapBits = 3
) (
  input wire clk_i, input wire item_valid, input wire slot, input wire empty, input wire ends,
  input wire [BlockBits-1:0] first, input wire [BlockBits-1:0] last, input wire req_ready
);
`include "formal.vh"
  (* anyconst *) wire [CapBits-1:0] cap;
  wire item_ready, req_valid, req_slot, req_last, cut, busy;
  wire [BlockBits-1:0] req_block;
  teleport_walk #(.BlockBits(BlockBits), .CapBits(CapBits), .SlotW(1)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .cap_i(cap), .item_valid_i(item_valid),
    .item_ready_o(item_ready), .item_slot_i(slot), .item_empty_i(empty), .item_end_i(ends),
    .item_first_i(first), .item_last_i(last), .req_valid_o(req_valid), .req_ready_i(req_ready),
    .req_slot_o(req_slot), .req_last_o(req_last), .req_block_o(req_block), .cut_o(cut),
    .busy_o(busy)
  );
  `WF_ASSUME(ordered, empty || first <= last, "ranges are in order")
  wire take = rst_ni && item_valid && item_ready, sent = rst_ni && req_valid && req_ready;

  // What the thread block may still ask for, when an item is taken.
  reg [CapBits-1:0] left_q;
  reg fresh_q;
  initial fresh_q = 1'b1;
  wire [CapBits-1:0] left = fresh_q ? cap : left_q;
  wire [BlockBits-1:0] span = last - first;
  wire some = !empty && left != '0;
  wire cuts = 32'(span) >= 32'(left);  // more blocks than are left
  wire [BlockBits-1:0] until_block = cuts ? first + BlockBits'(left) - 1'b1 : last;
  always @(posedge clk_i) if (take) begin
    fresh_q <= ends;
    left_q <= !some ? left : cuts ? '0 : left - CapBits'(span) - 1'b1;
  end

  // Two ranges that are not over: {slot, has blocks, ends, at, last}.
  reg [1:0] count_q;
  initial count_q = 2'd0;
  reg s0_q, b0_q, e0_q, s1_q, b1_q, e1_q;
  reg [BlockBits-1:0] at0_q, at1_q, last0_q, last1_q;
  wire push = take && (some || ends);
  wire over0 = sent && (b0_q ? at0_q == last0_q && !e0_q : 1'b1);
  wire to0 = count_q == 2'd0 || (count_q == 2'd1 && over0);
  always @(posedge clk_i) if (rst_ni) begin
    count_q <= count_q + {1'b0, push} - {1'b0, over0};
    if (sent && b0_q) begin
      at0_q <= at0_q + 1'b1;
      if (at0_q == last0_q) b0_q <= 1'b0;
    end
    if (over0) begin
      s0_q <= s1_q;
      b0_q <= b1_q;
      e0_q <= e1_q;
      at0_q <= at1_q;
      last0_q <= last1_q;
    end
    if (push && to0) begin
      s0_q <= slot;
      b0_q <= some;
      e0_q <= ends;
      at0_q <= first;
      last0_q <= until_block;
    end else if (push) begin
      s1_q <= slot;
      b1_q <= some;
      e1_q <= ends;
      at1_q <= first;
      last1_q <= until_block;
    end
  end
  `WF_ASSERT(expected, !req_valid || count_q != 2'd0, "no request that no range asked for")
  `WF_ASSERT(marker_last, !req_valid || count_q == 2'd0 || req_last == !b0_q,
             "the marker comes after all blocks, once")
  `WF_ASSERT(in_order, !req_valid || count_q == 2'd0 || !b0_q || req_block == at0_q,
             "each block once, ascending")
  `WF_ASSERT(right_slot, !req_valid || count_q == 2'd0 || req_slot == s0_q, "the slot goes along")
  `WF_ASSERT(few, count_q <= 2'd2, "no range is left behind")
  reg [1:0] late_q;
  initial late_q = 2'd0;
  always @(posedge clk_i) late_q <= !rst_ni || count_q == 2'd0 || req_valid ? 2'd0 : late_q + 2'd1;
  `WF_ASSERT(in_time, late_q != 2'd3, "what is asked for is sent")
  `WF_COVER(capped, sent && !req_last && at0_q == last0_q && left_q == '0 && cap == CapBits'(2))
  `WF_COVER(two_ranges, count_q == 2'd2 && sent && b0_q && at0_q == last0_q && !e0_q)
  `WF_COVER(marker, sent && req_last && count_q == 2'd2)
  wire unused = &{1'b0, cut};
  `WF_QUIET(!busy && !item_valid)
endmodule
`default_nettype wire
