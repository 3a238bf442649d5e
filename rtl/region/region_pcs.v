// region_pcs: the rows of loads of region_core: which PCs' lines are hit in the L1.
//
// A request counts in its PC's row; a hit in the row of the load that brought the line, whose
// number is kept beside the L1's tags. A PC without a row takes a free one; if there is none it is
// counted by its hash. start_i: a period has ended: a row a cycle is halved where no request is.
// After the last, the greatest of the hashes' counts, if it exceeds the least row's requests,
// offers this row to the next PC of the hash.
//
// TIMING. acc_valid_i with the request; one_i in the next cycle: its PC is compared with the rows';
// two_i in the one after: what is known of it, and it takes a row and counts. A halved row is
// judged three cycles after its turn; the offer is made in the cycle after the last one's.
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
  input  wire [PcBits-1:0] acc_pc_i,
  input  wire [SetW-1:0]   acc_set_i,
  input  wire [WayW-1:0]   acc_way_i,
  input  wire              acc_hit_i,
  input  wire              one_i,
  input  wire              two_i,
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
  // The request at its first stage; at its second.
  reg [PcBits-1:0] one_pc_q, pc_q;
  reg [SetW-1:0] one_set_q, set_q;
  reg [WayW-1:0] one_way_q, way_q;
  reg one_hit_q, hit_q;
  reg [HashW-1:0] hash_q;
  reg [PcRows-1:0] at_q;
  // After the halving: the least row is offered to the greatest hash.
  reg offer_q, least_valid_q;
  reg [Bits-1:0] least_q, most_q;
  reg [RowW-1:0] least_at_q;
  reg [HashW-1:0] most_at_q;

  wire full = &row_q, there = |at_q;
  reg [PcRows-1:0] free_c, offered_c;
  always_comb begin
    free_c = '0;
    for (int e = PcRows - 1; e >= 0; e = e - 1) begin
      if (!row_q[e]) free_c = PcRows'(1) << e;
      offered_c[e] = least_at_q == RowW'(e);
    end
  end
  wire [PcRows-1:0] new_row = full ? offered_c : free_c;
  wire swaps = two_i && !there && full && offer_q && hash_q == most_at_q;
  wire lost = two_i && !there && full && !swaps;
  wire takes = two_i && !there && !lost;
  reg [RowW-1:0] at_index_c, new_index_c;
  always_comb begin
    at_index_c = '0;
    new_index_c = '0;
    for (int e = 0; e < PcRows; e = e + 1) begin
      if (at_q[e]) at_index_c = at_index_c | RowW'(e);
      if (new_row[e]) new_index_c = new_index_c | RowW'(e);
    end
  end
  wire [RowW-1:0] index = there ? at_index_c : new_index_c;
  assign known_o = |(at_q & trained_q);
  assign reuse_o = |(at_q & reuse_q);
  assign lost_o = lost;
  assign swaps_o = swaps;

  // A row that the request before takes is one of its PC from there.
  wire same = one_pc_q == pc_q;
  reg [PcRows-1:0] at_d;
  always_comb begin
    for (int e = 0; e < PcRows; e = e + 1)
      at_d[e] = takes && new_row[e] ? same : row_q[e] && key_q[e*PcBits +: PcBits] == one_pc_q;
  end
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      one_pc_q <= acc_pc_i;
      one_set_q <= acc_set_i;
      one_way_q <= acc_way_i;
      one_hit_q <= acc_hit_i;
    end
    if (one_i) begin
      pc_q <= one_pc_q;
      set_q <= one_set_q;
      way_q <= one_way_q;
      hit_q <= one_hit_q;
      hash_q <= hash_of(one_pc_q);
      at_q <= at_d;
    end
  end

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
      if (way_q == WayW'(w)) begin
        owner_c = owners[w*OwnerW +: OwnerW];
        owners_c[w*OwnerW +: OwnerW] = lost ? NOBODY : OwnerW'(index);
        mask_c[w] = 1'b1;
      end
  end
  wf_ram_1r1w #(.Width(Ways * OwnerW), .Depth(Sets), .PartBits(OwnerW)) u_owners (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(enters_i), .wr_mask_i(mask_c), .wr_addr_i(set_q),
    .wr_data_i(owners_c), .rd_en_i(one_i), .rd_addr_i(one_set_q), .rd_data_o(owners_read)
  );
  always_ff @(posedge clk_i) begin
    if (one_i) begin
      fresh_q <= enters_i && set_q == one_set_q;
      last_q <= owners_c;
    end
  end
  wire owned_hit = two_i && hit_q && owner_c != NOBODY;

  // ---- counts ----
  reg sweep_q;
  reg [3:0] tail_q; // how far the last step has come; [3]: all is judged
  reg [StepW-1:0] next_q;
  wire step = sweep_q && !two_i;
  wire step_last = step && next_q == StepW'(Steps - 1);
  reg next_there_c;
  always_comb begin
    next_there_c = 1'b0;
    for (int e = 0; e < PcRows; e = e + 1) if (next_q == StepW'(e)) next_there_c = row_q[e];
  end
  wire row_step = step && next_there_c;
  wire hash_step = step && {1'b0, next_q} < (StepW+1)'(Hashes);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sweep_q <= 1'b0;
      tail_q <= '0;
    end else begin
      tail_q <= {tail_q[2:0], step_last};
      if (start_i) sweep_q <= 1'b1;
      else if (step_last) sweep_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (start_i) next_q <= '0;
    else if (step) next_q <= next_q + 1'b1;
  end

  wire count_done, hits_done, hash_done, count_busy, hits_busy, hash_busy;
  wire [RowW-1:0] at_row, hits_row;
  wire [HashW-1:0] at_hash;
  wire count_some, count_had, hits_some, hits_had, hash_some, hash_had;
  wire [Bits-1:0] count, hits, hash_count;
  region_counts #(.Entries(PcRows), .Fields(1), .Bits(Bits)) u_requests (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i), .zero_valid_i(takes),
    .zero_index_i(new_index_c), .op_valid_i(row_step || (two_i && !lost)), .op_halve_i(!two_i),
    .op_index_i(two_i ? index : RowW'(next_q)), .op_inc_i(1'b1), .halve_en_i(1'b1),
    .some_o(count_some), .valid_o(count_done), .index_o(at_row), .had_o(count_had), .row_o(count),
    .busy_o(count_busy)
  );
  // Hits of a load without requests say nothing, and stay.
  region_counts #(.Entries(PcRows), .Fields(1), .Bits(Bits)) u_hits (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i), .zero_valid_i(takes),
    .zero_index_i(new_index_c), .op_valid_i(row_step || owned_hit), .op_halve_i(!two_i),
    .op_index_i(two_i ? RowW'(owner_c) : RowW'(next_q)), .op_inc_i(1'b1),
    .halve_en_i(count_some), .some_o(hits_some), .valid_o(hits_done), .index_o(hits_row),
    .had_o(hits_had), .row_o(hits), .busy_o(hits_busy)
  );
  region_counts #(.Entries(Hashes), .Fields(1), .Bits(Bits)) u_hashes (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear_i), .zero_valid_i(swaps),
    .zero_index_i(hash_q), .op_valid_i(hash_step || lost), .op_halve_i(!two_i),
    .op_index_i(two_i ? hash_q : HashW'(next_q)), .op_inc_i(1'b1), .halve_en_i(1'b1),
    .some_o(hash_some), .valid_o(hash_done), .index_o(at_hash), .had_o(hash_had),
    .row_o(hash_count), .busy_o(hash_busy)
  );
  wire unused = &{1'b0, hits_done, hits_row, hits_some, hits_had, hash_some, hash_had};

  // ---- what a halved row has shown; the least row, the greatest hash ----
  wire judged = count_done && count_had;
  wire lower = count_done && (!least_valid_q || count < least_q);
  wire higher = hash_done && hash_count > most_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      offer_q <= 1'b0;
      least_valid_q <= 1'b0;
    end else if (clear_i) begin
      offer_q <= 1'b0;
      least_valid_q <= 1'b0;
    end else begin
      if (start_i) least_valid_q <= 1'b0;
      else if (count_done) least_valid_q <= 1'b1;
      if (start_i || swaps) offer_q <= 1'b0;
      else if (tail_q[3]) offer_q <= full && least_valid_q && most_q > least_q;
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
        key_q[e*PcBits +: PcBits] <= pc_q;
        trained_q[e] <= 1'b0;
        reuse_q[e] <= 1'b0;
      end
  end
  assign sweeps_o = sweep_q || (|tail_q);
  assign busy_o = sweeps_o || count_busy || hits_busy || hash_busy;

  `WF_ASSERT(rule_4_once, !two_i || (at_q & (at_q - 1'b1)) == '0,
             "Rule 4: no two rows are of one PC")
  `WF_ASSERT(rule_4_one_row, !takes || (new_row != '0 && (new_row & (new_row - 1'b1)) == '0),
             "Rule 4: a PC takes one row")
endmodule
`default_nettype wire
