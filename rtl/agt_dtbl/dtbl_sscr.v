// dtbl_sscr: the SMX scheduler and its control registers: KDEI, AGEI (as a link), NextBL. It takes
// one marked kernel after the other from the FCFS queue and distributes its blocks: its own grid
// first, if that was not done before, then the groups of its pool along Next, those that join
// meanwhile included. When the pool is empty the kernel is unmarked, and the next one is taken.
//
// States                        cycles
//   Idle   takes a kernel           1   reads its entry
//   Load   KDEI, needs              1
//   Room   SMXs compare the need    1   (only before the own grid)
//   Run    offers blocks            one a cycle while there is room; NextBL: x, then y, then z
//   Next   the pool's next group    1   waits while a group is about to join this kernel;
//                                       finishes the group before
//   Head   first group: from NAGEI  1
//   Get    from the table           1   (between two groups with entries in the table: Next, Get)
//   Ask, Wait  from memory          a read
//
//   NumKde 1..64   AgtEntries 2^k   AddrW   XBits, YBits, ZBits   InfoW: of a kernel's entry
//   CountW
// Storage: about 2 * AddrW + 2 * (XBits + YBits + ZBits) + InfoW flops.
//
// Rules
//   1 NextBL is inside the grid.
//   2 A grid has a block.
//   3 Answers of memory come only when asked for.
`default_nettype none
`include "wf_assert.vh"

