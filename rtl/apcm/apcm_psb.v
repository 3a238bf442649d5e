// apcm_psb: protection status board. One entry per warp: whether it protects lines now, which load
// ends that, and whether that load is in a loop with itself (then only leaving the loop ends it).
//
// A warp protects the lines of one load at a time: while its bit is set, lines of other loads are
// not protected. Which load that is, the entry tells by its last consumer and its loop bit: loads
// of one last consumer share a lifetime.
//
// Timing: what a request and an event meet is read one cycle before they act (acc_rd_i, ev_rd_i),
// but an event's bit: two RAMs of equal words, one for each. What is written at the edge of the
// read comes from a register. In one cycle the set acts before the event.
//
//   NumWarp 1..64   Ids 2..64
// Storage: NumWarp flops (protected); 2 * NumWarp * (1 + clog2(Ids)) bits of RAM (last id, loop); a
// written word and three bits.
//
// Rules
//   1 A set is of a warp whose bit is clear.
//   2 After its exit a warp protects nothing.
//   3 What acts was read one cycle before, of the same warp.
`default_nettype none
`include "wf_assert.vh"

module apcm_psb #(
  parameter integer NumWarp = 48,
  parameter integer Ids = 16,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire               clear_i,
  // a request: may it protect? It sets the entry if it wants to, has a line, and none is set
  input  wire               acc_rd_i,
  input  wire [WarpW-1:0]   acc_rd_warp_i,
  input  wire [WarpW-1:0]   acc_warp_i,
  input  wire               acc_loop_i,  // its last consumer is itself
  input  wire [IdW-1:0]     acc_last_i,
  output wire               may_o,   // no load of the warp is protected, or this one is
  input  wire               want_i,
  input  wire               line_i,  // late
  output wire               set_o,
  // events
  input  wire               ev_rd_i,
  input  wire [WarpW-1:0]   ev_rd_warp_i,
  input  wire [WarpW-1:0]   ev_warp_i,
  input  wire [IdW-1:0]     ev_id_i,
  input  wire               done_i,  // acting now; one of the three
  input  wire               loop_i,
  input  wire               exit_i,
  output wire               end_o,   // this event ends the protection
  output wire [NumWarp-1:0] protect_o
);
  reg [NumWarp-1:0] protect_q;

  // Words are {loop, last}.
  wire [IdW:0] info = {acc_loop_i, acc_last_i};
  wire [IdW:0] acc_word, ev_word;
  reg [IdW:0] written_q;
  reg acc_new_q, ev_new_q;
  wf_ram_1r1w #(.Width(IdW + 1), .Depth(NumWarp)) u_acc_words (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(may_set), .wr_addr_i(acc_warp_i), .wr_mask_i(1'b1),
    .wr_data_i(info), .rd_en_i(acc_rd_i), .rd_addr_i(acc_rd_warp_i), .rd_data_o(acc_word)
  );
  wf_ram_1r1w #(.Width(IdW + 1), .Depth(NumWarp)) u_ev_words (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(may_set), .wr_addr_i(acc_warp_i), .wr_mask_i(1'b1),
    .wr_data_i(info), .rd_en_i(ev_rd_i), .rd_addr_i(ev_rd_warp_i), .rd_data_o(ev_word)
  );
  // The entry that the event meets: the stored one, or the one that is being set. Whether there is
  // a set comes late, so both are judged before.
  // All that it reads is an argument: Icarus looks at nothing else to know when to evaluate again.
  function automatic ends(input [IdW:0] word, input [2:0] kind, input [IdW-1:0] id);
    ends = kind[2] || (kind[1] && word[IdW])
           || (kind[0] && !word[IdW] && word[IdW-1:0] == id);
  endfunction
  wire [IdW:0] ev_stored = ev_new_q ? written_q : ev_word;
  wire [2:0] kind = {exit_i, loop_i, done_i};
  wire end_stored = protect_q[ev_warp_i] && ends(ev_stored, kind, ev_id_i);
  wire end_new = acc_warp_i == ev_warp_i && ends(info, kind, ev_id_i);
  assign end_o = end_stored || (set && end_new);
  assign protect_o = protect_q;

  // Whether there is a line comes late. Where the bit is clear the word may be anything, so it is
  // written without waiting for that; the bit is read as it will be after the edge.
  reg acc_bit_q;  // whether the warp protects
  wire may_set = want_i && !acc_bit_q;
  wire set = line_i && may_set;
  wire stays = may_set && !end_new;  // no event ends it at once
  always_ff @(posedge clk_i) begin
    acc_bit_q <= acc_rd_i && !clear_i
                 && ((protect_q[acc_rd_warp_i] && !(end_stored && ev_warp_i == acc_rd_warp_i))
                     || (line_i && stays && acc_warp_i == acc_rd_warp_i));
    acc_new_q <= may_set && acc_warp_i == acc_rd_warp_i;
    ev_new_q <= may_set && acc_warp_i == ev_rd_warp_i;
    if (may_set) written_q <= info;
  end
  assign set_o = set;
  wire [IdW:0] acc_stored = acc_new_q ? written_q : acc_word;
  assign may_o = !acc_bit_q || acc_stored == info;

  // Decoders in two steps, of the warp's upper and lower bits. A set that an event ends at once is
  // none: the bit was clear before.
  localparam integer LowW = WarpW / 2;
  localparam integer Lows = 1 << LowW;
  localparam integer Highs = (NumWarp + Lows - 1) / Lows;
  wire [31:0] acc_warp = 32'(acc_warp_i), ev_warp = 32'(ev_warp_i);
  reg [Highs-1:0] set_high_c, end_high_c;
  reg [Lows-1:0] set_low_c, end_low_c;
  reg [NumWarp-1:0] set_c, end_c;
  always_comb begin
    for (int h = 0; h < Highs; h = h + 1) begin
      set_high_c[h] = stays && acc_warp >> LowW == h;
      end_high_c[h] = clear_i || (end_stored && ev_warp >> LowW == h);
    end
    for (int l = 0; l < Lows; l = l + 1) begin
      set_low_c[l] = (acc_warp & (Lows - 1)) == l;
      end_low_c[l] = clear_i || (ev_warp & (Lows - 1)) == l;
    end
  end
  always_comb begin
    for (int n = 0; n < NumWarp; n = n + 1) begin
      set_c[n] = set_high_c[n/Lows] && set_low_c[n%Lows];
      end_c[n] = end_high_c[n/Lows] && end_low_c[n%Lows];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) protect_q <= '0;
    else protect_q <= (protect_q & ~end_c) | ({NumWarp{line_i}} & set_c);
  end
  `WF_ASSERT(rule1, !set || !protect_q[acc_warp_i], "Rule 1: a set is of a warp whose bit is clear")
`ifdef WF_ASSERT_LIVE
  reg ev_rd_q, acc_rd_q;
  reg [WarpW-1:0] ev_rd_warp_q, acc_rd_warp_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {ev_rd_q, acc_rd_q} <= '0;
    else {ev_rd_q, acc_rd_q} <= {ev_rd_i, acc_rd_i};
  end
  always_ff @(posedge clk_i) if (ev_rd_i) ev_rd_warp_q <= ev_rd_warp_i;
  always_ff @(posedge clk_i) if (acc_rd_i) acc_rd_warp_q <= acc_rd_warp_i;
`endif
  `WF_ASSUME(rule3, (kind == '0 || (ev_rd_q && ev_warp_i == ev_rd_warp_q))
             && (!set || (acc_rd_q && acc_warp_i == acc_rd_warp_q)),
             "Rule 3: what acts was read one cycle before, of the same warp")
  `WF_ASSERT(rule2,
             !exit_i || end_o || !(protect_q[ev_warp_i] || (set && acc_warp_i == ev_warp_i)),
             "Rule 2: after its exit a warp protects nothing")
endmodule
`default_nettype wire
