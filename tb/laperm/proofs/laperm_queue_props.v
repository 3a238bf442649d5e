// laperm_queue: each queue gives what was pushed into it, first in, first out, whatever happens in
// others; its last one can be taken instead; entries are neither lost nor given twice.
`default_nettype none
`include "wf_assert.vh"
module laperm_queue_props #(
  parameter integer NumKde = 2,
  parameter integer Owners = 1,
  parameter integer OwnEntries = 3,
  parameter integer Levels = 1,
  localparam integer InfoW = 1,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer Lists = (Owners * Levels > NumKde ? Owners * Levels : NumKde) + 1,
  localparam integer ListW = $clog2(Lists),
  localparam integer CountW = $clog2(OwnEntries * Owners + NumKde + 1)
) (
  input wire clk_i, input wire push, input wire push_kernel, input wire [ListW-1:0] push_list,
  input wire [KdeW-1:0] push_kdei, input wire [InfoW-1:0] push_info, input wire pop,
  input wire [ListW-1:0] pop_list, input wire back, input wire [ListW-1:0] back_list,
  input wire back_take, input wire rd, input wire track
);
`include "formal.vh"
  wire alloc, alloc_far, look_kernel, look_ready, back_ok;
  wire [Owners-1:0] full, refill;
  wire [KdeW-1:0] look_kdei, zero_kdei, back_kdei;
  wire [InfoW-1:0] info;
  wire [Lists-1:0] some;

  // The neighbours: no kernel twice, no push without an entry, no push while the end is taken.
  reg [NumKde-1:0] in_q;
  reg popped_q, back_q, spare_q;
  reg [ListW-1:0] popped_list_q, back_list_q;
  initial popped_q = 1'b0;
  initial back_q = 1'b0;
  initial spare_q = 1'b0;
  initial in_q = '0;
  wire lists_ok = {1'b0, push_list} < (ListW+1)'(Lists) && {1'b0, pop_list} < (ListW+1)'(Lists)
                  && {1'b0, back_list} < (ListW+1)'(Lists);
  wire do_back = rst_ni && lists_ok && back && !back_q && !spare_q && some[back_list]
                 && back_list != ListW'(Lists - 1);
  wire do_take = back_q && back_take && back_ok;
  wire do_push = rst_ni && lists_ok && push && !do_back && !back_q
                 && {1'b0, push_kdei} < (KdeW+1)'(NumKde)
                 && (push_kernel ? !in_q[push_kdei] : push_list != ListW'(Lists - 1) && alloc
                                                      && (spare_q || !full[0]));
  wire do_pop = rst_ni && lists_ok && pop && some[pop_list]
                && !(popped_q && popped_list_q == pop_list);
  laperm_queue #(
    .NumKde(NumKde), .Owners(Owners), .OwnEntries(OwnEntries), .Levels(Levels), .InfoW(InfoW)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .shared_i(1'b0), .reserve_i(1'b0), .push_i(do_push),
    .push_list_i(push_list), .push_group_i(do_push && !push_kernel), .push_kernel_i(push_kernel),
    .push_kdei_i(push_kdei), .push_owner_i('0), .push_info_i(push_info), .alloc_o(alloc),
    .alloc_far_o(alloc_far), .full_o(full), .refill_o(refill), .pop_i(do_pop),
    .pop_list_i(pop_list), .pop_group_i(do_pop && !look_kernel), .pop_owner_i('0),
    .pop_zero_i(1'b0), .look1_i(Lists'(1) << pop_list), .look_kdei_o(look_kdei),
    .look_kernel_o(look_kernel), .look_rd_i(rd && lists_ok), .look_ready_o(look_ready),
    .info_o(info), .zero_kdei_o(zero_kdei), .back_i(do_back), .back_list_i(back_list),
    .back_take_i(do_take), .back_ok_o(back_ok), .back_kdei_o(back_kdei), .some_o(some)
  );

  // How many are in each queue, and one entry that is followed.
  reg [CountW-1:0] count_q [0:Lists-1];
  reg here_q, kernel_q;
  reg [ListW-1:0] list_q;
  reg [KdeW-1:0] kdei_q;
  reg [InfoW-1:0] info_q;
  reg [CountW-1:0] ahead_q;
  reg read_q, read_end_q;
  initial here_q = 1'b0;
  initial read_q = 1'b0;
  wire [CountW-1:0] there = count_q[push_list] - CountW'(do_pop && pop_list == push_list);
  wire mine = here_q && list_q == pop_list;
  wire leaves = do_pop && mine && ahead_q == '0;
  wire at_end = here_q && back_q && list_q == back_list_q
                && ahead_q + 1'b1 == count_q[back_list_q];
  wire taken = do_take && at_end;
  integer l;
  always @(posedge clk_i) begin
    popped_q <= do_pop;
    popped_list_q <= pop_list;
    back_q <= do_back;
    back_list_q <= back_list;
    read_q <= rst_ni && rd && lists_ok && look_ready && mine && ahead_q == '0 && !kernel_q;
    read_end_q <= at_end;
    if (!rst_ni) begin
      in_q <= '0;
      here_q <= 1'b0;
      spare_q <= 1'b0;
      for (l = 0; l < Lists; l = l + 1) count_q[l] <= '0;
    end else begin
      if (do_pop && look_kernel) in_q[look_kdei] <= 1'b0;
      if (do_push && push_kernel) in_q[push_kdei] <= 1'b1;
      spare_q <= do_take || (spare_q && !(do_push && !push_kernel));
      for (l = 0; l < Lists; l = l + 1)
        count_q[l] <= count_q[l] + CountW'(do_push && push_list == ListW'(l))
                      - CountW'(do_pop && pop_list == ListW'(l))
                      - CountW'(do_take && back_list_q == ListW'(l));
      if (do_push && track && !here_q) begin
        here_q <= 1'b1;
        list_q <= push_list;
        kdei_q <= push_kdei;
        info_q <= push_info;
        kernel_q <= push_kernel;
        ahead_q <= there;
      end else begin
        if (leaves || taken) here_q <= 1'b0;
        if (do_pop && mine) ahead_q <= ahead_q - 1'b1;
      end
    end
  end
  `WF_ASSERT(first_out, !leaves || (look_kdei == kdei_q && look_kernel == kernel_q),
             "the first in is the first out")
  `WF_ASSERT(payload, !read_q || info == info_q, "with its payload")
  `WF_ASSERT(end_out, !taken || (back_kdei == kdei_q && !kernel_q && info == info_q),
             "the one taken from the end is the last in")
  `WF_ASSERT(some_right, !rst_ni || some[pop_list] == (count_q[pop_list] != '0) || !lists_ok,
             "a queue is empty when nothing is in it")
  `WF_COVER(popped, leaves && ahead_q == '0 && count_q[pop_list] == CountW'(3))
  `WF_COVER(end_taken, taken)
  `WF_COVER(all_used, full[0] && !alloc)
endmodule
`default_nettype wire
