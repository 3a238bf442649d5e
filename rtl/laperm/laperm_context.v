// laperm_context: the SMX scheduler's control registers (SSCR), one context for each owner of
// queues (SMX or cluster) and one for queue 0. A context holds the first entry of its owner's
// highest queue: needs, kernel, dimensions, and NextBL, the block that goes next. If a higher queue
// gets an entry, the context goes over to it; a grid that was begun keeps its place in `place`,
// which has one for each queue, since only the first of a queue can have begun.
//
// Sources. Policies 2, 3: context o has the queues of owner o, the last one queue 0. Policies 0, 1:
// only the last one is used; policy 1: the queues of owner 0, then queue 0; policy 0: the kernel at
// the head of queue 0, first its grid, then its groups; it leaves queue 0 when none of it waits.
//
// Timing: a context is loaded in two cycles; one begins in each. A block that leaves
// shows in the next cycle.
//
//   NumKde 1..32   Owners   Levels   NeedW, PcBits, XBits, YBits, ZBits, AddrW
// Storage: flops (Owners + 1) * (NeedW + XBits + YBits + ZBits + ListW + level + kernel + 2) +
// Lists + 2 * NumKde; RAM (Owners + 1) * (PcBits + XBits + YBits + ZBits + AddrW) and Lists *
// (XBits + YBits + ZBits).
//
// Rules
//   1 NextBL is inside the grid.
//   2 A block leaves a context that has one.
//   3 A context whose block is shown stays.
//   4 What a context holds waits in its queue until its last block has left.
`default_nettype none
`include "wf_assert.vh"

