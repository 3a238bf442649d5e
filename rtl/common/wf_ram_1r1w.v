// RAM with one read and one write port, synchronous read: the only RAM of the library, so that
// synthesis can count it as a macro.
//
// Timing: rd_en_i high at an edge puts mem[rd_addr_i] on rd_data_o after that edge; rd_data_o holds
// while rd_en_i is low. Reading the address that is written at the same edge returns the OLD word.
// Contents and rd_data_o are undefined before the first write and the first read.
//
// Parameters
//   Width     1 ..        bits of a word
//   Depth     1 ..        words; need not be a power of two
//   PartBits  divides Width   bits that one bit of wr_mask_i enables; Width: one enable, mask 1 bit
// Storage: Depth * Width bits of RAM, and Width bits in its output latch.
//
// Rules
//   1 A write address is below Depth.
//   2 A read address is below Depth.
//
// With WF_RAM_BLACKBOX defined the module is empty and marked as a black box: the synthesis flow
// prices it from Width and Depth.
`default_nettype none
`include "wf_assert.vh"

`ifdef WF_RAM_BLACKBOX
(* blackbox *)
`endif
module wf_ram_1r1w #(
  parameter integer Width    = 32,
  parameter integer Depth    = 64,
  parameter integer PartBits = Width,
  localparam integer AddrBits = (Depth > 1) ? $clog2(Depth) : 1,
  localparam integer Parts    = Width / PartBits
) (
  input  wire                 clk_i,
  /* verilator lint_off UNUSEDSIGNAL */
  input  wire                 rst_ni,  // for the assertions only
  /* verilator lint_on UNUSEDSIGNAL */
  input  wire                 wr_en_i,
  input  wire  [AddrBits-1:0] wr_addr_i,
  input  wire  [Parts-1:0]    wr_mask_i,
  input  wire  [Width-1:0]    wr_data_i,
  input  wire                 rd_en_i,
  input  wire  [AddrBits-1:0] rd_addr_i,
  output logic [Width-1:0]    rd_data_o
);
`ifndef WF_RAM_BLACKBOX
  initial if (Width < 1) $fatal(1, "wf_ram_1r1w: Width is %0d, must be 1 or more", Width);
  initial if (Depth < 1) $fatal(1, "wf_ram_1r1w: Depth is %0d, must be 1 or more", Depth);
  initial if (PartBits < 1 || Width % PartBits != 0)
    $fatal(1, "wf_ram_1r1w: PartBits is %0d, must divide Width %0d", PartBits, Width);

  logic [Width-1:0] mem_q [Depth];

  generate
    if (Parts == 1) begin : g_whole
      always_ff @(posedge clk_i) if (wr_en_i && wr_mask_i[0]) mem_q[wr_addr_i] <= wr_data_i;
    end else begin : g_parts
      always_ff @(posedge clk_i) begin
        if (wr_en_i) begin
          for (int p = 0; p < Parts; p++) begin
            if (wr_mask_i[p])
              mem_q[wr_addr_i][p*PartBits +: PartBits] <= wr_data_i[p*PartBits +: PartBits];
          end
        end
      end
    end
  endgenerate

  always_ff @(posedge clk_i) if (rd_en_i) rd_data_o <= mem_q[rd_addr_i];

  // The address is one bit wider here, so that the comparison is not constant for powers of two.
  `WF_ASSERT(rule_1_write_address, !wr_en_i || {1'b0, wr_addr_i} < (AddrBits + 1)'(Depth),
             "Rule 1: a write address is below Depth")
  `WF_ASSERT(rule_2_read_address, !rd_en_i || {1'b0, rd_addr_i} < (AddrBits + 1)'(Depth),
             "Rule 2: a read address is below Depth")
`endif
endmodule
`default_nettype wire
