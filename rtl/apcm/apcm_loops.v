// apcm_loops: tells from what a SIMT stack does when a warp has left its outermost loop, and brings
// that into the order of the loads.
//
// It is told of each change of the pc at the top of a warp's stack that is no step to the next
// instruction: from, to, whether a branch jumped there (else it is a pop, or a branch fell
// through), and whether lanes were pushed that go elsewhere.
//
//   loops   A jump backward shows a loop: the instructions to .. from. The first Loops outermost
//           ones are kept; a loop around kept ones takes their place.
//   exits   A warp that goes forward, with all its lanes, from inside a kept loop to behind it, has
//           left it; unless it is still inside another one that is kept. (A loop's entry may so be
//           too narrow until the loop around it has turned once.) That concerns nobody, and is not
//           kept, while care_i is low.
//   order   An exit waits in a queue until the loads that had entered the load/store unit before it
//           have left it. That unit keeps order, so counts tell. Loads that enter together are
//           counted one a cycle: late_q are left, and no change of a stack is taken before.
//
// Timing: ready is low while the queue is full, the unit is cleared, or more than one load is to be
// counted, those of this cycle included (lsu_in_i); else it depends on registers. exit_valid_o and
// exit_warp_o are the queue's head when it is due; exit_pop_i takes it at the edge.
//
//   PcBits 1..   Loops 1..8   Exits 1..8   SeqBits: fewer than 2^(SeqBits-1) loads are inside
//   EnterBits below SeqBits: of the count of loads that enter at an edge
// Storage: Loops * (1 + 2 * PcBits) + Exits * (WarpW + SeqBits - 1) + clog2(Exits + 1)
// + 2 * SeqBits - 2 flops.
//
// Rules
//   1 Kept loops are not empty, and none holds another one that ends before it.
//   2 Loads leave after they entered.
`default_nettype none
`include "wf_assert.vh"

