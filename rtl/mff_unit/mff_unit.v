// mff_unit: memory fast-forward unit, one slice per memory partition. Port list; see README.md.
`default_nettype none

module mff_unit #(
  parameter integer NSlice = 6,             // memory partitions: 2^k or 3*2^k, 1..24
  parameter integer NumSm = 15,             // SMs that may send commands, 1..64
  parameter integer NumWarp = 48,           // warps of an SM, 1..64
  parameter integer TagEntries = 256,       // tags per slice, C lines included
  parameter integer CLines = 16,            // of these, C blocks (each with its line buffer)
  parameter integer VLines = 4,             // line buffers per slice for V blocks
  parameter integer WorkRegs = 8192,        // work registers of the unit, C registers included
  parameter integer CRegs = 768,            // of these, C registers (one per run)
  parameter integer JobEntries = 256,       // jobs of the unit
  parameter integer InterleaveBytes = 256,  // consecutive bytes owned by one slice: 128 * 2^k
  parameter integer PackWords = 5,          // words per response flit, 1..5
  parameter integer PackEntries = 16        // warps whose words are packed at once, per slice
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  // Configuration: taken while no command is in the unit.
  input  wire                    cfg_valid_i,
  output wire                    cfg_ready_o,
  input  wire [3:0]              cfg_addr_i,
  input  wire [31:0]             cfg_data_i,
  // Commands and responses, one 256-bit flit per beat (tb/mff_unit/mff_flits.h).
  input  wire [NSlice-1:0]       cmd_valid_i,
  output wire [NSlice-1:0]       cmd_ready_o,
  input  wire [NSlice*256-1:0]   cmd_data_i,
  output wire [NSlice-1:0]       rsp_valid_o,
  input  wire [NSlice-1:0]       rsp_ready_i,
  output wire [NSlice*256-1:0]   rsp_data_o,
  // Memory: block reads (128 B), their beats (32 B, a block's four in a row and in order), sector
  // writes (32 B with a word mask; last marks the final sector of a block's write-back).
  output wire [NSlice-1:0]       mem_rd_valid_o,
  input  wire [NSlice-1:0]       mem_rd_ready_i,
  output wire [NSlice*32-1:0]    mem_rd_addr_o,
  output wire [NSlice*16-1:0]    mem_rd_id_o,
  input  wire [NSlice-1:0]       mem_rsp_valid_i,
  output wire [NSlice-1:0]       mem_rsp_ready_o,
  input  wire [NSlice*16-1:0]    mem_rsp_id_i,
  input  wire [NSlice*2-1:0]     mem_rsp_beat_i,
  input  wire [NSlice*256-1:0]   mem_rsp_data_i,
  output wire [NSlice-1:0]       mem_wr_valid_o,
  input  wire [NSlice-1:0]       mem_wr_ready_i,
  output wire [NSlice*32-1:0]    mem_wr_addr_o,
  output wire [NSlice*8-1:0]     mem_wr_mask_o,
  output wire [NSlice-1:0]       mem_wr_last_o,
  output wire [NSlice*256-1:0]   mem_wr_data_o,
  // Counters: snapshot copies all, clear zeroes the running ones; the value follows one cycle later.
  input  wire                    cnt_snapshot_i,
  input  wire                    cnt_clear_i,
  input  wire [4:0]              cnt_slice_i,
  input  wire [5:0]              cnt_index_i,
  output wire [63:0]             cnt_value_o,
  output wire [31:0]             error_count_o,
  // No command, block or response is in the unit: the clock may be withheld until an input is valid.
  output wire                    idle_o
);
endmodule

`default_nettype wire
