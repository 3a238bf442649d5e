// dtbl_smx: accounts kept beside the module: room is told exactly while there is room, slots are
// given once, everything comes back, and every end gives the TBCR of its block, once.
`default_nettype none
`include "wf_assert.vh"
module dtbl_smx_props #(
  parameter integer MaxTb = 2,
  parameter integer Warps = 3,
  parameter integer Regs = 3,
  parameter integer DoneDepth = 2,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1
) (
  input wire clk_i, input wire want, input wire ready, input wire [1:0] new_warps,
  input wire [1:0] new_regs, input wire new_need, input wire [1:0] tbcr, input wire done,
  input wire [SlotW-1:0] done_slot, input wire end_ready
);
`include "formal.vh"
  // The need changes while nothing is offered; it is used one whole cycle later.
  reg [1:0] warps_q, regs_q;
  reg fresh_q, offer_q, settled_q;
  initial fresh_q = 1'b0;
  initial offer_q = 1'b0;
  initial settled_q = 1'b0;
  wire room, done_ready, end_valid, quiet;
  wire [SlotW-1:0] slot;
  wire [1:0] end_tbcr;
  wire valid = rst_ni && room && settled_q && (want || offer_q);
  wire take = valid && ready;
  reg [MaxTb-1:0] busy_q;
  initial busy_q = '0;
  wire do_done = rst_ni && done && busy_q[done_slot];
  wire ends = do_done && done_ready;
  wire change = new_need && !valid;
  always @(posedge clk_i) begin
    offer_q <= valid && !ready;
    settled_q <= rst_ni && !change;
    if (!rst_ni || change) begin
      warps_q <= new_warps == '0 ? 2'd1 : new_warps;
      regs_q <= new_regs;
    end
  end
  dtbl_smx #(
    .MaxTb(MaxTb), .Warps(Warps), .RegUnits(Regs), .ShmUnits(1), .TbcrW(2), .DoneDepth(DoneDepth)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .take_i(take), .offer_i(valid), .hold_i(offer_q),
    .need_warps_i(warps_q), .need_regs_i(regs_q), .need_shm_i(1'b0), .tbcr_i(tbcr), .room_o(room),
    .slot_o(slot), .done_valid_i(do_done), .done_ready_o(done_ready), .done_slot_i(done_slot),
    .end_valid_o(end_valid), .end_ready_i(end_ready), .end_tbcr_o(end_tbcr), .quiet_o(quiet)
  );
  // Accounts of every slot, and their sum.
  reg [2*MaxTb-1:0] slot_warps_q, slot_regs_q;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= '0;
    end else begin
      if (ends) busy_q[done_slot] <= 1'b0;
      if (take) busy_q[slot] <= 1'b1;
      if (take) slot_warps_q[2*slot +: 2] <= warps_q;
      if (take) slot_regs_q[2*slot +: 2] <= regs_q;
    end
  end
  reg [3:0] used_warps_c, used_regs_c;
  always_comb begin
    used_warps_c = 4'd0;
    used_regs_c = 4'd0;
    for (int i = 0; i < MaxTb; i = i + 1) if (busy_q[i]) begin
      used_warps_c = used_warps_c + {2'd0, slot_warps_q[2*i +: 2]};
      used_regs_c = used_regs_c + {2'd0, slot_regs_q[2*i +: 2]};
    end
  end
  wire fits = busy_q != '1 && used_warps_c + {2'd0, warps_q} <= 4'(Warps)
              && used_regs_c + {2'd0, regs_q} <= 4'(Regs);
  `WF_ASSERT(room_right, !settled_q || room == fits, "room is told exactly while there is room")
  `WF_ASSERT(never_more, used_warps_c <= 4'(Warps) && used_regs_c <= 4'(Regs),
             "no more is given out than there is")
  `WF_ASSERT(slot_free, !valid || !busy_q[slot], "a slot is given once")
  reg [SlotW-1:0] slot_was_q;
  always @(posedge clk_i) slot_was_q <= slot;
  `WF_ASSERT(slot_stays, !(valid && offer_q) || slot == slot_was_q,
             "the slot of a standing offer stays")
  // Ends: as many as blocks that ended; the followed block's TBCR comes out.
  (* anyconst *) wire [1:0] color;
  reg [3:0] given_q, back_q;   // blocks of that TBCR: ended, booked
  reg [MaxTb-1:0] colored_q;
  initial given_q = 4'd0;
  initial back_q = 4'd0;
  wire booked = rst_ni && end_valid && end_ready;
  always @(posedge clk_i) if (rst_ni) begin
    if (take) colored_q[slot] <= tbcr == color;
    given_q <= given_q + {3'd0, ends && colored_q[done_slot]} - {3'd0, booked && end_tbcr == color};
  end
  `WF_ASSERT(booked_once, !(booked && end_tbcr == color) || given_q != 4'd0,
             "no end is booked that was not told")
  `WF_ASSERT(few, given_q <= 4'(DoneDepth), "at most DoneDepth wait")
  `WF_ASSERT(not_lost, given_q == 4'd0 || !quiet, "no end is lost")
  `WF_COVER(all_used, busy_q == '1 && used_warps_c == 4'(Warps))
  `WF_COVER(start_and_end, take && ends)
  `WF_COVER(end_refused, do_done && !done_ready)
  `WF_QUIET(quiet && !valid && !do_done && settled_q && !change)
endmodule
`default_nettype wire