module apcm_loops #(
  parameter integer NumWarp = 48,
  parameter integer PcBits = 12,
  parameter integer Loops = 2,
  parameter integer Exits = 3,
  parameter integer SeqBits = 7,
  parameter integer EnterBits = 3,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer CountW = Exits > 0 ? $clog2(Exits + 1) : 1
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              clear_i,
  input  wire              go_i,
  input  wire              care_i,
  input  wire              cf_valid_i,
  output wire              cf_ready_o,
  input  wire [WarpW-1:0]  cf_warp_i,
  input  wire [PcBits-1:0] cf_from_i,
  input  wire [PcBits-1:0] cf_to_i,
  input  wire              cf_jump_i,
  input  wire              cf_push_i,
  input  wire [EnterBits-1:0] lsu_in_i,
  input  wire              lsu_out_i,
  output wire              left_o,       // this change is an exit
  output wire              exit_valid_o,
  output reg  [WarpW-1:0]  exit_warp_o,
  input  wire              exit_pop_i,
  output wire              busy_o        // loads are to be counted
);
  // Loops. Both ends of a move are held against both ends of each loop at once: around_c is for
  // moves backward, left_c for moves forward.
  (* mem2reg *) reg [PcBits-1:0] lo_q [0:Loops-1];
  (* mem2reg *) reg [PcBits-1:0] hi_q [0:Loops-1];
  reg [Loops-1:0] valid_q;
  wire fire = cf_valid_i && cf_ready_o;
  wire back = cf_to_i <= cf_from_i;
  reg [Loops-1:0] inside_c, around_c, left_c;
  always_comb begin
    inside_c = '0;
    around_c = '0;
    left_c = '0;
    if (cf_valid_i) begin
      for (int l = 0; l < Loops; l = l + 1) begin
        inside_c[l] = valid_q[l] && lo_q[l] <= cf_from_i && cf_from_i <= hi_q[l]
                      && lo_q[l] <= cf_to_i && cf_to_i <= hi_q[l];
        around_c[l] = valid_q[l] && cf_to_i <= lo_q[l] && cf_from_i > hi_q[l];
        left_c[l] = valid_q[l] && lo_q[l] <= cf_from_i && cf_from_i <= hi_q[l]
                    && cf_to_i > hi_q[l];
      end
    end
  end
  wire learn = fire && back && cf_jump_i && inside_c == '0;
  wire left = fire && care_i && !back && !cf_push_i && left_c != '0 && inside_c == '0;

  assign left_o = left;

  // The place of a new loop: of those it holds, else a free one.
  wire [Loops-1:0] places = around_c != '0 ? around_c : ~valid_q;
  wire [Loops-1:0] place = places & (~places + 1'b1);  // the lowest one
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else if (learn) valid_q <= (valid_q & ~around_c) | place;
  end
  always_ff @(posedge clk_i) begin
    for (int l = 0; l < Loops; l = l + 1) begin
      if (learn && place[l]) begin
        lo_q[l] <= cf_to_i;
        hi_q[l] <= cf_from_i;
      end
    end
  end

  // Loads that are counted in the load/store unit, and exits behind them; entry 0 is the head. Each
  // knows how many are before it.
  localparam integer LoadBits = SeqBits - 1;
  reg [LoadBits-1:0] late_q, inside_q;
  wire [LoadBits-1:0] late = late_q + LoadBits'(lsu_in_i);
  wire counts = late != '0;
  wire [LoadBits-1:0] inside_d = inside_q + LoadBits'(counts) - LoadBits'(lsu_out_i);
  assign busy_o = late_q != '0;
  (* mem2reg *) reg [WarpW-1:0] warp_q [0:Exits-1];
  (* mem2reg *) reg [LoadBits-1:0] ahead_q [0:Exits-1];
  (* mem2reg *) reg [LoadBits-1:0] ahead_c [0:Exits-1];
  generate
    for (genvar e = 0; e < Exits; e = e + 1) begin : g_ahead
      always_comb ahead_c[e] = ahead_q[e] - LoadBits'(lsu_out_i && ahead_q[e] != '0);
    end
  endgenerate
  reg [CountW-1:0] count_q;
  wire pop = exit_valid_o && exit_pop_i;
  assign cf_ready_o = go_i && count_q != CountW'(Exits) && late[LoadBits-1:1] == '0;
  assign exit_valid_o = count_q != '0 && ahead_q[0] == '0;
  // An assign of a whole word of an array, and Icarus 11 does not see it change.
  always_comb exit_warp_o = warp_q[0];
  wire [CountW-1:0] at = count_q - CountW'(pop);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      late_q <= '0;
      inside_q <= '0;
      count_q <= '0;
    end else if (clear_i) begin
      late_q <= '0;
      inside_q <= '0;
      count_q <= '0;
    end else begin
      late_q <= late - LoadBits'(counts);
      inside_q <= inside_d;
      count_q <= at + CountW'(left);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int e = 0; e < Exits; e = e + 1) begin
      if (left && at == CountW'(e)) begin
        warp_q[e] <= cf_warp_i;
        ahead_q[e] <= inside_d;
      end else if (pop && e + 1 < Exits) begin
        warp_q[e] <= warp_q[e + 1 < Exits ? e + 1 : 0];
        ahead_q[e] <= ahead_c[e + 1 < Exits ? e + 1 : 0];
      end else begin
        ahead_q[e] <= ahead_c[e];
      end
    end
  end

`ifdef WF_ASSERT_LIVE
  reg wrong_c;
  always_comb begin
    wrong_c = 1'b0;
    for (int l = 0; l < Loops; l = l + 1) begin
      if (valid_q[l] && lo_q[l] > hi_q[l]) wrong_c = 1'b1;  // coverage: a broken rule
      for (int m = 0; m < Loops; m = m + 1)
        // coverage: the branch is taken when rule 1 is broken
        if (l != m && valid_q[l] && valid_q[m] && lo_q[l] <= lo_q[m] && hi_q[m] < hi_q[l])
          wrong_c = 1'b1;
    end
  end
  wire [SeqBits:0] inside_n = {2'b0, inside_q} + {2'b0, late_q} + (SeqBits + 1)'(lsu_in_i);
`endif
  `WF_ASSERT(rule1, !wrong_c,
             "Rule 1: kept loops are not empty, and none holds one that ends before it")
  `WF_ASSUME(rule2, clear_i || (inside_n < (SeqBits + 1)'(1 << LoadBits)
                                && !(lsu_out_i && inside_q == '0 && !counts)),
             "Rule 2: loads leave after they entered and were counted, and not too many are inside")
endmodule
`default_nettype wire
