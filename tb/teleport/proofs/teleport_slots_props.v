// teleport_slots, with the tops of the pipeline around it: who waits for which line is kept bit by
// bit. A thread block is let go once, when its requests are closed and nothing that it waits for is
// missing, and then soon.
`default_nettype none
`include "wf_assert.vh"
module teleport_slots_props #(
  parameter integer Lines = 2,
  parameter integer MaxTb = 2
) (
  input wire clk_i, input wire want, input wire [1:0] kind, input wire slot, input wire line,
  input wire back, input wire back_line, input wire go_ready, input wire finish,
  input wire finish_slot
);
`include "formal.vh"
  (* anyconst *) wire overlap;
  reg open_q, open_slot_q;
  reg [1:0] coming_q, old_q, older_q;                  // lines on their way, for how long
  reg [3:0] waits_q;                                   // {slot, line}
  reg [3:0] mine_q;                                    // asked for by the thread block
                                                       // whose requests come
  reg [1:0] closed_q, told_q, ended_q;
  initial open_q = 1'b0;
  initial coming_q = 2'd0;
  initial old_q = 2'd0;
  initial older_q = 2'd0;
  initial waits_q = 4'd0;
  initial mine_q = 4'd0;
  initial closed_q = 2'd0;
  initial told_q = 2'd0;
  initial ended_q = 2'd0;
  wire [MaxTb-1:0] used;
  wire go_valid, go_slot, waiting, busy;

  // S0: the first request of a thread block opens its slot. S2 follows; here one after the other.
  wire opens = rst_ni && want && kind == 2'd0 && !open_q && !used[slot] && !pend_q;
  // A line that came is given anew two edges later at the earliest: it is chosen one stage ahead.
  reg [1:0] recent_q;
  initial recent_q = 2'd0;
  always @(posedge clk_i) recent_q <= came ? 2'd1 << back_line : 2'd0;
  wire asks = rst_ni && want && kind == 2'd1 && open_q && !recent_q[line];
  wire ends = rst_ni && want && kind == 2'd2 && open_q;
  wire [1:0] at = {open_slot_q, line};
  wire is_coming = coming_q[line];
  wire waits = asks && (!is_coming || !mine_q[at]);
  reg wait_q, new_q, wait_slot_q, wait_line_q, close_q, pend_q;
  initial wait_q = 1'b0;
  initial close_q = 1'b0;
  initial pend_q = 1'b0;
  wire came = rst_ni && back && coming_q[back_line] && older_q[back_line];
  always @(posedge clk_i) if (rst_ni) begin
    pend_q <= ends;
    wait_q <= waits;
    new_q <= !is_coming;
    wait_slot_q <= open_slot_q;
    wait_line_q <= line;
    close_q <= ends;
    if (opens) open_slot_q <= slot;
    if (opens) open_q <= 1'b1;
    else if (ends) open_q <= 1'b0;
    older_q <= old_q & coming_q;
    old_q <= coming_q;
    if (came) begin
      coming_q[back_line] <= 1'b0;
      old_q[back_line] <= 1'b0;
      older_q[back_line] <= 1'b0;
      waits_q[{1'b0, back_line}] <= 1'b0;
      waits_q[{1'b1, back_line}] <= 1'b0;
    end
    if (waits) begin
      // A line that comes at this edge is waited for no more, though the wait is still counted.
      if (!(came && back_line == line)) waits_q[at] <= 1'b1;
      if (!is_coming) coming_q[line] <= 1'b1;
    end
    if (asks) mine_q[at] <= 1'b1;
    if (ends) mine_q <= 4'd0;
    if (came) begin
      mine_q[{1'b0, back_line}] <= 1'b0;
      mine_q[{1'b1, back_line}] <= 1'b0;
    end
  end

  wire go = rst_ni && go_valid && go_ready;
  wire fin = rst_ni && finish && told_q[finish_slot] && !ended_q[finish_slot] && used[finish_slot];
  teleport_slots #(.Lines(Lines), .MaxTb(MaxTb)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .overlap_i(overlap), .open_i(opens), .open_slot_i(slot),
    .wait_i(wait_q), .wait_new_i(new_q), .wait_slot_i(wait_slot_q), .wait_line_i(wait_line_q),
    .close_i(close_q), .close_slot_i(wait_slot_q), .used_o(used), .rsp_i(came),
    .rsp_line_i(back_line), .go_valid_o(go_valid), .go_ready_i(go_ready), .go_slot_o(go_slot),
    .end_i(fin), .end_slot_i(finish_slot), .waiting_o(waiting), .busy_o(busy)
  );
  reg [1:0] gone_q;  // the slot was given up
  always @(posedge clk_i) if (rst_ni) begin
    for (int t = 0; t < 2; t = t + 1) begin
      if (close_q && wait_slot_q == 1'(t)) closed_q[t] <= 1'b1;
      if (go && go_slot == 1'(t)) told_q[t] <= 1'b1;
      if (fin && finish_slot == 1'(t)) ended_q[t] <= 1'b1;
      if (opens && slot == 1'(t)) begin
        closed_q[t] <= 1'b0;
        told_q[t] <= 1'b0;
        ended_q[t] <= 1'b0;
      end
    end
    gone_q <= ~used;
  end
  wire [1:0] lacks = {waits_q[3:2] != 2'd0, waits_q[1:0] != 2'd0};
  `WF_ASSERT(go_closed, !go_valid || closed_q[go_slot],
             "only a thread block whose requests are known is let go")
  `WF_ASSERT(go_complete, !go_valid || overlap || !lacks[go_slot],
             "only when all that it waits for has come")
  `WF_ASSERT(go_once, !go_valid || !told_q[go_slot], "once")
  `WF_ASSERT(kept, (closed_q & ~(told_q & ended_q) & ~used) == 2'd0,
             "a slot is used until its thread block ended")
  `WF_ASSERT(free_is_free, (~used & lacks) == 2'd0, "nothing is on its way for a free slot")
  reg [3:0] late_q;
  initial late_q = 4'd0;
  wire due = closed_q[0] && !told_q[0] && (overlap || !lacks[0]) && go_ready;
  always @(posedge clk_i) late_q <= rst_ni && due && !go ? late_q + 4'd1 : 4'd0;
  `WF_ASSERT(in_time, late_q < 4'd8, "who lacks nothing is let go")
  `WF_COVER(both_wait, lacks == 2'd3 && came && waits_q[{1'b0, back_line}]
            && waits_q[{1'b1, back_line}])
  `WF_COVER(second_life, go && ended_q == 2'd0 && told_q[1] && go_slot == 1'b0)
  `WF_COVER(overlapped, go && lacks[go_slot])
  `WF_COVER(drains, ended_q[0] && lacks[0])
  `WF_QUIET(!busy && !wait_q && !close_q && !opens && !came && !fin)
  wire unused = &{1'b0, waiting, gone_q};
endmodule
`default_nettype wire
