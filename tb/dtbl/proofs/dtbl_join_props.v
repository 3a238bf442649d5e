// dtbl_join between a search, a table, memory and two kernels with pools of three. A group joins
// once, where there is room, and is linked behind the pool's last one; or it goes to the KMU,
// because it has no kernel or its pool was full. It leaves in a few cycles whether blocks start and
// end or not: nothing here ever needs a group to be popped.
`default_nettype none
`include "wf_assert.vh"
module dtbl_join_props #(
  parameter integer AddrW = 4,
  // Cycles of a group while table, memory and KMU take everything: ask, record, Next.
  parameter integer Longest = 3
) (
  input wire clk_i, input wire grp, input wire grp_hit, input wire grp_kdei, input wire grp_idx,
  input wire [AddrW-1:0] grp_param, input wire ring_room, input wire [AddrW-1:0] ring_pointer,
  input wire dk_ready, input wire alloc_ready, input wire alloc_got, input wire mem_ready,
  input wire [1:0] marked, input wire [1:0] pop
);
`include "formal.vh"
  // The offered group holds until it is popped.
  reg held_q, hit_q, kdei_q, idx_q;
  reg [AddrW-1:0] param_q;
  initial held_q = 1'b0;
  wire v = rst_ni && (grp || held_q);
  wire hit = held_q ? hit_q : grp_hit;
  wire kdei = held_q ? kdei_q : grp_kdei;
  wire idx = held_q ? idx_q : grp_idx;
  wire [AddrW-1:0] param = held_q ? param_q : grp_param;
  always @(posedge clk_i) begin
    held_q <= v && !out;
    {hit_q, kdei_q, idx_q, param_q} <= {hit, kdei, idx, param};
  end
  `WF_ASSUME(pointers, !grp_param[0] && grp_param != '0 && !ring_pointer[0] && ring_pointer != '0,
             "pointers are even and not 0")

  // Pools: how many wait, and the last one's link, read after the edge.
  reg [1:0] pool_q [2];
  reg [AddrW-1:0] last_q [2];
  reg [AddrW-1:0] read_q;
  initial pool_q[0] = 2'd0;
  initial pool_q[1] = 2'd0;
  // The ring shows a place until it is taken.
  reg [AddrW-1:0] place_q;
  reg room_q, shown_q;
  initial shown_q = 1'b0;
  wire place_shown = shown_q && room_q;
  wire room = place_shown || ring_room;
  wire [AddrW-1:0] place = place_shown ? place_q : ring_pointer;
  always @(posedge clk_i) begin
    shown_q <= rst_ni && !ring_take;
    {room_q, place_q} <= {room, place};
  end

  wire out, ring_take, dk, alloc, put, link, link_idx, mem, mem_link, busy, rd, at, commit, remark,
       ev_hit, ev_over;
  wire [AddrW-1:0] mem_addr, new_link;
  dtbl_join #(.NumKde(2), .AgtEntries(2), .AddrW(AddrW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .grp_valid_i(v), .grp_hit_i(hit), .grp_kdei_i(kdei),
    .grp_idx_i(idx), .grp_param_i(param), .grp_pop_o(out), .ring_room_i(room),
    .ring_pointer_i(place), .ring_take_o(ring_take), .dk_valid_o(dk), .dk_ready_i(dk_ready),
    .alloc_valid_o(alloc), .alloc_ready_i(alloc_ready), .alloc_got_i(alloc_got), .put_o(put),
    .link_o(link), .link_idx_o(link_idx), .mem_valid_o(mem), .mem_link_o(mem_link),
    .mem_addr_o(mem_addr), .mem_ready_i(mem_ready), .busy_o(busy), .rd_o(rd), .kdei_o(at),
    .last_i(read_q), .some_i(pool_q[at] != 2'd0), .full_i(pool_q[kdei] == 2'd3),
    .marked_i(marked[at]), .commit_o(commit), .new_link_o(new_link), .remark_o(remark),
    .ev_hit_o(ev_hit), .ev_over_o(ev_over)
  );
  // No group of a kernel is popped while one joins it.
  wire [1:0] do_pop = {pop[1] && pool_q[1] != 2'd0 && !(busy && at),
                       pop[0] && pool_q[0] != 2'd0 && !(busy && !at)} & {2{rst_ni}};
  always @(posedge clk_i) begin
    for (int k = 0; k < 2; k = k + 1) begin
      if (!rst_ni) pool_q[k] <= 2'd0;
      else pool_q[k] <= pool_q[k] + 2'(commit && at == k[0]) - 2'(do_pop[k]);
    end
    if (rst_ni && commit) last_q[at] <= new_link;
    if (rd) read_q <= last_q[kdei];
  end

  // What happened with the group so far.
  reg full_q, asked_q, got_q, ring_q, wrote_q;
  reg [2:0] age_q;
  initial {full_q, asked_q, wrote_q} = 3'd0;
  initial age_q = 3'd0;
  wire asks = rst_ni && alloc && alloc_ready;
  wire full = v && hit && !busy && pool_q[kdei] == 2'd3;
  wire got = asked_q ? alloc_got : got_q;
  wire body = rst_ni && mem && mem_ready && !mem_link;
  wire far = pool_q[at] != 2'd0 && !read_q[0];
  wire takes_all = dk_ready && mem_ready && alloc_ready;
  always @(posedge clk_i) begin
    asked_q <= asks;
    got_q <= got;
    if (asks) ring_q <= room;
    full_q <= v && !out && (full_q || full);
    wrote_q <= v && !out && (wrote_q || body);
    age_q <= v && !out && takes_all ? age_q + 3'd1 : 3'd0;
  end
  wire [AddrW-1:0] pointer = ring_q ? place : param;

  `WF_ASSERT(one_way, !(rst_ni && out) || commit != (dk && dk_ready),
             "a group joins or goes to the KMU, and then it is popped")
  `WF_ASSERT(no_other, !(rst_ni && commit) || (v && hit && out && at == kdei),
             "a group joins its own kernel, and is popped")
  `WF_ASSERT(has_room, !commit || pool_q[at] != 2'd3, "a group joins where there is room")
  `WF_ASSERT(away_right, !dk || (v && (!hit || full || full_q)),
             "a group goes to the KMU for want of a kernel or of room only")
  `WF_ASSERT(no_wait, age_q <= 3'(Longest), "a group waits for no block")
  `WF_ASSERT(link_right, !commit || new_link == (got ? {{(AddrW-2){1'b0}}, idx, 1'b1} : pointer),
             "its link is its entry, or the pointer of its record")
  `WF_ASSERT(entry_put, put == (commit && got), "an entry that it got is filled")
  `WF_ASSERT(place_taken, ring_take == (commit && !got && ring_q),
             "a place of the ring is taken once")
  `WF_ASSERT(record_once, !body || (!got && !wrote_q && mem_addr == pointer),
             "a record is written once, and where its link says")
  `WF_ASSERT(record_first, !commit || got || wrote_q || body,
             "a group joins when its record is written")
  `WF_ASSERT(next_in_table, link == (commit && pool_q[at] != 2'd0 && read_q[0])
                            && (!link || link_idx == read_q[1]),
             "Next of an entry in front is written with the join")
  `WF_ASSERT(next_in_memory,
             !(commit && far) || (mem && mem_link && mem_ready && mem_addr == read_q),
             "Next of a record in front is written with the join")
  `WF_ASSERT(last_one, !(rst_ni && busy) || pool_q[at] == 2'd0 || read_q == last_q[at],
             "what it is linked behind is the pool's last one")
  `WF_ASSERT(marks, remark == (commit && !marked[at]), "a kernel that is not marked is marked")
  `WF_COVER(away_full, dk && dk_ready && hit && full)
  `WF_COVER(away_with_room, dk && dk_ready && hit && !full)
  `WF_COVER(record_behind_record, commit && !got && far)
  `WF_COVER(fills, commit && pool_q[at] == 2'd2)
  `WF_QUIET(!v)
endmodule
`default_nettype wire
