// spref_sieve: who is kept back. Any table that goes live, grows and ends; any instruction.
`default_nettype none
`include "wf_assert.vh"
module spref_sieve_props #(
  parameter integer NumWarp = 2,
  parameter integer PcBits = 4,
  parameter integer NearBits = 2
) (
  input wire clk_i, input wire all, input wire live, input wire follow, input wire warp,
  input wire [PcBits-1:0] low, input wire [PcBits-1:0] more, input wire grows,
  input wire [NumWarp-1:0] alive, input wire mark, input wire [PcBits-1:0] pc,
  input wire try_warp, input wire [PcBits-1:0] try_pc, input wire [3:0] try_op
);
`include "formal.vh"
  // The loop's bounds: they stay while it is live, but for a longer end, which grows tells.
  reg [PcBits-1:0] low_q, high_q;
  reg live_q;
  initial {low_q, high_q, live_q} = '0;
  always @(posedge clk_i) begin
    live_q <= rst_ni && live;
    if (!live_q) {low_q, high_q} <= {low, more};
    else if (grows && more > high_q) high_q <= more;
  end
  wire longer = live_q && grows && more > high_q;
  wire inside = pc >= low_q && pc <= high_q;
  wire need;
  spref_sieve #(
    .NumWarp(NumWarp), .PcBits(PcBits), .PcStep(1), .Tries(1), .NearBits(NearBits)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .all_i(all), .live_i(live_q), .follow_i(follow),
    .warp_i(warp), .low_i(low_q), .high_i(high_q), .grows_i(longer), .alive_i(alive),
    .mark_i(mark && live_q && inside), .pc_i(pc), .try_warp_i(try_warp), .try_pc_i(try_pc),
    .try_op_i(try_op), .need_o(need)
  );
  // One instruction, any: whether the table was seen to say nothing of it since it is live.
  (* anyconst *) wire [PcBits-1:0] at;
  reg silent_q;
  initial silent_q = 1'b0;
  always @(posedge clk_i)
    silent_q <= rst_ni && live_q && (silent_q || (mark && inside && pc == at));
  wire here = rst_ni && try_pc == at && live_q && at >= low_q && at <= high_q;
  `WF_ASSERT(told_until_silent, !here || need || silent_q,
             "an instruction of the loop is told until the table was seen to say nothing of it")
  `WF_ASSERT(told_of_follow, !rst_ni || need || !follow || try_warp != warp,
             "a warp that is followed is told")
  `WF_ASSERT(told_of_leave, !rst_ni || need || !alive[try_warp] || (live_q && try_pc >= low_q
                                                                    && try_pc <= high_q),
             "a warp that leaves the loop is told")
  `WF_ASSERT(told_of_come, !here || need || alive[try_warp], "a warp that comes into it is told")
  `WF_COVER(kept_back, here && !need && silent_q)
endmodule
`default_nettype wire
