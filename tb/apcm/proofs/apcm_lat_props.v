// apcm_lat: a program counter, any one, is tracked from its first lookup on while there was room,
// always by one id, and no other has that id.
`default_nettype none
`include "wf_assert.vh"
module apcm_lat_props #(
  parameter integer Ids = 3,
  parameter integer PcBits = 3,
  localparam integer IdW = Ids > 1 ? $clog2(Ids) : 1,
  localparam integer FillW = $clog2(Ids + 1)
) (
  input wire clk_i, input wire clear, input wire look, input wire [PcBits-1:0] look_pc
);
`include "formal.vh"
  wire tracked;
  wire [IdW-1:0] id;
  wire [FillW-1:0] fill;
  apcm_lat #(.Ids(Ids), .PcBits(PcBits)) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .look_valid_i(look), .look_pc_i(look_pc),
    .tracked_o(tracked), .id_o(id), .fill_o(fill)
  );
  (* anyconst *) wire [PcBits-1:0] pc, other;
  reg in_q, other_q;
  reg [IdW-1:0] id_q, other_id_q;
  initial in_q = 1'b0;
  initial other_q = 1'b0;
  always @(posedge clk_i) if (rst_ni) begin
    if (clear) begin
      in_q <= 1'b0;
      other_q <= 1'b0;
    end else if (look && tracked) begin
      if (look_pc == pc) in_q <= 1'b1;
      if (look_pc == pc) id_q <= id;
      if (look_pc == other) other_q <= 1'b1;
      if (look_pc == other) other_id_q <= id;
    end
  end
  `WF_ASSERT(tracked_for_ever, !(look && look_pc == pc && in_q) || (tracked && id == id_q),
             "one id, until the kernel ends")
  `WF_ASSERT(one_pc_per_id, !(in_q && other_q && pc != other) || id_q != other_id_q,
             "no two entries with one id")
  `WF_ASSERT(room, !look || tracked || fill == FillW'(Ids),
             "a load that is not tracked met a full table")
  `WF_ASSERT(in_range, !(look && tracked) || {1'b0, id} < (IdW + 1)'(Ids), "ids are below Ids")
  `WF_COVER(full_and_refused, look && !tracked)
  `WF_COVER(found_again, look && in_q && look_pc == pc && id == IdW'(Ids - 1))
  `WF_QUIET(!look && !clear)
endmodule
`default_nettype wire
