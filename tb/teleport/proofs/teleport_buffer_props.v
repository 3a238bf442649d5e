// The whole unit at small sizes, with an SM and a memory: one block, any one, is followed. A load
// that hits gets what memory held after the last store before it; the block is not fetched while it
// is here or on its way; answers come in time; idle means that nothing changes.
// Not among the proofs of unit.ini: pdr closes its control rules (20 of 33 in half a minute), and
// those that follow the block stay open for minutes.
`default_nettype none
`include "wf_assert.vh"
module teleport_buffer_props #(
  parameter integer Sets = 1,
  parameter integer Ways = 2
) (
  input wire clk_i, input wire ask_valid, input wire ask_slot, input wire ask_last,
  input wire [1:0] ask_block, input wire fetch_ready, input wire back, input wire back_line,
  input wire acc_valid, input wire acc_store, input wire [1:0] acc_block, input wire go_ready,
  input wire finish, input wire finish_slot, input wire start_valid
);
`include "formal.vh"
  (* anyconst *) wire overlap;
  (* anyconst *) wire [1:0] block;
  wire start_ready, ask_ready, fetch_valid, fetch_line, rsp_ready, acc_ready, rsp, hit, coming,
       line, go_valid, go_slot, end_ready, idle;
  wire [1:0] fetch_block;
  wire [63:0] value;
  // The requests of a thread block keep its slot; a refused offer holds.
  reg open_q, open_slot_q, held_q, held_slot_q, held_last_q;
  reg [1:0] held_block_q;
  initial open_q = 1'b0;
  initial held_q = 1'b0;
  wire ask_go = held_q || ask_valid;
  wire the_slot = held_q ? held_slot_q : open_q ? open_slot_q : ask_slot;
  wire the_last = held_q ? held_last_q : ask_last;
  wire [1:0] the_block = held_q ? held_block_q : ask_block;
  wire ask_fire = rst_ni && ask_go && ask_ready;
  reg acc_held_q, acc_store_q;
  reg [1:0] acc_block_q;
  initial acc_held_q = 1'b0;
  wire acc_go = acc_held_q || acc_valid, store = acc_held_q ? acc_store_q : acc_store;
  wire [1:0] the_acc = acc_held_q ? acc_block_q : acc_block;
  wire acc_fire = rst_ni && acc_go && acc_ready;
  reg [2:0] acc_past_q;
  initial acc_past_q = 3'd0;
  wire start = start_valid && start_ready && acc_past_q == 3'd0 && !acc_go && !ask_go;
  always @(posedge clk_i) begin
    if (ask_fire) open_slot_q <= the_slot;
    if (ask_fire) open_q <= !the_last;
    held_q <= rst_ni && ask_go && !ask_ready;
    held_slot_q <= the_slot;
    held_last_q <= the_last;
    held_block_q <= the_block;
    acc_held_q <= rst_ni && acc_go && !acc_ready;
    acc_store_q <= store;
    acc_block_q <= the_acc;
    acc_past_q <= {acc_past_q[1:0], acc_fire};
  end
  // Memory: lines on their way; the SM: thread blocks that run.
  reg [1:0] fly_q, running_q;
  initial fly_q = 2'd0;
  initial running_q = 2'd0;
  wire fetch = rst_ni && fetch_valid && fetch_ready, came = rst_ni && back && fly_q[back_line];
  wire go = rst_ni && go_valid && go_ready, fin = rst_ni && finish && running_q[finish_slot];
  teleport_buffer #(
    .Sets(Sets), .Ways(Ways), .MaxTb(2), .BlockBits(2), .LineBytes(2), .PitchBits(1),
    .HeightBits(1), .CapBits(8), .Ranges(3), .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .overlap_i(overlap), .bound_lo_i(2'd0), .bound_hi_i(2'd3),
    .cap_i(8'd255), .start_valid_i(start),
    .start_ready_o(start_ready), .start_ways_i(2'd2), .ask_valid_i(ask_go), .ask_ready_o(ask_ready),
    .ask_slot_i(the_slot), .ask_last_i(the_last), .ask_none_i(the_last),
    .ask_low_i({1'b0, the_block, 1'b0}), .ask_high_i({1'b0, the_block, 1'b1}), .ask_pitch_i(1'b0),
    .ask_lines_i(1'b0),
    .fetch_valid_o(fetch_valid), .fetch_ready_i(fetch_ready), .fetch_block_o(fetch_block),
    .fetch_line_o(fetch_line), .rsp_valid_i(came), .rsp_ready_o(rsp_ready), .rsp_line_i(back_line),
    .acc_valid_i(acc_go), .acc_ready_o(acc_ready), .acc_store_i(store), .acc_block_i(the_acc),
    .acc_rsp_valid_o(rsp), .acc_rsp_hit_o(hit), .acc_rsp_coming_o(coming), .acc_rsp_line_o(line),
    .go_valid_o(go_valid), .go_ready_i(go_ready), .go_slot_o(go_slot), .end_valid_i(fin),
    .end_ready_o(end_ready), .end_slot_i(finish_slot), .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0),
    .cnt_index_i(5'd0), .cnt_value_o(value), .idle_o(idle)
  );
  // Of each line: it holds the block, or the block is on its way to it; it is older than a store.
  reg [1:0] has_q, filled_q, stale_q;
  reg stored_q;  // the block was written in this kernel
  initial has_q = 2'd0;
  initial filled_q = 2'd0;
  initial stored_q = 1'b0;
  wire writes = acc_fire && store && the_acc == block;
  always @(posedge clk_i) if (rst_ni) begin
    if (writes) stale_q <= 2'd3;
    if (fetch) begin
      fly_q[fetch_line] <= 1'b1;
      has_q[fetch_line] <= fetch_block == block;
      filled_q[fetch_line] <= 1'b0;
      stale_q[fetch_line] <= writes;
    end
    if (came) begin
      fly_q[back_line] <= 1'b0;
      filled_q[back_line] <= 1'b1;
    end
    if (start) begin
      has_q <= 2'd0;
      filled_q <= 2'd0;
    end
    stored_q <= (stored_q && !start) || writes;
    if (go) running_q[go_slot] <= 1'b1;
    if (fin) running_q[finish_slot] <= 1'b0;
  end
  // Loads of the block, and what was stale when they were taken.
  reg [2:0] load_q;
  reg [5:0] old_q;
  initial load_q = 3'd0;
  always @(posedge clk_i) begin
    load_q <= {load_q[1:0], acc_fire && !store && the_acc == block};
    old_q <= {old_q[3:0], stale_q};
  end
  reg ours_q;  // the answer on the ports is to a load of the block
  reg [1:0] ours_old_q;
  initial ours_q = 1'b0;
  always @(posedge clk_i) begin
    ours_q <= load_q[2];
    ours_old_q <= old_q[5:4];
  end
  wire got = ours_q && hit;
  `WF_ASSERT(in_step, rsp == past_q, "an answer comes three edges after its access")
  reg past_q;
  initial past_q = 1'b0;
  always @(posedge clk_i) past_q <= acc_past_q[2];
  `WF_ASSERT(right_block, !got || (has_q[line] && filled_q[line]),
             "a hit is the block, and it is there")
  `WF_ASSERT(fresh, !got || !ours_old_q[line], "no load gets what a store before it replaced")
  `WF_ASSERT(one_answer, !ours_q || !(hit && coming), "here or on its way")
  `WF_ASSERT(fetched_once, !(fetch && fetch_block == block && !stored_q)
             || (has_q & (fly_q | filled_q) & ~(2'd1 << fetch_line)) == 2'd0,
             "what is here or on its way is not fetched")
  `WF_ASSERT(line_free, !fetch || !fly_q[fetch_line], "a line that is on its way is not given away")
  `WF_ASSERT(always_ready, rsp_ready && end_ready, "replies and ends are always taken")
  // Progress: a request is taken when memory, SM and slot hold nothing up.
  reg [4:0] late_q;
  initial late_q = 5'd0;
  wire smooth = fetch_ready && !acc_go && fly_q == 2'd0 && running_q == 2'd0 && go_ready;
  always @(posedge clk_i) late_q <= rst_ni && held_q && smooth ? late_q + 5'd1 : 5'd0;
  `WF_ASSERT(moves, late_q < 5'd16, "requests are taken")
  `WF_COVER(hits, got)
  `WF_COVER(written, ours_q && !hit && ours_old_q == 2'd3 && filled_q == 2'd3 && has_q != 2'd0)
  `WF_COVER(lets_go, go && has_q != 2'd0)
  // What was offered in reset is in the pipeline's data for two more edges.
  reg [1:0] up_q;
  initial up_q = 2'd0;
  always @(posedge clk_i) if (rst_ni && up_q != 2'd3) up_q <= up_q + 2'd1;
  `WF_QUIET(idle && up_q == 2'd3 && !ask_go && !acc_go && !start && !came && !fin)
  wire unused = &{1'b0, value};
endmodule
`default_nettype wire
