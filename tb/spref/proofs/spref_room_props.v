// spref_room: any claims, bases, sums and offers. Of a place, any: what is read is what was written
// there last by the load that holds it, and stays until another offer.
`default_nettype none
`include "wf_assert.vh"
module spref_room_props #(
  parameter integer Lanes = 1,
  parameter integer AddrBits = 1,
  parameter integer Waiting = 4,
  localparam integer SlotW = Waiting > 1 ? $clog2(Waiting) : 1
) (
  input wire clk_i, input wire claim, input wire [SlotW-1:0] claim_slot, input wire over,
  input wire base_far, input wire [Lanes*AddrBits-1:0] base_addr, input wire sum_valid,
  input wire [SlotW-1:0] sum_slot, input wire sum_far, input wire [Lanes*AddrBits-1:0] sum_addr,
  input wire pick, input wire [SlotW-1:0] pick_slot
);
`include "formal.vh"
  wire claims = claim && rst_ni, base = claims && over, sums = sum_valid && rst_ni;
  wire picks = pick && rst_ni;
  wire sum_ready, read, far;
  wire [Lanes*AddrBits-1:0] addr;
  spref_room #(.Lanes(Lanes), .AddrBits(AddrBits), .Waiting(Waiting)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .claim_i(claims), .claim_slot_i(claim_slot), .base_i(base),
    .base_far_i(base_far), .base_addr_i(base_addr), .sum_valid_i(sums), .sum_ready_o(sum_ready),
    .sum_slot_i(sum_slot), .sum_far_i(sum_far), .sum_addr_i(sum_addr), .pick_i(picks),
    .pick_at_i(Waiting'(1) << pick_slot), .pick_slot_i(pick_slot), .read_o(read), .far_o(far),
    .addr_o(addr)
  );
  wire sum_take = sums && sum_ready;
  `WF_ASSUME(places, {1'b0, claim_slot} < (SlotW + 1)'(Waiting)
             && {1'b0, sum_slot} < (SlotW + 1)'(Waiting)
             && {1'b0, pick_slot} < (SlotW + 1)'(Waiting), "places are below Waiting")
  // Rules 1 and 3 of the room, which spref_issue proves with spref_wait around it.
  `WF_ASSUME(apart, !(picks && ((base && claim_slot == pick_slot)
                                || (sum_take && sum_slot == pick_slot))),
             "a place is not written at the edge at which it is read")
  `WF_ASSUME(taken, !(claims && sums) || claim_slot != sum_slot,
             "a place that is taken waits for no sum")
  (* anyconst *) wire [SlotW-1:0] place;
  reg in_q, far_q, asked_q, want_q, want_far_q;
  reg [Lanes*AddrBits-1:0] addr_q, want_addr_q;
  initial in_q = 1'b0;
  initial asked_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    if (claims && claim_slot == place) begin
      in_q <= over;
      if (over) {far_q, addr_q} <= {base_far, base_addr};
    end
    if (sum_take && sum_slot == place) begin
      in_q <= 1'b1;
      {far_q, addr_q} <= {sum_far, sum_addr};
    end
    if (picks) begin
      asked_q <= pick_slot == place;
      want_q <= in_q;
      {want_far_q, want_addr_q} <= {far_q, addr_q};
    end
  end
  `WF_ASSERT(read_if_in, !asked_q || read == want_q,
             "a place's address is read if its load wrote one")
  `WF_ASSERT(same, !(asked_q && want_q) || (addr == want_addr_q && far == want_far_q),
             "an address comes out as it went in, and stays")
  `WF_ASSERT(sum_soon, !sums || sum_ready || base, "a sum waits for a base, and nothing else")
  reg base_in_q;
  initial base_in_q = 1'b0;
  always @(posedge clk_i) if (rst_ni && claims && claim_slot == place) base_in_q <= over;
  `WF_COVER(of_base, asked_q && read && base_in_q)
  `WF_COVER(of_sum, asked_q && read && !base_in_q)
  `WF_COVER(none, asked_q && !read)
  `WF_COVER(waits, sums && !sum_ready)
endmodule
`default_nettype wire
