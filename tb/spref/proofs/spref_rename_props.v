// spref_rename, told of any program: of any place, a register or a pair, it says which entry's
// value is in it, if nobody wrote it, and if it is relied upon; and of any entry, whether a write
// ends it.
`default_nettype none
`include "wf_assert.vh"
module spref_rename_props #(
  parameter integer RegBits = 3,
  parameter integer NumForm = 4
) (
  input wire clk_i, input wire clear, input wire look, input wire take, input wire write,
  input wire again, input wire lose, input wire make, input wire [NumForm-1:0] make_at,
  input wire use_a, input wire use_b, input wire use_c, input wire [RegBits-1:0] c,
  input wire c_pair, input wire hint, input wire [NumForm-1:0] hint_at,
  input wire [RegBits-1:0] hint_reg, input wire hint_pair, input wire [RegBits-1:0] next_dst,
  input wire [RegBits-1:0] next_a, input wire [RegBits-1:0] next_b, input wire [2:0] next_pair
);
`include "formal.vh"
  // Registers of the instruction in S1 were shown the cycle before; they were looked at then.
  reg [RegBits-1:0] dst_q, a_q, b_q;
  reg look_q;
  reg [2:0] pair;
  initial {dst_q, a_q, b_q, look_q, pair} = '0;
  always @(posedge clk_i)
    {dst_q, a_q, b_q, look_q, pair} <= {next_dst, next_a, next_b, look && rst_ni, next_pair};

  wire [NumForm-1:0] a_at, b_at, dst_at, over, held;
  wire a_free, b_free, dst_free, c_free, dst_used, broken;
  wire go = take && look && rst_ni && !clear;
  spref_rename #(.RegBits(RegBits), .NumForm(NumForm)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear && rst_ni), .look_i(look),
    .next_dst_i(next_dst), .next_a_i(next_a), .next_b_i(next_b), .next_pair_i(next_pair),
    .take_i(go), .dst_i(dst_q),
    .a_i(a_q), .b_i(b_q), .pair_i(pair), .write_i(write), .again_i(again), .lose_i(lose),
    .make_i(make && go), .make_at_i(make_at), .use_a_i(use_a && go), .use_b_i(use_b && go),
    .use_c_i(use_c && go), .c_i(c), .c_pair_i(c_pair), .hint_i(hint && !go && rst_ni),
    .hint_at_i(hint_at), .hint_reg_i(hint_reg), .hint_pair_i(hint_pair), .a_at_o(a_at),
    .b_at_o(b_at), .dst_at_o(dst_at), .over_o(over), .held_o(held), .a_free_o(a_free),
    .b_free_o(b_free), .dst_free_o(dst_free), .c_free_o(c_free), .dst_used_o(dst_used),
    .broken_o(broken)
  );
  `WF_ASSUME(makes, !(make && go) || (write && !again && !lose && make_at != '0),
             "an entry is made by what writes its register")
  `WF_ASSUME(makes_at, !(write && go) || ((make_at & (make_at - 1'b1)) == '0
                                          && (make_at & held) == '0),
             "where none is held")
  `WF_ASSUME(steps_on, !(again && go) || (write && dst_at != '0),
             "what steps again writes what its entry is held by")
  reg clear_q;
  initial clear_q = 1'b1;
  always @(posedge clk_i) clear_q <= clear || !rst_ni;
  `WF_ASSUME(looked, !(take && look && rst_ni) || look_q || clear_q,
             "the map was looked up ahead, or is empty")
  `WF_ASSUME(once, !(go && use_a && use_c), "a branch reads no register")
  `WF_ASSUME(hints_apart, !hint || held == '0, "a compiler's entries come while none is held")

  // One place, any, and what the program did to it.
  (* anyconst *) wire [RegBits-1:0] place;
  (* anyconst *) wire place_pair;
  wire [RegBits-1:0] half = place ^ {{RegBits-1{1'b0}}, 1'b1};
  wire hits = dst_q[RegBits-1:1] == place[RegBits-1:1]
              && (pair[0] || place_pair || dst_q[0] == place[0]);
  wire is_dst = dst_q == place && pair[0] == place_pair;
  reg [NumForm-1:0] holds_q;
  reg written_q, used_q, used2_q, used3_q;
  initial {holds_q, written_q, used_q, used2_q, used3_q} = '0;
  wire uses_a = use_a && (a_q == place || (pair[1] && a_q == half)),
       uses_b = use_b && (b_q == place || (pair[2] && b_q == half)),
       uses_c = use_c && (c == place || (c_pair && c == half));
  always @(posedge clk_i) if (!rst_ni || clear) {holds_q, written_q, used_q} <= '0;
  else if (go) begin
    if (write && hits && !again) holds_q <= make && is_dst ? make_at : '0;
    if (lose) holds_q <= '0;
    if (write && hits) written_q <= 1'b1;
    if (uses_a || uses_b || uses_c) used_q <= 1'b1;
  end
  always @(posedge clk_i) {used2_q, used3_q} <= rst_ni && !clear ? {used_q, used2_q} : '0;
  wire of_a = go && a_q == place && pair[1] == place_pair,
       of_b = go && b_q == place && pair[2] == place_pair;
  `WF_ASSERT(finds_a, !of_a || a_at == holds_q, "an operand's entry is that of its last write")
  `WF_ASSERT(finds_b, !of_b || b_at == holds_q, "an operand's entry is that of its last write")
  `WF_ASSERT(finds_dst, !(go && is_dst) || dst_at == holds_q, "so is the destination's")
  `WF_ASSERT(free_a, !of_a || a_free == !written_q, "what nobody wrote is constant")
  `WF_ASSERT(free_b, !of_b || b_free == !written_q, "what nobody wrote is constant")
  `WF_ASSERT(free_dst, !(go && is_dst) || dst_free == !written_q, "what nobody wrote is constant")
  `WF_ASSERT(used_dst, !(go && look_q && dst_q == place && used3_q) || dst_used,
             "a write of what is relied upon is seen")
  `WF_ASSERT(broken_seen, !(rst_ni && used_q && written_q && !place_pair) || broken,
             "at the end, too")

  // One entry, any, and the place that it was made for.
  (* anyconst *) wire [$clog2(NumForm)-1:0] entry;
  reg [RegBits-1:0] home_q;
  reg home_pair_q, home_v_q;
  initial {home_q, home_pair_q, home_v_q} = '0;
  always @(posedge clk_i) if (rst_ni && go && write && make_at[entry])
    {home_q, home_pair_q, home_v_q} <= {dst_q, pair[0], make};
  else if (rst_ni && hint && !go && hint_at[entry])
    {home_q, home_pair_q, home_v_q} <= {hint_reg, hint_pair, 1'b1};
  wire ends = dst_q[RegBits-1:1] == home_q[RegBits-1:1]
              && (pair[0] || home_pair_q || dst_q[0] == home_q[0]);
  reg hinted_q;
  initial hinted_q = 1'b0;
  always @(posedge clk_i) hinted_q <= hint;
  `WF_ASSERT(ends_entry, !(go && look_q && !hinted_q && home_v_q) || over[entry] == ends,
             "a write of any part of an entry's register is told")
  `WF_COVER(a_value, go && of_a && holds_q != '0 && place_pair)
  `WF_COVER(reused, go && make && is_dst && holds_q != '0 && (holds_q & make_at) == '0)
endmodule
`default_nettype wire
