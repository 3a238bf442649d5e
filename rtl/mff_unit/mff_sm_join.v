// mff_sm_join: the commands of an SM that are outstanding. Hands out entries and credits, counts
// what is still to come of each command, and tells which warps have gathers outstanding.
//
// An entry is a command's place in all tables of the SM, and its tag. A slice takes no more than
// Share = Commands / NSlice, rounded up, of an SM: the SM has a credit for each. Over all SMs that
// may be a few more than the slice has jobs; the last commands then wait in the crossbar. The slice
// of the next command is the next in rotation with a credit; a hand looks for it, a slice a cycle.
// start_o: an entry and a credit are there, and stay until the next commit.
//
// Events, one a cycle: a commit (first), or the end of a reply flit. The first cycle reads what is
// still to come (words and the completion, which comes from another slice at any time) and the
// warp's gathers; the second writes both, and the next event sees what it writes. At 0 entry and
// credit are free. A refused command brings no words and ends with its completion.
//
// A commit waits for nothing, the end of a flit for a commit: one cycle, since commits are rarer
// than every tenth.
//   Commands 1..256   NSlice 1..24   NumWarp 1..64
// Storage, RAM: Commands x (12 + SliceW + EntryW), NumWarp x log2(Commands + 1).
//
// Rules
//   1 Credits that are out, over all slices, are as many as entries, at most Commands.
//   2 No slice has more than its share of them.
//   3 A command ends when nothing of it is to come: never less.
//   4 A reply is of a command that is outstanding.
//   5 A warp's gathers end as often as they began.
`default_nettype none
`include "wf_assert.vh"

