// wf_priority_enc: the lowest set bit, as a vector and as an index.
`default_nettype none
`include "wf_assert.vh"
module wf_priority_enc_props #(parameter integer N = 11) (
  input wire clk_i, input wire [N-1:0] bits
);
`include "formal.vh"
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1;
  wire [IndexBits-1:0] index;
  wire [N-1:0] onehot;
  wire any;
  wf_priority_enc #(.N(N)) dut (.bits_i(bits), .onehot_o(onehot), .index_o(index), .any_o(any));
  logic [IndexBits-1:0] expected;
  always_comb begin
    expected = '0;
    for (int i = N - 1; i >= 0; i--) if (bits[i]) expected = IndexBits'(i);
  end
  `WF_ASSERT(index_right, index == expected, "the lowest position")
  `WF_ASSERT(onehot_right, onehot == (any ? ({{(N-1){1'b0}}, 1'b1} << expected) : '0),
             "as a vector")
  `WF_ASSERT(any_right, any == (bits != '0), "whether there is one")
  `WF_COVER(several, bits[N-1] && index == IndexBits'(3))
endmodule
`default_nettype wire
