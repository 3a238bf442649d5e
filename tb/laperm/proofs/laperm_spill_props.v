// laperm_spill: each list in memory gives what went into it in order, but that what is put before
// its first comes next. One record, any, is followed, from when it goes into a list until it is
// pushed into the queue on chip: whole, once, not lost. Memory holds what was written, answers when
// it likes, and a Next that is written while its record is read either way; with Later it first
// says in which line the record comes, and is asked again when that line is there. With Ring
// records have places of their own, as long as there are any.
`default_nettype none
`include "wf_assert.vh"
module laperm_spill_props #(
  parameter integer NumKde = 2,
  parameter integer Owners = 2,
  parameter integer Levels = 1,
  parameter integer Later = 0,
  parameter integer Ring = 0,
  // Cycles without a push although records wait and everything else is ready.
  parameter integer Stuck = 10,
  localparam integer AddrW = Ring != 0 ? 7 : 6,    // three parameter addresses, four places
  localparam integer AtW = AddrW - 4,
  localparam integer Lines = Later != 0 ? 4 : 2,
  localparam integer Reads = Later != 0 ? 2 : 1,
  localparam integer IdW = $clog2(Lines),
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer OwnW = Owners > 1 ? $clog2(Owners) : 1,
  localparam integer Lists = (Owners * Levels > NumKde ? Owners * Levels : NumKde) + 1,
  localparam integer ListW = $clog2(Lists),
  localparam integer InfoW = 3 + AddrW,
  localparam integer WordW = KdeW + 1 + 2          // {kernel, x, parameters}
) (
  input wire clk_i, input wire head_valid, input wire [KdeW-1:0] head_kdei, input wire op,
  input wire op_front, input wire [ListW-1:0] op_list, input wire [KdeW-1:0] op_kdei,
  input wire op_x, input wire [1:0] op_param, input wire back_has, input wire [KdeW-1:0] back_kdei,
  input wire back_x, input wire [1:0] back_param, input wire [Owners-1:0] room, input wire alloc,
  input wire ring_room, input wire [1:0] ring_place, input wire mem_ready, input wire answer,
  input wire early, input wire later, input wire [IdW-1:0] id, input wire [Lines-1:0] arrive,
  input wire track, input wire [ListW-1:0] any_list
);
`include "formal.vh"
  (* anyconst *) wire in_order;

  // What its user keeps to: an operation stands until it is done; a group that is under way is not
  // launched again.
  reg op_q, front_q;
  reg [ListW-1:0] list_q;
  reg [KdeW-1:0] kdei_q;
  reg x_q;
  reg [1:0] param_q;
  reg [3:0] used_q;                        // parameter addresses of records
  reg [7:0] place_q;                       // places of records
  reg head_valid_q;
  reg [KdeW-1:0] head_q;
  initial op_q = 1'b0;
  initial used_q = '0;
  initial place_q = '0;
  initial head_valid_q = 1'b0;
  wire append_done, front_done, front_fail, back, back_take, claim, push, ring_look, ring_take,
       through, through_last, mem_valid, mem_write, ans_ready, waits, idle, depth;
  wire [Lists-1:0] some;
  wire [ListW-1:0] push_list;
  wire [OwnW-1:0] push_owner;
  wire [KdeW-1:0] push_kdei;
  wire [InfoW-1:0] push_info;
  wire [AddrW-1:0] mem_addr, through_at;
  wire [3:0] mem_mask;
  wire [127:0] mem_data;
  wire [Lines-1:0] wanted;
  wire start_op = rst_ni && op && !op_q && {1'b0, op_list} < (ListW+1)'(Lists - 1)
                  && op_param != '0 && !used_q[op_param] && {1'b0, op_kdei} < (KdeW+1)'(NumKde)
                  && !(in_order && op_front);

  // The queue's end: an answer in the cycle after it was asked.
  wire back_ok = back_has && back_param != '0 && !used_q[back_param] && back_param != param_q
                 && {1'b0, back_kdei} < (KdeW+1)'(NumKde);

  // A place, after the edge of a look; it stays.
  reg ring_room_q;
  reg [1:0] ring_place_q;
  initial ring_room_q = 1'b0;

  // Memory: a record's body, and its Next, which has a mask of its own.
  reg [WordW-1:0] word_q [0:(1<<AtW)-1];
  reg [AtW-1:0] next_q [0:(1<<AtW)-1];
  reg read_q, answering_q, early_q, ready_q;
  initial ready_q = 1'b0;
  reg [AtW-1:0] read_at_q, read_next_q;
  reg [Lines-1:0] arrived_q;
  initial read_q = 1'b0;
  initial answering_q = 1'b0;
  initial arrived_q = '0;
  wire ready = mem_ready || ready_q;        // there is room until it is used
  wire does = rst_ni && mem_valid && ready;
  wire [AtW-1:0] at = mem_addr[AddrW-1:4];
  wire ask_later = rst_ni && Later != 0 && read_q && !answering_q && later;
  wire ans_valid = rst_ni && read_q && (answering_q || (answer && !ask_later));
  wire [WordW-1:0] ans_word = word_q[read_at_q];
  wire [AtW-1:0] ans_next = early_q ? read_next_q : next_q[read_at_q];
  reg [127:0] ans_c;
  always_comb begin
    ans_c = '0;
    ans_c[0] = ans_word[2];
    ans_c[64+4 +: AtW] = ans_next;
    ans_c[96 +: KdeW] = ans_word[3 +: KdeW];
    ans_c[100 +: 2] = ans_word[1:0];
  end
  laperm_spill #(
    .NumKde(NumKde), .Owners(Owners), .Levels(Levels), .AddrW(AddrW), .XBits(1), .YBits(1),
    .ZBits(1), .Lines(Lines), .Reads(Reads), .Reach(1)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_order_i(in_order), .head_valid_i(head_valid_q),
    .head_kdei_i(head_q), .op_valid_i(op_q), .op_front_i(front_q), .op_list_i(list_q),
    .op_kdei_i(kdei_q), .op_info_i({2'b00, x_q, AddrW'({param_q, 4'd0})}),
    .append_done_o(append_done), .front_done_o(front_done), .front_fail_o(front_fail),
    .some_o(some), .back_o(back), .back_take_o(back_take), .back_ok_i(back_ok),
    .back_kdei_i(back_kdei), .back_info_i({2'b00, back_x, AddrW'({back_param, 4'd0})}),
    .room_i(room), .alloc_i(alloc), .claim_o(claim), .push_o(push), .push_list_o(push_list),
    .push_owner_o(push_owner), .push_kdei_o(push_kdei), .push_info_o(push_info),
    .ring_look_o(ring_look), .ring_room_i(ring_room_q),
    .ring_pointer_i({1'(Ring), AddrW'(0)} >> 1 | AddrW'({ring_place_q, 4'd0})),
    .ring_take_o(ring_take), .through_o(through), .through_last_o(through_last),
    .through_at_o(through_at), .mem_valid_o(mem_valid), .mem_ready_i(ready),
    .mem_write_o(mem_write), .mem_addr_o(mem_addr), .mem_mask_o(mem_mask), .mem_data_o(mem_data),
    .ans_valid_i(ans_valid), .ans_ready_o(ans_ready), .ans_data_i(ans_c), .later_i(ask_later),
    .later_id_i(id), .arrived_i(arrived_q), .wanted_o(wanted), .depth_o(depth), .wait_o(waits),
    .idle_o(idle)
  );

  // What is in each list, and one record that is followed.
  reg [2:0] count_q [0:Lists-1];
  reg here_q;
  reg [ListW-1:0] its_list_q;
  reg [WordW-1:0] its_q, back_q;           // back: what a queue's end gave
  reg [2:0] ahead_q;
  reg [Lists-1:0] some_asked_q;            // when the last read was asked for
  reg room_q;
  reg [3:0] stuck_q;
  initial here_q = 1'b0;
  initial stuck_q = '0;
  wire [WordW-1:0] pushed = {push_kdei, push_info[AddrW], push_info[5:4]};
  wire mine = here_q && push && push_list == its_list_q;
  wire leaves = mine && ahead_q == '0;
  wire head_stays = some[ListW'(head_q)] || (append_done && list_q == ListW'(head_q));
  reg [Lists-1:0] higher_c;                // lists of its owner above the one that is pushed
  always_comb begin
    higher_c = '0;
    for (int l = 0; l < Lists - 1; l = l + 1)
      higher_c[l] = !in_order && l / Levels == push_list / Levels && ListW'(l) > push_list;
  end
  reg [3:0] n_wanted_c;
  always_comb begin
    n_wanted_c = '0;
    for (int i = 0; i < Lines; i = i + 1) n_wanted_c = n_wanted_c + 4'(wanted[i]);
  end
  wire eligible = in_order ? head_valid_q && some[ListW'(head_q)] : some != '0;
  wire serves = room == '1 && alloc && !op_q && ready && (!read_q || ans_valid)
                && (wanted & ~arrived_q) == '0;
  always @(posedge clk_i) begin
    ready_q <= rst_ni && ready && !does;
    answering_q <= ans_valid && !ans_ready;
    room_q <= claim && room[push_owner] && alloc;
    if (back_take) back_q <= {back_kdei, back_x, back_param};
    if (ring_look) begin
      ring_room_q <= Ring != 0 && ring_room && !place_q[AtW'({1'b1, ring_place})];
      ring_place_q <= ring_place;
    end
    if (does && mem_write && mem_mask[0]) word_q[at] <= {mem_data[96 +: KdeW], mem_data[0],
                                                         mem_data[101:100]};
    if (does && mem_write && mem_mask[2]) next_q[at] <= mem_data[64+4 +: AtW];
    if (does && !mem_write) begin
      read_at_q <= at;
      read_next_q <= next_q[at];
      early_q <= early;
      some_asked_q <= some;
    end
    if (!rst_ni) begin
      op_q <= 1'b0;
      used_q <= '0;
      place_q <= '0;
      read_q <= 1'b0;
      here_q <= 1'b0;
      head_valid_q <= 1'b0;
      arrived_q <= '0;
      stuck_q <= '0;
      for (int l = 0; l < Lists; l = l + 1) count_q[l] <= '0;
    end else begin
      op_q <= start_op || (op_q && !append_done && !front_done && !front_fail);
      if (start_op) begin
        front_q <= op_front;
        list_q <= op_list;
        kdei_q <= in_order ? KdeW'(op_list) : op_kdei;
        x_q <= op_x;
        param_q <= op_param;
      end
      if (!head_stays || !head_valid_q) begin
        head_valid_q <= head_valid;
        head_q <= {1'b0, head_kdei} < (KdeW+1)'(NumKde) ? head_kdei : '0;
      end
      if (append_done) used_q[param_q] <= 1'b1;
      if (back_take) used_q[back_param] <= 1'b1;
      if (push) used_q[push_info[5:4]] <= 1'b0;
      if (does && mem_write && mem_mask[0]) place_q[at] <= 1'b1;
      if (push) place_q[through_at[AddrW-1:4]] <= 1'b0;
      if (does && !mem_write) read_q <= 1'b1;
      else if (ask_later || (ans_valid && ans_ready)) read_q <= 1'b0;
      for (int i = 0; i < Lines; i = i + 1)
        arrived_q[i] <= wanted[i] && (arrived_q[i] || arrive[i]) && !(ask_later && id == IdW'(i)
                                                                      && !arrived_q[i]);
      for (int l = 0; l < Lists; l = l + 1)
        count_q[l] <= count_q[l] + 3'((append_done || front_done) && list_q == ListW'(l))
                      - 3'(push && push_list == ListW'(l));
      if (track && !here_q && (append_done || front_done)) begin
        here_q <= 1'b1;
        its_list_q <= list_q;
        its_q <= front_done ? (back_take ? {back_kdei, back_x, back_param} : back_q)
                            : {kdei_q, x_q, param_q};
        ahead_q <= front_done ? '0 : count_q[list_q];
      end else begin
        if (leaves) here_q <= 1'b0;
        else if (mine) ahead_q <= ahead_q - 1'b1;
        else if (here_q && front_done && list_q == its_list_q) ahead_q <= ahead_q + 1'b1;
      end
      stuck_q <= push || ask_later || !eligible ? '0
                 : !serves ? '0 : stuck_q != '1 ? stuck_q + 1'b1 : stuck_q;
    end
  end

  `WF_ASSERT(some_right, {1'b0, any_list} >= (ListW+1)'(Lists)
                         || some[any_list] == (count_q[any_list] != '0),
             "a list has records exactly while some went in that did not come out")
  `WF_ASSERT(none_made, !push || count_q[push_list] != '0, "nothing comes out that did not go in")
  `WF_ASSERT(in_turn, !leaves || pushed == its_q, "in turn, and whole")
  `WF_ASSERT(last_right, !through || through_last == (count_q[push_list] == 3'd1),
             "who has the places is told that a list has no other")
  `WF_ASSERT(answered, !push || (ans_valid && read_q), "what is pushed was read")
  `WF_ASSERT(entry, !push || room_q, "it has an entry, which nobody takes meanwhile")
  `WF_ASSERT(right_owner, !push || (in_order ? push_owner == '0
                                             : ListW'(push_owner) == push_list / Levels),
             "its entry counts for its owner")
  `WF_ASSERT(highest, !push || (some_asked_q & higher_c) == '0, "the highest list comes first")
  `WF_ASSERT(of_head, !(push && in_order) || push_list == ListW'(head_q),
             "if nobody binds only the first kernel's groups come")
  `WF_ASSERT(one_read, !(does && !mem_write) || !read_q, "one read at a time")
  `WF_ASSERT(few_wanted, n_wanted_c <= 4'(Reads), "few lines are wanted")
  `WF_ASSERT(one_answer, !(append_done && (front_done || front_fail))
                         && !(front_done && front_fail),
             "an operation has one end")
  `WF_ASSERT(taken_once, !back_take || (op_q && front_q), "an end is taken for who asked")
  `WF_ASSERT(comes, stuck_q < 4'(Stuck), "a record comes when there is an entry")
  `WF_COVER(two_lists, count_q[0] != '0 && count_q[1] != '0)
  `WF_COVER(three_in_one, count_q[0] == 3'd3)
  `WF_COVER(fronted, front_done && count_q[list_q] != '0)
  `WF_COVER(too_short, front_fail)
  `WF_COVER(next_while_read, append_done && read_q && early_q && read_at_q != '0
                             && count_q[list_q] == 3'd1 && some_asked_q[list_q])
  `WF_COVER(followed_back, leaves && some_asked_q != '0)
endmodule
`default_nettype wire