module laperm_context #(
  parameter integer NumKde = 32,
  parameter integer Owners = 13,
  parameter integer Levels = 3,
  parameter integer NeedW = 25,
  parameter integer PcBits = 32,
  parameter integer XBits = 31,
  parameter integer YBits = 16,
  parameter integer ZBits = 16,
  parameter integer AddrW = 32,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer OwnW = Owners > 1 ? $clog2(Owners) : 1,
  localparam integer Lists = (Owners * Levels > NumKde ? Owners * Levels : NumKde) + 1,
  localparam integer ListW = $clog2(Lists),
  localparam integer LevW = $clog2(Levels + 1),
  localparam integer Contexts = Owners + 1,
  localparam integer CtxW = $clog2(Contexts),
  localparam integer DimW = XBits + YBits + ZBits,
  localparam integer GroupW = DimW + AddrW,
  localparam integer InfoW = PcBits + NeedW + GroupW
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                in_order_i,  // policy 0
  input  wire                shared_i,    // policies 0, 1
  // queues
  input  wire [Lists-1:0]    some_i,
  output wire [Lists-1:0]    look1_o,     // one queue
  input  wire [KdeW-1:0]     look_kdei_i,
  input  wire                look_kernel_i,
  output wire                look_rd_o,
  input  wire                look_ready_i,
  input  wire [GroupW-1:0]   look_info_i, // after the edge
  input  wire [KdeW-1:0]     zero_kdei_i,
  output wire                pop_o,
  output wire [ListW-1:0]    pop_list_o,
  output wire [OwnW-1:0]     pop_owner_o,
  output wire                pop_zero_o,
  // kernel distributor
  input  wire                kern_valid_i, // a kernel comes in
  input  wire [KdeW-1:0]     kern_kdei_i,
  output wire                info_rd_o,
  output wire [KdeW-1:0]     info_kdei_o,
  input  wire [InfoW-1:0]    info_i,       // {pc, need, grid, parameters}
  output wire [KdeW-1:0]     run_kdei_o,
  output wire [NumKde-1:0]   run1_o,
  input  wire                run_first_i,
  input  wire                run_some_i,
  input  wire                run_more_i,
  output wire                native_o,
  output wire                group_last_o, // the block that is shown is its group's last
  output wire                unmark_o,
  input  wire                joins_i,      // a group joins this kernel now
  // visits
  output wire [Contexts-1:0] have_o,
  output wire [Contexts-1:0] usable_o,
  output wire [Contexts-1:0] valid_o,
  input  wire [CtxW-1:0]     fit_ctx_i,
  output wire [NeedW-1:0]    fit_need_o,
  input  wire                fit_rd_i,     // it is that of the block in the next cycle
  input  wire [Contexts-1:0] hold_i,       // a block of it is shown, or may be
  input  wire [CtxW-1:0]     ctx_i,        // of the block
  input  wire                take_i,
  output wire                group_o,
  output wire [PcBits-1:0]   pc_o,
  output wire [LevW-1:0]     level_o,
  output wire [DimW-1:0]     dim_o,        // {z, y, x}
  output wire [DimW-1:0]     block_o,
  output wire [AddrW-1:0]    param_o,
  output wire                first_o,
  output wire                last_o,
  output wire                ev_load_o,
  output wire                ev_preempt_o,
  output wire                quiet_o
);
  localparam [ListW-1:0] ZERO = ListW'(Lists - 1);
  localparam integer FixedW = PcBits + GroupW;

  reg [Contexts-1:0] valid_q;
  (* mem2reg *) reg [LevW-1:0] level_q [0:Contexts-1];
  (* mem2reg *) reg [ListW-1:0] list_q [0:Contexts-1];
  (* mem2reg *) reg [NeedW-1:0] need_q [0:Contexts-1];
  (* mem2reg *) reg [KdeW:0] kdei_q [0:Contexts-1];   // {of its own grid, kernel}
  (* mem2reg *) reg [DimW-1:0] at_q [0:Contexts-1];   // NextBL {z, y, x}
  reg [Lists-1:0] begun_q;                 // its first has a place in `place`
  reg [NumKde-1:0] grid_q;                 // its own grid is to come

  // What each context should hold.
  reg [Owners-1:0] bound_c;
  reg [Owners*LevW-1:0] wanted_c;
  reg [Lists-1:0] top1_c;                  // each owner's highest queue
  always_comb begin
    top1_c = '0;
    for (int o = 0; o < Owners; o = o + 1) begin
      bound_c[o] = 1'b0;
      wanted_c[o*LevW +: LevW] = '0;
      for (int p = 0; p < Levels; p = p + 1)
        if (some_i[o*Levels+p]) begin
          bound_c[o] = 1'b1;
          wanted_c[o*LevW +: LevW] = LevW'(p + 1);
        end
      for (int p = 0; p < Levels; p = p + 1)
        top1_c[o*Levels+p] = wanted_c[o*LevW +: LevW] == LevW'(p + 1);
    end
  end
  wire zero = some_i[Lists-1];
  reg [NumKde-1:0] zero1_c;
  always_comb begin
    for (int k = 0; k < NumKde; k = k + 1) zero1_c[k] = zero_kdei_i == KdeW'(k);
  end
  wire own_grid = (grid_q & zero1_c) != '0;
  wire in_order = zero && (own_grid || (some_i[NumKde-1:0] & zero1_c) != '0);
  wire [LevW-1:0] common_level = shared_i && !in_order_i ? wanted_c[LevW-1:0] : '0;
  wire common = in_order_i ? in_order : zero || (shared_i && bound_c[0]);
  assign have_o = {common, shared_i ? {Owners{1'b0}} : bound_c};

  // The loader.
  reg load_q, load_begun_q, load_kernel_q;
  reg [CtxW-1:0] load_ctx_q;
  reg [KdeW-1:0] load_kdei_q;
  reg [LevW-1:0] load_level_q;
  reg [ListW-1:0] load_list_q;
  wire common_match = in_order_i || level_q[Owners] == common_level;
  reg [Contexts-1:0] match_c;
  always_comb begin
    for (int c = 0; c < Owners; c = c + 1) match_c[c] = level_q[c] == wanted_c[c*LevW +: LevW];
    match_c[Owners] = common_match;
  end
  assign usable_o = valid_q & match_c;
  assign valid_o = valid_q;
  reg [Contexts-1:0] loading_c;
  always_comb begin
    for (int c = 0; c < Contexts; c = c + 1) loading_c[c] = load_q && load_ctx_q == CtxW'(c);
  end
  wire [Contexts-1:0] req = have_o & ~(valid_q & (match_c | hold_i)) & ~loading_c;
  // Under policy 0 nobody else asks: what comes of queue 0's head is not on the way through the
  // arbiter.
  wire req_in_order = in_order_i && req[Owners];
  wire req_common = !in_order_i && req[Owners];
  wire [Contexts-1:0] gnt_arb;
  wire [CtxW-1:0] pick_arb;
  wire any_arb;
  wf_arb_rr #(.N(Contexts)) u_pick (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i({req_common, req[Owners-1:0]}),
    .advance_i(look_ready_i), .gnt_o(gnt_arb), .gnt_index_o(pick_arb), .gnt_valid_o(any_arb)
  );
  wire [Contexts-1:0] gnt = gnt_arb | {req_in_order, {Owners{1'b0}}};
  wire [CtxW-1:0] pick = pick_arb | (CtxW'(Owners) & {CtxW{req_in_order}});
  wire go = (any_arb || req_in_order) && look_ready_i;
  wire [ListW-1:0] common_list =
      in_order_i ? (own_grid ? ZERO : ListW'(zero_kdei_i))
                 : common_level == '0 ? ZERO : ListW'(common_level) - ListW'(1);
  wire pick_common = gnt[Owners];
  reg [LevW-1:0] pick_level_c;
  reg [ListW-1:0] pick_list_c, owner_list_c, pick_old_c;
  reg [DimW-1:0] pick_at_c;
  reg [Lists-1:0] pick1_c;
  reg common_zero_c, common_top_c, common_kdei_c;   // its queue: 0, owner 0's, a kernel's
  always_comb begin
    pick_level_c = common_level & {LevW{pick_common}};
    pick_list_c = common_list & {ListW{pick_common || in_order_i}};
    pick_old_c = list_q[Owners] & {ListW{pick_common}};
    pick_at_c = at_q[Owners] & {DimW{pick_common}};
    for (int o = 0; o < Owners; o = o + 1) begin
      owner_list_c = ListW'(o * Levels) + ListW'(wanted_c[o*LevW +: LevW]) - ListW'(1);
      pick_level_c = pick_level_c | (wanted_c[o*LevW +: LevW] & {LevW{gnt[o]}});
      pick_list_c = pick_list_c | (owner_list_c & {ListW{gnt[o]}});
      pick_old_c = pick_old_c | (list_q[o] & {ListW{gnt[o]}});
      pick_at_c = pick_at_c | (at_q[o] & {DimW{gnt[o]}});
    end
    common_zero_c = in_order_i ? own_grid : pick_common && common_level == '0;
    common_top_c = pick_common && shared_i && !in_order_i;
    common_kdei_c = in_order_i && !own_grid;          // nobody else looks
    pick1_c = '0;
    for (int o = 0; o < Owners; o = o + 1)
      for (int p = 0; p < Levels; p = p + 1)
        pick1_c[o*Levels+p] = top1_c[o*Levels+p] && (gnt[o] || (o == 0 && common_top_c));
    for (int k = 0; k < NumKde; k = k + 1)
      pick1_c[k] = pick1_c[k] || (common_kdei_c && zero1_c[k]);
    pick1_c[Lists-1] = common_zero_c;
  end
  assign look1_o = pick1_c;
  assign look_rd_o = go;
  assign info_rd_o = go;
  assign info_kdei_o = look_kdei_i;

  // Blocks leave. What the one that is shown has of its context is taken with its visit's fit.
  reg kernel_q;
  reg [KdeW-1:0] kdei_now_q;
  reg [NumKde-1:0] run1_q;
  reg [DimW-1:0] at_now_q;
  reg [ListW-1:0] list_now_q;
  reg [LevW-1:0] level_now_q;
  wire [KdeW:0] fit_kdei = kdei_q[fit_ctx_i];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kernel_q <= 1'b0;
      kdei_now_q <= '0;
      run1_q <= NumKde'(1);
    end else if (fit_rd_i) begin
      {kernel_q, kdei_now_q} <= fit_kdei;
      run1_q <= NumKde'(1) << fit_kdei[KdeW-1:0];
    end
  end
  wire kernel = kernel_q;
  wire [KdeW-1:0] kdei = kdei_now_q;
  wire [XBits-1:0] x, dim_x;
  wire [YBits-1:0] y, dim_y;
  wire [ZBits-1:0] z, dim_z;
  assign {z, y, x} = at_now_q;
  assign {dim_z, dim_y, dim_x} = dim_o;
  // at + 1 == dim without a carry: a bit's carry is known from the bit below.
  wire [XBits:0] carry_x = {x & ~dim_x, 1'b1};
  wire [YBits:0] carry_y = {y & ~dim_y, 1'b1};
  wire [ZBits:0] carry_z = {z & ~dim_z, 1'b1};
  wire end_x = (x ^ dim_x) == carry_x[XBits-1:0];
  wire end_y = (y ^ dim_y) == carry_y[YBits-1:0];
  wire end_z = (z ^ dim_z) == carry_z[ZBits-1:0];
  wire unused_carry = &{1'b0, carry_x[XBits], carry_y[YBits], carry_z[ZBits]};
  wire [XBits-1:0] x_d = end_x ? '0 : x + 1'b1;
  wire [YBits-1:0] y_d = !end_x ? y : end_y ? '0 : y + 1'b1;
  wire [ZBits-1:0] z_d = end_x && end_y ? z + 1'b1 : z;
  wire [DimW-1:0] at_next = {z_d, y_d, x_d};
  always_ff @(posedge clk_i) begin
    if (fit_rd_i) begin
      at_now_q <= take_i && ctx_i == fit_ctx_i ? at_next : at_q[fit_ctx_i];
      list_now_q <= list_q[fit_ctx_i];
      level_now_q <= level_q[fit_ctx_i];
    end
  end
  assign first_o = at_now_q == '0;
  assign last_o = end_x && end_y && end_z;
  wire over = take_i && last_o;
  wire alone = kernel ? !run_some_i : !run_more_i && !run_first_i;   // nothing else of it waits
  assign unmark_o = over && alone && !joins_i;
  assign native_o = over && kernel;
  assign group_last_o = last_o && !kernel;
  assign pop_o = over && (!kernel || !in_order_i || unmark_o);
  assign pop_list_o = list_now_q;
  assign pop_owner_o = shared_i ? '0 : OwnW'(ctx_i);
  assign pop_zero_o = in_order_i && !kernel && unmark_o;

  wire [DimW-1:0] place;
  wire preempt = go && (valid_q & gnt) != '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      begun_q <= '0;
      grid_q <= '0;
      load_q <= 1'b0;
    end else begin
      load_q <= go;
      for (int c = 0; c < Contexts; c = c + 1) begin
        if (loading_c[c]) valid_q[c] <= 1'b1;
        else if ((go && gnt[c]) || (over && ctx_i == CtxW'(c))) valid_q[c] <= 1'b0;
      end
      for (int l = 0; l < Lists; l = l + 1) begin
        if (preempt && pick_old_c == ListW'(l)) begun_q[l] <= pick_at_c != '0;
        else if (over && pop_list_o == ListW'(l)) begun_q[l] <= 1'b0;
      end
      for (int k = 0; k < NumKde; k = k + 1) begin
        if (kern_valid_i && kern_kdei_i == KdeW'(k)) grid_q[k] <= 1'b1;
        else if (native_o && kdei == KdeW'(k)) grid_q[k] <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (go) begin
      load_ctx_q <= pick;
      load_kdei_q <= look_kdei_i;
      load_kernel_q <= look_kernel_i;
      load_level_q <= pick_level_c;
      load_list_q <= pick_list_c;
      load_begun_q <= (begun_q & pick1_c) != '0;
    end
    if (take_i) at_q[ctx_i] <= at_next;
    if (load_q) begin
      level_q[load_ctx_q] <= load_level_q;
      list_q[load_ctx_q] <= load_list_q;
      kdei_q[load_ctx_q] <= {load_kernel_q, load_kdei_q};
      need_q[load_ctx_q] <= info_i[GroupW +: NeedW];
      at_q[load_ctx_q] <= load_begun_q ? place : '0;
    end
  end
  wf_ram_1r1w #(.Width(DimW), .Depth(Lists)) u_place (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(preempt), .wr_addr_i(pick_old_c), .wr_mask_i(1'b1),
    .wr_data_i(pick_at_c), .rd_en_i(go), .rd_addr_i(pick_list_c), .rd_data_o(place)
  );
  wf_ram_1r1w #(.Width(FixedW), .Depth(Contexts)) u_fixed (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(load_q), .wr_addr_i(load_ctx_q), .wr_mask_i(1'b1),
    .wr_data_i({info_i[GroupW+NeedW +: PcBits],
                load_kernel_q ? info_i[GroupW-1:0] : look_info_i}),
    .rd_en_i(fit_rd_i), .rd_addr_i(fit_ctx_i), .rd_data_o({pc_o, dim_o, param_o})
  );
  assign run1_o = run1_q;
  assign run_kdei_o = kdei;
  assign fit_need_o = need_q[fit_ctx_i];
  assign block_o = at_now_q;
  assign group_o = !kernel;
  assign level_o = level_now_q;
  assign ev_load_o = go;
  assign ev_preempt_o = preempt;
  assign quiet_o = !load_q && req == '0;

  `WF_ASSERT(rule1_inside, !take_i || (x < dim_x && y < dim_y && z < dim_z),
             "Rule 1: NextBL is inside the grid")
  `WF_ASSERT(rule2_valid, !take_i || valid_q[ctx_i],
             "Rule 2: a block leaves a context that has one")
  `WF_ASSERT(rule4_have, (valid_q & match_c & ~have_o) == '0,
             "Rule 4: what a context holds waits in its queue")
  `WF_ASSERT(rule3_hold, !go || (gnt & hold_i & valid_q) == '0,
             "Rule 3: a context whose block is shown stays")
endmodule
`default_nettype wire
