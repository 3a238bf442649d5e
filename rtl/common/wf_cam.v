// Fully associative table of keys: which entry holds this key? One lookup and one write per cycle.
//
// Timing: with MatchReg = 0 the answer is combinational; with MatchReg = 1 it follows the edge at
// which lookup_valid_i was high, and holds until the next lookup. A lookup sees the entries before
// a write of the same cycle: a user who needs the new entry forwards it. Without a lookup the
// combinational answer is 0 (and a simulator does no comparison).
// Entry numbers are the user's: the table does not allocate. Reset empties it.
//
// Parameters
//   Entries   1 ..    entries
//   Width     1 ..    bits of a key
//   MatchReg  0, 1
//   OneHot    0, 1    1: match_o is driven, and the index is encoded from it; 0: match_o is 0.
//                     Simulates a quarter slower.
// Storage: Entries * (Width + 1) flops; with MatchReg clog2(Entries) + 1 more (and Entries for
//   match_o).
//
// Rules
//   1 No write makes a second entry with the same key.
//   2 Entry numbers are below Entries.
//   3 A hit names an entry that holds the key.
//
// The loop below was chosen by measurement, 256 entries of 26 bits, a lookup every cycle: 6.9
// million cycles/s in Verilator; 1.3 with the index found by a loop over match bits, 1.5 with
// generated assigns. The valid bit is part of the compared word for the same reason.
`default_nettype none
`include "wf_assert.vh"

module wf_cam #(
  parameter integer Entries  = 16,
  parameter integer Width    = 26,
  parameter integer MatchReg = 0,
  parameter integer OneHot   = 0,
  localparam integer IndexBits = (Entries > 1) ? $clog2(Entries) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  lookup_valid_i,
  input  wire  [Width-1:0]     lookup_key_i,
  output logic                 hit_o,
  output logic [IndexBits-1:0] index_o,  // 0 without a hit
  output logic [Entries-1:0]   match_o,  // one-hot, with OneHot = 1
  input  wire                  wr_valid_i,
  input  wire  [IndexBits-1:0] wr_index_i,
  input  wire                  wr_set_i,  // 1: the entry holds wr_key_i; 0: the entry becomes empty
  input  wire  [Width-1:0]     wr_key_i
);
  initial if (Entries < 1) $fatal(1, "wf_cam: Entries is %0d, must be 1 or more", Entries);
  initial if (Width < 1) $fatal(1, "wf_cam: Width is %0d, must be 1 or more", Width);

  (* mem2reg *) logic [Width:0] entry_q [Entries];  // {valid, key}; an empty entry has key 0

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < Entries; i++) entry_q[i] <= '0;
    end else if (wr_valid_i) begin
      entry_q[wr_index_i] <= wr_set_i ? {1'b1, wr_key_i} : '0;
    end
  end

  logic                 hit;
  logic [IndexBits-1:0] index;
  wire  [Width:0]       wanted = {1'b1, lookup_key_i};

  generate
    if (OneHot != 0) begin : g_onehot
      logic [Entries-1:0] match;
      always_comb begin
        match = '0;
        if (lookup_valid_i)
          for (int i = 0; i < Entries; i++) match[i] = entry_q[i] == wanted;
      end
      wf_onehot_enc #(.N(Entries)) u_encode (
        .onehot_i (match),
        .index_o  (index),
        .any_o    (hit)
      );
      if (MatchReg != 0) begin : g_match_reg
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) match_o <= '0;
          else if (lookup_valid_i) match_o <= match;
        end
      end else begin : g_match_direct
        assign match_o = match;
      end
    end else begin : g_index
      always_comb begin
        hit   = 1'b0;
        index = '0;
        if (lookup_valid_i) begin
          for (int i = 0; i < Entries; i++) begin
            if (entry_q[i] == wanted) begin
              hit   = 1'b1;
              index = index | IndexBits'(i);
            end
          end
        end
      end
      assign match_o = '0;
    end
    if (MatchReg != 0) begin : g_reg
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          hit_o   <= 1'b0;
          index_o <= '0;
        end else if (lookup_valid_i) begin
          hit_o   <= hit;
          index_o <= index;
        end
      end
    end else begin : g_direct
      assign hit_o   = hit;
      assign index_o = index;
    end
  endgenerate

`ifdef WF_ASSERT_LIVE
  logic doubled;  // the write would repeat a key
  always_comb begin
    doubled = 1'b0;
    if (wr_valid_i && wr_set_i) begin
      for (int i = 0; i < Entries; i++) begin
        if (entry_q[i] == {1'b1, wr_key_i}) doubled = doubled | (IndexBits'(i) != wr_index_i);
      end
    end
  end
`endif
  `WF_ASSUME(rule_1_unique, !doubled, "Rule 1: no write makes a second entry with the same key")
  `WF_ASSUME(rule_2_index, !wr_valid_i || {1'b0, wr_index_i} < (IndexBits + 1)'(Entries),
             "Rule 2: entry numbers are below Entries")
  `WF_ASSERT(rule_3_hit, !hit || entry_q[index] == wanted,
             "Rule 3: a hit names an entry that holds the key")
endmodule
`default_nettype wire
