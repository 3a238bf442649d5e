// teleport_slots: which thread blocks wait, for how many blocks each, and for which lines.
//
// Per slot: used (from a thread block's first request to its end), closed (all its requests came),
// told (it was let go), ended, and the number of lines that it waits for. Per line, in a RAM, which
// slots wait for it: a request for a missing block writes the row, one for a block on its way sets
// its slot's bit, a reply reads the row and takes one from each slot's number. The tops sees to it
// that a slot waits for a line once only.
//
// Timing: wait_* at an edge: number and row change at that edge. A reply (rsp_i) at an edge: its
// row is read two edges later, numbers change one after that; by then every wait that saw the line
// on its way is in the row, and none that got the line anew. A thread block whose requests are
// closed and whose number is 0 (or overlap_i) is offered on go.
//
//   Lines 1..8192   MaxTb 1..64
// Storage: Lines * MaxTb bits of RAM; flops MaxTb * (4 + clog2(Lines + 1)) and about 4 *
// clog2(Lines).
//
// Rules
//   1 A number neither underflows nor passes Lines.
//   2 A thread block ends after it was let go.
//   3 Without overlap_i a thread block that is let go waits for nothing.
`default_nettype none
`include "wf_assert.vh"

module teleport_slots #(
  parameter integer Lines = 384,
  parameter integer MaxTb = 8,
  localparam integer LineW = Lines > 1 ? $clog2(Lines) : 1,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer CountW = $clog2(Lines + 1)
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire             overlap_i,
  // requests: the first of a thread block, the lines it waits for, the end
  input  wire             open_i,
  input  wire [SlotW-1:0] open_slot_i,
  input  wire             wait_i,
  input  wire             wait_new_i,   // nobody else waits for the line
  input  wire [SlotW-1:0] wait_slot_i,
  input  wire [LineW-1:0] wait_line_i,
  input  wire             close_i,
  input  wire [SlotW-1:0] close_slot_i,
  output wire [MaxTb-1:0] used_o,
  // replies
  input  wire             rsp_i,
  input  wire [LineW-1:0] rsp_line_i,
  // a thread block may start; it ended
  output wire             go_valid_o,
  input  wire             go_ready_i,
  output wire [SlotW-1:0] go_slot_o,
  input  wire             end_i,
  input  wire [SlotW-1:0] end_slot_i,
  output wire             waiting_o,    // some thread block is closed and was not let go
  output wire             busy_o
);
  function automatic [MaxTb-1:0] one(input on, input [SlotW-1:0] at);
    one = '0;
    for (int t = 0; t < MaxTb; t = t + 1) one[t] = on && at == SlotW'(t);
  endfunction

  reg [MaxTb-1:0] used_q, closed_q, told_q, ended_q;
  reg [MaxTb*CountW-1:0] count_q;
  reg rsp1_q, rsp2_q, rsp3_q;
  reg [LineW-1:0] rsp1_line_q, rsp2_line_q;
  wire [MaxTb-1:0] row;
  wire [MaxTb-1:0] wait1 = one(wait_i, wait_slot_i);
  wf_ram_1r1w #(.Width(MaxTb), .Depth(Lines), .PartBits(1)) u_waits (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(wait_i), .wr_addr_i(wait_line_i),
    .wr_mask_i(wait_new_i ? '1 : wait1), .wr_data_i(wait1), .rd_en_i(rsp2_q),
    .rd_addr_i(rsp2_line_q), .rd_data_o(row)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp1_q <= 1'b0;
      rsp2_q <= 1'b0;
      rsp3_q <= 1'b0;
    end else begin
      rsp1_q <= rsp_i;
      rsp2_q <= rsp1_q;
      rsp3_q <= rsp2_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rsp_i) rsp1_line_q <= rsp_line_i;
    if (rsp1_q) rsp2_line_q <= rsp1_line_q;
  end
  wire [MaxTb-1:0] less = rsp3_q ? row : '0;

  reg [MaxTb-1:0] zero_c;
  always_comb for (int t = 0; t < MaxTb; t = t + 1) zero_c[t] = count_q[t*CountW +: CountW] == '0;
  generate
    for (genvar t = 0; t < MaxTb; t = t + 1) begin : g_count
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) count_q[t*CountW +: CountW] <= '0;
        else if (wait1[t] != less[t])
          count_q[t*CountW +: CountW] <= wait1[t] ? count_q[t*CountW +: CountW] + 1'b1
                                         : count_q[t*CountW +: CountW] - 1'b1;
      end
    end
  endgenerate

  reg go_q;
  reg [SlotW-1:0] go_slot_q;
  wire [MaxTb-1:0] offered = one(go_q, go_slot_q), taken = go_ready_i ? offered : '0;
  wire [MaxTb-1:0] may = closed_q & ~told_q & ~offered & (overlap_i ? '1 : zero_c);
  wire [MaxTb-1:0] next_slot;
  wire [SlotW-1:0] next_at;
  wire next_any;
  wire load = !go_q || go_ready_i;
  wf_arb_rr #(.N(MaxTb)) u_next (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(may), .advance_i(load && next_any), .gnt_o(next_slot),
    .gnt_index_o(next_at), .gnt_valid_o(next_any)
  );
  wire [MaxTb-1:0] over = told_q & ended_q & zero_c;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      closed_q <= '0;
      told_q <= '0;
      ended_q <= '0;
      go_q <= 1'b0;
    end else begin
      used_q <= (used_q & ~over) | one(open_i, open_slot_i);
      closed_q <= (closed_q & ~over) | one(close_i, close_slot_i);
      told_q <= (told_q & ~over) | taken;
      ended_q <= (ended_q & ~over) | one(end_i, end_slot_i);
      if (load) go_q <= next_any;
    end
  end
  always_ff @(posedge clk_i) if (load && next_any) go_slot_q <= next_at;
  assign used_o = used_q;
  assign go_valid_o = go_q;
  assign go_slot_o = go_slot_q;
  assign waiting_o = (closed_q & ~told_q) != '0;
  assign busy_o = rsp1_q || rsp2_q || rsp3_q || go_q || over != '0 || waiting_o;

  reg broken_c, over_c;
  always_comb begin
    broken_c = 1'b0;
    over_c = 1'b0;
    for (int t = 0; t < MaxTb; t = t + 1) begin
      if (less[t] && !wait1[t] && zero_c[t]) broken_c = 1'b1;  // coverage: a broken rule
      over_c = wait1[t] && !less[t] && count_q[t*CountW +: CountW] == CountW'(Lines);
      if (over_c) broken_c = 1'b1;  // coverage: a broken rule
    end
  end
  `WF_ASSERT(rule1, !broken_c, "Rule 1: a number neither underflows nor passes Lines")
  `WF_ASSUME(rule2, !end_i || (told_q & ~ended_q & one(1'b1, end_slot_i)) != '0,
             "Rule 2: a thread block ends after it was let go")
  `WF_ASSERT(rule3, overlap_i || (offered & ~zero_c) == '0,
             "Rule 3: without overlap_i a thread block that is let go waits for nothing")
  wire unused = &{1'b0, broken_c, next_slot};
endmodule
`default_nettype wire
