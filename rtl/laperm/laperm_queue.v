// laperm_queue: the priority queues on chip. A queue is a linked list, one for each SMX (or
// cluster) and level, one for host kernels (queue 0, the last one), and, if nobody binds, one for
// each kernel. An entry is a group of thread blocks, or a kernel: each kernel has its own entry,
// groups take theirs from a pool. Lists, not segments of a sorted table: a push takes one cycle.
//
//   push   behind the last of a queue. A group's entry: the one that back took, else a free one.
//   pop    the first of a queue. With zero also the first of queue 0: then the other queue becomes
//          empty.
//   look   kernel and entry of a queue's first; its payload after the edge.
//   back   takes the last of a queue away, if it is a group and neither of the first two: back_i
//          looks (and has the payload's port), back_ok_o answers in the next cycle, in which
//          back_take_i takes it. The entry waits for the next push of a group.
//
// Timing: flags are flops; a push or a pop shows after its edge. A free entry may take two cycles
// to be known again (alloc_o).
//
//   NumKde 1..32   Owners 1..64: SMXs or clusters   OwnEntries 2..: groups of one on chip
//   Levels 1..7    InfoW 1..
// Storage: RAM Pool * (InfoW + bits of an entry's number) + (Pool + NumKde) * (2 numbers + number
// of a kernel); flops Lists * (3 numbers), Owners + 1 counts; Pool = Owners * OwnEntries.
//
// Rules
//   1 A queue that is popped has an entry; kernels are in one queue at most.
//   2 Groups on chip and free entries are all entries.
//   3 An owner has OwnEntries at most, if they are counted by owner.
//   4 A push of a group finds an entry.
`default_nettype none
`include "wf_assert.vh"

