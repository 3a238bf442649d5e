// Neighbour-aware prediction: by the PC of a miss, how often each neighbour of the sector that
// missed first was touched as well, at distances -3 to 3.
//
// A table by PC, direct-mapped: a tag, and six counters that begin at START. When a line goes whose
// miss had the entry, the counter of each other sector's distance goes up if the sector was
// touched, else down. A miss fetches, besides, the sectors whose counters stand above Above. A
// miss of another PC takes the entry; a line that goes after that teaches nothing, which a number
// of 2 bits tells, kept in the entry and with the line: after four takers it errs.
//
// Timing: look_i with a PC; an edge later, with miss_i, more_o and the line's mark_o are there.
// With gone_i comes a line that goes; it has taught three edges after the request that replaced it.
//
// Storage: RAM: Entries * (PcBits - log2(Entries)) of tags, 2 * Entries * 24 of counters (the same
// twice: one look-up and one lesson a cycle); flops: 4 an entry.
//
// Rules
//   6 Counters move by one, and not past their ends.
//   7 An entry that a miss has taken guesses nothing until a line has taught it.
`default_nettype none
`include "wf_assert.vh"

module gran_nap #(
  parameter integer PcBits = 16,
  parameter integer Entries = 32,  // 2^k, 2..256
  parameter integer Above = 7,     // 0..15
  localparam integer IdW = $clog2(Entries),
  localparam integer MarkBits = 4 + IdW
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
  output wire [3:0]          events_o,  // turned (never), taught, taken, known
  output wire                busy_o
);
  localparam integer TagW = PcBits - IdW;
  localparam integer RowW = 24;
  localparam [3:0] START = 4'd7;

  initial begin
    if (Entries < 2 || Entries > 256 || (Entries & (Entries - 1)) != 0 || IdW >= PcBits)
      $fatal(1, "gran: NapEntries is %0d, must be a power of two, 2 to 256, below 2^PcBits",
             Entries);
    if (Above < 0 || Above > 15) $fatal(1, "gran: NapAbove is %0d, must be 0 to 15", Above);
  end

  wire [IdW-1:0] id = pc_i[IdW-1:0];
  reg [IdW-1:0] id_q;
  reg [TagW-1:0] tag_q;
  reg [1:0] first_q;
  always_ff @(posedge clk_i) if (look_i) begin
    id_q <= id;
    tag_q <= pc_i[PcBits-1:IdW];
    first_q <= first_i;
  end

  // By entry: somebody has it; a line has taught it since; how many have had it.
  reg [Entries-1:0] valid_q, taught_q;
  reg [Entries*2-1:0] number_q;

  // S1: the look-up.
  reg fresh_tag_q;      // the entry was taken at the edge at which it was read
  reg [TagW-1:0] last_tag_q;
  reg taught_here_q;    // as of when the counters were read
  wire [TagW-1:0] tag_read;
  wire [RowW-1:0] look_row, teach_row;
  wire known = valid_q[id_q] && (fresh_tag_q ? last_tag_q : tag_read) == tag_q;
  wire take = miss_i && !known;
  wire [1:0] number = number_q[id_q*2 +: 2] + 2'(take);
  assign mark_o = {number, id_q, first_q};

  // Counter k is that of distance k - 3, without 0.
  function automatic [3:0] guess_of(input [RowW-1:0] row, input [1:0] first);
    guess_of = '0;
    for (int s = 0; s < 4; s = s + 1)
      for (int f = 0; f < 4; f = f + 1)
        if (s != f && first == 2'(f))
          guess_of[s] = row[(s > f ? s - f + 2 : s - f + 3)*4 +: 4] > 4'(Above);
  endfunction
  assign more_o = known && taught_here_q ? guess_of(look_row, first_q) : 4'd0;

  // S2: a line that is gone teaches the entry that its miss had.
  reg gone_q;
  reg [3:0] touched_q;
  reg [1:0] gone_first_q, gone_number_q;
  reg [IdW-1:0] gone_id_q;
  reg fresh_row_q;
  reg [RowW-1:0] last_row_q;
  wire [IdW-1:0] gone_id = gone_mark_i[2 +: IdW];
  wire teach = gone_q && valid_q[gone_id_q] && number_q[gone_id_q*2 +: 2] == gone_number_q;
  wire [RowW-1:0] old_row = !taught_q[gone_id_q] ? {6{START}} : fresh_row_q ? last_row_q
                                                                           : teach_row;
  reg [RowW-1:0] new_row;
  always_comb begin
    new_row = old_row;
    for (int s = 0; s < 4; s = s + 1)
      for (int f = 0; f < 4; f = f + 1)
        if (s != f && gone_first_q == 2'(f)) begin
          if (touched_q[s] && old_row[(s > f ? s - f + 2 : s - f + 3)*4 +: 4] != 4'd15)
            new_row[(s > f ? s - f + 2 : s - f + 3)*4 +: 4] =
              old_row[(s > f ? s - f + 2 : s - f + 3)*4 +: 4] + 4'd1;
          else if (!touched_q[s] && old_row[(s > f ? s - f + 2 : s - f + 3)*4 +: 4] != 4'd0)
            new_row[(s > f ? s - f + 2 : s - f + 3)*4 +: 4] =
              old_row[(s > f ? s - f + 2 : s - f + 3)*4 +: 4] - 4'd1;
        end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      taught_q <= '0;
      number_q <= '0;
      gone_q <= 1'b0;
    end else begin
      gone_q <= gone_i;
      if (teach) taught_q[gone_id_q] <= 1'b1;
      if (take) begin
        valid_q[id_q] <= 1'b1;
        taught_q[id_q] <= 1'b0;
        number_q[id_q*2 +: 2] <= number;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (gone_i) begin
      touched_q <= gone_touched_i;
      gone_first_q <= gone_mark_i[1:0];
      gone_id_q <= gone_id;
      gone_number_q <= gone_mark_i[2+IdW +: 2];
      fresh_row_q <= teach && gone_id_q == gone_id;
      last_row_q <= new_row;
    end
    if (look_i) begin
      fresh_tag_q <= take && id_q == id;
      last_tag_q <= tag_q;
      taught_here_q <= taught_q[id] && !(take && id_q == id);
    end
  end

  wf_ram_1r1w #(.Width(TagW), .Depth(Entries)) u_tags (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(take), .wr_mask_i(1'b1), .wr_addr_i(id_q),
    .wr_data_i(tag_q), .rd_en_i(look_i), .rd_addr_i(id), .rd_data_o(tag_read)
  );
  wf_ram_1r1w #(.Width(RowW), .Depth(Entries)) u_look (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(teach), .wr_mask_i(1'b1), .wr_addr_i(gone_id_q),
    .wr_data_i(new_row), .rd_en_i(look_i), .rd_addr_i(id), .rd_data_o(look_row)
  );
  wf_ram_1r1w #(.Width(RowW), .Depth(Entries)) u_teach (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(teach), .wr_mask_i(1'b1), .wr_addr_i(gone_id_q),
    .wr_data_i(new_row), .rd_en_i(gone_i), .rd_addr_i(gone_id), .rd_data_o(teach_row)
  );
  assign events_o = {1'b0, teach, take, miss_i && known};
  assign busy_o = gone_q;

`ifdef WF_ASSERT_LIVE
  // coverage: what the assertions compare with
  reg [RowW-1:0] was_q, is_q;
  reg was_taught_q, was_taken_q;
  reg [IdW-1:0] taken_id_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      was_taught_q <= 1'b0;
      was_taken_q <= 1'b0;
    end else begin
      if (gone_q) was_taught_q <= teach;
      was_taken_q <= take;
    end
  end
  always_ff @(posedge clk_i) begin
    if (teach) was_q <= old_row;
    if (teach) is_q <= new_row;
    if (take) taken_id_q <= id_q;
  end
  function automatic by_one(input [RowW-1:0] was, input [RowW-1:0] is);
    by_one = 1'b1;
    for (int k = 0; k < 6; k = k + 1)
      by_one = by_one && 5'(is[k*4 +: 4]) <= 5'(was[k*4 +: 4]) + 5'd1
               && 5'(was[k*4 +: 4]) <= 5'(is[k*4 +: 4]) + 5'd1;
  endfunction
`endif
  `WF_ASSERT(rule_6_by_one, !was_taught_q || by_one(was_q, is_q),
             "Rule 6: counters move by one, and not past their ends")
  `WF_ASSERT(rule_7_untaught, !(was_taken_q && miss_i && id_q == taken_id_q) || more_o == '0,
             "Rule 7: an entry that was taken guesses nothing until it is taught")
endmodule
`default_nettype wire
