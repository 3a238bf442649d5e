// Finds the first (lowest) set bit, combinational: as a one-hot vector and as an index.
//
// x & -x isolates the bit, with the speed of an N-bit incrementer.
//
// Parameters
//   N  1 ..  inputs
// Storage: none.
`default_nettype none

module wf_priority_enc #(
  parameter integer N = 8,
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1
) (
  input  wire  [N-1:0]         bits_i,
  output logic [N-1:0]         onehot_o,  // the lowest set bit of bits_i, alone
  output logic [IndexBits-1:0] index_o,   // its position; 0 when there is none
  output logic                 any_o      // there is one
);
  initial if (N < 1) $fatal(1, "wf_priority_enc: N is %0d, must be 1 or more", N);

  assign onehot_o = bits_i & (~bits_i + 1'b1);

  wf_onehot_enc #(.N(N)) u_encode (
    .onehot_i (onehot_o),
    .index_o  (index_o),
    .any_o    (any_o)
  );
endmodule
`default_nettype wire
