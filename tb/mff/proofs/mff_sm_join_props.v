// mff_sm_join: entries, credits and the bits of waiting warps are those of the commands that are
// outstanding: no more than entries, no slice over its share, none lost. What is owed to each
// command is kept here bit by bit.
`default_nettype none
`include "wf_assert.vh"
module mff_sm_join_props #(
  parameter integer Commands = 2,
  parameter integer NSlice = 2,
  parameter integer NumWarp = 2
) (
  input wire clk_i, input wire want, input wire gather, input wire warp, input wire [1:0] words,
  input wire end_want, input wire end_entry, input wire [2:0] end_count, input wire end_refused
);
`include "formal.vh"
  localparam integer Share = (Commands + NSlice - 1) / NSlice;
  wire start, entry, slice, end_ready, ev_over, ev_refused, idle;
  wire [NumWarp-1:0] gathers;
  wire commit = rst_ni && want && start;
  reg end_q, entry_q, refused_q;          // an end holds until it is heard
  reg [2:0] count_q;
  initial end_q = 1'b0;
  reg [2*3-1:0] owed_q;                   // of each entry: words and the completion
  reg [1:0] out_q, slice_q, gather_q, warp_q;
  initial out_q = 2'd0;
  wire new_end = rst_ni && end_want && (!end_q || end_ready) && out_q[end_entry]
                 && !(end_q && end_entry == entry_q && (refused_q || owed == count_q));
  // What is owed after the end that is heard now.
  wire [2:0] owed = owed_q[entry_q*3 +: 3];
  wire [2:0] new_owed = owed_q[end_entry*3 +: 3]
                        - (end_q && end_entry == entry_q ? count_q : 3'd0);
  `WF_ASSUME(owed_only, !new_end || (end_count != 3'd0 && end_count <= new_owed),
             "no more than is owed comes back")
  wire heard = rst_ni && end_q && end_ready;
  wire last = heard && (refused_q || owed == count_q);
  mff_sm_join #(.Commands(Commands), .NSlice(NSlice), .NumWarp(NumWarp)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .first_i(1'b1), .start_o(start), .entry_o(entry),
    .slice_o(slice), .commit_i(commit), .commit_gather_i(gather), .commit_warp_i({5'd0, warp}),
    .commit_words_i({9'd0, words}), .end_valid_i(end_q), .end_ready_o(end_ready),
    .end_entry_i(entry_q), .end_warp_i({5'd0, warp_q[entry_q]}), .end_count_i(count_q),
    .end_refused_i(refused_q), .gathers_o(gathers), .ev_over_o(ev_over),
    .ev_refused_o(ev_refused), .idle_o(idle)
  );
  always @(posedge clk_i) if (rst_ni) begin
    if (heard) end_q <= 1'b0;
    if (new_end) begin
      end_q <= 1'b1;
      entry_q <= end_entry;
      count_q <= end_count;
      refused_q <= end_refused;
    end
    if (heard) owed_q[entry_q*3 +: 3] <= owed - count_q;
    if (last) out_q[entry_q] <= 1'b0;
    if (commit) begin
      out_q[entry] <= 1'b1;
      slice_q[entry] <= slice;
      gather_q[entry] <= gather;
      warp_q[entry] <= warp;
      owed_q[entry*3 +: 3] <= {1'b0, words} + 3'd1;
    end
  end
  wire [1:0] at_slice = out_q & (slice ? slice_q : ~slice_q);
  `WF_ASSERT(entry_free, !start || !out_q[entry], "an entry is handed out once")
  `WF_ASSERT(share_kept, !start || {1'b0, at_slice[0]} + {1'b0, at_slice[1]} < 2'(Share),
             "no command without a credit of its slice")
  // Bits of warps, which follow two edges later.
  wire [1:0] gather_of_0 = out_q & gather_q & ~warp_q, gather_of_1 = out_q & gather_q & warp_q;
  wire [1:0] waits = {gather_of_1 != 2'd0, gather_of_0 != 2'd0};
  reg [1:0] waits1_q, waits2_q;
  initial waits1_q = 2'd0;
  initial waits2_q = 2'd0;
  always @(posedge clk_i) begin
    waits1_q <= waits;
    waits2_q <= waits1_q;
  end
  `WF_ASSERT(waits_long_enough, !rst_ni || (waits & waits1_q & waits2_q & ~gathers) == 2'd0,
             "a warp's bit is high while a gather of it is outstanding")
  `WF_ASSERT(waits_end, !rst_ni || (~waits & ~waits1_q & ~waits2_q & gathers) == 2'd0,
             "and falls two edges after the last")
  reg [4:0] none_q;                       // edges without a start though an entry is free
  initial none_q = 5'd0;
  always @(posedge clk_i)
    none_q <= rst_ni && out_q != 2'd3 && !start ? none_q + {4'd0, none_q != 5'd31} : 5'd0;
  `WF_ASSERT(nothing_lost, none_q < 5'd14, "a free entry with its credit is offered again")
  reg [7:0] commits_q;
  initial commits_q = 8'd0;
  always @(posedge clk_i) if (commit) commits_q <= commits_q + 8'd1;
  `WF_COVER(all_out, out_q == 2'd3)
  `WF_COVER(again, last && commits_q == 8'd3)
  `WF_COVER(refused, last && refused_q && owed != count_q)
  `WF_QUIET(idle && !commit && !end_q)
  wire unused = &{1'b0, ev_over, ev_refused};
endmodule
`default_nettype wire
