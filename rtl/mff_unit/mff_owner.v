// mff_owner: which slice owns each of some chunks of InterleaveBytes, beside what goes with them.
// Chunk c belongs to slice c mod NSlice, or with Hash to that of wf_slice_hash.
//
// Timing: Hash = 0 combinational; 1: a pipeline of three stages that move together while en_i is
// high: what goes in is out after three such edges.
//   N chunks, numbers of Bits bits   Width of what goes with them
// Storage: with Hash three times Width + 1, and N times that of wf_slice_hash.
`default_nettype none

module mff_owner #(
  parameter integer N = 1,
  parameter integer Width = 8,
  parameter integer NSlice = 6,
  parameter integer Hash = 0,
  parameter integer Bits = 24,
  localparam integer SliceW = NSlice > 1 ? $clog2(NSlice) : 1
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire                en_i,
  input  wire                valid_i,
  input  wire [Width-1:0]    data_i,
  input  wire [N*Bits-1:0]   chunk_i,
  output wire                valid_o,
  output wire [Width-1:0]    data_o,
  output wire [N*SliceW-1:0] slice_o
);
  generate
    for (genvar n = 0; n < N; n = n + 1) begin : g_chunk
      if (Hash != 0) begin : g_hash
        wf_slice_hash #(.Bits(Bits), .NSlice(NSlice), .Stages(3)) u_slice (
          .clk_i(clk_i), .rst_ni(rst_ni), .en_i(en_i),
          .block_i(chunk_i[n*Bits +: Bits]), .slice_o(slice_o[n*SliceW +: SliceW])
        );
      end else begin : g_mod
        wf_mod_slice #(.Bits(Bits), .NSlice(NSlice), .Stages(0)) u_slice (
          .clk_i(clk_i), .rst_ni(rst_ni), .en_i(1'b1),
          .block_i(chunk_i[n*Bits +: Bits]), .slice_o(slice_o[n*SliceW +: SliceW])
        );
      end
    end
    if (Hash != 0) begin : g_stages
      reg [2:0] valid_q;
      reg [Width-1:0] first_q, second_q, third_q;
      assign valid_o = valid_q[2];
      assign data_o = third_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) valid_q <= '0;
        else if (en_i) valid_q <= {valid_q[1:0], valid_i};
      end
      always_ff @(posedge clk_i)
        if (en_i) {third_q, second_q, first_q} <= {second_q, first_q, data_i};
    end else begin : g_none
      wire unused = &{1'b0, en_i};
      assign valid_o = valid_i;
      assign data_o = data_i;
    end
  endgenerate
endmodule
`default_nettype wire
