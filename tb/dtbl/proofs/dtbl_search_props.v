// dtbl_search: one group, any one, is followed, and one kernel, any one. The group is answered in
// its turn and in bounded time; a hit is an open kernel of its key; a kernel of its key that was
// there all the time is not missed; a kernel that was answered stays.
`default_nettype none
`include "wf_assert.vh"
module dtbl_search_props #(
  parameter integer NumKde = 2,
  parameter integer Slots = 2,
  parameter integer KeyW = 2,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1
) (
  input wire clk_i, input wire in_valid, input wire [KeyW-1:0] in_key, input wire [1:0] in_body,
  input wire pop, input wire kern, input wire [KdeW-1:0] kern_at, input wire [KeyW-1:0] kern_key,
  input wire close, input wire [KdeW-1:0] close_at, input wire pick
);
`include "formal.vh"
  // The kernel distributor: entries come and go; one that is pinned stays.
  reg [NumKde-1:0] open_q;
  initial open_q = '0;
  wire [NumKde-1:0] pin;
  wire do_kern = rst_ni && kern && {1'b0, kern_at} < (KdeW + 1)'(NumKde) && !open_q[kern_at];
  wire do_close = rst_ni && close && {1'b0, close_at} < (KdeW + 1)'(NumKde) && open_q[close_at]
                  && !pin[close_at];
  always @(posedge clk_i) if (rst_ni) begin
    if (do_kern) open_q[kern_at] <= 1'b1;
    if (do_close) open_q[close_at] <= 1'b0;
  end
  wire in_ready, scan_rd, out_valid, out_hit, step, quiet;
  wire [KdeW-1:0] scan_at, out_kdei;
  wire [KeyW-1:0] scan_key, out_key;
  wire [1:0] out_body;
  wf_ram_1r1w #(.Width(KeyW), .Depth(NumKde)) u_keys (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(do_kern), .wr_addr_i(kern_at), .wr_mask_i(1'b1),
    .wr_data_i(kern_key), .rd_en_i(scan_rd), .rd_addr_i(scan_at), .rd_data_o(scan_key)
  );
  wire out_pop = pop && out_valid;
  dtbl_search #(.NumKde(NumKde), .Slots(Slots), .KeyW(KeyW), .BodyW(2)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid), .in_ready_o(in_ready), .in_key_i(in_key),
    .in_body_i(in_body), .scan_rd_o(scan_rd), .scan_at_o(scan_at), .scan_key_i(scan_key),
    .open_i(open_q), .wr_i(do_kern), .wr_at_i(kern_at), .pin_o(pin), .out_valid_o(out_valid),
    .out_hit_o(out_hit), .out_kdei_o(out_kdei), .out_key_o(out_key), .out_body_o(out_body),
    .out_pop_i(out_pop), .step_o(step), .quiet_o(quiet)
  );
  // The followed group is number `ahead` in the ring; the followed kernel sits in entry `the`.
  (* anyconst *) wire [KdeW-1:0] the;
  `WF_ASSUME(the_range, {1'b0, the} < (KdeW + 1)'(NumKde), "an entry")
  reg [KeyW-1:0] the_key_q;
  always @(posedge clk_i) if (do_kern && kern_at == the) the_key_q <= kern_key;
  reg on_q, there_q;                 // there: the kernel had its key since the group came
  reg [2:0] ahead_q, inside_q;
  reg [KeyW-1:0] key_q;
  reg [1:0] body_q;
  initial on_q = 1'b0;
  initial inside_q = 3'd0;
  wire take = rst_ni && in_valid && in_ready;
  wire out = rst_ni && out_pop && on_q && ahead_q == 3'd0;
  always @(posedge clk_i) if (rst_ni) begin
    inside_q <= inside_q + {2'd0, take} - {2'd0, out_pop};
    if (!on_q && pick && take) begin
      on_q <= 1'b1;
      ahead_q <= inside_q - {2'd0, out_pop};
      key_q <= in_key;
      body_q <= in_body;
      there_q <= open_q[the] && the_key_q == in_key && !(do_close && close_at == the);
    end else begin
      if (out) on_q <= 1'b0;
      if (on_q && out_pop) ahead_q <= ahead_q - 3'd1;
      if (do_close && close_at == the) there_q <= 1'b0;
    end
  end
  wire answered = on_q && out_valid && ahead_q == 3'd0;
  `WF_ASSERT(unchanged, !answered || (out_key == key_q && out_body == body_q),
             "in order, as it came")
  `WF_ASSERT(hit_open, !(out_valid && out_hit) || open_q[out_kdei], "a hit names an open kernel")
  `WF_ASSERT(hit_key, !(answered && out_hit && out_kdei == the) || the_key_q == key_q,
             "of the group's key")
  `WF_ASSERT(not_missed, !(answered && there_q) || out_hit,
             "a kernel that was there all the time is not missed")
  // Time: with NumKde entries, reads again after writes included (each entry is written once while
  // it is closed).
  reg [4:0] wait_q;
  initial wait_q = 5'd0;
  always @(posedge clk_i) wait_q <= !rst_ni || !on_q || answered || do_kern ? 5'd0 : wait_q + 5'd1;
  `WF_ASSERT(in_time, !(on_q && ahead_q == 3'd0) || answered || wait_q <= 5'(NumKde + 2),
             "answered in time, if no kernel comes meanwhile")
  `WF_ASSERT(full_right, in_ready == (inside_q < 3'(Slots)), "room while the ring is not full")
  `WF_COVER(hit, answered && out_hit)
  `WF_COVER(miss_beside_kernel, answered && !out_hit && open_q == '1)
  `WF_COVER(two_inside, on_q && inside_q == 3'd2 && ahead_q == 3'd1)
  `WF_COVER(written_meanwhile, on_q && do_kern && !answered)
  `WF_QUIET(quiet && !take && !do_kern)
endmodule
`default_nettype wire
