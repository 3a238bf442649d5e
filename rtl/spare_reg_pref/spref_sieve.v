// spref_sieve: which instructions need not be told, asked as they issue. Without a live table only
// the warp that is followed counts, with one what the loop's instructions do: those of which the
// table said nothing when one of them came by are known by the low bits of their program counters.
// Of other instructions only one thing counts, that they are outside: once, of a warp that was
// inside (alive_i). While a table is made (all_i) everything counts; branches, loads and what
// writes registers that it does not name always do. More may be asked for than counts, never less.
//
// Timing: need_o is combinational from try_* and flops. What is marked is seen two edges later.
//
// Parameters: those of spare_reg_pref; NearBits: 1 .. PcBits - log2(PcStep); loops of more than
// 2^NearBits instructions are told as a whole. Storage, flops: 2^NearBits + NearBits + 2.
`default_nettype none

module spref_sieve #(
  parameter integer NumWarp = 48,
  parameter integer PcBits = 32,
  parameter integer PcStep = 1,
  parameter integer NearBits = 6,
  parameter integer Tries = 2,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  // what counts now
  input  wire                    all_i,
  input  wire                    follow_i,  // what this warp does
  input  wire [WarpW-1:0]        warp_i,
  input  wire                    live_i,    // the loop from low_i to high_i
  input  wire [PcBits-1:0]       low_i,
  input  wire [PcBits-1:0]       high_i,
  input  wire                    grows_i,   // it gets longer
  input  wire [NumWarp-1:0]      alive_i,   // warps that are inside
  // the instruction in S1 is of the loop, and the table says nothing of it
  input  wire                    mark_i,
  input  wire [PcBits-1:0]       pc_i,
  // instructions that issue
  input  wire [Tries*WarpW-1:0]  try_warp_i,
  input  wire [Tries*PcBits-1:0] try_pc_i,
  input  wire [Tries*4-1:0]      try_op_i,
  output reg  [Tries-1:0]        need_o
);
  localparam [3:0] LDNC = 4'd5, BRA = 4'd7, CLOBBER = 4'd8;
  localparam integer Low = $clog2(PcStep);  // bits that tell nothing
  initial if (NearBits < 1 || NearBits + Low > PcBits)
    $fatal(1, "spref_sieve: NearBits must be 1 .. PcBits - log2(PcStep)");

  function automatic always_told(input [3:0] op);
    always_told = op == BRA || op == LDNC || op == CLOBBER;
  endfunction

  reg mark_q;                        // an edge later: what the table says is known late
  reg [NearBits-1:0] mark_at_q;
  reg fits_q;                        // a bit below is of one instruction
  reg [(1<<NearBits)-1:0] silent_q;  // the table says nothing of it
  wire [PcBits-1:0] span = high_i - low_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mark_q <= 1'b0;
      fits_q <= 1'b0;
      silent_q <= '0;
    end else begin
      mark_q <= mark_i;
      fits_q <= (span >> (NearBits + Low)) == '0;
      if (!live_i || grows_i) silent_q <= '0;
      else if (mark_q && fits_q) silent_q[mark_at_q] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) if (mark_i) mark_at_q <= pc_i[Low +: NearBits];

  reg inside_c, alive_c;
  always_comb for (int k = 0; k < Tries; k = k + 1) begin
    inside_c = live_i && try_pc_i[k*PcBits +: PcBits] >= low_i
               && try_pc_i[k*PcBits +: PcBits] <= high_i;
    alive_c = alive_i[try_warp_i[k*WarpW +: WarpW]];
    need_o[k] = all_i || always_told(try_op_i[k*4 +: 4])
                || (follow_i && try_warp_i[k*WarpW +: WarpW] == warp_i)
                || (inside_c ? !(alive_c && fits_q
                                 && silent_q[try_pc_i[k*PcBits + Low +: NearBits]])
                    : alive_c);
  end

  wire unused = &{1'b0, pc_i};
endmodule
`default_nettype wire
