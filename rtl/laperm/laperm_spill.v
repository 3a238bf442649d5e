// laperm_spill: the queues in memory, where groups wait for which there was no entry on chip. A
// list of records for each queue of groups, of any length: each record names the next. A record
// lies in the next place of a ring of records if there is room, else below its group's parameters;
// so nothing is allocated and no launch can fail.
//
//   append   a group goes behind the last of its list.
//   front    the last of a queue on chip goes before the first of its list, so that a group of a
//            higher level finds an entry. Refused (fail) if that queue is too short.
//   refill   while an owner has a free entry, the first record of its highest list is read, and
//            becomes the last of that queue on chip. If nobody binds kernels go in their order, and
//            so does what is read: of the kernel at the head only.
//
// One read is made at a time. With lines (dtbl_lines) it is answered at once, with the record or
// with the number of the line in which it comes later. So up to Reads owners wait for a line each,
// while others are served; whose line has come goes first, and reads again. Until then its line is
// wanted. An owner that has no entry left, or no record, waits for nothing.
//
// A record: {number of the kernel [4], x}; {z, y}; Next; {parameters [31:4], number [3:0]}.
//
// Timing: append 2 cycles, 3 behind another; front 2 or 3; an answer 3. The queue to memory may
// hold them up; no answer does: it waits at the port for an entry while launches go on.
//
//   NumKde 1..32   Owners   Levels   AddrW over 4, up to 32   XBits up to 31   YBits, ZBits to 16
//   Lines, or 2 without   Reads 1..Lines-1   Reach: lines ahead of a queue that has all lines
// Storage: RAM 2 * Lists * AddrW; flops 2 * AddrW, Lists, Owners * (bits of a line's number + 2),
// and some.
//
// Rules
//   1 A list that is read has a record.
//   2 A parameter address is a multiple of 16, and not 0.
`default_nettype none
`include "wf_assert.vh"

