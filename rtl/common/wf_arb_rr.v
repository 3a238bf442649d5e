// Round-robin arbiter. The grant is combinational; after a grant is used (advance_i) the search
// starts behind the granted requester, so each waiting requester is served within N grants.
//
// With Hold = 1 a grant that was not used is kept while its request stays, for use in front of a
// ready/valid channel whose payload must not change; with Hold = 0 the grant may move.
//
// Parameters
//   N     1 ..   requesters
//   Hold  0, 1
// Storage: N flops, 2 * N with Hold.
//
// Rules
//   1 At most one grant.
//   2 A grant goes to a requester.
//   3 While there are requests there is a grant.
//   4 (Hold) An unused grant stays while its request does.
`default_nettype none
`include "wf_assert.vh"

module wf_arb_rr #(
  parameter integer N    = 4,
  parameter integer Hold = 0,
  localparam integer IndexBits = (N > 1) ? $clog2(N) : 1
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire  [N-1:0]         req_i,
  input  wire                  advance_i,  // the grant of this cycle is used
  output logic [N-1:0]         gnt_o,      // one-hot, or 0 without requests
  output logic [IndexBits-1:0] gnt_index_o,
  output logic                 gnt_valid_o
);
  initial if (N < 1) $fatal(1, "wf_arb_rr: N is %0d, must be 1 or more", N);

  logic [N-1:0] after_q;  // ones behind the last used grant
  logic [N-1:0] held;     // the kept grant, or 0

  wire [N-1:0] first  = req_i & after_q;
  wire [N-1:0] search = (first != '0) ? first : req_i;
  wire [N-1:0] lowest = search & (~search + 1'b1);

  assign gnt_o = (held != '0) ? held : lowest;

  wf_onehot_enc #(.N(N)) u_encode (
    .onehot_i (gnt_o),
    .index_o  (gnt_index_o),
    .any_o    (gnt_valid_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) after_q <= '0;
    else if (advance_i && gnt_valid_o) after_q <= ~(gnt_o | (gnt_o - 1'b1));
  end

  generate
    if (Hold != 0) begin : g_hold
      logic [N-1:0] held_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) held_q <= '0;
        else held_q <= advance_i ? '0 : gnt_o;
      end
      assign held = held_q & req_i;
      `WF_ASSERT_PROVEN(rule_4_hold, (held_q & req_i) == '0 || gnt_o == held_q,
                        "Rule 4: an unused grant stays while its request does")
    end else begin : g_free
      assign held = '0;
    end
  endgenerate

  `WF_ASSERT_PROVEN(rule_1_one, (gnt_o & (gnt_o - 1'b1)) == '0, "Rule 1: at most one grant")
  `WF_ASSERT_PROVEN(rule_2_requester, (gnt_o & ~req_i) == '0, "Rule 2: a grant goes to a requester")
  `WF_ASSERT_PROVEN(rule_3_some, (req_i == '0) == (gnt_o == '0),
                    "Rule 3: while there are requests there is a grant")
endmodule
`default_nettype wire
