// Channels that break the handshake on command, for the tests of the agents.
`default_nettype none

module faulty (
  input  wire        clk_i,
  input  wire        rst_ni,
  input  wire  [1:0] fault_i,  // 1 drops valid, 2 changes the payload, 3 swallows items
  input  wire        in_valid_i,
  output logic       in_ready_o,
  input  wire  [7:0] in_data_i,
  output logic       out_valid_o,
  input  wire        out_ready_i,
  output logic [7:0] out_data_o
);
  logic       full_q;
  logic [7:0] data_q, age_q;
  assign in_ready_o  = !full_q;
  assign out_valid_o = full_q && !(fault_i == 2'd1 && age_q == 8'd3) && fault_i != 2'd3;
  assign out_data_o  = (fault_i == 2'd2 && age_q == 8'd3) ? ~data_q : data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= 1'b0;
      data_q <= '0;
      age_q  <= '0;
    end else begin
      age_q <= full_q ? age_q + 8'd1 : 8'd0;
      if (in_valid_i && !full_q) begin
        full_q <= 1'b1;
        data_q <= in_data_i;
      end else if (out_valid_o && out_ready_i) full_q <= 1'b0;
    end
  end
endmodule
`default_nettype wire
