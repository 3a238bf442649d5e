// wf_onehot_enc: the position of the one set bit; nothing without one; with several the OR of the
// positions.
`default_nettype none
`include "wf_assert.vh"
module wf_onehot_enc_props #(parameter integer N = 11) (
  input wire clk_i, input wire [N-1:0] onehot
);
`include "formal.vh"
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1;
  wire [IndexBits-1:0] index;
  wire any;
  wf_onehot_enc #(.N(N)) dut (.onehot_i(onehot), .index_o(index), .any_o(any));
  logic [IndexBits-1:0] expected;
  always_comb begin
    expected = '0;
    for (int i = 0; i < N; i++) if (onehot[i]) expected = expected | IndexBits'(i);
  end
  `WF_ASSERT(index_right, index == expected, "the position, or the OR of several")
  `WF_ASSERT(any_right, any == (onehot != '0), "whether there is one")
  `WF_COVER(last, onehot == {1'b1, {(N-1){1'b0}}} && {1'b0, index} == (IndexBits + 1)'(N - 1))
endmodule
`default_nettype wire
