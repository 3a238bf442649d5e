// spref_pick: the first request behind the one before, combinational. Who was before is the
// caller's: after_i has ones behind it, or none.
//
// Which bits have a one below is found in log2(N) steps for all at once.
//
// Parameters
//   N  1 ..  requests
// Storage: none.
`default_nettype none

module spref_pick #(
  parameter integer N = 48,
  localparam integer IndexBits = N > 1 ? $clog2(N) : 1
) (
  input  wire [N-1:0]         req_i,
  input  wire [N-1:0]         after_i,
  output wire [N-1:0]         bit_o,
  output wire [IndexBits-1:0] index_o,
  output wire                 some_o,
  output wire [N-1:0]         after_o   // behind this one
);
  function automatic [N-1:0] above(input [N-1:0] v);
    above = v << 1;
    for (int s = 1; s < N; s = s * 2) above = above | (above << s);
  endfunction
  wire [N-1:0] behind = req_i & after_i;
  wire [N-1:0] behind_above = above(behind), all_above = above(req_i);
  wire [N-1:0] first = behind & ~behind_above, all_first = req_i & ~all_above;
  wire [IndexBits-1:0] index, all_index;
  wire behind_some;
  wf_onehot_enc #(.N(N)) u_behind (.onehot_i(first), .index_o(index), .any_o(behind_some));
  wf_onehot_enc #(.N(N)) u_all (.onehot_i(all_first), .index_o(all_index), .any_o(some_o));
  wire any_behind = behind != '0;
  assign bit_o = any_behind ? first : all_first;
  assign index_o = any_behind ? index : all_index;
  assign after_o = any_behind ? behind_above : all_above;
  wire unused = &{1'b0, behind_some};
endmodule
`default_nettype wire
