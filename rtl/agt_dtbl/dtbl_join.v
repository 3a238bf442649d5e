// dtbl_join: coalescing. Takes the oldest answered group from the search. Without an eligible
// kernel, or if its kernel's pool is full, it is handed to the KMU, which launches it as a device
// kernel. Otherwise it asks for its entry in the aggregated group table; if that is taken, the
// group's record is written to memory, and its pointer stands for it. Then it is linked behind the
// last group of the kernel's pool (Next of that one, in the table or in memory) and becomes LAGEI;
// the first of an empty pool becomes NAGEI. A kernel that is not marked is marked again.
//
// So no group waits for a block to start or to end: a block that waits until its launches are taken
// never waits for itself.
//
// Links: bit 0 set: an entry of the table, its number above; bit 0 clear: the pointer of a record
// in memory: the ring's next one if it has room when the group asks, else the group's parameter
// address, below which the record lies then.
//
// Timing: two cycles a group that is joined (ask; commit), one more for each memory write beyond
// the first. The commit is one edge for all registers, and comes after the memory writes were
// queued, so that a scheduler who sees the group finds it.
//
//   NumKde 1..64   AgtEntries 2^k   AddrW: of a pointer, over clog2(AgtEntries)
// Storage: 6 flops, and clog2(NumKde).
//
// Rules
//   1 A group joins an open kernel.
//   2 A pointer is even and not 0.
//   3 A group joins or goes to the KMU.
//   4 What is offered to the KMU stays, whatever happens in the pool.
`default_nettype none
`include "wf_assert.vh"

module dtbl_join #(
  parameter integer NumKde = 32,
  parameter integer AgtEntries = 1024,
  parameter integer AddrW = 32,
  localparam integer KdeW = NumKde > 1 ? $clog2(NumKde) : 1,
  localparam integer IdxW = $clog2(AgtEntries)
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  // from the search
  input  wire             grp_valid_i,
  input  wire             grp_hit_i,
  input  wire [KdeW-1:0]  grp_kdei_i,
  input  wire [IdxW-1:0]  grp_idx_i,
  input  wire [AddrW-1:0] grp_param_i,
  output wire             grp_pop_o,
  // ring of records
  input  wire             ring_room_i,
  input  wire [AddrW-1:0] ring_pointer_i,
  output wire             ring_take_o,
  // no eligible kernel, or its pool is full: to the KMU
  output wire             dk_valid_o,
  input  wire             dk_ready_i,
  // aggregated group table
  output wire             alloc_valid_o,
  input  wire             alloc_ready_i,
  input  wire             alloc_got_i,     // the cycle after
  output wire             put_o,
  output wire             link_o,
  output wire [IdxW-1:0]  link_idx_o,
  // memory writes
  output wire             mem_valid_o,
  output wire             mem_link_o,      // only Next of an older record
  output wire [AddrW-1:0] mem_addr_o,
  input  wire             mem_ready_i,
  // kernel distributor
  output wire             busy_o,          // between asking and commit
  output wire             rd_o,
  output wire [KdeW-1:0]  kdei_o,          // of the group that asked
  input  wire [AddrW-1:0] last_i,
  input  wire             some_i,
  input  wire             full_i,
  input  wire             marked_i,
  output wire             commit_o,
  output wire [AddrW-1:0] new_link_o,
  output wire             remark_o,
  // events
  output wire             ev_hit_o,
  output wire             ev_over_o
);
  reg [KdeW-1:0] kdei_q;
  // first_q: the table answers now; stored_q: the record was queued; ring_q: a record goes there.
  // away_q: the group was offered to the KMU and not taken.
  reg commit_q, first_q, got_q, stored_q, ring_q, away_q;

  wire away = !grp_hit_i || full_i || away_q;
  assign dk_valid_o = grp_valid_i && !commit_q && away;
  wire ask = grp_valid_i && !commit_q && !away;
  assign alloc_valid_o = ask;
  wire asked = ask && alloc_ready_i;
  assign rd_o = asked;

  wire got = first_q ? alloc_got_i : got_q;
  wire store = commit_q && !got && !stored_q;         // the record is to be written
  wire far = some_i && !last_i[0];                    // the last group lies in memory:
                                                      // so does its Next
  assign mem_valid_o = store || (commit_q && far);
  assign mem_link_o = !store;
  wire [AddrW-1:0] pointer = ring_q ? ring_pointer_i : grp_param_i;
  assign mem_addr_o = store ? pointer : last_i;
  assign ring_take_o = commit_o && !got && ring_q;
  assign commit_o = commit_q && (store ? mem_ready_i && !far : !far || mem_ready_i);
  assign new_link_o = got ? {{(AddrW-IdxW-1){1'b0}}, grp_idx_i, 1'b1} : pointer;
  assign put_o = commit_o && got;
  assign link_o = commit_o && some_i && last_i[0];
  assign link_idx_o = last_i[IdxW:1];
  assign remark_o = commit_o && !marked_i;
  assign grp_pop_o = commit_o || (dk_valid_o && dk_ready_i);
  assign busy_o = commit_q;
  assign kdei_o = kdei_q;
  assign ev_hit_o = commit_o && got;
  assign ev_over_o = commit_o && !got;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      commit_q <= 1'b0;
      first_q <= 1'b0;
      got_q <= 1'b0;
      stored_q <= 1'b0;
      away_q <= 1'b0;
    end else begin
      away_q <= dk_valid_o && !dk_ready_i;
      commit_q <= asked || (commit_q && !commit_o);
      first_q <= asked;
      if (first_q) got_q <= alloc_got_i;
      stored_q <= !commit_o && (stored_q || (store && mem_ready_i));
    end
  end

  always_ff @(posedge clk_i) begin
    if (asked) begin
      kdei_q <= grp_kdei_i;
      ring_q <= ring_room_i;
    end
  end

  `WF_ASSERT(rule1_group, !commit_q || (grp_valid_i && grp_hit_i && grp_kdei_i == kdei_q),
             "Rule 1: a group joins an open kernel")
  `WF_ASSUME(rule2_pointer, !grp_valid_i || (!grp_param_i[0] && grp_param_i != '0),
             "Rule 2: a pointer is even and not 0")
  `WF_ASSERT(rule3_once, !(commit_o && dk_valid_o), "Rule 3: a group joins or goes to the KMU")
  `WF_ASSERT(rule3_room, !ask || !full_i, "Rule 3: a group that joins finds room in the pool")
  `WF_ASSERT(rule4_away, !away_q || dk_valid_o, "Rule 4: what is offered to the KMU stays")
endmodule
`default_nettype wire
