// mff_freelist: hands out the numbers 0..Entries-1, each to one holder at a time. Numbers that were
// never used come from a counter, so that nothing needs filling after reset; others from a FIFO.
//
// id_o is free while valid_o; take_i (only while valid_o) hands it out. put_i returns a number that
// is out (Rule 1). A returned number can be taken four cycles later. used_o: how many are out,
// those that came back in the cycle before included.
// Outputs are registers, filled ahead, and returned numbers pass one: take_i and put_i may come
// late in a cycle.
//   Entries  1 or more
// Storage: Entries x log2(Entries) RAM bits.
`default_nettype none
`include "wf_assert.vh"

module mff_freelist #(
  parameter integer Entries = 16,
  localparam integer IdW = Entries > 1 ? $clog2(Entries) : 1,
  localparam integer UsedW = $clog2(Entries + 1)
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  output wire             valid_o,
  output wire [IdW-1:0]   id_o,
  input  wire             take_i,
  input  wire             put_i,
  input  wire [IdW-1:0]   put_id_i,
  output wire [UsedW-1:0] used_o
);
  localparam integer LastI = Entries - 1;
  localparam [UsedW-1:0] LAST = LastI[UsedW-1:0];
  reg [UsedW-1:0] fresh_q, used_q;
  reg more_q;                             // fresh_q is not yet Entries
  reg put_q;
  wire fresh = more_q;
  wire back_valid;
  wire [IdW-1:0] back_id;

  // The numbers offered next.
  wire next_ready;
  wf_skid #(.Width(IdW)) u_next (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(fresh || back_valid), .in_ready_o(next_ready),
    .in_data_i(fresh ? fresh_q[IdW-1:0] : back_id), .out_valid_o(valid_o), .out_ready_i(take_i),
    .out_data_o(id_o)
  );
  assign used_o = used_q;
  // Counted for either take_i, which chooses.
  wire [UsedW-1:0] used_taken = put_q ? used_q : used_q + 1'b1;
  wire [UsedW-1:0] used_kept = put_q ? used_q - 1'b1 : used_q;

  reg [IdW-1:0] put_id_q;
  wire back_ready;
  wire [UsedW-1:0] back_count;
  wire unused = &{1'b0, back_count};
  wf_fifo #(.Width(IdW), .Depth(Entries), .Ram(1)) u_back (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .in_valid_i(put_q), .in_ready_o(back_ready), .in_data_i(put_id_q),
    .out_valid_o(back_valid), .out_ready_i(next_ready && !fresh), .out_data_o(back_id),
    .count_o(back_count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= '0;
      more_q <= 1'b1;
      used_q <= '0;
      put_q <= 1'b0;
    end else begin
      if (next_ready && fresh) fresh_q <= fresh_q + 1'b1;
      if (next_ready && fresh) more_q <= fresh_q != LAST;
      used_q <= take_i ? used_taken : used_kept;
      put_q <= put_i;
    end
  end
  always_ff @(posedge clk_i) if (put_i) put_id_q <= put_id_i;

  `WF_ASSERT(rule1, !put_i || used_q != {{(UsedW-1){1'b0}}, put_q},
             "Rule 1: only numbers that are out come back")
  `WF_ASSERT(rule3, !put_q || back_ready, "Rule 3: a number comes back once")
  `WF_ASSERT(rule2, !take_i || valid_o, "Rule 2: take only what is free")
endmodule

`default_nettype wire