module mff_sm_join #(
  parameter integer Commands = 17,
  parameter integer NSlice = 6,
  parameter integer NumWarp = 48,
  localparam integer EntryW = Commands > 1 ? $clog2(Commands) : 1,
  localparam integer SliceW = NSlice > 1 ? $clog2(NSlice) : 1
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire [SliceW-1:0]  first_i,          // where the rotation begins
  output wire               start_o,
  output wire [EntryW-1:0]  entry_o,
  output wire [SliceW-1:0]  slice_o,
  input  wire               commit_i,
  input  wire               commit_gather_i,
  input  wire [5:0]         commit_warp_i,
  input  wire [10:0]        commit_words_i,
  input  wire               end_valid_i,
  output wire               end_ready_o,
  input  wire [EntryW-1:0]  end_entry_i,
  input  wire [5:0]         end_warp_i,
  input  wire [2:0]         end_count_i,
  input  wire               end_refused_i,
  output wire [NumWarp-1:0] gathers_o,        // warps with gathers outstanding
  output wire               ev_over_o,
  output wire               ev_refused_o,
  output wire               idle_o
);
  localparam integer UsedW = $clog2(Commands + 1);
  localparam integer Share = (Commands + NSlice - 1) / NSlice;
  localparam integer ShareW = $clog2(Share + 1);
  localparam [ShareW-1:0] SHARE = Share[ShareW-1:0];
  localparam integer LastI = NSlice - 1;
  localparam [SliceW-1:0] LAST = LastI[SliceW-1:0];
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1;
  localparam integer ToW = 11;            // 1024 words and the completion

  // Entries and credits.
  reg begun_q;
  reg [SliceW-1:0] hand_q;
  reg [NSlice-1:0] credit_q;              // a slice may have one more
  reg [NSlice*ShareW-1:0] out_q;        // commands that a slice has
  wire entry_valid;
  wire [UsedW-1:0] used;
  reg over_q;                             // an entry and its credit come back
  reg [EntryW-1:0] over_entry_q;
  reg [SliceW-1:0] over_slice_q;
  mff_freelist #(.Entries(Commands)) u_entries (
    .clk_i(clk_i), .rst_ni(rst_ni), .valid_o(entry_valid), .id_o(entry_o), .take_i(commit_i),
    .put_i(over_q), .put_id_i(over_entry_q), .used_o(used)
  );
  wire here = credit_q[hand_q];
  assign start_o = begun_q && entry_valid && here;
  assign slice_o = hand_q;
  generate
    for (genvar s = 0; s < NSlice; s = s + 1) begin : g_slice
      wire more = commit_i && hand_q == SliceW'(s);
      wire less = over_q && over_slice_q == SliceW'(s);
      wire [ShareW-1:0] out = out_q[s*ShareW +: ShareW];
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          out_q[s*ShareW +: ShareW] <= '0;
          credit_q[s] <= 1'b1;
        end else if (more != less) begin
          out_q[s*ShareW +: ShareW] <= more ? out + 1'b1 : out - 1'b1;
          credit_q[s] <= less || out != SHARE - 1'b1;
        end
      end
    end
  endgenerate
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      hand_q <= '0;
    end else begin
      begun_q <= 1'b1;
      if (!begun_q) hand_q <= first_i;
      else if (commit_i || (entry_valid && !here)) hand_q <= hand_q == LAST ? '0 : hand_q + 1'b1;
    end
  end

  // First cycle of an event.
  reg ev_q, ev_commit_q, ev_gather_q, ev_refused_q;
  reg [EntryW-1:0] ev_entry_q;
  reg [SliceW-1:0] ev_slice_q;
  reg [5:0] ev_warp_q;
  reg [ToW-1:0] ev_words_q;               // of a commit all, else those that came
  reg ev_same_q, ev_same_warp_q;          // the event before wrote the command's row, the warp's
  assign end_ready_o = !commit_i;
  wire take_end = end_valid_i && end_ready_o;
  wire take = commit_i || take_end;
  wire [5:0] warp = commit_i ? commit_warp_i : end_warp_i;

  // Second.
  localparam integer RowW = ToW + 1 + SliceW;
  wire [RowW-1:0] row_read;
  reg [RowW-1:0] row_q;
  wire [ToW-1:0] to_come;
  wire was_gather;
  wire [SliceW-1:0] was_slice;
  assign {to_come, was_gather, was_slice} = ev_same_q ? row_q : row_read;
  wire [UsedW-1:0] gathers_read;
  reg [UsedW-1:0] gathers_q;
  wire [UsedW-1:0] gathers = ev_same_warp_q ? gathers_q : gathers_read;
  wire [ToW-1:0] left = ev_commit_q ? ev_words_q + 1'b1
                        : ev_refused_q ? '0 : to_come - ev_words_q;
  wire over = ev_q && !ev_commit_q && left == '0;
  wire gather = ev_commit_q ? ev_gather_q : was_gather;
  wire count = ev_q && gather && (ev_commit_q || over);
  wire [RowW-1:0] row = {left, gather, ev_commit_q ? ev_slice_q : was_slice};
  reg [NumWarp-1:0] some_q;
  wire [WarpW-1:0] ev_warp = ev_warp_q[WarpW-1:0];
  wire [UsedW-1:0] had = some_q[ev_warp] ? gathers : '0;
  wire [UsedW-1:0] after = ev_commit_q ? had + 1'b1 : had - 1'b1;
  wf_ram_1r1w #(.Width(RowW), .Depth(Commands)) u_commands (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(ev_q), .wr_mask_i(1'b1), .wr_addr_i(ev_entry_q),
    .wr_data_i(row), .rd_en_i(take_end), .rd_addr_i(end_entry_i), .rd_data_o(row_read)
  );
  wf_ram_1r1w #(.Width(UsedW), .Depth(NumWarp)) u_warps (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(count), .wr_mask_i(1'b1), .wr_addr_i(ev_warp),
    .wr_data_i(after), .rd_en_i(take), .rd_addr_i(warp[WarpW-1:0]), .rd_data_o(gathers_read)
  );
  assign gathers_o = some_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ev_q <= 1'b0;
      over_q <= 1'b0;
      some_q <= '0;
    end else begin
      ev_q <= take;
      over_q <= over;
      if (count) some_q[ev_warp] <= after != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      ev_same_q <= ev_q && ev_entry_q == end_entry_i;
      ev_same_warp_q <= count && ev_warp_q == warp;
      ev_commit_q <= commit_i;
      ev_gather_q <= commit_gather_i;
      ev_refused_q <= end_refused_i;
      ev_entry_q <= commit_i ? entry_o : end_entry_i;
      ev_slice_q <= hand_q;
      ev_warp_q <= warp;
      ev_words_q <= commit_i ? commit_words_i : ToW'(end_count_i);
    end
    if (ev_q) row_q <= row;
    if (count) gathers_q <= after;
    if (over) begin
      over_entry_q <= ev_entry_q;
      over_slice_q <= was_slice;
    end
  end

  // The list of free entries moves on for some cycles; an end of a flit that ends no command does
  // not move it.
  reg [2:0] rest_q;
  wire still = !over_q && begun_q && (here || !entry_valid);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rest_q <= '0;
    else if (!still || (ev_q && ev_commit_q)) rest_q <= '0;
    else if (rest_q != 3'd7) rest_q <= rest_q + 3'd1;
  end
  assign idle_o = still && !ev_q && rest_q == 3'd7;
  assign ev_over_o = over;
  assign ev_refused_o = over && ev_refused_q;
  wire unused = &{1'b0, used, warp, ev_warp_q};

`ifdef WF_ASSERT_LIVE
  reg [UsedW+5:0] out_all;
  reg shares;
  always_comb begin
    out_all = '0;
    shares = 1'b1;
    for (int s = 0; s < NSlice; s = s + 1) begin
      out_all = out_all + (UsedW + 6)'(out_q[s*ShareW +: ShareW]);
      if (!(out_q[s*ShareW +: ShareW] < SHARE || out_q[s*ShareW +: ShareW] == SHARE)
          || credit_q[s] != (out_q[s*ShareW +: ShareW] != SHARE)) shares = 1'b0;
    end
  end
  reg put_q;                              // the list counts what came back a cycle later
  reg [Commands-1:0] used_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q <= 1'b0;
      used_q <= '0;
    end else begin
      put_q <= over_q;
      if (commit_i) used_q[entry_o] <= 1'b1;
      if (over) used_q[ev_entry_q] <= 1'b0;
    end
  end
`endif
  `WF_ASSERT(rule1, out_all + (UsedW + 6)'(put_q) == (UsedW + 6)'(used),
             "Rule 1: credits that are out are as many as entries")
  `WF_ASSERT(rule2, shares, "Rule 2: no slice has more than its share")
  `WF_ASSERT(rule3, !ev_q || ev_commit_q || ev_refused_q || to_come >= ev_words_q,
             "Rule 3: no more comes than was asked for")
  `WF_ASSERT(rule4, !end_valid_i || used_q[end_entry_i],
             "Rule 4: a reply is of a command that is outstanding")
  `WF_ASSERT(rule5, !count || ev_commit_q || had != '0,
             "Rule 5: a warp's gathers end as often as they began")
endmodule
`default_nettype wire
