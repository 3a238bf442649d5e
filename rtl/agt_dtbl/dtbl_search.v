// dtbl_search: which kernel can a group join? The key {entry pc, block dimensions, shared memory}
// of the kernel distributor's entries is read one a cycle, in rotation, and compared with all
// groups that are in: each sees every entry once, so it is answered after NumKde cycles at most,
// and groups overlap. While no group waits, the rotation stands: a group that names the kernel of
// the one before is answered in one cycle.
//
// Groups are answered in order, from a ring of Slots. A group that was answered with a kernel pins
// it until it is taken, so that the kernel does not go meanwhile; so does the entry under
// comparison.
//
// Timing: a group is compared from the cycle after it was taken; out_valid_o the cycle after the
// comparison that answers it. An entry that is written while its old key stands in the comparison
// is read again.
//
//   NumKde 1..64   Slots 1..32   KeyW, BodyW 1..
// Storage: Slots * (KeyW + BodyW + 2 * clog2(NumKde) + 5) flops.
//
// Rules
//   1 An offered group holds until taken.
//   2 A hit names an open entry.
//   3 A miss has been compared with every entry.
`default_nettype none
`include "wf_assert.vh"

module dtbl_search #(
  parameter integer NumKde = 32,
  parameter integer Slots = 8,
  parameter integer KeyW = 78,
  parameter integer BodyW = 110,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              in_valid_i,
  output wire              in_ready_o,
  input  wire [KeyW-1:0]   in_key_i,
  input  wire [BodyW-1:0]  in_body_i,
  // the kernel distributor
  output wire              scan_rd_o,
  output wire [KdeW-1:0]   scan_at_o,
  input  wire [KeyW-1:0]   scan_key_i,
  input  wire [NumKde-1:0] open_i,
  input  wire              wr_i,        // an entry is written
  input  wire [KdeW-1:0]   wr_at_i,
  output wire [NumKde-1:0] pin_o,
  // the oldest group, answered
  output wire              out_valid_o,
  output wire              out_hit_o,
  output wire [KdeW-1:0]   out_kdei_o,
  output wire [KeyW-1:0]   out_key_o,
  output wire [BodyW-1:0]  out_body_o,
  input  wire              out_pop_i,
  output wire              step_o,      // an entry is compared with a group that waits
  output wire              quiet_o
);
  localparam integer SlotW = Slots > 1 ? $clog2(Slots) : 1;
  localparam [KdeW-1:0] LAST_KDE = KdeW'(NumKde - 1);
  localparam [SlotW-1:0] LAST_SLOT = SlotW'(Slots - 1);

  reg [Slots-1:0] valid_q, done_q, hit_q;
  (* mem2reg *) reg [KdeW-1:0] kdei_q [0:Slots-1];
  (* mem2reg *) reg [KdeW-1:0] seen_q [0:Slots-1];   // comparisons before this one
  (* mem2reg *) reg [KeyW-1:0] key_q [0:Slots-1];
  (* mem2reg *) reg [BodyW-1:0] body_q [0:Slots-1];
  reg [SlotW-1:0] head_q, tail_q;
  reg [Slots-1:0] head1_q;                           // the same, a bit for each: of what is wide

  assign in_ready_o = !valid_q[tail_q];
  wire take = in_valid_i && in_ready_o;

  // The comparison: the entry whose key stands at the RAM's output.
  reg at_valid_q;
  reg [KdeW-1:0] at_q;
  wire [Slots-1:0] live = valid_q & ~done_q;
  wire is_open = open_i[at_q];
  reg [Slots-1:0] match_c, end_c;
  always_comb begin
    for (int s = 0; s < Slots; s = s + 1) begin
      match_c[s] = live[s] && at_valid_q && is_open && key_q[s] == scan_key_i;
      end_c[s] = live[s] && at_valid_q && seen_q[s] == LAST_KDE;
    end
  end
  wire waits = (live & ~match_c & ~end_c) != '0;
  wire next = at_valid_q && waits;
  assign scan_rd_o = next || (!at_valid_q && live != '0);
  assign scan_at_o = !next ? at_q : at_q == LAST_KDE ? '0 : at_q + 1'b1;
  assign step_o = at_valid_q && live != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      at_valid_q <= 1'b0;
      at_q <= '0;
      valid_q <= '0;
      done_q <= '0;
      head_q <= '0;
      head1_q <= Slots'(1);
      tail_q <= '0;
    end else begin
      at_valid_q <= (at_valid_q || scan_rd_o) && !(wr_i && wr_at_i == scan_at_o);
      at_q <= scan_at_o;
      done_q <= done_q | match_c | end_c;
      if (out_pop_i) begin
        valid_q[head_q] <= 1'b0;
        head_q <= head_q == LAST_SLOT ? '0 : head_q + 1'b1;
        for (int s = 0; s < Slots; s = s + 1) head1_q[s] <= head1_q[s == 0 ? Slots - 1 : s - 1];
      end
      if (take) begin
        valid_q[tail_q] <= 1'b1;
        done_q[tail_q] <= 1'b0;
        tail_q <= tail_q == LAST_SLOT ? '0 : tail_q + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int s = 0; s < Slots; s = s + 1) begin
      if (match_c[s] || end_c[s]) hit_q[s] <= match_c[s];
      if (match_c[s]) kdei_q[s] <= at_q;
      if (live[s] && at_valid_q) seen_q[s] <= seen_q[s] + 1'b1;
    end
    if (take) begin
      key_q[tail_q] <= in_key_i;
      body_q[tail_q] <= in_body_i;
      seen_q[tail_q] <= '0;
    end
  end

  assign out_valid_o = valid_q[head_q] && done_q[head_q];
  assign out_hit_o = hit_q[head_q];
  assign out_kdei_o = kdei_q[head_q];
  assign out_key_o = key_q[head_q];
  reg [BodyW-1:0] body_c;
  always_comb begin
    body_c = '0;
    for (int s = 0; s < Slots; s = s + 1) body_c = body_c | (body_q[s] & {BodyW{head1_q[s]}});
  end
  assign out_body_o = body_c;
  assign quiet_o = valid_q == '0;

  reg [NumKde-1:0] pin_c;
  always_comb begin
    pin_c = '0;
    for (int k = 0; k < NumKde; k = k + 1) begin
      pin_c[k] = live != '0 && at_q == KdeW'(k);
      for (int s = 0; s < Slots; s = s + 1)
        if (valid_q[s] && done_q[s] && hit_q[s] && kdei_q[s] == KdeW'(k)) pin_c[k] = 1'b1;
    end
  end
  assign pin_o = pin_c;

  `WF_ASSUME_STABLE(rule1_in, in_valid_i, in_ready_o, {in_key_i, in_body_i}, KeyW + BodyW,
                    "Rule 1: an offered group holds until taken")
  `WF_ASSERT(rule2_open, !(out_valid_o && out_hit_o) || open_i[out_kdei_o],
             "Rule 2: a hit names an open entry")
  `WF_ASSERT(rule3_all, !out_pop_i || out_valid_o, "Rule 3: only an answered group is taken")
endmodule
`default_nettype wire
