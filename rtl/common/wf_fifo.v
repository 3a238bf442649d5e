// First in, first out queue with ready/valid ports.
//
// Three forms, one behaviour at the ports:
//   Ram = 0, OutReg = 0   flops, read combinationally: an item is offered one cycle after it came
//   Ram = 0, OutReg = 1   flops and an output register: two cycles, short output path
//   Ram = 1               wf_ram_1r1w, whose output latch is the output register: two cycles
// in_ready_o and out_valid_o are functions of flops only: no path from input to output ports.
// Full throughput needs Depth >= 2, or >= 3 in the two-cycle forms.
// Handshake: a transfer is valid and ready at an edge; valid never waits for ready.
//
// Parameters
//   Width   1 ..    bits of an item
//   Depth   1 ..    items held in all, output register included; need not be a power of two
//   Ram     0, 1
//   OutReg  0, 1    ignored when Ram = 1
// Storage: Depth * Width bits (flops, or RAM), Width more in the output register of the two-cycle
//   forms, 2 * clog2(Depth) + clog2(Depth + 1) + 1 flops of control.
//
// Rules
//   1 The neighbour repeats an offer unchanged until it is taken.
//   2 So does this module.
//   3 It never holds more than Depth items.
//   4 It offers an item only while it holds one.
`default_nettype none
`include "wf_assert.vh"

module wf_fifo #(
  parameter integer Width  = 8,
  parameter integer Depth  = 4,
  parameter integer Ram    = 0,
  parameter integer OutReg = 0,
  localparam integer CountBits = $clog2(Depth + 1)
) (
  input  wire                  clk_i,
  input  wire                  rst_ni,
  input  wire                  in_valid_i,
  output logic                 in_ready_o,
  input  wire  [Width-1:0]     in_data_i,
  output logic                 out_valid_o,
  input  wire                  out_ready_i,
  output logic [Width-1:0]     out_data_o,
  output logic [CountBits-1:0] count_o  // items held
);
  localparam integer PtrBits = (Depth > 1) ? $clog2(Depth) : 1;
  localparam [PtrBits-1:0]   LAST = PtrBits'(Depth - 1);
  localparam [CountBits-1:0] FULL = CountBits'(Depth);

  initial if (Width < 1) $fatal(1, "wf_fifo: Width is %0d, must be 1 or more", Width);
  initial if (Depth < 1) $fatal(1, "wf_fifo: Depth is %0d, must be 1 or more", Depth);

  logic [PtrBits-1:0]   head_q, tail_q;
  logic [CountBits-1:0] count_q;

  assign in_ready_o = count_q != FULL;
  assign count_o    = count_q;

  wire push = in_valid_i && in_ready_o;
  wire pop  = out_valid_o && out_ready_i;
  logic fetch;  // the item at head_q leaves the array

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (push) tail_q <= (tail_q == LAST) ? '0 : tail_q + 1'b1;
      if (fetch) head_q <= (head_q == LAST) ? '0 : head_q + 1'b1;
      if (push != pop) count_q <= push ? count_q + 1'b1 : count_q - 1'b1;
    end
  end

  generate
    if (Ram == 0 && OutReg == 0) begin : g_direct
      logic [Width-1:0] item_q [Depth];
      always_ff @(posedge clk_i) if (push) item_q[tail_q] <= in_data_i;
      assign fetch       = pop;
      assign out_valid_o = count_q != '0;
      assign out_data_o  = item_q[head_q];
    end else begin : g_registered
      logic out_valid_q;
      // Items in the array: all but the one in the output register.
      wire stored = count_q != {{(CountBits - 1){1'b0}}, out_valid_q};
      assign fetch       = stored && (!out_valid_q || out_ready_i);
      assign out_valid_o = out_valid_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) out_valid_q <= 1'b0;
        else if (!out_valid_q || out_ready_i) out_valid_q <= stored;
      end
      if (Ram != 0) begin : g_ram
        wf_ram_1r1w #(.Width(Width), .Depth(Depth)) u_ram (
          .clk_i     (clk_i),
          .rst_ni    (rst_ni),
          .wr_en_i   (push),
          .wr_addr_i (tail_q),
          .wr_mask_i (1'b1),
          .wr_data_i (in_data_i),
          .rd_en_i   (fetch),
          .rd_addr_i (head_q),
          .rd_data_o (out_data_o)
        );
      end else begin : g_flops
        logic [Width-1:0] item_q [Depth];
        logic [Width-1:0] out_data_q;
        always_ff @(posedge clk_i) begin
          if (push) item_q[tail_q] <= in_data_i;
          if (fetch) out_data_q <= item_q[head_q];
        end
        assign out_data_o = out_data_q;
      end
    end
  endgenerate

  `WF_ASSUME_STABLE(rule_1_input_stable, in_valid_i, in_ready_o, in_data_i, Width,
                    "Rule 1: an input offer holds until taken")
  `WF_ASSERT_STABLE_PROVEN(rule_2_output_stable, out_valid_o, out_ready_i, out_data_o, Width,
                           "Rule 2: an output offer holds until taken")
  `WF_ASSERT_PROVEN(rule_3_capacity, count_q < FULL || count_q == FULL,
                    "Rule 3: it never holds more than Depth items")
  `WF_ASSERT_PROVEN(rule_4_offer, !out_valid_o || count_q != '0,
                    "Rule 4: it offers an item only while it holds one")
endmodule
`default_nettype wire