module laperm_spill #(
  parameter integer NumKde = 32,
  parameter integer Owners = 13,
  parameter integer Levels = 3,
  parameter integer AddrW = 32,
  parameter integer XBits = 31,
  parameter integer YBits = 16,
  parameter integer ZBits = 16,
  parameter integer Lines = 16,
  parameter integer Reads = 8,
  parameter integer Reach = 8,
  localparam integer IdW = $clog2(Lines),
  localparam integer LeftW = $clog2(Reach + 1),
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer OwnW = Owners > 1 ? $clog2(Owners) : 1,
  localparam integer Lists = (Owners * Levels > NumKde ? Owners * Levels : NumKde) + 1,
  localparam integer ListW = $clog2(Lists),
  localparam integer InfoW = XBits + YBits + ZBits + AddrW
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              in_order_i,   // nobody binds: of the kernel at the head of queue 0
  input  wire              head_valid_i,
  input  wire [KdeW-1:0]   head_kdei_i,
  // append or front; held until done or fail
  input  wire              op_valid_i,
  input  wire              op_front_i,
  input  wire [ListW-1:0]  op_list_i,
  input  wire [KdeW-1:0]   op_kdei_i,
  input  wire [InfoW-1:0]  op_info_i,
  output wire              append_done_o,
  output wire              front_done_o,
  output wire              front_fail_o,
  output wire [Lists-1:0]  some_o,       // lists in memory
  // queues on chip: taking from the end, and refill
  output wire              back_o,
  output wire              back_take_o,
  input  wire              back_ok_i,
  input  wire [KdeW-1:0]   back_kdei_i,
  input  wire [InfoW-1:0]  back_info_i,
  input  wire [Owners-1:0] room_i,       // this owner has an entry for a record
  input  wire              alloc_i,
  output wire              claim_o,      // may push now: nobody else may
  output wire              push_o,
  output wire [ListW-1:0]  push_list_o,
  output wire [OwnW-1:0]   push_owner_o,
  output wire [KdeW-1:0]   push_kdei_o,
  output wire [InfoW-1:0]  push_info_o,
  // places of records: those of op_list_i
  output wire              ring_look_o,
  input  wire              ring_room_i,  // after the edge
  input  wire [AddrW-1:0]  ring_pointer_i,
  output wire              ring_take_o,
  output wire              through_o,    // this record, of list push_list_o, was read
  output wire              through_last_o, // it has no other
  output wire [AddrW-1:0]  through_at_o,
  // memory
  output wire              mem_valid_o,
  input  wire              mem_ready_i,
  output wire              mem_write_o,
  output wire [AddrW-1:0]  mem_addr_o,
  output wire [3:0]        mem_mask_o,
  output wire [127:0]      mem_data_o,
  input  wire              ans_valid_i,
  output wire              ans_ready_o,
  input  wire [127:0]      ans_data_i,
  // lines
  input  wire              later_i,      // in place of an answer
  input  wire [IdW-1:0]    later_id_i,
  input  wire [Lines-1:0]  arrived_i,
  output wire [Lines-1:0]  wanted_o,
  output wire [LeftW-1:0]  depth_o,      // lines to be fetched ahead
  output wire              wait_o,       // nothing is done but to wait for memory
  output wire              idle_o
);
  localparam [2:0] IDLE = 3'd0, BODY = 3'd1, NEXT = 3'd2, FRONT = 3'd3, ASK = 3'd4, END = 3'd5,
                   OLD = 3'd6, CLAIM = 3'd7;
  localparam integer CountW = $clog2(Owners > Reads ? Owners + 1 : Reads + 1);
  localparam [3:0] ALL_BUT_NEXT = 4'b1011, ONLY_NEXT = 4'b0100;
  reg [2:0] state_q, state_d;
  reg [Lists-1:0] some_q;
  reg [ListW-1:0] read_list_q;            // of the read in flight
  reg [OwnW-1:0] read_owner_q;
  reg [AddrW-1:0] read_at_q;
  reg flight_q;
  reg end_q, claims_q;                    // state END; CLAIM or END: others wait for them
  reg next_q;                             // its Next was written since: next_at_q
  reg [AddrW-1:0] next_at_q, pointer_q;
  reg [Owners-1:0] asked_q, came_q;       // waits for a line; which has come
  (* mem2reg *) reg [IdW-1:0] line_q [0:Owners-1];
  reg few_q;                              // fewer than Reads wait
  reg [LeftW-1:0] depth_q;

  // The owner to be served next, and its highest list: one whose line has come, or that asked for
  // none yet.
  reg [Owners-1:0] far_c;
  reg [Owners*ListW-1:0] highest_c;
  always_comb begin
    for (int o = 0; o < Owners; o = o + 1) begin
      far_c[o] = 1'b0;
      highest_c[o*ListW +: ListW] = '0;
      for (int p = 0; p < Levels; p = p + 1)
        if (some_q[o*Levels+p]) begin
          far_c[o] = 1'b1;
          highest_c[o*ListW +: ListW] = ListW'(o * Levels + p);
        end
    end
  end
  wire head_asks = head_valid_i && some_q[ListW'(head_kdei_i)] && room_i[0];
  wire [Owners-1:0] asks = in_order_i ? Owners'(head_asks) : far_c & room_i;
  wire [Owners-1:0] come = asks & came_q;
  wire [Owners-1:0] chosen;
  wire [OwnW-1:0] ask_owner;
  wire ask_valid;
  wire start;
  wf_arb_rr #(.N(Owners)) u_owner (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .req_i(come != '0 ? come : asks & ~asked_q & {Owners{few_q}}), .advance_i(start),
    .gnt_o(chosen), .gnt_index_o(ask_owner), .gnt_valid_o(ask_valid)
  );
  reg [ListW-1:0] bound_list_c;
  always_comb begin
    bound_list_c = '0;
    for (int o = 0; o < Owners; o = o + 1)
      bound_list_c = bound_list_c | (highest_c[o*ListW +: ListW] & {ListW{chosen[o]}});
  end
  wire [ListW-1:0] ask_list = in_order_i ? ListW'(head_kdei_i) : bound_list_c;

  // One thing at a time.
  wire idle = state_q == IDLE;
  wire room = room_i[read_owner_q] && alloc_i;
  wire take = idle && flight_q && ans_valid_i && room;
  wire busy_list = flight_q && read_list_q == op_list_i;
  wire op = idle && !take && op_valid_i;
  wire front = op && op_front_i && !busy_list && mem_ready_i;
  wire append = op && !op_front_i;
  assign start = idle && !take && !op_valid_i && !flight_q && ask_valid;
  wire [AddrW-1:0] first, last;
  reg has_q;                              // the list has records: only what goes on here changes
                                          // that
  wire [InfoW-1:0] info = state_q == FRONT ? back_info_i : op_info_i;
  wire [KdeW-1:0] kdei = state_q == FRONT ? back_kdei_i : op_kdei_i;
  wire [AddrW-1:0] pointer = ring_room_i ? ring_pointer_i : info[AddrW-1:0];
  wire body = state_q == BODY && mem_ready_i;
  wire link = state_q == NEXT && mem_ready_i;
  wire fronted = state_q == FRONT && back_ok_i;
  wire read_is_last = last == read_at_q;
  wire ended = end_q;
  always_comb begin
    state_d = state_q;
    case (state_q)
      CLAIM: state_d = room ? END : IDLE;  // now nobody else pushes
      IDLE: state_d = take ? CLAIM : front ? FRONT : append ? BODY : start ? ASK : IDLE;
      BODY: if (mem_ready_i) state_d = has_q ? NEXT : IDLE;
      NEXT: if (mem_ready_i) state_d = IDLE;
      FRONT: state_d = back_ok_i && has_q ? OLD : IDLE;
      ASK, OLD: if (mem_ready_i) state_d = IDLE;
      default: state_d = IDLE;
    endcase
  end
  wire op_done = append_done_o || front_done_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      some_q <= '0;
      flight_q <= 1'b0;
      end_q <= 1'b0;
      claims_q <= 1'b0;
    end else begin
      state_q <= state_d;
      end_q <= state_d == END;
      claims_q <= state_d == CLAIM || state_d == END;
      for (int l = 0; l < Lists; l = l + 1) begin
        if (op_done && op_list_i == ListW'(l)) some_q[l] <= 1'b1;
        else if (ended && read_is_last && read_list_q == ListW'(l)) some_q[l] <= 1'b0;
      end
      if (start) flight_q <= 1'b1;
      else if (ended || later_i) flight_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (idle) has_q <= some_q[op_list_i];
    if (body || fronted) pointer_q <= pointer;
    if (start) begin
      read_list_q <= ask_list;
      read_owner_q <= ask_owner;
      next_q <= 1'b0;
    end else if (link && busy_list && last == read_at_q) begin
      next_q <= 1'b1;
      next_at_q <= pointer_q;
    end
    if (state_q == ASK) read_at_q <= first;
  end

  // Who waits for which line.
  function automatic [CountW-1:0] count_of(input [Owners-1:0] set);
    count_of = '0;
    for (int o = 0; o < Owners; o = o + 1) count_of = count_of + CountW'(set[o]);
  endfunction
  reg [Owners-1:0] served_c, asked_d, came_c;
  reg [Lines-1:0] wanted_c;
  reg few_c;
  reg [LeftW-1:0] depth_c;
  always_comb begin
    wanted_c = '0;
    for (int o = 0; o < Owners; o = o + 1) begin
      served_c[o] = (later_i || ended) && read_owner_q == OwnW'(o);
      asked_d[o] = asks[o] && (served_c[o] ? later_i : asked_q[o]);
      came_c[o] = 1'b0;
      for (int l = 0; l < Lines; l = l + 1)
        if (asked_q[o] && line_q[o] == IdW'(l)) begin
          wanted_c[l] = 1'b1;
          came_c[o] = !served_c[o] && arrived_i[l];
        end
    end
    few_c = count_of(asked_d) < CountW'(Reads);
    depth_c = LeftW'(Reach);
    if (!in_order_i)
      for (int k = 0; k < CountW - 1; k = k + 1)
        if (count_of(far_c) > (CountW'(1) << k)) depth_c = LeftW'(Reach >> (k + 2));
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= '0;
      came_q <= '0;
      few_q <= 1'b1;
    end else begin
      asked_q <= asked_d;
      came_q <= came_c;
      few_q <= few_c;
    end
  end
  always_ff @(posedge clk_i) begin
    if (later_i) line_q[read_owner_q] <= later_id_i;
    depth_q <= depth_c;
  end
  assign wanted_o = wanted_c;
  assign depth_o = depth_q;

  wire [AddrW-1:0] read_next = next_q ? next_at_q : ans_data_i[64 +: AddrW];
  wire first_wr = (body && !has_q) || fronted || (ended && !read_is_last);
  wire last_wr = (body && !has_q) || link || (fronted && !has_q);
  wf_ram_1r1w #(.Width(AddrW), .Depth(Lists)) u_first (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(first_wr),
    .wr_addr_i(ended ? read_list_q : op_list_i), .wr_mask_i(1'b1),
    .wr_data_i(ended ? read_next : pointer), .rd_en_i(start || front),
    .rd_addr_i(start ? ask_list : op_list_i), .rd_data_o(first)
  );
  wf_ram_1r1w #(.Width(AddrW), .Depth(Lists)) u_last (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(last_wr), .wr_addr_i(op_list_i), .wr_mask_i(1'b1),
    .wr_data_i(link ? pointer_q : pointer), .rd_en_i(take || append),
    .rd_addr_i(take ? read_list_q : op_list_i), .rd_data_o(last)
  );

  // Memory.
  wire [4:0] number = 5'(kdei);
  wire number_high = number[4];
  wire [3:0] number_low = number[3:0];
  wire [XBits-1:0] x = info[AddrW +: XBits];
  wire [YBits-1:0] y = info[AddrW+XBits +: YBits];
  wire [ZBits-1:0] z = info[AddrW+XBits+YBits +: ZBits];
  wire [AddrW-1:0] param = info[AddrW-1:0];
  reg [127:0] data_c;
  always_comb begin
    data_c = '0;
    if (state_q == NEXT) begin
      data_c[64 +: AddrW] = pointer_q;
    end else if (state_q == OLD) begin
      data_c[64 +: AddrW] = first;
    end else if (state_q != ASK) begin
      data_c[0 +: XBits] = x;
      data_c[31] = number_high;
      data_c[32 +: YBits] = y;
      data_c[48 +: ZBits] = z;
      data_c[96 +: AddrW] = param;
      data_c[96 +: 4] = number_low;
    end
  end
  assign mem_valid_o = state_q == BODY || state_q == NEXT || state_q == ASK || state_q == OLD
                       || fronted;
  assign mem_write_o = state_q != ASK;
  assign mem_addr_o = state_q == ASK ? first : state_q == NEXT ? last
                    : state_q == OLD ? pointer_q : pointer;
  assign mem_mask_o = state_q == ASK ? 4'b0000 : state_q == NEXT || state_q == OLD ? ONLY_NEXT
                    : ALL_BUT_NEXT;
  assign mem_data_o = data_c;
  assign ans_ready_o = ended;
  assign ring_look_o = front || append;
  assign ring_take_o = ring_room_i && (body || fronted);
  assign through_o = ended;
  assign through_last_o = read_is_last;
  assign through_at_o = read_at_q;

  assign append_done_o = link || (body && !has_q);
  assign front_done_o = (fronted && !has_q) || (state_q == OLD && mem_ready_i);
  assign front_fail_o = (state_q == FRONT && !back_ok_i) || (op && op_front_i && busy_list);
  assign some_o = some_q;
  assign back_o = front;
  assign back_take_o = fronted;
  assign claim_o = claims_q;
  assign push_o = ended;
  assign push_list_o = read_list_q;
  assign push_owner_o = read_owner_q;
  assign push_kdei_o = KdeW'({ans_data_i[31], ans_data_i[99:96]});
  assign push_info_o = {ans_data_i[48 +: ZBits], ans_data_i[32 +: YBits], ans_data_i[0 +: XBits],
                        ans_data_i[96+AddrW-1:100], 4'b0000};
  assign wait_o = idle && !take && !op_valid_i && !start && (flight_q || asked_q != '0);
  assign idle_o = idle && !flight_q && (asks | asked_q | came_q) == '0;
  wire unused = &{1'b0, ans_data_i};

  `WF_ASSERT(rule1_start, !start || some_q[ask_list], "Rule 1: a list that is read has a record")
  `WF_ASSERT(rule1_end, !ended || some_q[read_list_q], "Rule 1: the list in flight has a record")
  `WF_ASSUME(rule2_param, !op_valid_i || op_front_i
                          || (op_info_i[3:0] == 4'd0 && op_info_i[AddrW-1:0] != '0),
             "Rule 2: a parameter address is a multiple of 16, and not 0")
  `WF_ASSERT(rule3_front, state_q != FRONT || mem_ready_i,
             "Rule 3: what is taken from a queue's end finds room in the queue to memory")
endmodule
`default_nettype wire
