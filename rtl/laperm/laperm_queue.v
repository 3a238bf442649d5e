// laperm_queue: the priority queues on chip. A queue is a linked list, one for each SMX (or
// cluster) and level, one for host kernels (queue 0, the last one), and, if nobody binds, one for
// each kernel. An entry is a group of thread blocks, or a kernel: each kernel has its own entry,
// groups take theirs from a pool. Lists, not segments of a sorted table: a push takes one cycle.
//
//   push   behind the last of a queue. A group's entry: the one that back took, else a free one.
//   pop    the first of a queue. With zero also the first of queue 0: then the other queue becomes
//          empty. Queue 0 has kernels only, so it is no list but their numbers in order: which one
//          is its first stands in a register, and nothing waits for a link.
//   look   kernel and entry of a queue's first, a bit for each queue; its payload after the edge.
//   back   takes the last of a queue away, if it is a group and neither of the first two: back_i
//          looks (and has the payload's port), back_ok_o answers in the next cycle, in which
//          back_take_i takes it. The entry waits for the next push of a group.
//
// Timing: flags are flops; a push or a pop shows after its edge. A free entry may take two cycles
// to be known again (alloc_o).
//
//   NumKde 1..32   Owners 1..256: SMXs or clusters   OwnEntries 2..: groups of one on chip
//   Levels 1..7    InfoW 1..
// Storage: RAM Pool * (InfoW + bits of an entry's number) + (Pool + NumKde) * (2 numbers + number
// of a kernel); flops Lists * (3 numbers), NumKde numbers of kernels, Owners + 1 counts; Pool =
// Owners * OwnEntries.
//
// Rules
//   1 A queue that is popped has an entry; kernels are in one queue at most.
//   2 Groups on chip and free entries are all entries.
//   3 An owner has OwnEntries at most, if they are counted by owner.
//   4 A push of a group finds an entry.
//   5 push_group_i, push_kernel_i and pop_group_i tell right what it is; queue 0 has kernels only.
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
  input  wire              push_group_i,
  input  wire              push_kernel_i, // it would be a kernel
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
  input  wire              pop_group_i,
  input  wire [OwnW-1:0]   pop_owner_i,
  input  wire              pop_zero_i,
  // look
  input  wire [Lists-1:0]  look1_i,
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
  localparam integer ArrayW = Lists > 2 ? $clog2(Lists - 1) : 1;   // queue 0 is no list
  localparam [KdeW-1:0] LAST_KDE = KdeW'(NumKde - 1);

  reg [Lists-1:0] some_q;
  wire [ArrayW-1:0] pop_at = pop_list_i[ArrayW-1:0];
  wire [ArrayW-1:0] push_at = push_list_i[ArrayW-1:0];
  wire [ArrayW-1:0] back_at = back_list_i[ArrayW-1:0];
  (* mem2reg *) reg [EntryW-1:0] first_q [0:Lists-2];
  (* mem2reg *) reg [KdeW-1:0] kdei_q [0:Lists-2];     // of the first
  (* mem2reg *) reg [EntryW-1:0] last_q [0:Lists-2];

  // Entries of groups: new ones by a count, then those that were given back.
  reg [AllW-1:0] fresh_q;                 // entries that were never used begin here
  reg spare_q;                            // one that was taken from a queue's end
  reg [EntryW-1:0] spare_at_q;
  wire again_valid, again_ready;
  wire [EntryW-1:0] again;
  wire [AllW-1:0] n_again;
  wire group = push_group_i;
  wire fresh = fresh_q != AllW'(Pool);
  wire gone = pop_group_i;
  wire [EntryW-1:0] at = push_kernel_i ? FIRST_KERNEL + EntryW'(push_kdei_i)
                       : spare_q ? spare_at_q : fresh ? EntryW'(fresh_q) : again;
  wf_fifo #(.Width(EntryW), .Depth(Pool), .Ram(1)) u_free (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(gone), .in_ready_o(again_ready),
    .in_data_i(first_q[pop_at]), .out_valid_o(again_valid),
    .out_ready_i(group && !spare_q && !fresh), .out_data_o(again), .count_o(n_again)
  );
  assign alloc_o = spare_q || fresh || again_valid;
  assign alloc_far_o = !spare_q && (fresh || again_valid);

  // How many.
  reg [AllW-1:0] all_q;
  reg all_full_q, few_q;                  // Pool; Pool - 1
  (* mem2reg *) reg [CountW-1:0] count_q [0:Owners-1];
  wire more = group && !spare_q;
  reg [Owners-1:0] own_full_c;
  always_comb begin
    for (int o = 0; o < Owners; o = o + 1) own_full_c[o] = count_q[o] == CountW'(OwnEntries);
  end
  assign full_o = shared_i ? {Owners{all_full_q || (reserve_i && few_q)}} : own_full_c;
  assign refill_o = shared_i ? {Owners{!all_full_q}} : ~own_full_c;

  // Queue 0.
  (* mem2reg *) reg [KdeW-1:0] order_q [0:NumKde-1];
  reg [KdeW-1:0] head_q, tail_q, zero_kdei_q;
  wire [KdeW-1:0] head_next = head_q == LAST_KDE ? '0 : head_q + 1'b1;
  wire zero_alone = head_next == tail_q;
  wire zero = pop_i && pop_zero_i;
  wire zero_push = push_i && push_list_i == ZERO;
  wire zero_pop = zero || (pop_i && pop_list_i == ZERO);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      if (zero_pop) head_q <= head_next;
      if (zero_push) tail_q <= tail_q == LAST_KDE ? '0 : tail_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (zero_push) order_q[tail_q] <= push_kdei_i;
    if (zero_pop && !zero_alone) zero_kdei_q <= order_q[head_next];
    else if (zero_pop || !some_q[Lists-1]) zero_kdei_q <= push_kdei_i;
  end

  // What happens to lists.
  wire [EntryW-1:0] first = first_q[pop_at];
  wire alone = pop_list_i == ZERO ? zero_alone : first == last_q[pop_at];
  wire follow = pop_i && pop_list_i != ZERO && !alone;  // the next one becomes the first
  wire onto = push_i && push_list_i != ZERO && some_q[push_list_i];  // behind another
  wire before_gone = pop_i && pop_list_i == push_list_i && alone;
  wire becomes_first = push_i && (!onto || before_gone);
  reg [Lists-1:0] follow1_q;                       // whose first comes from the links now
  wire [EntryW-1:0] link_first;
  wire [KdeW-1:0] link_kdei;

  reg back_q;
  reg [Lists-1:0] back1_q;                         // the queue whose end is asked for
  reg [EntryW-1:0] back_first_c, back_last_c;
  wire [EntryW-1:0] back_prev;
  always_comb begin
    back_first_c = '0;
    back_last_c = '0;
    for (int l = 0; l < Lists - 1; l = l + 1) begin
      back_first_c = back_first_c | (first_q[l] & {EntryW{back1_q[l]}});
      back_last_c = back_last_c | (last_q[l] & {EntryW{back1_q[l]}});
    end
  end
  wire back_take = back_q && back_take_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      some_q <= '0;
      fresh_q <= '0;
      all_q <= '0;
      all_full_q <= 1'b0;
      few_q <= 1'b0;
      spare_q <= 1'b0;
      follow1_q <= '0;
      back_q <= 1'b0;
    end else begin
      for (int l = 0; l < Lists; l = l + 1) begin
        if (push_i && push_list_i == ListW'(l)) some_q[l] <= 1'b1;
        else if (pop_i && alone && pop_list_i == ListW'(l)) some_q[l] <= 1'b0;
        else if (zero && zero_alone && ZERO == ListW'(l)) some_q[l] <= 1'b0;
        follow1_q[l] <= follow && pop_list_i == ListW'(l);
      end
      if (group && !spare_q && fresh) fresh_q <= fresh_q + 1'b1;
      if (more != gone) begin
        all_q <= more ? all_q + 1'b1 : all_q - 1'b1;
        all_full_q <= more && few_q;
        few_q <= more ? all_q == AllW'(Pool - 2) : all_full_q;
      end
      spare_q <= back_take || (spare_q && !group);
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
    for (int l = 0; l < Lists; l = l + 1) if (back_i) back1_q[l] <= back_list_i == ListW'(l);
    if (back_take) spare_at_q <= back_last_c;
    for (int l = 0; l < Lists - 1; l = l + 1) begin
      if (becomes_first && push_list_i == ListW'(l)) begin
        first_q[l] <= at;
        kdei_q[l] <= push_kdei_i;
      end else if (follow1_q[l]) begin
        first_q[l] <= link_first;
        kdei_q[l] <= link_kdei;
      end
      if (back_take && back1_q[l]) last_q[l] <= back_prev;
      else if (push_i && push_list_i == ListW'(l)) last_q[l] <= at;
    end
  end

  wf_ram_1r1w #(.Width(EntryW + KdeW), .Depth(Pool + NumKde)) u_link (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(onto), .wr_addr_i(last_q[push_at]),
    .wr_mask_i(1'b1), .wr_data_i({at, push_kdei_i}), .rd_en_i(follow),
    .rd_addr_i(first), .rd_data_o({link_first, link_kdei})
  );
  wf_ram_1r1w #(.Width(EntryW), .Depth(Pool + NumKde)) u_prev (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(onto), .wr_addr_i(at), .wr_mask_i(1'b1),
    .wr_data_i(last_q[push_at]), .rd_en_i(back_i), .rd_addr_i(last_q[back_at]),
    .rd_data_o(back_prev)
  );

  // Payload: the kernel's number is kept with it for what is taken from the end. Every queue's
  // first is at hand before it is known which is looked at.
  reg [EntryW-1:0] one_c, look_first_c;
  reg [KdeW-1:0] look_kdei_c;
  reg look_kernel_c;
  always_comb begin
    look_first_c = '0;
    look_kdei_c = '0;
    look_kernel_c = 1'b0;
    for (int l = 0; l < Lists - 1; l = l + 1) begin
      one_c = follow1_q[l] ? link_first : first_q[l];
      look_first_c = look_first_c | (one_c & {EntryW{look1_i[l]}});
      look_kdei_c = look_kdei_c | ((follow1_q[l] ? link_kdei : kdei_q[l]) & {KdeW{look1_i[l]}});
      look_kernel_c = look_kernel_c | (one_c >= FIRST_KERNEL && look1_i[l]);
    end
  end
  wire look_zero = look1_i[Lists-1];
  wire [EntryW-1:0] asked_end = last_q[back_at];
  wire [EntryW-1:0] rd_at = back_i ? asked_end : look_first_c;
  wire rd_group = back_i ? asked_end < FIRST_KERNEL : !look_kernel_o;
  wf_ram_1r1w #(.Width(KdeW + InfoW), .Depth(Pool)) u_info (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(group), .wr_addr_i(at[$clog2(Pool)-1:0]),
    .wr_mask_i(1'b1), .wr_data_i({push_kdei_i, push_info_i}),
    .rd_en_i((back_i || look_rd_i) && rd_group), .rd_addr_i(rd_at[$clog2(Pool)-1:0]),
    .rd_data_o({back_kdei_o, info_o})
  );
  assign look_kdei_o = look_kdei_c | (zero_kdei_q & {KdeW{look_zero}});
  assign look_kernel_o = look_kernel_c || look_zero;
  assign look_ready_o = !back_i;
  assign zero_kdei_o = zero_kdei_q;
  // Not the first two: the first may be popped meanwhile.
  assign back_ok_o = back_q && (some_q & ~follow1_q & back1_q) != '0 && back_last_c < FIRST_KERNEL
                     && back_last_c != back_first_c && back_prev != back_first_c;
  assign some_o = some_q;
  wire unused = &{1'b0, again_ready, n_again, rd_at};

  `WF_ASSERT(rule1_pop, !pop_i || (some_q[pop_list_i] && !follow1_q[pop_list_i]),
             "Rule 1: a queue that is popped has an entry")
  `WF_ASSERT(rule1_zero, !zero || (some_q[Lists-1] && pop_list_i != ZERO && alone),
             "Rule 1: queue 0 is popped with another that becomes empty")
  `WF_ASSERT(rule1_back, !back_take_i || back_ok_o, "Rule 1: what is taken from the end is there")
  `WF_ASSERT(rule2_all, {1'b0, fresh_q} == {1'b0, all_q} + {1'b0, n_again},
             "Rule 2: groups on chip and free entries are all entries")
  `WF_ASSERT(rule3_own, !more || shared_i || !own_full_c[push_owner_i],
             "Rule 3: an owner has OwnEntries at most")
  `WF_ASSERT(rule4_alloc, !group || alloc_o, "Rule 4: a push of a group finds an entry")
  `WF_ASSUME(rule5_group, push_group_i == (push_i && !push_kernel_i),
             "Rule 5: what is pushed is a group or a kernel")
  `WF_ASSUME(rule5_pop, !pop_group_i || (pop_i && pop_list_i != ZERO),
             "Rule 5: a group that is popped is the first of a list")
  `WF_ASSUME(rule5_zero, (!push_group_i || push_list_i != ZERO)
                         && (!back_i || back_list_i != ZERO),
             "Rule 5: no group is in queue 0")
endmodule
`default_nettype wire
