// mff_sm: the unit's part in an SM. Instructions of warps come in, four lanes a cycle; commands
// leave as flits, one a cycle; reply flits come in, and their words leave for shared memory.
//
// mff_sm_issue packs, mff_sm_join holds what is outstanding, mff_sm_reply writes. README.md has the
// page; mff_flits.h the flits.
//
// Who waits for whom: an instruction for a free entry and a credit; commands for the crossbar;
// replies for nobody but their own banks. So replies always drain, whatever waits to be sent, and
// each command that is sent has an entry here. Shares are rounded up, so its slice may lack a job
// for it; then it waits in the crossbar for one that ends, and a job ends without what waits behind
// it: its replies are taken here. So nothing waits in a circle.
// A warp whose mff.wait finds its bit in gathers_o waits until it is low; the words are in shared
// memory then. An instruction may be issued when iss_ready_o is high and none is on its way.
//
// Timing: outputs are registers, or gates behind registers; every ready is a function of registers.
// Storage: that of its parts, and the counters.
//
// Rules
//   1 Replies are for this SM.
//   2 At rest no word is written.
`default_nettype none
`include "wf_assert.vh"

module mff_sm #(
  parameter integer Commands = 17,        // of the SM that may be outstanding, 1..256
  parameter integer NSlice = 6,           // memory partitions, 1..24
  parameter integer NumWarp = 48,         // warps of the SM, 1..64
  parameter integer SharedBytes = 49152,  // of shared memory, 128..2^20, multiple of 128
  parameter integer CounterBits = 40,     // width of the performance counters, 3..64; 0: none
  localparam integer SliceW = NSlice > 1 ? $clog2(NSlice) : 1,
  localparam integer AddrW = SharedBytes > 128 ? $clog2(SharedBytes / 4) : 5
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire [7:0]         sm_i,             // number of this SM: constant
  input  wire [SliceW-1:0]  first_i,          // slice of its first command: constant
  // An instruction: eight beats, lanes 4 b .. 4 b + 3 in beat b; op and warp count in the first.
  input  wire               iss_valid_i,
  output wire               iss_ready_o,
  input  wire               iss_op_i,         // 0 gather, 1 scatter_set
  input  wire [5:0]         iss_warp_i,
  input  wire [3:0]         iss_mask_i,       // lanes that are active
  input  wire [127:0]       iss_index_i,
  input  wire [23:0]        iss_size_i,
  input  wire [4*AddrW-1:0] iss_target_i,     // words' addresses in the CTA's shared memory
  output wire [NumWarp-1:0] gathers_o,        // warps whose gathers are not complete
  // Commands, one 256-bit flit per beat.
  output wire               cmd_valid_o,
  input  wire               cmd_ready_i,
  output wire [255:0]       cmd_data_o,
  output wire [SliceW-1:0]  cmd_slice_o,
  output wire               cmd_last_o,       // last flit of the command
  // Replies.
  input  wire               rsp_valid_i,
  output wire               rsp_ready_o,
  input  wire [255:0]       rsp_data_i,
  // Shared memory: up to five words of one warp's CTA, in different banks, taken at once.
  output wire               wr_valid_o,
  output wire [5:0]         wr_warp_o,
  output wire [4:0]         wr_mask_o,
  output wire [5*AddrW-1:0] wr_addr_o,
  output wire [159:0]       wr_data_o,
  // Counters (wf_counters). Their names, in order: mff_sm.ini.
  input  wire               cnt_snapshot_i,
  input  wire               cnt_clear_i,
  input  wire [4:0]         cnt_index_i,
  output wire [63:0]        cnt_value_o,
  // Nothing moves, a flit that the crossbar does not take included: the clock may be withheld until
  // an input is valid or the flit is taken.
  output wire               idle_o
);
  // Values out of range are refused below; here they only must not break the elaboration.
  localparam integer Entries = Commands > 0 ? Commands : 1;
  localparam integer Slices = NSlice > 0 ? NSlice : 1;
  localparam integer EntryW = Entries > 1 ? $clog2(Entries) : 1;
  localparam integer NCount = 12;

  initial begin
    if (Commands < 1 || Commands > 256) $fatal(1, "mff_sm: Commands must be 1..256 (8-bit tag)");
    if (NSlice < 1 || NSlice > 24) $fatal(1, "mff_sm: NSlice must be 1..24");
    if (NumWarp < 1 || NumWarp > 64) $fatal(1, "mff_sm: NumWarp must be 1..64 (6-bit field)");
    if (SharedBytes < 128 || SharedBytes > 1048576 || SharedBytes % 128 != 0)
      $fatal(1, "mff_sm: SharedBytes must be a multiple of 128, 128..2^20");
    if (CounterBits != 0 && (CounterBits < 3 || CounterBits > 64))
      $fatal(1, "mff_sm: CounterBits must be 0 or 3..64");
  end

  wire start, target_we, commit, commit_gather, hold;
  wire [EntryW-1:0] entry, end_entry;
  wire [SliceW-1:0] slice;
  wire [EntryW+2:0] target_row;
  wire [4*AddrW-1:0] target;
  wire [5:0] commit_warp, hold_warp, end_warp;
  wire [10:0] commit_words;
  wire end_valid, end_ready, end_refused;
  wire [2:0] end_count;
  wire [NumWarp-1:0] gathers;
  wire ev_empty, ev_stall, ev_held, ev_words, ev_done, ev_look, ev_bank, ev_over, ev_refused;
  wire issue_idle, reply_idle, join_idle;

  mff_sm_issue #(.SliceW(SliceW), .EntryW(EntryW), .AddrW(AddrW)) u_issue (
    .clk_i(clk_i), .rst_ni(rst_ni), .sm_i(sm_i), .iss_valid_i(iss_valid_i),
    .iss_ready_o(iss_ready_o), .iss_op_i(iss_op_i), .iss_warp_i(iss_warp_i),
    .iss_mask_i(iss_mask_i), .iss_index_i(iss_index_i), .iss_size_i(iss_size_i),
    .iss_target_i(iss_target_i), .start_i(start), .entry_i(entry), .slice_i(slice),
    .target_we_o(target_we), .target_row_o(target_row), .target_o(target),
    .commit_o(commit), .commit_gather_o(commit_gather), .commit_warp_o(commit_warp),
    .commit_words_o(commit_words), .hold_o(hold), .hold_warp_o(hold_warp),
    .cmd_valid_o(cmd_valid_o), .cmd_ready_i(cmd_ready_i), .cmd_data_o(cmd_data_o),
    .cmd_slice_o(cmd_slice_o), .cmd_last_o(cmd_last_o), .ev_empty_o(ev_empty),
    .ev_stall_o(ev_stall), .ev_held_o(ev_held), .idle_o(issue_idle)
  );
  mff_sm_join #(.Commands(Entries), .NSlice(Slices), .NumWarp(NumWarp)) u_join (
    .clk_i(clk_i), .rst_ni(rst_ni), .first_i(first_i), .start_o(start), .entry_o(entry),
    .slice_o(slice), .commit_i(commit),
    .commit_gather_i(commit_gather), .commit_warp_i(commit_warp),
    .commit_words_i(commit_words), .end_valid_i(end_valid), .end_ready_o(end_ready),
    .end_entry_i(end_entry), .end_warp_i(end_warp), .end_count_i(end_count),
    .end_refused_i(end_refused), .gathers_o(gathers), .ev_over_o(ev_over),
    .ev_refused_o(ev_refused), .idle_o(join_idle)
  );
  mff_sm_reply #(.Commands(Entries), .AddrW(AddrW)) u_reply (
    .clk_i(clk_i), .rst_ni(rst_ni), .target_we_i(target_we), .target_row_i(target_row),
    .target_i(target), .rsp_valid_i(rsp_valid_i), .rsp_ready_o(rsp_ready_o),
    .rsp_data_i(rsp_data_i), .wr_valid_o(wr_valid_o),
    .wr_warp_o(wr_warp_o), .wr_mask_o(wr_mask_o), .wr_addr_o(wr_addr_o), .wr_data_o(wr_data_o),
    .end_valid_o(end_valid), .end_ready_i(end_ready), .end_entry_o(end_entry),
    .end_warp_o(end_warp), .end_count_o(end_count), .end_refused_o(end_refused),
    .ev_words_o(ev_words), .ev_done_o(ev_done), .ev_look_o(ev_look), .ev_bank_o(ev_bank),
    .idle_o(reply_idle)
  );

  wire [NumWarp-1:0] held = NumWarp'(hold) << hold_warp;
  assign gathers_o = gathers | held;
  assign idle_o = issue_idle && reply_idle && join_idle;

  generate
    if (CounterBits != 0) begin : g_count
      reg [2:0] words;
      always_comb begin
        words = '0;
        for (int k = 0; k < 5; k = k + 1) words = words + {2'd0, wr_mask_o[k]};
      end
      wire [NCount-1:0] one = {
        1'b0, ev_bank, ev_look, ev_done,
        ev_words, ev_stall, ev_held, cmd_valid_o && cmd_ready_i, ev_refused, ev_over, ev_empty,
        commit
      };
      reg [3*NCount-1:0] inc;
      always_comb begin
        for (int i = 0; i < NCount; i = i + 1) inc[3*i +: 3] = {2'd0, one[i]};
        if (wr_valid_o) inc[33 +: 3] = words;
      end
      reg beyond_q;
      always_ff @(posedge clk_i or negedge rst_ni)
        if (!rst_ni) beyond_q <= 1'b0;
        else beyond_q <= cnt_index_i[4];
      wire [63:0] value;
      wf_counters #(
        .N(NCount), .Width(CounterBits), .IncBits(3), .Wide(12'h800), .NarrowBits(1)
      ) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i[3:0]), .value_o(value)
      );
      assign cnt_value_o = beyond_q ? '0 : value;
    end else begin : g_no_count
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, ev_empty, ev_stall, ev_held,
                      ev_words, ev_done, ev_look, ev_bank, ev_over, ev_refused};
      assign cnt_value_o = '0;
    end
  endgenerate

  `WF_ASSUME(rule1, !rsp_valid_i || rsp_data_i[239:232] == sm_i, "Rule 1: replies are for this SM")
  `WF_ASSERT(rule2, !idle_o || !wr_valid_o, "Rule 2: at rest no word is written")
endmodule
`default_nettype wire
