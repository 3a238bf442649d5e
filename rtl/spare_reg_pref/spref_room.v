// spref_room: addresses of injected loads that wait, of each place those of all lanes. One is
// written by the load that takes the place, if it overwrites the base that the injected one is
// addressed by (its old value, base_i), or when the SM's multiply-add has made it (sum); it is read
// when its place is offered to the SM. Both come from wide pipes of the SM and go there; nothing
// looks at them on the way.
//
// The RAM has one write port. A base comes with its load and cannot wait: at that edge a sum does
// (sum_ready_o). A load issues at each second edge at most, so a sum waits for one.
//
// An address that AddrBits do not hold, in a lane that counts, is none: it is far, and one bit of
// the place says so.
//
// Parameters
//   Lanes     1 ..     lanes of an SM
//   AddrBits  1 .. 64  of an address: those of a virtual address of the GPU
//   Waiting   1 ..     places
// Storage: RAM Waiting * (Lanes * AddrBits + 1); flops: Waiting (which places hold one: of others
//   nothing is read).
//
// Rules
//   1 A place is not written at the edge at which it is read.
//   2 A base comes with a place that is taken.
//   3 No sum comes for a place at the edge at which it is taken.
`default_nettype none
`include "wf_assert.vh"

module spref_room #(
  parameter integer Lanes = 32,
  parameter integer AddrBits = 40,
  parameter integer Waiting = 16,
  localparam integer SlotW = Waiting > 1 ? $clog2(Waiting) : 1
) (
  input  wire                      clk_i,
  input  wire                      rst_ni,
  // a place is taken; with the base
  input  wire                      claim_i,
  input  wire [SlotW-1:0]          claim_slot_i,
  input  wire                      base_i,
  input  wire                      base_far_i,
  input  wire [Lanes*AddrBits-1:0] base_addr_i,
  // a sum
  input  wire                      sum_valid_i,
  output wire                      sum_ready_o,
  input  wire [SlotW-1:0]          sum_slot_i,
  input  wire                      sum_far_i,
  input  wire [Lanes*AddrBits-1:0] sum_addr_i,
  // a place is offered: at the next edge its address is there, if it has one, and stays
  input  wire                      pick_i,
  input  wire [Waiting-1:0]        pick_at_i,    // one bit, that of pick_slot_i
  input  wire [SlotW-1:0]          pick_slot_i,
  output wire                      read_o,
  output wire                      far_o,
  output wire [Lanes*AddrBits-1:0] addr_o
);
  initial if (AddrBits < 1 || AddrBits > 64) $fatal(1, "spref_room: AddrBits must be 1..64");

  wire base = claim_i && base_i;
  assign sum_ready_o = !base;
  wire sum = sum_valid_i && sum_ready_o;
  wire [SlotW-1:0] slot = base ? claim_slot_i : sum_slot_i;

  reg [Waiting-1:0] keeps_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) keeps_q <= '0;
    else begin
      if (claim_i) keeps_q[claim_slot_i] <= base_i;
      if (sum) keeps_q[sum_slot_i] <= 1'b1;
    end
  end
  wire read = pick_i && (keeps_q & pick_at_i) != '0;
  reg read_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_q <= 1'b0;
    else if (pick_i) read_q <= read;
  end
  assign read_o = read_q;
  wf_ram_1r1w #(.Width(1 + Lanes*AddrBits), .Depth(Waiting)) u_addresses (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(base || sum), .wr_addr_i(slot), .wr_mask_i(1'b1),
    .wr_data_i(base ? {base_far_i, base_addr_i} : {sum_far_i, sum_addr_i}),
    .rd_en_i(read), .rd_addr_i(pick_slot_i), .rd_data_o({far_o, addr_o})
  );

  `WF_ASSERT(rule1_apart, !(read && (base || sum)) || slot != pick_slot_i,
             "Rule 1: a place is not written at the edge at which it is read")
  `WF_ASSERT(rule2_base, !base_i || claim_i, "Rule 2: a base comes with a place that is taken")
  `WF_ASSERT(rule3_taken, !(claim_i && sum_valid_i) || claim_slot_i != sum_slot_i,
             "Rule 3: no sum comes for a place at the edge at which it is taken")
endmodule
`default_nettype wire
