// dtbl_ring: where the records of groups lie that found their table entry taken: a ring of Records
// places in memory, given out in the order in which groups join, so that records which are read one
// after the other lie side by side, eight to a line. (Below the parameters, where a record lies if
// the ring is full, at most two share a line.)
//
// A place is free again when its group has been distributed, which happens in another order when
// several kernels have records. Counted is how many places of each line are free again; the ring's
// head goes on by whole lines.
//
// A pointer is the address behind the record: base + 16 * (place + 1).
//
// Timing: a pointer is shown from flops; what is free again is counted in two cycles, and the head
// goes on one line in two. After reset the counts are cleared, one a cycle; nothing is given out
// before.
//
//   Records 2^k, 2 * PerLine..   PerLine 2^k   AddrW: over log2(16 * Records)
// Storage: RAM Records / PerLine * log2(2 * PerLine); flops: 3 * log2(Records) + 3.
//
// Rules
//   1 base_i is a multiple of 16 * Records, and stays.
//   2 A place is given up once, after it was given out; at most one in two cycles.
`default_nettype none
`include "wf_assert.vh"

module dtbl_ring #(
  parameter integer Records = 4096,
  parameter integer PerLine = 8,
  parameter integer AddrW = 32
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire [AddrW-1:0] base_i,
  // the next place
  output wire             room_o,
  output wire [AddrW-1:0] pointer_o,
  input  wire             take_i,
  // a record is needed no more; of one that does not lie in the ring nothing happens
  input  wire             free_i,
  input  wire [AddrW-1:0] free_pointer_i,
  output wire             quiet_o
);
  localparam integer Lines = Records / PerLine;
  localparam integer AtW = $clog2(Records);
  localparam integer RecW = $clog2(PerLine);
  localparam integer LineW = AtW - RecW;
  localparam integer CountW = RecW + 1;
  localparam [CountW-1:0] ALL = CountW'(PerLine);

  initial begin
    if (PerLine < 2 || (PerLine & (PerLine - 1)) != 0)
      $fatal(1, "dtbl_ring: PerLine must be 2^k, k >= 1");
    if (Records < 2 * PerLine || (Records & (Records - 1)) != 0)
      $fatal(1, "dtbl_ring: Records must be 2^k, 2 * PerLine or more");
    if (AddrW <= AtW + 4) $fatal(1, "dtbl_ring: AddrW must exceed log2 of 16 * Records");
  end

  reg clear_q;
  reg [LineW-1:0] clear_at_q;
  reg [AtW:0] tail_q;          // places given out, modulo 2 * Records
  reg [LineW:0] head_q;        // lines all of whose places are free again, likewise
  reg count_q, look_q;         // second cycle: of a place that is free again; of the head
  reg check_q;                 // the head's line may be through
  reg [LineW-1:0] line_q;

  wire [AddrW-5:0] place = free_pointer_i[AddrW-1:4] - 1'b1;
  wire in_ring = place[AddrW-5:AtW] == base_i[AddrW-1:AtW+4];
  wire freed = free_i && in_ring;
  wire look = check_q && !freed && !count_q && !look_q;
  wire [CountW-1:0] n_read;
  wire [CountW-1:0] more = n_read + 1'b1;
  wire on = look_q && n_read == ALL;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      clear_at_q <= '0;
      tail_q <= '0;
      head_q <= '0;
      count_q <= 1'b0;
      look_q <= 1'b0;
      check_q <= 1'b0;
    end else begin
      if (clear_q) begin
        clear_q <= clear_at_q != '1;
        clear_at_q <= clear_at_q + 1'b1;
      end
      if (take_i) tail_q <= tail_q + 1'b1;
      if (on) head_q <= head_q + 1'b1;
      count_q <= freed;
      look_q <= look;
      if (count_q && more == ALL) check_q <= 1'b1;
      else if (look_q && !on) check_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) if (freed) line_q <= place[AtW-1:RecW];

  wf_ram_1r1w #(.Width(CountW), .Depth(Lines)) u_read (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(clear_q || count_q || on),
    .wr_addr_i(clear_q ? clear_at_q : count_q ? line_q : head_q[LineW-1:0]), .wr_mask_i(1'b1),
    .wr_data_i(count_q && !clear_q ? more : '0), .rd_en_i(freed || look),
    .rd_addr_i(freed ? place[AtW-1:RecW] : head_q[LineW-1:0]), .rd_data_o(n_read)
  );

  wire [AtW:0] used = tail_q - {head_q, {RecW{1'b0}}};
  assign room_o = !clear_q && !used[AtW];
  assign pointer_o = {base_i[AddrW-1:4], 4'd0} + {{(AddrW-AtW-4){1'b0}}, tail_q[AtW-1:0], 4'd0}
                     + AddrW'(16);
  assign quiet_o = !clear_q && !count_q && !look_q && !check_q;
  wire unused = &{1'b0, base_i[AtW+3:0], free_pointer_i[3:0], place[RecW-1:0]};

  `WF_ASSUME(rule1_base, base_i[AtW+3:0] == '0, "Rule 1: the ring is aligned to its size")
  `WF_ASSUME(rule2_room, !take_i || room_o, "Rule 2: what is taken is there")
  `WF_ASSUME(rule2_gap, !(freed && count_q), "Rule 2: at most one place is given up in two cycles")
  `WF_ASSERT(rule3_count, !count_q || n_read != ALL,
             "Rule 3: of a line no more comes free than it has")
  `WF_ASSERT(rule4_used, !used[AtW] || used[AtW-1:0] == '0, "Rule 4: no more than all is given out")
endmodule
`default_nettype wire
