// spref_wait: injected loads that wait, each in a place: a head-load for its turn, a tail-load for
// its index, for the multiply-add that makes its address, for the sum, and for its turn. One at a
// time is offered to the SM, that of the lowest warp: so few run ahead, and share the L1. An offer
// that is not taken gives way to that of a lower warp. For each two places a flop tells which goes
// first: that of the lower warp, of one warp the older. A base is read when its load (a tail's: its
// multiply-add) is taken; no instruction of the warp that writes it may issue before.
//
// A place is taken with claim_i, by the load that brings the injected one, and filled two edges
// later or more (put_i), or let go (drop_i).
//
// What the warp's next instruction writes is told on `next`, for the warps that ask_o names: each
// place of the warp notes whether that is its base. An instruction of the warp that issues
// (issued_i) makes it unknown again. Of one edge: it issues, then the next is told.
//
// Bases are pairs of registers: what writes a half of one, or all, writes it.
//
// Addresses that are not those of a register, of sums and of bases that the load overwrites, are in
// spref_room.
//
// Parameters: those of spare_reg_pref. Waiting: places. Storage: Waiting * (33 + 3 * RegBits +
//   Lanes) bits of RAM, spref_room's; flops: Waiting * (WarpW + 2 * RegBits + 5
//   + (Waiting - 1) / 2), some 13 of the offer.
//
// Rules
//   1 A claim finds a free place; what is filled was claimed.
//   2 Something is offered until it is taken.
//   3 A sum is of a place that waits for one.
//   4 What is chosen is of the lowest warp that has something to offer.
//   5 An offer with an address has read it.
`default_nettype none
`include "wf_assert.vh"

