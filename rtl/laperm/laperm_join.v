// laperm_join: where a launched group waits. Takes the oldest answered group from the search.
// Without a kernel, or if its kernel's pool is full, it is handed to the KMU, which launches it as
// a device kernel: so no group waits for a block to start or to end. Else it goes behind the last
// of the queue of its level and of the SMX that launched it: on chip if there is an entry; if not,
// in the place of the last group of a lower level, which goes to memory; else to memory itself. It
// does that also while its queue has a list in memory: the order stays.
//
// The level is one more than the launching block's, Levels at most. Who binds nothing has the
// queues of owner 0, or (policy 0) one for each kernel; then a kernel that had no block to come is
// put into queue 0 again.
//
// Timing: two cycles a group that is joined on chip.
//
//   NumKde 1..32   Owners   Levels 1..7   SmxOfOwner: SMXs of a cluster   NumSmx
// Storage: about NumKde's, Owners' and Lists' numbers.
//
// Rules
//   1 A group joins an open kernel.
//   2 No group has level 0.
//   3 A group that joins finds room in its kernel's pool.
//   4 What is offered to the KMU stays, whatever happens in the pool.
`default_nettype none
`include "wf_assert.vh"

module laperm_join #(
  parameter integer NumKde = 32,
  parameter integer Owners = 13,
  parameter integer Levels = 3,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer OwnW = Owners > 1 ? $clog2(Owners) : 1,
  localparam integer Lists = (Owners * Levels > NumKde ? Owners * Levels : NumKde) + 1,
  localparam integer ListW = $clog2(Lists),
  localparam integer LevW = $clog2(Levels + 1)
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              in_order_i,   // policy 0
  input  wire              shared_i,     // policies 0, 1
  // from the search
  input  wire              grp_valid_i,
  input  wire              grp_hit_i,
  input  wire [KdeW-1:0]   grp_kdei_i,
  input  wire [OwnW-1:0]   grp_owner_i,
  input  wire [LevW-1:0]   grp_level_i,  // its own: 1..Levels
  output wire              grp_pop_o,
  // no eligible kernel, or its pool is full: to the KMU
  output wire              dk_valid_o,
  input  wire              dk_ready_i,
  // kernel distributor
  input  wire              pool_full_i,  // of grp_kdei_i
  input  wire              marked_i,     // kdei_o
  output wire [KdeW-1:0]   kdei_o,
  output wire              commit_o,
  output wire              busy_o,       // a kernel or a group may be pushed: no kernel comes in
  // queues on chip
  input  wire [Owners-1:0] full_i,
  input  wire              alloc_i,
  input  wire [Lists-1:0]  some_i,
  input  wire              push_taken_i, // somebody else pushes now
  output wire              push_o,
  output wire              push_kernel_o, // into queue 0, again
  output wire [ListW-1:0]  list_o,
  output wire [OwnW-1:0]   owner_o,
  // queues in memory
  input  wire [Lists-1:0]  far_i,
  output wire              op_valid_o,
  output wire              op_front_o,
  output wire [ListW-1:0]  op_list_o,
  input  wire              append_done_i,
  input  wire              front_done_i,
  input  wire              front_fail_i,
  output wire              ev_over_o,
  output wire              ev_spill_o,
  output wire              remark_o
);
  localparam [2:0] IDLE = 3'd0, PLACE = 3'd1, FRONT = 3'd2, PUT = 3'd3, APPEND = 3'd4,
                   AGAIN = 3'd5;
  reg [2:0] state_q, state_d;
  reg [KdeW-1:0] kdei_q;
  reg [OwnW-1:0] owner_q;
  reg [ListW-1:0] list_q, lower_q;       // lower: of the lowest level below, if lower_some_q
  reg lower_some_q;
  reg away_q;                            // it was offered to the KMU and not taken

  wire away = !grp_hit_i || pool_full_i || away_q;
  wire ask = state_q == IDLE && grp_valid_i && !away;
  // Its queue, and the lowest one below it.
  wire [OwnW-1:0] owner = shared_i ? '0 : grp_owner_i;
  wire [ListW-1:0] base = ListW'(owner) * ListW'(Levels);
  wire [ListW-1:0] list = in_order_i ? ListW'(grp_kdei_i)
                                     : base + ListW'(grp_level_i) - ListW'(1);
  reg [LevW-1:0] lower_c;
  reg lower_some_c;
  always_comb begin
    lower_c = '0;
    lower_some_c = 1'b0;
    for (int p = Levels - 1; p >= 0; p = p - 1)
      if (LevW'(p + 1) < grp_level_i && some_i[base + ListW'(p)]) begin
        lower_c = LevW'(p);
        lower_some_c = !in_order_i;
      end
  end

  wire full = full_i[owner_q];
  wire far = far_i[list_q];
  wire put = state_q == PLACE && !full && !far && alloc_i && !push_taken_i;
  wire put_spare = state_q == PUT && !push_taken_i;
  wire appended = state_q == APPEND && append_done_i;
  assign commit_o = put || put_spare || appended;
  wire again = in_order_i && !marked_i;
  always_comb begin
    state_d = state_q;
    case (state_q)
      IDLE: if (ask) state_d = PLACE;
      PLACE: begin
        if (put) state_d = again ? AGAIN : IDLE;
        else if (full && !far && lower_some_q) state_d = FRONT;
        else if (full || far) state_d = APPEND;
      end
      FRONT: if (front_done_i) state_d = PUT; else if (front_fail_i) state_d = APPEND;
      PUT: if (put_spare) state_d = IDLE;
      APPEND: if (append_done_i) state_d = again ? AGAIN : IDLE;
      default: if (!push_taken_i) state_d = IDLE;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      kdei_q <= '0;
      away_q <= 1'b0;
    end else begin
      state_q <= state_d;
      away_q <= dk_valid_o && !dk_ready_i;
      if (ask) kdei_q <= grp_kdei_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (ask) begin
      owner_q <= owner;
      list_q <= list;
      lower_q <= base + ListW'(lower_c);
      lower_some_q <= lower_some_c;
    end
  end

  assign dk_valid_o = state_q == IDLE && grp_valid_i && away;
  assign grp_pop_o = commit_o || (dk_valid_o && dk_ready_i);
  assign kdei_o = kdei_q;
  assign busy_o = state_q != IDLE;
  assign push_kernel_o = state_q == AGAIN;
  assign push_o = put || put_spare || (push_kernel_o && !push_taken_i);
  assign list_o = push_kernel_o ? ListW'(Lists - 1) : list_q;
  assign owner_o = owner_q;
  assign op_valid_o = state_q == FRONT || state_q == APPEND;
  assign op_front_o = state_q == FRONT;
  assign op_list_o = op_front_o ? lower_q : list_q;
  assign ev_over_o = appended;
  assign ev_spill_o = op_front_o && front_done_i;
  assign remark_o = push_kernel_o && !push_taken_i;

  `WF_ASSERT(rule1_group, state_q == IDLE || state_q == AGAIN
                          || (grp_valid_i && grp_hit_i && grp_kdei_i == kdei_q),
             "Rule 1: a group joins an open kernel")
  `WF_ASSUME(rule2_level, !grp_valid_i || grp_level_i != '0, "Rule 2: no group has level 0")
  `WF_ASSERT(rule3_room, !ask || !pool_full_i, "Rule 3: a group that joins finds room in the pool")
  `WF_ASSERT(rule4_away, !away_q || dk_valid_o, "Rule 4: what is offered to the KMU stays")
endmodule
`default_nettype wire
