// apcm_cait: cache access information table. What was learned of each load instruction: how to
// manage its lines, which load is their last consumer, and how many accesses that rests on.
//
// A report overwrites an entry only if the entry is not valid or rests on fewer accesses.
//
// Timing: a report is written at the edge; the read is combinational and sees the table as it will
// be then. open_o: some of the first fill_i entries is not valid in the table as it is.
//
//   Ids 2..64   CountBits 2..8
// Storage: Ids * (3 + clog2(Ids) + CountBits) flops: valid, method, last id, access count.
//
// Rules
//   1 An entry never comes to rest on fewer accesses, but by a clear.
//   2 A report rests on at least one access.
`default_nettype none
`include "wf_assert.vh"

module apcm_cait #(
  parameter integer Ids = 16,
  parameter integer CountBits = 4,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1,
  localparam integer FillW = $clog2(Ids + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 clear_i,
  input  wire [IdW-1:0]       rd_id_i,
  output wire                 rd_valid_o,
  output wire [1:0]           rd_method_o,
  output wire [IdW-1:0]       rd_last_o,
  input  wire                 up_valid_i,
  input  wire [IdW-1:0]       up_id_i,
  input  wire [1:0]           up_method_i,
  input  wire [IdW-1:0]       up_last_i,
  input  wire [CountBits-1:0] up_count_i,
  output wire                 up_write_o,  // the report is taken over
  input  wire [FillW-1:0]     fill_i,
  output wire                 open_o
);
  localparam integer EntryW = 2 + IdW + CountBits;
  (* mem2reg *) reg [EntryW-1:0] entry_q [0:Ids-1];  // {method, last, count}
  reg [Ids-1:0] valid_q;

  wire [EntryW-1:0] rd_entry = entry_q[rd_id_i];
  wire fresh = up_write_o && up_id_i == rd_id_i;
  assign rd_valid_o = valid_q[rd_id_i] || fresh;
  assign {rd_method_o, rd_last_o} = fresh ? {up_method_i, up_last_i} : rd_entry[EntryW-1:CountBits];
  wire unused = &{1'b0, rd_entry[CountBits-1:0]};

  wire [EntryW-1:0] old = entry_q[up_id_i];
  assign up_write_o = up_valid_i && (!valid_q[up_id_i] || up_count_i > old[CountBits-1:0]);
  wire unused_old = &{1'b0, old[EntryW-1:CountBits]};

  wire [Ids:0] known = ({{Ids{1'b0}}, 1'b1} << fill_i) - 1'b1;  // one bit more: fill_i may be Ids
  assign open_o = (known[Ids-1:0] & ~valid_q) != '0;
  wire unused_known = &{1'b0, known[Ids]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else if (up_write_o) valid_q[up_id_i] <= 1'b1;
  end
  always_ff @(posedge clk_i)
    if (up_write_o) entry_q[up_id_i] <= {up_method_i, up_last_i, up_count_i};

`ifdef WF_ASSERT_LIVE
  reg seen_q, had_q;
  reg [IdW-1:0] seen_id_q;
  reg [CountBits-1:0] had_count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) seen_q <= 1'b0;
    else if (clear_i) seen_q <= 1'b0;
    else if (up_valid_i) seen_q <= 1'b1;
  end
  always_ff @(posedge clk_i) if (up_valid_i) begin
    seen_id_q <= up_id_i;
    had_q <= valid_q[up_id_i];
    had_count_q <= old[CountBits-1:0];
  end
  wire [EntryW-1:0] now = entry_q[seen_id_q];
  wire unused_now = &{1'b0, now[EntryW-1:CountBits]};
`endif
  `WF_ASSERT(rule1,
             !seen_q || (valid_q[seen_id_q] && (!had_q || now[CountBits-1:0] >= had_count_q)),
             "Rule 1: an entry never comes to rest on fewer accesses")
  `WF_ASSUME(rule2, !up_valid_i || up_count_i != '0,
             "Rule 2: a report rests on at least one access")
endmodule
`default_nettype wire
