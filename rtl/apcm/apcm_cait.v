// apcm_cait: cache access information table. What was learned of each load instruction: how to
// manage its lines, which load is their last consumer, and on how many accesses that rests; 0: it
// is not known yet.
//
// A report overwrites an entry only if it rests on more accesses than the entry. What rests on one
// access is to be bypassed, so of the method only a bit is kept: protect.
//
// Timing: one RAM of one read port. A report is in a register for two cycles: in the first its
// entry is read (up_reads_o, no load reads then), at the end of the second it is written. A load
// that is read (rd_i) at the edge of that write gets what was known before. The answer to a read is
// on the ports in the next cycle. A report that is inside when a clear of two cycles or more begins
// is lost: nothing else is written then.
//
//   Ids 2..64   CountBits 2..8
// Storage: Ids * (1 + clog2(Ids) + CountBits) bits of RAM: protect, last id, access count; a report
// and two bits.
//
// Rules
//   1 An entry never comes to rest on fewer accesses, but by a clear.
//   2 A report rests on at least one access; its method is bypass (1) exactly if that was all.
//   3 Reports are two cycles apart at least, and no load is read with a report.
`default_nettype none
`include "wf_assert.vh"

module apcm_cait #(
  parameter integer Ids = 16,
  parameter integer CountBits = 4,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 clear_i,
  input  wire [IdW-1:0]       clear_id_i,
  input  wire                 rd_i,
  input  wire [IdW-1:0]       rd_id_i,
  output wire                 rd_valid_o,
  output wire [1:0]           rd_method_o,
  output wire [IdW-1:0]       rd_last_o,
  input  wire                 up_valid_i,
  input  wire [IdW-1:0]       up_id_i,
  input  wire [1:0]           up_method_i,
  input  wire [IdW-1:0]       up_last_i,
  input  wire [CountBits-1:0] up_count_i,
  output wire                 up_reads_o,
  output wire                 busy_o
);
  localparam integer EntryW = 1 + IdW + CountBits;  // {protect, last, count}
  localparam [CountBits-1:0] ONE = CountBits'(1);
  reg read_q, write_q;
  reg [IdW-1:0] up_id_q;
  reg [EntryW-1:0] up_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= 1'b0;
      write_q <= 1'b0;
    end else begin
      read_q <= up_valid_i;
      write_q <= read_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!read_q) begin  // whether it is a report comes late
      up_id_q <= up_id_i;
      up_q <= {up_method_i[1], up_last_i, up_count_i};
    end
  end
  assign up_reads_o = read_q;
  assign busy_o = read_q || write_q;

  wire [EntryW-1:0] entry;
  wire [CountBits-1:0] count = entry[CountBits-1:0];
  wire better = write_q && up_q[CountBits-1:0] > count;
  wf_ram_1r1w #(.Width(EntryW), .Depth(Ids)) u_entries (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(better || clear_i),
    .wr_addr_i(clear_i ? clear_id_i : up_id_q), .wr_mask_i(1'b1),
    .wr_data_i(clear_i ? '0 : up_q), .rd_en_i(read_q || rd_i),
    .rd_addr_i(read_q ? up_id_q : rd_id_i), .rd_data_o(entry)
  );
  assign rd_valid_o = count != '0;
  assign rd_method_o = {entry[EntryW-1], count == ONE};
  assign rd_last_o = entry[CountBits +: IdW];

`ifdef WF_ASSERT_LIVE
  reg near_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) near_q <= 1'b0;
    else near_q <= up_valid_i;
  end
`endif
  `WF_ASSERT(rule1, !better || (up_q[CountBits-1:0] > count),
             "Rule 1: an entry never comes to rest on fewer accesses")
  `WF_ASSUME(rule2, !up_valid_i || (up_count_i != '0 && up_method_i[0] == (up_count_i == ONE)),
             "Rule 2: a report rests on at least one access, and is to bypass if that was all")
  `WF_ASSUME(rule3, !(up_valid_i && near_q) && !(rd_i && read_q),
             "Rule 3: reports are two cycles apart, and no load is read with one")
endmodule
`default_nettype wire
