// dtbl_port: two units at one port of memory: whose turn it is, and whose answer comes. The first
// goes before the second; but one of the second's that waits goes after one of the first's at most,
// so that neither waits for ever. The id that travels with a request tells whose it is: its highest
// bit, above an id of the user's own.
//
//   a, b  the two users' requests     mem  the one that is offered
//   rsp   an answer; it is offered to whose it is, and waits for him
//
// Timing: combinational both ways; whose turn it is follows flops of b and a_valid_i.
//
//   PayW 1..   IdW 1..
// Storage: 1 flop.
//
// Rules
//   1 An offered request holds until taken.
//   2 What is offered to memory holds until taken.
//   3 Each is taken as it is, once; one that waits sees one of the other's go first at most.
//   4 An answer goes to who asked.
//   5 While b offers nothing the flop stays 0: its clock may be withheld.
`default_nettype none
`include "wf_assert.vh"

module dtbl_port #(
  parameter integer PayW = 165,
  parameter integer IdW = 4
) (
  input  wire            clk_i,
  input  wire            rst_ni,
  input  wire            a_valid_i,
  output wire            a_ready_o,
  input  wire [PayW-1:0] a_data_i,
  input  wire [IdW-1:0]  a_id_i,
  output wire            a_rsp_valid_o,
  input  wire            a_rsp_ready_i,
  input  wire            b_valid_i,
  output wire            b_ready_o,
  input  wire [PayW-1:0] b_data_i,
  output wire            b_rsp_valid_o,
  input  wire            b_rsp_ready_i,
  output wire            mem_valid_o,
  input  wire            mem_ready_i,
  output wire [PayW-1:0] mem_data_o,
  output wire [IdW:0]    mem_id_o,
  input  wire            rsp_valid_i,
  output wire            rsp_ready_o,
  input  wire            rsp_b_i       // the highest bit of its id
);
  initial begin
    if (PayW < 1 || IdW < 1) $fatal(1, "dtbl_port: PayW and IdW must be 1 or more");
  end

  reg turn_q;                          // of b, which offers: one of a's went, or its offer stands
  wire is_b = b_valid_i && (turn_q || !a_valid_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else turn_q <= b_valid_i && is_b != mem_ready_i;
  end

  assign mem_valid_o = a_valid_i || b_valid_i;
  assign mem_data_o = is_b ? b_data_i : a_data_i;
  assign mem_id_o = is_b ? {1'b1, {IdW{1'b0}}} : {1'b0, a_id_i};
  assign a_ready_o = mem_ready_i && a_valid_i && !is_b;
  assign b_ready_o = mem_ready_i && is_b;

  assign a_rsp_valid_o = rsp_valid_i && !rsp_b_i;
  assign b_rsp_valid_o = rsp_valid_i && rsp_b_i;
  assign rsp_ready_o = rsp_b_i ? b_rsp_ready_i : a_rsp_ready_i;

  `WF_ASSUME_STABLE(rule1_b, b_valid_i, b_ready_o, b_data_i, PayW,
                    "Rule 1: the second's request holds")
  // Edges without b may be withheld: what passes then is a's and memory's to watch.
  `WF_ASSERT_STABLE(rule2_mem, b_valid_i && mem_valid_o, mem_ready_i, {mem_data_o, mem_id_o},
                    PayW + IdW + 1, "Rule 2: an offered request holds")
  `WF_ASSERT(rule3_one, !(a_ready_o && b_ready_o), "Rule 3: one is taken at a time")
  `WF_ASSERT(rule5_quiet, !turn_q || b_valid_i, "Rule 5: it is the second's turn only if it asks")
  wf_fair #(.N(2)) u_fair (
    .clk_i(clk_i), .rst_ni(rst_ni), .wait_i({b_valid_i, a_valid_i && b_valid_i}),
    .served_i({b_ready_o, a_ready_o})
  );
endmodule
`default_nettype wire