module laperm_queue #(
  parameter integer NumKde = 32,
  parameter integer Owners = 13,
  parameter integer OwnEntries = 128,
  parameter integer Levels = 3,
  parameter integer InfoW = 98,
  localparam integer Pool = Owners * OwnEntries,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer OwnW = Owners > 1 ? $clog2(Owners) : 1,
  localparam integer EntryW = $clog2(Pool + NumKde),
  localparam integer Lists = (Owners * Levels > NumKde ? Owners * Levels : NumKde) + 1,
  localparam integer ListW = $clog2(Lists)
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              shared_i,     // entries are not counted by owner
  input  wire              reserve_i,    // the last free entry is for those that come from memory
  // push
  input  wire              push_i,
  input  wire [ListW-1:0]  push_list_i,
  input  wire              push_kernel_i,
  input  wire [KdeW-1:0]   push_kdei_i,
  input  wire [OwnW-1:0]   push_owner_i,
  input  wire [InfoW-1:0]  push_info_i,
  output wire              alloc_o,      // an entry for a group is there
  output wire              alloc_far_o,  // and nobody waits for it who took it from a queue's end
  output wire [Owners-1:0] full_o,       // for a new group of this owner
  output wire [Owners-1:0] refill_o,     // for one from memory there is an entry
  // pop
  input  wire              pop_i,
  input  wire [ListW-1:0]  pop_list_i,
  input  wire              pop_kernel_i,
  input  wire [OwnW-1:0]   pop_owner_i,
  input  wire              pop_zero_i,
  // look
  input  wire [ListW-1:0]  look_list_i,
  output wire [KdeW-1:0]   look_kdei_o,
  output wire              look_kernel_o,
  input  wire              look_rd_i,
  output wire              look_ready_o, // the payload can be read
  output wire [InfoW-1:0]  info_o,       // after the edge
  // the kernel at the head of queue 0
  output wire [KdeW-1:0]   zero_kdei_o,
  // back
  input  wire              back_i,
  input  wire [ListW-1:0]  back_list_i,
  input  wire              back_take_i,
  output wire              back_ok_o,
  output wire [KdeW-1:0]   back_kdei_o,
  output wire [Lists-1:0]  some_o        // queues that are not empty
);
  localparam integer CountW = $clog2(OwnEntries + 1);
  localparam integer AllW = $clog2(Pool + 1);
  localparam [ListW-1:0] ZERO = ListW'(Lists - 1);
  localparam [EntryW-1:0] FIRST_KERNEL = EntryW'(Pool);

  reg [Lists-1:0] some_q;
  (* mem2reg *) reg [EntryW-1:0] first_q [0:Lists-1];
  (* mem2reg *) reg [KdeW-1:0] kdei_q [0:Lists-1];     // of the first
  (* mem2reg *) reg [EntryW-1:0] last_q [0:Lists-1];

  // Entries of groups: new ones by a count, then those that were given back.
  reg [AllW-1:0] fresh_q;                 // entries that were never used begin here
  reg spare_q;                            // one that was taken from a queue's end
  reg [EntryW-1:0] spare_at_q;
  wire again_valid, again_ready;
  wire [EntryW-1:0] again;
  wire [AllW-1:0] n_again;
  wire group = push_i && !push_kernel_i;
  wire fresh = fresh_q != AllW'(Pool);
  wire gone = pop_i && !pop_kernel_i;
  wire [EntryW-1:0] at = push_kernel_i ? FIRST_KERNEL + EntryW'(push_kdei_i)
                       : spare_q ? spare_at_q : fresh ? EntryW'(fresh_q) : again;
  wf_fifo #(.Width(EntryW), .Depth(Pool), .Ram(1)) u_free (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(gone), .in_ready_o(again_ready),
    .in_data_i(first_q[pop_list_i]), .out_valid_o(again_valid),
    .out_ready_i(group && !spare_q && !fresh), .out_data_o(again), .count_o(n_again)
  );
  assign alloc_o = spare_q || fresh || again_valid;
  assign alloc_far_o = !spare_q && (fresh || again_valid);

  // How many.
  reg [AllW-1:0] all_q;
  (* mem2reg *) reg [CountW-1:0] count_q [0:Owners-1];
  wire more = group && !spare_q;
  reg [Owners-1:0] own_full_c;
  always_comb begin
    for (int o = 0; o < Owners; o = o + 1) own_full_c[o] = count_q[o] == CountW'(OwnEntries);
  end
  wire all_full = all_q == AllW'(Pool);
  wire few = reserve_i && all_q == AllW'(Pool - 1);
  assign full_o = shared_i ? {Owners{all_full || few}} : own_full_c;
  assign refill_o = shared_i ? {Owners{!all_full}} : ~own_full_c;

  // What happens to lists.
  wire [EntryW-1:0] first = first_q[pop_list_i];
  wire alone = first == last_q[pop_list_i];
  wire zero_alone = first_q[ZERO] == last_q[ZERO];
  wire zero = pop_i && pop_zero_i;
  wire follow = pop_i && !alone;                   // the next one becomes the first
  wire zero_follow = zero && !zero_alone;
  wire onto = push_i && some_q[push_list_i];       // behind another
  wire before_gone = pop_i && pop_list_i == push_list_i && alone;
  wire zero_gone = zero && push_list_i == ZERO && zero_alone;
  wire becomes_first = push_i && (!onto || before_gone || zero_gone);
  reg follow_q;
  reg [ListW-1:0] follow_list_q;
  wire [EntryW+KdeW-1:0] link;

  reg back_q;
  reg [ListW-1:0] back_list_q;
  wire [EntryW-1:0] back_prev;
  wire [EntryW-1:0] back_last = last_q[back_list_q];
  wire back_take = back_q && back_take_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      some_q <= '0;
      fresh_q <= '0;
      all_q <= '0;
      spare_q <= 1'b0;
      follow_q <= 1'b0;
      back_q <= 1'b0;
    end else begin
      for (int l = 0; l < Lists; l = l + 1) begin
        if (push_i && push_list_i == ListW'(l)) some_q[l] <= 1'b1;
        else if (pop_i && alone && pop_list_i == ListW'(l)) some_q[l] <= 1'b0;
        else if (zero && zero_alone && ZERO == ListW'(l)) some_q[l] <= 1'b0;
      end
      if (group && !spare_q && fresh) fresh_q <= fresh_q + 1'b1;
      if (more != gone) all_q <= more ? all_q + 1'b1 : all_q - 1'b1;
      spare_q <= back_take || (spare_q && !group);
      follow_q <= follow || zero_follow;
      back_q <= back_i;
    end
  end
  generate
    for (genvar o = 0; o < Owners; o = o + 1) begin : g_count
      wire up = more && push_owner_i == OwnW'(o);
      wire down = gone && pop_owner_i == OwnW'(o);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) count_q[o] <= '0;
        else if (!shared_i && up != down) count_q[o] <= up ? count_q[o] + 1'b1 : count_q[o] - 1'b1;
      end
    end
  endgenerate
  always_ff @(posedge clk_i) begin
    if (back_i) back_list_q <= back_list_i;
    if (back_take) spare_at_q <= back_last;
    follow_list_q <= zero_follow ? ZERO : pop_list_i;
    if (follow_q) begin
      first_q[follow_list_q] <= link[KdeW +: EntryW];
      kdei_q[follow_list_q] <= link[KdeW-1:0];
    end
    if (becomes_first) begin
      first_q[push_list_i] <= at;
      kdei_q[push_list_i] <= push_kdei_i;
    end
    if (push_i) last_q[push_list_i] <= at;
    if (back_take) last_q[back_list_q] <= back_prev;
  end

  wf_ram_1r1w #(.Width(EntryW + KdeW), .Depth(Pool + NumKde)) u_link (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(onto), .wr_addr_i(last_q[push_list_i]),
    .wr_mask_i(1'b1), .wr_data_i({at, push_kdei_i}), .rd_en_i(follow || zero_follow),
    .rd_addr_i(zero_follow ? first_q[ZERO] : first), .rd_data_o(link)
  );
  wf_ram_1r1w #(.Width(EntryW), .Depth(Pool + NumKde)) u_prev (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(onto), .wr_addr_i(at), .wr_mask_i(1'b1),
    .wr_data_i(last_q[push_list_i]), .rd_en_i(back_i), .rd_addr_i(last_q[back_list_i]),
    .rd_data_o(back_prev)
  );

  // Payload: the kernel's number is kept with it for what is taken from the end.
  wire look_link = follow_q && follow_list_q == look_list_i;
  wire [EntryW-1:0] look_first = look_link ? link[KdeW +: EntryW] : first_q[look_list_i];
  wire [EntryW-1:0] rd_at = back_i ? last_q[back_list_i] : look_first;
  wire rd_group = rd_at < FIRST_KERNEL;
  wf_ram_1r1w #(.Width(KdeW + InfoW), .Depth(Pool)) u_info (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(group), .wr_addr_i(at[$clog2(Pool)-1:0]),
    .wr_mask_i(1'b1), .wr_data_i({push_kdei_i, push_info_i}),
    .rd_en_i((back_i || look_rd_i) && rd_group), .rd_addr_i(rd_at[$clog2(Pool)-1:0]),
    .rd_data_o({back_kdei_o, info_o})
  );
  assign look_kdei_o = look_link ? link[KdeW-1:0] : kdei_q[look_list_i];
  assign look_kernel_o = look_first >= FIRST_KERNEL;
  assign look_ready_o = !back_i;
  assign zero_kdei_o = follow_q && follow_list_q == ZERO ? link[KdeW-1:0] : kdei_q[ZERO];
  // Not the first two: the first may be popped meanwhile.
  assign back_ok_o = back_q && some_q[back_list_q] && back_last < FIRST_KERNEL
                     && back_last != first_q[back_list_q] && back_prev != first_q[back_list_q]
                     && !(follow_q && follow_list_q == back_list_q);
  assign some_o = some_q;
  wire unused = &{1'b0, again_ready, n_again};

  `WF_ASSERT(rule1_pop, !pop_i || (some_q[pop_list_i]
                                   && !(follow_q && follow_list_q == pop_list_i)),
             "Rule 1: a queue that is popped has an entry")
  `WF_ASSERT(rule1_zero, !zero || (some_q[Lists-1] && pop_list_i != ZERO && alone),
             "Rule 1: queue 0 is popped with another that becomes empty")
  `WF_ASSERT(rule1_back, !back_take_i || back_ok_o, "Rule 1: what is taken from the end is there")
  `WF_ASSERT(rule2_all, {1'b0, fresh_q} == {1'b0, all_q} + {1'b0, n_again},
             "Rule 2: groups on chip and free entries are all entries")
  `WF_ASSERT(rule3_own, !more || shared_i || !own_full_c[push_owner_i],
             "Rule 3: an owner has OwnEntries at most")
  `WF_ASSERT(rule4_alloc, !group || alloc_o, "Rule 4: a push of a group finds an entry")
endmodule
`default_nettype wire
