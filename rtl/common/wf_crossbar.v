// Crossbar: N inputs by M outputs, ready/valid, one item at a time (single-flit packets), with
// round-robin arbitration at each output and registered outputs.
//
// Timing: one cycle of latency; each output passes one item per cycle. in_ready_o depends on
// in_valid_i and in_dest_i of all inputs (arbitration) and on flops, never on out_ready_i: each
// output ends in a wf_skid. An item that loses the arbitration waits at its input, and blocks the
// items behind it there.
// Handshake: a transfer is valid and ready at an edge; valid must not wait for ready; ready may
// wait for valid.
//
// Parameters
//   N      1 ..    inputs
//   M      1 ..    outputs
//   Width  1 ..    bits of an item
//   WithSource     1: out_data_o carries the input's number above the item (Width + clog2(N) bits)
// Storage: M * (2 * OutWidth + 2 + N) flops, OutWidth = Width + WithSource * clog2(N).
//
// Rules
//   1 The neighbour repeats an offer unchanged until it is taken.
//   2 A destination is below M.
//   3 An input is served by one output at most.
`default_nettype none
`include "wf_assert.vh"

module wf_crossbar #(
  parameter integer N          = 4,
  parameter integer M          = 4,
  parameter integer Width      = 32,
  parameter integer WithSource = 0,
  localparam integer DestBits   = (M > 1) ? $clog2(M) : 1,
  localparam integer SourceBits = (N > 1) ? $clog2(N) : 1,
  localparam integer OutWidth   = Width + ((WithSource != 0) ? SourceBits : 0)
) (
  input  wire                   clk_i,
  input  wire                   rst_ni,
  input  wire  [N-1:0]          in_valid_i,
  output logic [N-1:0]          in_ready_o,
  input  wire  [N*DestBits-1:0] in_dest_i,
  input  wire  [N*Width-1:0]    in_data_i,
  output logic [M-1:0]          out_valid_o,
  input  wire  [M-1:0]          out_ready_i,
  output logic [M*OutWidth-1:0] out_data_o
);
  initial if (N < 1) $fatal(1, "wf_crossbar: N is %0d, must be 1 or more", N);
  initial if (M < 1) $fatal(1, "wf_crossbar: M is %0d, must be 1 or more", M);
  initial if (Width < 1) $fatal(1, "wf_crossbar: Width is %0d, must be 1 or more", Width);

  logic [M*N-1:0] served;  // [m*N + n]: output m takes from input n

  generate
    for (genvar m = 0; m < M; m++) begin : g_out
      logic [N-1:0]          req, gnt;
      logic [SourceBits-1:0] source;
      logic                  some, ready;
      logic [OutWidth-1:0]   item;

      for (genvar n = 0; n < N; n++) begin : g_req
        assign req[n] = in_valid_i[n] && in_dest_i[n*DestBits +: DestBits] == DestBits'(m);
      end

      wf_arb_rr #(.N(N)) u_arbiter (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .req_i       (req),
        .advance_i   (ready),
        .gnt_o       (gnt),
        .gnt_index_o (source),
        .gnt_valid_o (some)
      );

      always_comb begin
        item = '0;
        if (some) item[Width-1:0] = in_data_i[source*Width +: Width];
        if (WithSource != 0) item[OutWidth-1 -: SourceBits] = source;
      end

      wf_skid #(.Width(OutWidth)) u_output (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .in_valid_i  (some && ready),
        .in_ready_o  (ready),
        .in_data_i   (item),
        .out_valid_o (out_valid_o[m]),
        .out_ready_i (out_ready_i[m]),
        .out_data_o  (out_data_o[m*OutWidth +: OutWidth])
      );
      assign served[m*N +: N] = ready ? gnt : '0;
    end
  endgenerate

  always_comb begin
    in_ready_o = '0;
    for (int m = 0; m < M; m++) in_ready_o = in_ready_o | served[m*N +: N];
  end

  generate
    for (genvar n = 0; n < N; n++) begin : g_in
      `WF_ASSUME_STABLE(rule_1_stable, in_valid_i[n], in_ready_o[n],
                        {in_dest_i[n*DestBits +: DestBits], in_data_i[n*Width +: Width]},
                        DestBits + Width, "Rule 1: an input offer holds until taken")
      `WF_ASSUME(rule_2_destination, !in_valid_i[n] ||
                 {1'b0, in_dest_i[n*DestBits +: DestBits]} < (DestBits + 1)'(M),
                 "Rule 2: a destination is below M")
      logic [M-1:0] takers;
      for (genvar m = 0; m < M; m++) begin : g_taker
        assign takers[m] = served[m*N + n];
      end
      `WF_ASSERT(rule_3_once, (takers & (takers - 1'b1)) == '0,
                 "Rule 3: an input is served by one output at most")
    end
  endgenerate
endmodule
`default_nettype wire