module dtbl_sscr #(
  parameter integer NumKde = 32,
  parameter integer AgtEntries = 1024,
  parameter integer AddrW = 32,
  parameter integer XBits = 32,
  parameter integer YBits = 16,
  parameter integer ZBits = 16,
  parameter integer CountW = 31,
  parameter integer NeedW = 25,
  parameter integer PcBits = 32,
  parameter integer PrioBits = 2,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer IdxW = $clog2(AgtEntries),
  localparam integer DimW = XBits + YBits + ZBits,
  localparam integer InfoW = PcBits + PrioBits + NeedW + DimW + AddrW,
  localparam integer GroupW = DimW + AddrW
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  // FCFS queue, kernel distributor
  input  wire                kern_valid_i,
  output wire                kern_pop_o,
  input  wire [KdeW-1:0]     kern_kdei_i,
  output wire                info_rd_o,
  input  wire [InfoW-1:0]    info_i,       // {pc, priority, need, grid, parameters}
  output wire [KdeW-1:0]     kdei_o,
  output wire [NumKde-1:0]   run1_o,       // the same, a flop for each entry
  input  wire                first_i,
  input  wire                some_i,
  input  wire                more_i,
  output wire                native_o,
  output wire                pop_o,
  input  wire [AddrW-1:0]    head_i,
  output wire                unmark_o,
  input  wire                joining_i,    // a group is about to join this kernel
  // aggregated group table
  output wire                get_o,
  output wire [IdxW-1:0]     get_idx_o,
  input  wire [GroupW-1:0]   info_group_i, // {AggDim, parameters}
  input  wire [AddrW-1:0]    next_i,
  output wire                fin_o,
  output wire [IdxW-1:0]     fin_idx_o,
  output wire [CountW-1:0]   fin_n_o,
  // records in memory
  output wire                mem_valid_o,
  input  wire                mem_ready_i,
  output wire [AddrW-1:0]    mem_addr_o,
  input  wire                rsp_valid_i,
  output wire                rsp_ready_o,
  input  wire [DimW-1:0]     rsp_dim_i,
  input  wire [AddrW-1:0]    rsp_param_i,
  input  wire [AddrW-1:0]    rsp_next_i,
  output wire                through_o,    // the record at link_o is needed no more
  // blocks
  output wire                want_o,
  input  wire                take_i,
  output wire [NeedW-1:0]    need_o,
  output wire                group_o,
  output wire [AddrW-1:0]    link_o,
  output wire [PcBits-1:0]   pc_o,
  output wire [PrioBits-1:0] prio_o,
  output wire [DimW-1:0]     dim_o,        // {z, y, x}
  output wire [DimW-1:0]     block_o,
  output wire [AddrW-1:0]    param_o,
  output wire                first_o,      // of this grid or group
  output wire                last_o,
  output wire                took_o,       // a block was taken an edge ago
  output wire                waiting_o,    // for room
  output wire                idle_o,
  output wire                ev_native_o,
  output wire                ev_mem_wait_o
);
  localparam [3:0] IDLE = 4'd0, LOAD = 4'd1, ROOM = 4'd2, RUN = 4'd3, NEXT = 4'd4, HEAD = 4'd5,
                   GET = 4'd6, ASK = 4'd7, WAIT = 4'd8;
  reg [3:0] state_q, state_d;
  reg run_q;                         // state_q == RUN, a flop: the choice of an SMX begins here
  reg [KdeW-1:0] kdei_q;
  reg [NumKde-1:0] run1_q;
  reg [NeedW-1:0] need_q;
  reg [PcBits-1:0] pc_q;
  reg [PrioBits-1:0] prio_q;
  reg group_q, agt_q, record_q;      // of a group; whose entry is in the table and not finished;
                                     // whose record is in memory and not given up
  reg chain_q;                       // the next group of the pool is Next of the
                                     // one that was started last
  reg last_q;                        // the group just started was the last of the pool
  reg [AddrW-1:0] link_q, next_q, param_q;
  reg [XBits-1:0] dim_x_q, x_q;
  reg [YBits-1:0] dim_y_q, y_q;
  reg [ZBits-1:0] dim_z_q, z_q;
  reg took_q;                        // a block was taken an edge ago: it is counted now
  reg [CountW-1:0] n_q;              // blocks distributed of this grid or group: one more than were
                                     // counted, so that in Next, an edge after the last, it is all

  wire end_x = x_q + 1'b1 == dim_x_q;
  wire end_y = y_q + 1'b1 == dim_y_q;
  wire end_z = z_q + 1'b1 == dim_z_q;
  wire last = end_x && end_y && end_z;

  wire load = state_q == LOAD;
  wire decide = state_q == NEXT && !joining_i;
  wire pop = decide && some_i;
  wire [AddrW-1:0] link = state_q == HEAD ? head_i : next_q;
  wire in_table = link[0];
  wire go = (pop && chain_q) || state_q == HEAD;   // `link` is the group to start
  wire get_rsp = state_q == WAIT && rsp_valid_i;
  always_comb begin
    state_d = state_q;
    case (state_q)
      IDLE: if (kern_valid_i) state_d = LOAD;
      LOAD: state_d = first_i ? ROOM : NEXT;
      ROOM: state_d = RUN;
      RUN: if (take_i && last) state_d = NEXT;
      NEXT: if (decide) state_d = !some_i ? IDLE : !chain_q ? HEAD : in_table ? GET : ASK;
      HEAD: state_d = in_table ? GET : ASK;
      GET: state_d = RUN;
      ASK: if (mem_ready_i) state_d = WAIT;
      default: if (rsp_valid_i) state_d = RUN;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      run_q <= 1'b0;
      took_q <= 1'b0;
      chain_q <= 1'b0;
      agt_q <= 1'b0;
      record_q <= 1'b0;
      group_q <= 1'b0;
      kdei_q <= '0;
      run1_q <= NumKde'(1);
    end else begin
      state_q <= state_d;
      run_q <= state_d == RUN;
      took_q <= take_i;
      if (kern_pop_o) begin
        kdei_q <= kern_kdei_i;
        run1_q <= NumKde'(1) << kern_kdei_i;
      end
      // The group that is popped leaves others behind it: they hang on its Next.
      if (pop) chain_q <= more_i;
      if (load) group_q <= 1'b0;
      else if (go) group_q <= 1'b1;
      if (go) {agt_q, record_q} <= {link[0], !link[0]};
      else if (state_q == NEXT) {agt_q, record_q} <= 2'b00;
    end
  end
  always_ff @(posedge clk_i) begin
    if (load) begin
      need_q <= info_i[GroupW +: NeedW];
      prio_q <= info_i[GroupW+NeedW +: PrioBits];
      pc_q <= info_i[GroupW+NeedW+PrioBits +: PcBits];
    end
    if (pop) last_q <= !more_i;
    if (go) link_q <= link;
    if (load) {dim_z_q, dim_y_q, dim_x_q, param_q} <= info_i[GroupW-1:0];
    else if (state_q == GET) {dim_z_q, dim_y_q, dim_x_q, param_q} <= info_group_i;
    else if (get_rsp) {dim_z_q, dim_y_q, dim_x_q, param_q} <= {rsp_dim_i, rsp_param_i};
    if (!last_q) begin
      if (state_q == GET) next_q <= next_i;
      else if (get_rsp) next_q <= rsp_next_i;
    end
    if (load || state_q == GET || get_rsp) begin
      x_q <= '0;
      y_q <= '0;
      z_q <= '0;
    end else if (take_i) begin
      x_q <= end_x ? '0 : x_q + 1'b1;
      if (end_x) y_q <= end_y ? '0 : y_q + 1'b1;
      if (end_x && end_y) z_q <= z_q + 1'b1;
    end
    if (load || state_q == GET || get_rsp) n_q <= CountW'(1);
    else if (took_q) n_q <= n_q + 1'b1;
  end

  assign kern_pop_o = state_q == IDLE && kern_valid_i;
  assign info_rd_o = kern_pop_o;
  assign kdei_o = kdei_q;
  assign run1_o = run1_q;
  assign native_o = load && first_i;
  assign pop_o = pop;
  assign unmark_o = decide && !some_i;
  assign get_o = go && link[0];
  assign get_idx_o = link[IdxW:1];
  assign fin_o = state_q == NEXT && agt_q;
  assign fin_idx_o = link_q[IdxW:1];
  assign fin_n_o = n_q;
  assign mem_valid_o = state_q == ASK;
  assign mem_addr_o = link_q;
  assign rsp_ready_o = state_q == WAIT;
  assign through_o = state_q == NEXT && record_q;
  assign want_o = run_q;
  assign need_o = need_q;
  assign group_o = group_q;
  assign link_o = group_q ? link_q : '0;
  assign pc_o = pc_q;
  assign prio_o = prio_q;
  assign dim_o = {dim_z_q, dim_y_q, dim_x_q};
  assign block_o = {z_q, y_q, x_q};
  assign param_o = param_q;
  assign first_o = {z_q, y_q, x_q} == '0;
  assign last_o = last;
  assign took_o = took_q;
  assign waiting_o = run_q;
  assign idle_o = state_q == IDLE && !kern_valid_i;
  assign ev_native_o = native_o;
  assign ev_mem_wait_o = state_q == WAIT || state_q == ASK;

  `WF_ASSERT(rule1_inside, state_q != RUN || (x_q < dim_x_q && y_q < dim_y_q && z_q < dim_z_q),
             "Rule 1: NextBL is inside the grid")
  `WF_ASSUME(rule2_some, state_q != RUN || (dim_x_q != '0 && dim_y_q != '0 && dim_z_q != '0),
             "Rule 2: a grid has a block")
  `WF_ASSUME(rule3_asked, !rsp_valid_i || state_q == WAIT,
             "Rule 3: answers of memory come only when asked for")
  `WF_ASSERT(rule6_run, run_q == (state_q == RUN), "Rule 6: run_q tells the state Run")
  `WF_ASSERT(rule4_link, !go || link != '0, "Rule 4: a group in the pool has a link")
  `WF_ASSERT(rule5_chain, !decide || some_i || !chain_q, "Rule 5: an empty pool has no next group")
endmodule
`default_nettype wire
