// mff_sm_issue: takes a warp's instruction, four lanes a cycle, and packs its command into flits.
//
// The operands come from the SM's operand collector in eight beats, lane 4 b + k at place k of beat
// b. Lanes that ask for nothing are left out: those that remain move up, six to a row. Rows wait in
// a RAM until the header, which names lanes and rows, is known; then header and rows leave, a flit
// a cycle. An instruction of which nothing remains ends here. The next one may come while the rows
// of the last leave; their queue has room for both.
//
// Who waits for whom: the first beat for a free entry, a credit (start_i) and room for six rows;
// the others for nobody. The commit for the rows before it. Flits wait for the crossbar only, and
// from the second edge of that on nothing moves here until one is taken or a beat comes (idle_o).
// Storage, RAM: 12 x 228 (with fewer Beats two rows for each six lanes).
//
// Rules
//   1 A row that is complete has room.
//   2 An offered beat holds until it is taken.
//   3 An offered flit holds until it is taken.
//   4 Rows that leave are counted.
`default_nettype none
`include "wf_assert.vh"

module mff_sm_issue #(
  parameter integer SliceW = 3,
  parameter integer EntryW = 5,
  parameter integer AddrW = 14,  // bits of a word's address in shared memory
  parameter integer Beats = 8    // of an instruction, 2..8: a warp has 4 x Beats lanes
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire [7:0]          sm_i,
  input  wire                iss_valid_i,
  output wire                iss_ready_o,
  input  wire                iss_op_i,         // 0 gather, 1 scatter_set
  input  wire [5:0]          iss_warp_i,
  input  wire [3:0]          iss_mask_i,       // lanes that are active
  input  wire [127:0]        iss_index_i,
  input  wire [23:0]         iss_size_i,
  input  wire [4*AddrW-1:0]  iss_target_i,
  // the entry and the slice of the next command
  input  wire                start_i,
  input  wire [EntryW-1:0]   entry_i,
  input  wire [SliceW-1:0]   slice_i,
  // targets of four lanes
  output wire                target_we_o,
  output wire [EntryW+2:0]   target_row_o,     // {entry, beat}
  output wire [4*AddrW-1:0]  target_o,
  // the command becomes outstanding
  output wire                commit_o,
  output wire                commit_gather_o,
  output wire [5:0]          commit_warp_o,
  output wire [10:0]         commit_words_o,
  // a gather is on its way to being outstanding
  output wire                hold_o,
  output wire [5:0]          hold_warp_o,
  // flits, to the slice
  output wire                cmd_valid_o,
  input  wire                cmd_ready_i,
  output wire [255:0]        cmd_data_o,
  output wire [SliceW-1:0]   cmd_slice_o,
  output wire                cmd_last_o,
  output wire                ev_empty_o,       // an instruction of which nothing remained
  output wire                ev_stall_o,       // a beat waits
  output wire                ev_held_o,        // a flit was not taken when it was offered
  output wire                idle_o
);
  localparam [2:0] IDLE = 3'd0, LANES = 3'd1, FLUSH = 3'd2, COMMIT = 3'd3, HEAD = 3'd4;
  localparam integer LaneW = 38;
  localparam integer RowW = 6 * LaneW;
  localparam integer Rows = (4 * Beats + 5) / 6;  // of a command
  localparam integer FillW = $clog2(2 * Rows + 1);

  reg [2:0] state_q;
  reg op_q;
  reg [5:0] warp_q;
  reg [2:0] beat_q;                       // beats taken
  reg [4*Beats-1:0] mask_q;               // lanes that remain
  reg [10:0] words_q;
  reg [2:0] rows_q, left_q;               // rows of this command; of the last that are still here
  reg rows_here_q;                          // there are such
  reg held_q;                             // the flit that is offered was not taken
  reg [EntryW-1:0] entry_q;
  reg [SliceW-1:0] slice_q;

  // A beat, taken.
  reg in_q;
  reg [2:0] in_beat_q;
  reg [3:0] have_q;
  reg [127:0] index_q;
  reg [23:0] size_q;
  reg [4*AddrW-1:0] target_q;

  wire [FillW-1:0] row_fill;
  wire room = row_fill <= FillW'(Rows);
  assign iss_ready_o = state_q == LANES || (state_q == IDLE && start_i && room);
  wire take = iss_valid_i && iss_ready_o;
  reg [3:0] have;
  always_comb for (int k = 0; k < 4; k = k + 1)
    have[k] = iss_mask_i[k] && iss_size_i[6*k +: 6] != '0;

  // Places of the lanes: the row in work has fill_q of them already.
  reg [2:0] fill_q;
  reg [15:0] at;
  reg [3:0] fill;
  always_comb begin
    fill = {1'b0, fill_q};
    for (int k = 0; k < 4; k = k + 1) begin
      at[4*k +: 4] = fill;
      fill = fill + {3'd0, have_q[k]};
    end
  end
  wire full = fill >= 4'd6;
  wire flush = state_q == FLUSH && !in_q && fill_q != '0;
  wire push = (in_q && full) || flush;

  reg [RowW-1:0] row_q;
  wire [RowW-1:0] row;
  wire [5:0] now, next;
  generate
    for (genvar s = 0; s < 6; s = s + 1) begin : g_slot
      localparam integer SlotI = s;
      reg here, later;
      reg [LaneW-1:0] lane;
      always_comb begin
        here = 1'b0;
        later = 1'b0;
        lane = '0;
        for (int k = 0; k < 4; k = k + 1) begin
          if (have_q[k] && at[4*k +: 4] == 4'(SlotI)) here = 1'b1;
          if (have_q[k] && at[4*k +: 4] == 4'(SlotI + 6)) later = 1'b1;
          if (have_q[k] && (at[4*k +: 4] == 4'(SlotI) || at[4*k +: 4] == 4'(SlotI + 6)))
            lane = lane | {size_q[6*k +: 6], index_q[32*k +: 32]};
        end
      end
      assign now[s] = in_q && here;
      assign next[s] = in_q && later;
      assign row[s*LaneW +: LaneW] = now[s] ? lane : row_q[s*LaneW +: LaneW];
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) row_q[s*LaneW +: LaneW] <= '0;
        else if (next[s] || (now[s] && !push)) row_q[s*LaneW +: LaneW] <= lane;
        else if (push) row_q[s*LaneW +: LaneW] <= '0;
      end
    end
  endgenerate

  wire row_ready, out_valid;
  wire [RowW-1:0] out_row;
  wire out = cmd_valid_o && cmd_ready_i;
  wf_fifo #(.Width(RowW), .Depth(2 * Rows), .Ram(1)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(push), .in_ready_o(row_ready), .in_data_i(row),
    .out_valid_o(out_valid), .out_ready_i(rows_here_q && cmd_ready_i), .out_data_o(out_row),
    .count_o(row_fill)
  );

  reg [7:0] words;
  always_comb begin
    words = '0;
    for (int k = 0; k < 4; k = k + 1) if (have_q[k]) words = words + {2'd0, size_q[6*k +: 6]};
  end

  wire some = mask_q != '0;
  assign commit_o = state_q == COMMIT && !rows_here_q;
  assign commit_gather_o = !op_q;
  assign commit_warp_o = warp_q;
  assign commit_words_o = op_q ? 11'd0 : words_q;
  assign hold_o = state_q != IDLE && !op_q;
  assign hold_warp_o = warp_q;
  wire head_taken = state_q == HEAD && out;

  assign target_we_o = in_q;
  assign target_row_o = {entry_i, in_beat_q};
  assign target_o = target_q;

  wire [7:0] tag = 8'(entry_q);
  wire [255:0] head = {160'd0, 29'd0, rows_q, 32'(mask_q), tag, 2'd0, warp_q, sm_i, 7'd0,
                       op_q};
  reg [255:0] lanes;
  always_comb begin
    lanes = '0;
    for (int k = 0; k < 6; k = k + 1) begin
      lanes[32*k +: 32] = out_row[LaneW*k +: 32];
      lanes[192 + 6*k +: 6] = out_row[LaneW*k + 32 +: 6];
    end
  end
  assign cmd_valid_o = rows_here_q ? out_valid : state_q == HEAD;
  assign cmd_data_o = rows_here_q ? lanes : head;
  assign cmd_slice_o = slice_q;
  assign cmd_last_o = left_q == 3'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      beat_q <= '0;
      in_q <= 1'b0;
      fill_q <= '0;
      rows_q <= '0;
      left_q <= '0;
      rows_here_q <= 1'b0;
      held_q <= 1'b0;
      mask_q <= '0;
      words_q <= '0;
    end else begin
      held_q <= cmd_valid_o && !cmd_ready_i;
      in_q <= take;
      if (take) beat_q <= beat_q == 3'(Beats - 1) ? '0 : beat_q + 3'd1;
      case (state_q)
        IDLE: if (take) begin
          state_q <= LANES;
          rows_q <= '0;
          mask_q <= '0;
          words_q <= '0;
        end
        LANES: if (take && beat_q == 3'(Beats - 1)) state_q <= FLUSH;
        FLUSH: if (!in_q) state_q <= some ? COMMIT : IDLE;
        COMMIT: if (commit_o) state_q <= HEAD;
        default: if (head_taken) state_q <= IDLE;
      endcase
      if (in_q) begin
        mask_q <= {have_q, mask_q[4*Beats-1:4]};
        words_q <= words_q + {3'd0, words};
        fill_q <= full ? 3'(fill - 4'd6) : fill[2:0];
      end else if (flush) begin
        fill_q <= '0;
      end
      if (push) rows_q <= rows_q + 3'd1;
      if (head_taken) left_q <= rows_q;
      else if (out && rows_here_q) left_q <= left_q - 3'd1;
      if (head_taken) rows_here_q <= 1'b1;
      else if (out && cmd_last_o) rows_here_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      in_beat_q <= beat_q;
      have_q <= have;
      index_q <= iss_index_i;
      size_q <= iss_size_i;
      target_q <= iss_target_i;
    end
    if (take && state_q == IDLE) begin
      op_q <= iss_op_i;
      warp_q <= iss_warp_i;
    end
    if (commit_o) begin
      entry_q <= entry_i;
      slice_q <= slice_i;
    end
  end

  assign ev_empty_o = state_q == FLUSH && !in_q && !some;
  assign ev_stall_o = iss_valid_i && !iss_ready_o;
  assign ev_held_o = cmd_valid_o && !cmd_ready_i && !held_q;
  assign idle_o = state_q != LANES && state_q != FLUSH && (held_q || row_fill == '0);

  `WF_ASSERT(rule1, !push || row_ready, "Rule 1: a row that is complete has room")
  `WF_ASSUME_STABLE(rule2, iss_valid_i, iss_ready_o,
                    {iss_op_i, iss_warp_i, iss_mask_i, iss_index_i, iss_size_i, iss_target_i},
                    163 + 4 * AddrW, "Rule 2: an offered beat holds until it is taken")
  `WF_ASSERT_STABLE(rule3, cmd_valid_o, cmd_ready_i, {cmd_data_o, cmd_slice_o, cmd_last_o},
                    257 + SliceW, "Rule 3: an offered flit holds until it is taken")
  `WF_ASSERT(rule4, rows_here_q == (left_q != '0), "Rule 4: rows that leave are counted")
endmodule
`default_nettype wire
