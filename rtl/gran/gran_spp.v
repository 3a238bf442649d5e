// Spatial pattern prediction: by the PC of a miss and the sector that missed first, which sectors
// of the line were touched last time.
//
// A table in sets: by the low bits of the PC, with the sector in two of them, the rest of the PC
// and the sector as a tag. A miss that finds its entry fetches, besides, the pattern that is there;
// one that does not takes the least recently used. When a line goes, its touched mask becomes the
// pattern of the entry that its miss had, and the entry of a line's time is told from a later one
// by a number of 2 bits, which is kept in the entry, in the pattern, and with the line: after four
// takers it errs.
//
// Timing: look_i with a PC and a sector; an edge later, with miss_i, more_o and mark_o are there.
// With gone_i comes a line that goes; its pattern is there for look-ups of later edges.
//
// Storage: RAM: sets * (Ways * (PcBits - log2(sets) + 4 + log2(Ways)) + 1) of tags, numbers and
// ages, Entries * 6 of patterns; flops: 2 a set, and a row of tags.
//
// Rules
//   8 A key is in a set once.
//   9 The ages of a set's entries are distinct.
`default_nettype none
`include "wf_assert.vh"

module gran_spp #(
  parameter integer PcBits = 16,
  parameter integer Entries = 256,
  parameter integer Ways = 8,  // 2^k, 2..16
  localparam integer EntryW = $clog2(Entries),
  localparam integer MarkBits = 2 + EntryW
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                look_i,
  input  wire [PcBits-1:0]   pc_i,
  input  wire [1:0]          first_i,
  input  wire                miss_i,
  output wire [3:0]          more_o,
  output wire [MarkBits-1:0] mark_o,
  input  wire                gone_i,
  input  wire [3:0]          gone_touched_i,
  input  wire [MarkBits-1:0] gone_mark_i,
  output wire [3:0]          events_o  // turned (never), taught, taken, known
);
  localparam integer Sets = Entries / Ways;
  localparam integer SetW = Sets > 1 ? $clog2(Sets) : 1;
  localparam integer WayW = $clog2(Ways);
  localparam integer KeyW = PcBits - SetW + 2;
  localparam integer EntW = KeyW + 2 + WayW + 1;  // {valid, age, number, key}
  localparam integer RowW = Ways * EntW;

  initial begin
    if (Ways < 2 || Ways > 16 || (Ways & (Ways - 1)) != 0)
      $fatal(1, "gran: SppWays is %0d, must be a power of two, 2 to 16", Ways);
    if (Entries % Ways != 0 || Sets < 4 || Sets > 256 || (Sets & (Sets - 1)) != 0
        || SetW >= PcBits)
      $fatal(1, "gran: SppEntries is %0d, must be SppWays times a power of two, 4 to 256", Entries);
  end

  wire [SetW-1:0] set = pc_i[SetW-1:0] ^ SetW'(first_i);
  reg [SetW-1:0] set_q;
  reg [KeyW-1:0] key_q;
  always_ff @(posedge clk_i) if (look_i) begin
    set_q <= set;
    key_q <= {first_i, pc_i[PcBits-1:SetW]};
  end

  // S1. A set that nothing was written to has no entries, of ages by their numbers.
  reg [Sets-1:0] used_q, taught_q;
  reg fresh_q, taught_here_q;
  reg [RowW-1:0] last_q;
  wire [RowW-1:0] row_read;
  wire [RowW-1:0] none;
  generate
    for (genvar w = 0; w < Ways; w = w + 1) begin : g_none
      assign none[w*EntW +: EntW] = {1'b0, WayW'(w), {(KeyW + 2){1'b0}}};
    end
  endgenerate
  wire [RowW-1:0] row = fresh_q ? last_q : used_q[set_q] ? row_read : none;

  reg [Ways-1:0] is_key, is_oldest;
  always_comb begin
    for (int w = 0; w < Ways; w = w + 1) begin
      is_key[w] = row[w*EntW + EntW - 1] && row[w*EntW +: KeyW] == key_q;
      is_oldest[w] = row[w*EntW + KeyW + 2 +: WayW] == '1;
    end
  end
  wire known = is_key != '0;
  wire [Ways-1:0] use_way = known ? is_key : is_oldest;
  reg [WayW-1:0] way, age;
  reg [1:0] number_old;
  always_comb begin
    way = '0;
    age = '0;
    number_old = '0;
    for (int w = 0; w < Ways; w = w + 1)
      if (use_way[w]) begin
        way = way | WayW'(w);
        age = age | row[w*EntW + KeyW + 2 +: WayW];
        number_old = number_old | row[w*EntW + KeyW +: 2];
      end
  end
  wire [1:0] number = number_old + 2'(!known);
  assign mark_o = {number, EntryW'({set_q, way})};

  reg [RowW-1:0] new_row;
  always_comb begin
    new_row = row;
    for (int w = 0; w < Ways; w = w + 1)
      if (use_way[w]) new_row[w*EntW +: EntW] = {1'b1, WayW'(0), number, key_q};
      else if (row[w*EntW + KeyW + 2 +: WayW] < age)
        new_row[w*EntW + KeyW + 2 +: WayW] = row[w*EntW + KeyW + 2 +: WayW] + 1'b1;
  end

  // A pattern counts if it is of the entry's number.
  wire [Ways*6-1:0] patterns;
  reg [3:0] pattern;
  always_comb begin
    pattern = '0;
    for (int w = 0; w < Ways; w = w + 1)
      if (is_key[w] && patterns[w*6 + 4 +: 2] == row[w*EntW + KeyW +: 2])
        pattern = pattern | patterns[w*6 +: 4];
  end
  assign more_o = taught_here_q ? pattern : 4'd0;

  // A line that is gone: the first of a set writes all of its patterns.
  wire [WayW-1:0] gone_way = gone_mark_i[0 +: WayW];
  wire [SetW-1:0] gone_set = gone_mark_i[WayW +: SetW];
  wire [5:0] gone_pattern = {gone_mark_i[EntryW +: 2], gone_touched_i};
  reg [Ways*6-1:0] new_patterns;
  reg [Ways-1:0] pattern_mask;
  always_comb begin
    new_patterns = '0;
    pattern_mask = taught_q[gone_set] ? '0 : '1;
    for (int w = 0; w < Ways; w = w + 1)
      if (gone_way == WayW'(w)) begin
        new_patterns[w*6 +: 6] = gone_pattern;
        pattern_mask[w] = 1'b1;
      end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      used_q <= '0;
      taught_q <= '0;
    end else begin
      if (miss_i) used_q[set_q] <= 1'b1;
      if (gone_i) taught_q[gone_set] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) if (look_i) begin
    fresh_q <= miss_i && set_q == set;
    last_q <= new_row;
    taught_here_q <= taught_q[set];
  end
  wf_ram_1r1w #(.Width(RowW), .Depth(Sets)) u_tags (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(miss_i), .wr_mask_i(1'b1), .wr_addr_i(set_q),
    .wr_data_i(new_row), .rd_en_i(look_i), .rd_addr_i(set), .rd_data_o(row_read)
  );
  wf_ram_1r1w #(.Width(Ways * 6), .Depth(Sets), .PartBits(6)) u_patterns (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(gone_i), .wr_mask_i(pattern_mask),
    .wr_addr_i(gone_set), .wr_data_i(new_patterns), .rd_en_i(look_i), .rd_addr_i(set),
    .rd_data_o(patterns)
  );
  assign events_o = {1'b0, gone_i, miss_i && !known, miss_i && known};

`ifdef WF_ASSERT_LIVE
  // coverage: what the assertions compare with
  function automatic distinct(input [RowW-1:0] of, input by_key);
    distinct = 1'b1;
    for (int w = 0; w < Ways; w = w + 1)
      for (int v = 0; v < w; v = v + 1)
        if (by_key ? of[w*EntW + EntW - 1] && of[v*EntW + EntW - 1]
                       && of[w*EntW +: KeyW] == of[v*EntW +: KeyW]
                     : of[w*EntW + KeyW + 2 +: WayW] == of[v*EntW + KeyW + 2 +: WayW])
          distinct = 1'b0;
  endfunction
`endif
  `WF_ASSERT(rule_8_once, !miss_i || distinct(row, 1'b1), "Rule 8: a key is in a set once")
  `WF_ASSERT(rule_9_ages, !miss_i || distinct(row, 1'b0),
             "Rule 9: the ages of a set's entries are distinct")
endmodule
`default_nettype wire
