// region_pcs: the rows of loads of region_core: which PCs' lines are hit in the L1.
//
// A request (acc_i) counts in its PC's row; a hit in the row of the load that brought the line,
// whose number is kept beside the L1's tags. A PC without a row takes a free one; if there is none
// it is counted by its hash. start_i: a period has ended: a row a cycle is halved where no request
// is. After the last, the greatest of the hashes' counts, if it exceeds the least row's requests,
// offers this row to the next PC of the hash.
// The row of set_i is read with acc_valid_i, acc_set_i one cycle before acc_i.
//
// Parameters: as region_core's. Rules: 4 and 5 there.
`default_nettype none
`include "wf_assert.vh"

module region_pcs #(
  parameter integer Sets = 64,
  parameter integer Ways = 6,
  parameter integer PcBits = 16,
  parameter integer PcRows = 15,
  parameter integer Hashes = 16,
  parameter integer Bits = 16,
  parameter integer Share = 6,
  localparam integer SetW = $clog2(Sets),
  localparam integer WayW = Ways > 1 ? $clog2(Ways) : 1
) (
  input  wire              clk_i,
  input  wire              rst_ni,
  input  wire              clear_i,
  input  wire              start_i,
  input  wire              acc_valid_i,
  input  wire [SetW-1:0]   acc_set_i,
  input  wire              acc_i,
  input  wire [PcBits-1:0] pc_i,
  input  wire [SetW-1:0]   set_i,
  input  wire [WayW-1:0]   way_i,
  input  wire              hit_i,
  input  wire              enters_i,  // the line takes the way
  output wire              known_o,   // the PC's row is trained
  output wire              reuse_o,
  output wire              lost_o,    // it has none
  output wire              swaps_o,   // it takes the row that was offered
  output wire              sweeps_o,
  output wire              busy_o
);
  localparam integer RowW = $clog2(PcRows);
  localparam integer OwnerW = $clog2(PcRows + 1);
  localparam [OwnerW-1:0] NOBODY = OwnerW'(PcRows);
  localparam integer HashW = $clog2(Hashes);
  localparam integer Steps = PcRows > Hashes ? PcRows : Hashes;
  localparam integer StepW = $clog2(Steps);

  function automatic [HashW-1:0] hash_of(input [PcBits-1:0] pc);
    hash_of = '0;
    for (int i = 0; i < PcBits; i = i + 1) hash_of[i % HashW] = hash_of[i % HashW] ^ pc[i];
  endfunction

  // ---- which row ----
  reg [PcRows-1:0] row_q, trained_q, reuse_q;
  reg [PcRows*PcBits-1:0] key_q;
  reg offer_q;
  reg [HashW-1:0] offer_hash_q;
  reg [RowW-1:0] offer_row_q;
  reg [PcRows-1:0] at_c, free_c, offered_c;
  always_comb begin
    free_c = '0;
    for (int e = PcRows - 1; e >= 0; e = e - 1) begin
      at_c[e] = row_q[e] && key_q[e*PcBits +: PcBits] == pc_i;
      if (!row_q[e]) free_c = PcRows'(1) << e;
      offered_c[e] = offer_row_q == RowW'(e);
    end
  end
  wire full = &row_q, there = |at_c;
  wire [HashW-1:0] hash = hash_of(pc_i);
  wire swaps = acc_i && !there && full && offer_q && hash == offer_hash_q;
  wire lost = acc_i && !there && full && !swaps;
  wire takes = acc_i && !there && !lost;
  wire [PcRows-1:0] new_row = full ? offered_c : free_c;
  wire [PcRows-1:0] row = there ? at_c : new_row;
  reg [RowW-1:0] index_c;
  always_comb begin
    index_c = '0;
    for (int e = 0; e < PcRows; e = e + 1) if (row[e]) index_c = index_c | RowW'(e);
  end
  assign known_o = |(at_c & trained_q);
  assign reuse_o = |(at_c & reuse_q);
  assign lost_o = lost;
  assign swaps_o = swaps;

  // ---- who brought the lines ----
  reg fresh_q;
  reg [Ways*OwnerW-1:0] last_q;
  wire [Ways*OwnerW-1:0] owners_read;
  wire [Ways*OwnerW-1:0] owners = fresh_q ? last_q : owners_read;
  reg [Ways*OwnerW-1:0] owners_c;
  reg [Ways-1:0] mask_c;
  reg [OwnerW-1:0] owner_c;
  always_comb begin
    owners_c = owners;
    mask_c = '0;
    owner_c = NOBODY;
    for (int w = 0; w < Ways; w = w + 1)
      if (way_i == WayW'(w)) begin
        owner_c = owners[w*OwnerW +: OwnerW];
        owners_c[w*OwnerW +: OwnerW] = lost ? NOBODY : OwnerW'(index_c);
        mask_c[w] = 1'b1;
      end
  end
  wf_ram_1r1w #(.Width(Ways * OwnerW), .Depth(Sets), .PartBits(OwnerW)) u_owners (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(enters_i), .wr_mask_i(mask_c), .wr_addr_i(set_i),
    .wr_data_i(owners_c), .rd_en_i(acc_valid_i), .rd_addr_i(acc_set_i), .rd_data_o(owners_read)
  );
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      fresh_q <= enters_i && set_i == acc_set_i;
      last_q <= owners_c;
    end
  end
  wire owned_hit = acc_i && hit_i && owner_c != NOBODY;

  // ---- counts ----
  reg sweep_q;
  reg [StepW-1:0] next_q;
  wire step = sweep_q && !acc_i;
  wire step_last = step && next_q == StepW'(Steps - 1);
  wire row_step = step && {1'b0, next_q} < (StepW+1)'(PcRows);
  wire hash_step = step && {1'b0, next_q} < (StepW+1)'(Hashes);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sweep_q <= 1'b0;
    else if (clear_i) sweep_q <= 1'b0;
    else if (start_i) sweep_q <= 1'b1;
    else if (step_last) sweep_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (start_i) next_q <= '0;
    else if (step) next_q <= next_q + 1'b1;
  end

  wire [PcRows-1:0] zero = takes ? new_row : '0;
  wire [Hashes-1:0] hash_zero = swaps ? Hashes'(1) << hash : '0;
  wire count_done, halved, hits_done, hits_halved, hash_done, hash_halved;
  wire [RowW-1:0] at_row, hits_row;
  wire [HashW-1:0] at_hash;
  wire count_some, hits_some, hash_some;
  wire [Bits-1:0] count, hits, hash_count;
  region_counts #(.Entries(PcRows), .Fields(1), .Bits(Bits)) u_requests (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i), .zero_i(zero),
    .op_valid_i(row_step || (acc_i && !lost)), .op_halve_i(row_step),
    .op_index_i(row_step ? RowW'(next_q) : index_c), .op_inc_i(1'b1),
    .halve_en_i(1'b1), .valid_o(count_done), .halve_o(halved),
    .index_o(at_row), .some_o(count_some), .new_o(count)
  );
  region_counts #(.Entries(PcRows), .Fields(1), .Bits(Bits)) u_hits (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i), .zero_i(zero),
    .op_valid_i(row_step || owned_hit), .op_halve_i(row_step),
    .op_index_i(row_step ? RowW'(next_q) : RowW'(owner_c)), .op_inc_i(1'b1),
    .halve_en_i(count_some), .valid_o(hits_done), .halve_o(hits_halved), .index_o(hits_row),
    .some_o(hits_some), .new_o(hits)
  );
  region_counts #(.Entries(Hashes), .Fields(1), .Bits(Bits)) u_hashes (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i),
    .zero_i(hash_zero),
    .op_valid_i(hash_step || lost), .op_halve_i(hash_step),
    .op_index_i(hash_step ? HashW'(next_q) : hash), .op_inc_i(1'b1), .halve_en_i(1'b1),
    .valid_o(hash_done), .halve_o(hash_halved), .index_o(at_hash), .some_o(hash_some),
    .new_o(hash_count)
  );
  wire unused = &{1'b0, hits_done, hits_halved, hits_row, hits_some, hash_some};

  // ---- what a halved row has shown; the least row, the greatest hash ----
  wire judged = count_done && halved && count_some;
  wire counts = count_done && halved && row_q[at_row];
  wire hash_counts = hash_done && hash_halved;
  reg end_q, least_valid_q;
  reg [Bits-1:0] least_q, most_q;
  reg [RowW-1:0] least_at_q;
  reg [HashW-1:0] most_at_q;
  wire lower = counts && (!least_valid_q || count < least_q);
  wire higher = hash_counts && hash_count > most_q;
  wire [Bits-1:0] least = lower ? count : least_q, most = higher ? hash_count : most_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      end_q <= 1'b0;
      offer_q <= 1'b0;
      least_valid_q <= 1'b0;
    end else if (clear_i) begin
      end_q <= 1'b0;
      offer_q <= 1'b0;
      least_valid_q <= 1'b0;
    end else begin
      end_q <= step_last;
      if (start_i) least_valid_q <= 1'b0;
      else if (counts) least_valid_q <= 1'b1;
      if (start_i || swaps) offer_q <= 1'b0;
      else if (end_q) offer_q <= full && (least_valid_q || counts) && most > least;
    end
  end
  always_ff @(posedge clk_i) begin
    if (lower) begin
      least_q <= count;
      least_at_q <= at_row;
    end
    if (start_i) most_q <= '0;
    else if (higher) most_q <= hash_count;
    if (higher) most_at_q <= at_hash;
    if (end_q) begin
      offer_row_q <= lower ? at_row : least_at_q;
      offer_hash_q <= higher ? at_hash : most_at_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) row_q <= '0;
    else if (clear_i) row_q <= '0;
    else if (takes) row_q <= row_q | new_row;
  end
  always_ff @(posedge clk_i) begin
    if (judged) begin
      if (count >= Bits'(1 << Share)) trained_q[at_row] <= 1'b1;
      if (hits > count >> Share) reuse_q[at_row] <= 1'b1;
    end
    for (int e = 0; e < PcRows; e = e + 1)
      if (takes && new_row[e]) begin
        key_q[e*PcBits +: PcBits] <= pc_i;
        trained_q[e] <= 1'b0;
        reuse_q[e] <= 1'b0;
      end
  end
  assign sweeps_o = sweep_q;
  assign busy_o = sweep_q || count_done || hits_done || hash_done;

  `WF_ASSERT(rule_4_once, !acc_i || (at_c & (at_c - 1'b1)) == '0,
             "Rule 4: no two rows are of one PC")
  `WF_ASSERT(rule_4_one_row, !acc_i || lost || (row & (row - 1'b1)) == '0,
             "Rule 4: a request counts in one row")
endmodule
`default_nettype wire
