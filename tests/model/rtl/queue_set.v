// Queues of all forms and corner depths side by side, each on its own flattened channel:
// channel k < 18 is wf_fifo of depth 1, 2, 3, 4, 5, 8 (k % 6) and form k / 6; channel 18 is
// wf_skid.
`default_nettype none

module queue_set #(
  localparam integer Fifos = 18,
  localparam integer K     = Fifos + 1,
  localparam integer Width = 40
) (
  input  wire                clk_i,
  input  wire                rst_ni,
  input  wire  [K-1:0]       in_valid_i,
  output logic [K-1:0]       in_ready_o,
  input  wire  [K*Width-1:0] in_data_i,
  output logic [K-1:0]       out_valid_o,
  input  wire  [K-1:0]       out_ready_i,
  output logic [K*Width-1:0] out_data_o,
  output logic [Fifos*8-1:0] count_o,
  output logic               idle_o
);
  function automatic integer depth(input integer k);
    case (k % 6)
      0, 1, 2, 3, 4: depth = k % 6 + 1;
      default:       depth = 8;
    endcase
  endfunction

  generate
    for (genvar k = 0; k < Fifos; k++) begin : g_fifo
      logic [$clog2(depth(k) + 1)-1:0] count;
      wf_fifo #(
        .Width(Width), .Depth(depth(k)), .Ram((k / 6 == 2) ? 1 : 0), .OutReg(k / 6)
      ) u_fifo (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .in_valid_i  (in_valid_i[k]),
        .in_ready_o  (in_ready_o[k]),
        .in_data_i   (in_data_i[k*Width +: Width]),
        .out_valid_o (out_valid_o[k]),
        .out_ready_i (out_ready_i[k]),
        .out_data_o  (out_data_o[k*Width +: Width]),
        .count_o     (count)
      );
      assign count_o[k*8 +: 8] = 8'(count);
    end
  endgenerate

  wf_skid #(.Width(Width)) u_skid (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (in_valid_i[Fifos]),
    .in_ready_o  (in_ready_o[Fifos]),
    .in_data_i   (in_data_i[Fifos*Width +: Width]),
    .out_valid_o (out_valid_o[Fifos]),
    .out_ready_i (out_ready_i[Fifos]),
    .out_data_o  (out_data_o[Fifos*Width +: Width])
  );
  assign idle_o = count_o == '0 && !out_valid_o[Fifos];
endmodule
`default_nettype wire
