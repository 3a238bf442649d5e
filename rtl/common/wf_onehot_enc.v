// Encoder of a one-hot vector: the position of its one set bit, combinational. With no bit set the
// index is 0; with several it is the OR of their positions.
//
// Each index bit is an OR over a constant half of the inputs: N/2 inputs, clog2(N) trees.
//
// Parameters
//   N  1 ..  inputs
// Storage: none.
`default_nettype none

module wf_onehot_enc #(
  parameter integer N = 8,
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1
) (
  input  wire  [N-1:0]         onehot_i,
  output logic [IndexBits-1:0] index_o,
  output logic                 any_o
);
  initial if (N < 1) $fatal(1, "wf_onehot_enc: N is %0d, must be 1 or more", N);

  // Inputs whose position has bit `b` set.
  // coverage: evaluated when the design is elaborated
  function automatic [N-1:0] positions(input integer b);
    positions = '0;
    for (int i = 0; i < N; i++) positions[i] = 1'((i >> b) & 1);
  endfunction

  generate
    for (genvar b = 0; b < IndexBits; b++) begin : g_bit
      localparam [N-1:0] POSITIONS = positions(b);
      assign index_o[b] = |(onehot_i & POSITIONS);
    end
  endgenerate
  assign any_o = |onehot_i;
endmodule
`default_nettype wire
