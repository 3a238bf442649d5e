// spref_pick: the first request behind the one before, combinational. Who was before is the
// caller's: after_i has ones behind it, or none.
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
  // A number and its negative agree in the lowest one, and differ in all bits above.
  wire [N-1:0] behind = req_i & after_i, minus_behind = -behind, minus_req = -req_i;
  wire [N-1:0] first = behind & minus_behind, all_first = req_i & minus_req;
  // The lowest one's number, by halves: sooner there than by way of its bit.
  localparam integer Padded = 1 << IndexBits;
  function automatic [IndexBits-1:0] number(input [N-1:0] v);
    reg [Padded-1:0] some;
    reg [Padded*IndexBits-1:0] at;
    some = Padded'(v);
    at = '0;
    for (int l = 0; l < IndexBits; l = l + 1)
      for (int i = 0; i < Padded >> (l + 1); i = i + 1) begin
        at[i*IndexBits +: IndexBits] = some[2*i] ? at[2*i*IndexBits +: IndexBits]
            : at[(2*i + 1)*IndexBits +: IndexBits] | (IndexBits'(1) << l);
        some[i] = some[2*i] || some[2*i+1];
      end
    number = at[IndexBits-1:0];
  endfunction
  // What is of `behind` is 0 where there is none.
  wire none_behind = behind == '0;
  assign bit_o = first | (all_first & {N{none_behind}});
  assign index_o = none_behind ? number(req_i) : number(behind);
  assign some_o = req_i != '0;
  assign after_o = (behind ^ minus_behind) | ((req_i ^ minus_req) & {N{none_behind}});
endmodule
`default_nettype wire
