// dtbl_agt: one entry, any one, is followed: an alloc gets it exactly while it is free; it is free
// again when fin came and as many blocks ended as fin said, and not before; what was put and linked
// is read back.
`default_nettype none
`include "wf_assert.vh"
module dtbl_agt_props #(
  parameter integer Entries = 2,
  parameter integer CountW = 3,
  localparam integer IdxW = $clog2(Entries)
) (
  input wire clk_i, input wire fin, input wire [IdxW-1:0] fin_idx, input wire [CountW-1:0] fin_n,
  input wire done, input wire [IdxW-1:0] done_idx, input wire alloc,
  input wire [IdxW-1:0] alloc_idx, input wire put, input wire put_info, input wire link,
  input wire link_next, input wire get
);
`include "formal.vh"
  (* anyconst *) wire [IdxW-1:0] at;
  wire clearing, done_ready, alloc_ready, got, info, next, freed, quiet;
  // The followed entry as its users see it. live: taken by an alloc that was answered; asked: an
  // alloc's answer comes now.
  reg live_q, asked_q, finished_q;
  reg [CountW-1:0] total_q, ended_q, started_q;
  initial live_q = 1'b0;
  initial asked_q = 1'b0;
  wire do_fin = rst_ni && fin && fin_idx == at && live_q && !finished_q && !clearing;
  wire do_done = rst_ni && done && done_idx == at && live_q && !clearing && ended_q != started_q
                 && (finished_q || ended_q + 1'b1 != started_q);  // the last one ends after fin
  // Users of other entries keep the same rules; here they stay away, and allocs visit all.
  dtbl_agt #(.Entries(Entries), .InfoW(1), .LinkW(1), .CountW(CountW)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .clearing_o(clearing), .fin_valid_i(do_fin), .fin_idx_i(at),
    .fin_n_i(started_q), .done_valid_i(do_done), .done_ready_o(done_ready), .done_idx_i(at),
    .alloc_valid_i(alloc), .alloc_ready_o(alloc_ready), .alloc_idx_i(alloc_idx), .alloc_got_o(got),
    .put_i(put && asked_q && got), .put_idx_i(at), .put_info_i(put_info), .link_i(link && live_q),
    .link_idx_i(at), .link_next_i(link_next), .get_i(get && live_q), .get_idx_i(at), .info_o(info),
    .next_o(next), .freed_o(freed), .quiet_o(quiet)
  );
  wire ask = rst_ni && alloc && alloc_ready && alloc_idx == at;
  wire ends = do_done && done_ready;
  // One more block is distributed now and then, up to the counter's range.
  wire start = live_q && !finished_q && !do_fin && fin_n[0] && started_q != '1;
  wire over = live_q && (finished_q || do_fin) && (ends ? ended_q + 1'b1 : ended_q) == started_q;
  always @(posedge clk_i) begin
    asked_q <= ask;
    if (!rst_ni) begin
      live_q <= 1'b0;
    end else begin
      if (asked_q && got) begin
        live_q <= 1'b1;
        finished_q <= 1'b0;
        started_q <= '0;
        ended_q <= '0;
      end else begin
        if (over) live_q <= 1'b0;
        if (do_fin) finished_q <= 1'b1;
        if (start) started_q <= started_q + 1'b1;
        if (ends) ended_q <= ended_q + 1'b1;
      end
    end
  end
  // A group has a block.
  `WF_ASSUME(some, !do_fin || started_q != '0, "a group has a block")
  `WF_ASSERT(alloc_right, !asked_q || got == !live_q, "an entry is given exactly while it is free")
  reg over_q;
  initial over_q = 1'b0;
  always @(posedge clk_i) over_q <= rst_ni && over;
  `WF_ASSERT(freed_right, freed == over_q,
             "an entry is free when all its blocks were distributed and have ended")
  reg lived_q;
  initial lived_q = 1'b0;
  always @(posedge clk_i) if (rst_ni && over) lived_q <= 1'b1;
  // Contents.
  reg put_q, put_info_q, linked_q, link_next_q, get_q, want_info_q, want_next_q, had_put_q,
      had_link_q;
  initial get_q = 1'b0;
  always @(posedge clk_i) begin
    if (asked_q && got) begin
      put_q <= put;
      linked_q <= 1'b0;
      put_info_q <= put_info;
    end
    if (link && live_q) begin
      linked_q <= 1'b1;
      link_next_q <= link_next;
    end
    get_q <= rst_ni && get && live_q;
    had_put_q <= put_q;
    had_link_q <= linked_q;
    want_info_q <= put_info_q;
    want_next_q <= link_next_q;
  end
  `WF_ASSERT(info_back, !(get_q && had_put_q) || info == want_info_q, "info is read back")
  `WF_ASSERT(next_back, !(get_q && had_link_q) || next == want_next_q, "Next is read back")
  `WF_COVER(refused, asked_q && !got)
  `WF_COVER(ended_before_fin, do_fin && ended_q != '0)
  `WF_COVER(freed_by_last_end, over && ends)
  `WF_COVER(taken_again, asked_q && got && lived_q)
  `WF_QUIET(quiet && !do_fin && !do_done && !(alloc && alloc_ready) && !(put && asked_q && got)
            && !(link && live_q) && !(get && live_q))
endmodule
`default_nettype wire
