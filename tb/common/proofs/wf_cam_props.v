// wf_cam: whoever keeps keys unique finds a key exactly while it was written and not removed, at
// its entry.
`default_nettype none
`include "wf_assert.vh"
module wf_cam_props #(
  parameter integer Entries = 3,
  parameter integer Width = 3,
  parameter integer MatchReg = 0,
  parameter integer OneHot = 0,
  localparam integer IndexBits = (Entries > 1) ? $clog2(Entries) : 1
) (
  input wire clk_i, input wire lookup, input wire [Width-1:0] lookup_key, input wire wr,
  input wire [IndexBits-1:0] wr_index, input wire wr_set, input wire [Width-1:0] wr_key
);
`include "formal.vh"
  wire hit;
  wire [IndexBits-1:0] index;
  wire [Entries-1:0] match;
  wf_cam #(.Entries(Entries), .Width(Width), .MatchReg(MatchReg), .OneHot(OneHot)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .lookup_valid_i(lookup), .lookup_key_i(lookup_key), .hit_o(hit),
    .index_o(index), .match_o(match), .wr_valid_i(wr), .wr_index_i(wr_index), .wr_set_i(wr_set),
    .wr_key_i(wr_key)
  );
  (* anyconst *) wire [Width-1:0] key;  // any one key
  reg in_q;
  reg [IndexBits-1:0] at_q;
  initial in_q = 1'b0;
  always @(posedge clk_i) if (rst_ni && wr) begin
    if (wr_set && wr_key == key) in_q <= 1'b1;
    else if (in_q && wr_index == at_q) in_q <= 1'b0;
    if (wr_set && wr_key == key) at_q <= wr_index;
  end
  reg asked_q, was_in_q;
  reg [IndexBits-1:0] was_at_q;
  initial asked_q = 1'b0;
  always @(posedge clk_i) if (!rst_ni) asked_q <= 1'b0;
    else if (lookup) begin
      asked_q <= lookup_key == key;
      was_in_q <= in_q;
      was_at_q <= at_q;
    end
  wire ask = MatchReg != 0 ? asked_q : lookup && lookup_key == key;
  wire has = MatchReg != 0 ? was_in_q : in_q;
  wire [IndexBits-1:0] at = MatchReg != 0 ? was_at_q : at_q;
  `WF_ASSERT(hit_right, !ask || hit == has, "a key hits exactly while it is in the table")
  `WF_ASSERT(index_right, !ask || !has || index == at, "a hit names the key's entry")
  `WF_ASSERT(match_right,
             OneHot == 0 || !ask || match == (has ? ({{(Entries-1){1'b0}}, 1'b1} << at) : '0),
             "the match vector is the entry's")
  `WF_COVER(hits, ask && has && at != '0)
  `WF_COVER(misses_after, ask && !has && at_q != '0)
  `WF_QUIET(!lookup && !wr)
endmodule
`default_nettype wire