module spref_wait #(
  parameter integer NumWarp = 48,
  parameter integer Lanes = 32,
  parameter integer RegBits = 6,
  parameter integer AddrBits = 40,
  parameter integer Waiting = 16,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer SlotW = Waiting > 1 ? $clog2(Waiting) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  // places
  input  wire                claim_i,
  input  wire                base_i,         // with the base, which the load overwrites
  input  wire                base_far_i,
  input  wire [Lanes*AddrBits-1:0] base_addr_i,
  output wire [SlotW-1:0]    claim_slot_o,
  output wire                full_o,
  output wire                empty_o,
  input  wire                drop_i,
  input  wire                put_i,
  input  wire [SlotW-1:0]    put_slot_i,     // of put and drop
  input  wire [WarpW-1:0]    put_warp_i,
  input  wire [3:0]          put_type_i,     // of the load; whatever the SM says
  input  wire                put_tail_i,
  input  wire                put_there_i,    // its index has come
  input  wire                put_reg_v_i,
  input  wire [RegBits-1:0]  put_reg_i,
  input  wire                put_base_v_i,
  input  wire                put_over_i,     // the base was read with the load that brought it
  input  wire [RegBits-1:0]  put_base_i,
  input  wire [RegBits-1:0]  put_index_i,
  input  wire [3:0]          put_scale_i,
  input  wire [1:0]          put_ext_i,
  input  wire [18:0]         put_offset_i,
  input  wire [Lanes-1:0]    put_mask_i,
  // a prefetch into a register has come, or failed
  input  wire                came_i,
  input  wire [WarpW-1:0]    came_warp_i,
  input  wire [RegBits-1:0]  came_reg_i,
  input  wire                came_bad_i,
  // is the register still to be read, as an index?
  input  wire [WarpW-1:0]    look_warp_i,
  input  wire [RegBits-1:0]  look_reg_i,
  output wire                look_busy_o,
  // what warps write
  input  wire [NumWarp-1:0]  issued_i,
  input  wire                next_valid_i,
  input  wire [WarpW-1:0]    next_warp_i,
  input  wire                next_dst_v_i,
  input  wire                next_all_i,     // registers that are not named
  input  wire [RegBits-1:0]  next_dst_i,
  output wire [NumWarp-1:0]  ask_o,
  output wire [NumWarp-1:0]  hold_o,
  output wire [NumWarp-1:0]  wait_o,         // warps with a place
  // the offer
  input  wire                may_add_i,
  output wire                inj_valid_o,
  input  wire                inj_ready_i,
  output wire                inj_add_o,      // the multiply-add of a tail
  output wire                inj_sum_o,      // its base, or a tail-load's address, is in the place
  output wire [SlotW-1:0]    inj_slot_o,
  output wire [WarpW-1:0]    inj_warp_o,
  output wire [3:0]          inj_type_o,
  output wire                inj_reg_v_o,
  output wire [RegBits-1:0]  inj_reg_o,
  output wire                inj_base_v_o,
  output wire [RegBits-1:0]  inj_base_o,
  output wire [RegBits-1:0]  inj_index_o,
  output wire [3:0]          inj_scale_o,
  output wire [1:0]          inj_ext_o,
  output wire [18:0]         inj_offset_o,
  output wire [Lanes-1:0]    inj_mask_o,
  output wire                inj_far_o,
  output wire [Lanes*AddrBits-1:0] inj_addr_o,
  input  wire                sum_valid_i,
  output wire                sum_ready_o,
  input  wire [SlotW-1:0]    sum_slot_i,
  input  wire                sum_far_i,
  input  wire [Lanes*AddrBits-1:0] sum_addr_i,
  // a tail whose index has failed: inj_warp_o, inj_reg_v_o and inj_reg_o are its
  output wire                still_o,         // at the edge before no offer changed
  output wire                dead_o,
  input  wire                dead_take_i
);
  localparam [2:0] FREE = 3'd0, CLAIMED = 3'd1, INDEX = 3'd2, ADD = 3'd3, SUM = 3'd4, LOAD = 3'd5,
                   DEAD = 3'd6;
  localparam integer ItemW = 4 + 2 + 1 + RegBits + 1 + 2*RegBits + 4 + 2 + 19 + Lanes;
  initial if (Waiting < 1 || Waiting > 32) $fatal(1, "spref_wait: Waiting must be 1..32");

  reg [Waiting*3-1:0] state_q;
  reg [Waiting*WarpW-1:0] warp_q;
  reg [Waiting*RegBits-1:0] index_q;
  reg [Waiting*(RegBits-1)-1:0] base_q;          // pairs
  reg [Waiting-1:0] reads_q, known_q, clash_q;   // a base is to be read; the next instruction is
                                                 // known; and writes it

  reg off_q;                                     // an offer, of this place
  reg [SlotW-1:0] off_slot_q;
  reg [WarpW-1:0] off_warp_q;
  reg off_add_q, off_dead_q;
  wire inj_take = inj_valid_o && inj_ready_i, sum_take = sum_valid_i && sum_ready_o;
  wire off_take = inj_take || (dead_o && dead_take_i);

  // Free places, and those with something to offer. Of multiply-adds one at a time; what has failed
  // takes no offer back.
  reg [Waiting-1:0] free_c, here_c, want_c;
  always_comb for (int i = 0; i < Waiting; i = i + 1) begin
    free_c[i] = state_q[i*3 +: 3] == FREE;
    here_c[i] = off_q && off_slot_q == SlotW'(i);
    want_c[i] = ((state_q[i*3 +: 3] == ADD && may_add_i && (here_c[i] || !off_q || !off_add_q))
                 || state_q[i*3 +: 3] == LOAD || (state_q[i*3 +: 3] == DEAD && !inj_valid_o))
                && !(here_c[i] && off_take);
  end
  wire [Waiting-1:0] claim_at = free_c & (~free_c + 1'b1);
  wire any_free;
  wf_onehot_enc #(.N(Waiting)) u_claim (
    .onehot_i(claim_at), .index_o(claim_slot_o), .any_o(any_free)
  );
  assign full_o = !any_free;
  assign empty_o = free_c == '1;

  // Which of two goes first: bit j*(j-1)/2+i: place i before place j, i < j.
  wire [Waiting-1:0] first;
  generate
    if (Waiting > 1) begin : g_order
      reg [Waiting*(Waiting-1)/2-1:0] before_q;
      reg [Waiting-1:0] above_c, first_c;  // of warps above that of the place that is filled
      always_comb for (int i = 0; i < Waiting; i = i + 1)
        above_c[i] = put_warp_i < warp_q[i*WarpW +: WarpW];
      always_ff @(posedge clk_i) if (put_i)
        for (int j = 1; j < Waiting; j = j + 1)
          for (int i = 0; i < Waiting - 1; i = i + 1) if (i < j)
            if (put_slot_i == SlotW'(i)) before_q[j*(j-1)/2 + i] <= above_c[j];
            else if (put_slot_i == SlotW'(j)) before_q[j*(j-1)/2 + i] <= !above_c[i];
      always_comb begin
        first_c = want_c;
        for (int j = 1; j < Waiting; j = j + 1)
          for (int i = 0; i < Waiting - 1; i = i + 1) if (i < j) begin
            if (want_c[j] && !before_q[j*(j-1)/2 + i]) first_c[i] = 1'b0;
            if (want_c[i] && before_q[j*(j-1)/2 + i]) first_c[j] = 1'b0;
          end
      end
      assign first = first_c;
    end else begin : g_one
      assign first = want_c;
    end
  endgenerate
  wire any_want;
  wire [SlotW-1:0] pick_slot;
  wf_onehot_enc #(.N(Waiting)) u_pick (
    .onehot_i(first), .index_o(pick_slot), .any_o(any_want)
  );
  wire pick = any_want && (!off_q || off_take || pick_slot != off_slot_q);
  reg [2:0] pick_state_c;
  reg [WarpW-1:0] pick_warp_c;
  always_comb begin
    pick_state_c = '0;
    pick_warp_c = '0;
    for (int i = 0; i < Waiting; i = i + 1) begin
      pick_state_c = pick_state_c | (state_q[i*3 +: 3] & {3{first[i]}});
      pick_warp_c = pick_warp_c | (warp_q[i*WarpW +: WarpW] & {WarpW{first[i]}});
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) off_q <= 1'b0;
    else if (pick || off_take) off_q <= pick;
  end
  always_ff @(posedge clk_i) if (pick) begin
    off_slot_q <= pick_slot;
    off_warp_q <= pick_warp_c;
    off_add_q <= pick_state_c == ADD;
    off_dead_q <= pick_state_c == DEAD;
  end
  assign inj_valid_o = off_q && !off_dead_q;
  assign dead_o = off_q && off_dead_q;
  reg stirs_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stirs_q <= 1'b0;
    else stirs_q <= pick || dead_o;
  end
  assign still_o = !stirs_q;
  assign inj_add_o = off_add_q;
  assign inj_slot_o = off_slot_q;
  assign inj_warp_o = off_warp_q;
  wire item_tail, item_over, item_base_v;
  assign inj_sum_o = item_over || (item_tail && !off_add_q);
  assign inj_base_v_o = item_base_v && (off_add_q || !item_tail);
  wf_ram_1r1w #(.Width(ItemW), .Depth(Waiting)) u_items (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(put_i), .wr_addr_i(put_slot_i), .wr_mask_i(1'b1),
    .wr_data_i({put_type_i, put_tail_i, put_over_i, put_reg_v_i, put_reg_i,
                put_base_v_i && !put_over_i, put_base_i, put_index_i, put_scale_i, put_ext_i,
                put_offset_i, put_mask_i}),
    .rd_en_i(pick), .rd_addr_i(pick_slot),
    .rd_data_o({inj_type_o, item_tail, item_over, inj_reg_v_o, inj_reg_o, item_base_v, inj_base_o,
                inj_index_o, inj_scale_o, inj_ext_o, inj_offset_o, inj_mask_o})
  );
  wire has_read;
  spref_room #(.Lanes(Lanes), .AddrBits(AddrBits), .Waiting(Waiting)) u_room (
    .clk_i(clk_i), .rst_ni(rst_ni), .claim_i(claim_i), .claim_slot_i(claim_slot_o),
    .base_i(base_i), .base_far_i(base_far_i), .base_addr_i(base_addr_i),
    .sum_valid_i(sum_valid_i), .sum_ready_o(sum_ready_o), .sum_slot_i(sum_slot_i),
    .sum_far_i(sum_far_i), .sum_addr_i(sum_addr_i), .pick_i(pick), .pick_at_i(first),
    .pick_slot_i(pick_slot), .read_o(has_read), .far_o(inj_far_o), .addr_o(inj_addr_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= '0;
      reads_q <= '0;
    end else begin
      for (int i = 0; i < Waiting; i = i + 1) begin
        if (claim_i && claim_at[i]) state_q[i*3 +: 3] <= CLAIMED;
        if (drop_i && put_slot_i == SlotW'(i)) state_q[i*3 +: 3] <= FREE;
        if (put_i && put_slot_i == SlotW'(i)) begin
          state_q[i*3 +: 3] <= !put_tail_i ? LOAD : put_there_i ? ADD : INDEX;
          reads_q[i] <= put_base_v_i && !put_over_i;
        end
        if (came_i && state_q[i*3 +: 3] == INDEX && warp_q[i*WarpW +: WarpW] == came_warp_i
            && index_q[i*RegBits +: RegBits] == came_reg_i) begin
          state_q[i*3 +: 3] <= came_bad_i ? DEAD : ADD;
          if (came_bad_i) reads_q[i] <= 1'b0;
        end
        if (sum_take && sum_slot_i == SlotW'(i)) state_q[i*3 +: 3] <= LOAD;
        if (off_take && off_slot_q == SlotW'(i)) begin
          state_q[i*3 +: 3] <= inj_take && off_add_q ? SUM : FREE;
          reads_q[i] <= 1'b0;
        end
      end
    end
  end

  // The next instruction of its warp, as each place knows it.
  wire [RegBits-2:0] next_pair = next_dst_i[RegBits-1:1];
  reg [Waiting-1:0] told_c, hits_c, goes_c;
  always_comb for (int i = 0; i < Waiting; i = i + 1) begin
    told_c[i] = next_valid_i && warp_q[i*WarpW +: WarpW] == next_warp_i;
    hits_c[i] = next_all_i || (next_dst_v_i
                               && next_pair == base_q[i*(RegBits-1) +: RegBits-1]);
    goes_c[i] = issued_i[warp_q[i*WarpW +: WarpW]];
  end
  always_ff @(posedge clk_i) for (int i = 0; i < Waiting; i = i + 1) begin
    if (put_i && put_slot_i == SlotW'(i)) begin
      warp_q[i*WarpW +: WarpW] <= put_warp_i;
      index_q[i*RegBits +: RegBits] <= put_index_i;
      base_q[i*(RegBits-1) +: RegBits-1] <= put_base_i[RegBits-1:1];
      known_q[i] <= 1'b0;
    end else if (told_c[i] || goes_c[i]) known_q[i] <= told_c[i];
    if (told_c[i]) clash_q[i] <= hits_c[i];
  end

  // By warp.
  reg [NumWarp-1:0] ask_c, hold_c, wait_c;
  reg busy_c;
  always_comb begin
    ask_c = '0;
    hold_c = '0;
    wait_c = '0;
    busy_c = 1'b0;
    for (int i = 0; i < Waiting; i = i + 1) begin
      for (int w = 0; w < NumWarp; w = w + 1) if (warp_q[i*WarpW +: WarpW] == WarpW'(w)) begin
        ask_c[w] = ask_c[w] | (reads_q[i] & ~known_q[i]);
        hold_c[w] = hold_c[w] | (reads_q[i] & (~known_q[i] | clash_q[i]));
        wait_c[w] = wait_c[w] | (state_q[i*3 +: 3] != FREE && state_q[i*3 +: 3] != CLAIMED);
      end
      busy_c = busy_c | ((state_q[i*3 +: 3] == INDEX || state_q[i*3 +: 3] == ADD)
                         && warp_q[i*WarpW +: WarpW] == look_warp_i
                         && index_q[i*RegBits +: RegBits] == look_reg_i);
    end
  end
  assign ask_o = ask_c;
  assign hold_o = hold_c;
  assign wait_o = wait_c;
  assign look_busy_o = busy_c;

  `WF_ASSERT(rule1_claim, !claim_i || !full_o, "Rule 1: a claim finds a free place")
  `WF_ASSERT(rule1_put, !(put_i || drop_i) || state_q[put_slot_i*3 +: 3] == CLAIMED,
             "Rule 1: what is filled or let go was claimed")
  `WF_ASSERT_STABLE(rule2_offer, inj_valid_o, inj_ready_i, 1'b1, 1,
                    "Rule 2: something is offered until it is taken")
  `WF_ASSUME(rule3_sum, !sum_valid_i || state_q[sum_slot_i*3 +: 3] == SUM,
             "Rule 3: a sum is of a place that waits for one")
  `WF_ASSERT(rule5_read, !(inj_valid_o && inj_sum_o) || has_read,
             "Rule 5: an offer with an address has read it")
  reg lower_c;
  always_comb begin
    lower_c = 1'b0;
    for (int i = 0; i < Waiting; i = i + 1)
      lower_c = lower_c | (want_c[i] && warp_q[i*WarpW +: WarpW] < pick_warp_c);
  end
  `WF_ASSERT(rule4_lowest, !pick || !lower_c, "Rule 4: the lowest warp goes first")
  wire unused = &{1'b0, put_base_i[0], next_dst_i[0], lower_c, has_read};
endmodule
`default_nettype wire
