// spref_choose: what each scheduler of an SM issues in the next cycle beside the unit: of its warps
// the first one behind whom it chose before that may go, by what the unit showed a cycle ago; from
// reset the lowest. Warp w is of scheduler w % Tries. The SM's, for timing and price (spref_sm).
//
// A warp whose instruction is at issue now is chosen for what it has behind. If that one does not
// go after all, the warp's next turn is lost, too: only valid_o waits for issue_i.
//
// TIMING. Everything out comes from flops. A warp's next instruction is also one that is at issue
// now. A load's flags say too that it has its answer.
//
// Parameters
//   NumWarp 2..  Tries 1..NumWarp: schedulers  WordW 1..: bits of an instruction in its buffer
// Storage: 7 flops a warp, and Tries x (WordW + warp + 6).
`default_nettype none

module spref_choose #(
  parameter integer NumWarp = 48,
  parameter integer Tries = 2,
  parameter integer WordW = 164,
  localparam integer WarpW = NumWarp > 1 ? $clog2(NumWarp) : 1
) (
  input  wire                      clk_i,
  input  wire                      rst_ni,
  // of each warp's next instruction: its operands are there; as a move; what it is
  input  wire [NumWarp-1:0]        there_i,
  input  wire [NumWarp-1:0]        move_there_i,
  input  wire [NumWarp-1:0]        is_load_i,
  input  wire [NumWarp-1:0]        is_over_i,
  input  wire [NumWarp-1:0]        is_branch_i,
  input  wire [NumWarp-1:0]        is_end_i,
  input  wire [NumWarp*WordW-1:0]  first_i,
  // of the one behind it, should that issue: never a load
  input  wire [NumWarp-1:0]        behind_there_i,
  input  wire [NumWarp-1:0]        behind_branch_i,
  input  wire [NumWarp-1:0]        behind_end_i,
  input  wire [NumWarp*WordW-1:0]  behind_i,
  // what the unit shows now
  input  wire [NumWarp-1:0]        go_i,
  input  wire [NumWarp-1:0]        move_i,
  input  wire [NumWarp-1:0]        hold_i,
  input  wire [NumWarp-1:0]        wait_i,
  input  wire [NumWarp-1:0]        held_i,
  input  wire [Tries-1:0]          issue_i,  // what is at issue goes
  // at issue
  output reg  [Tries-1:0]          valid_o,
  output reg  [Tries*WarpW-1:0]    warp_o,
  output reg  [Tries*NumWarp-1:0]  bit_o,
  output reg  [Tries*WordW-1:0]    word_o,
  output reg  [Tries-1:0]          load_o,   // that waited for its answer
  output reg  [Tries-1:0]          move_o,   // of a load: it goes as a move
  output reg  [Tries-1:0]          over_o,   // of a load: its base has been read
  output reg  [Tries-1:0]          branch_o,
  output reg  [Tries-1:0]          end_o
);
  initial if (NumWarp < 2 || Tries < 1 || Tries > NumWarp || WordW < 1)
    $fatal(1, "spref_choose: NumWarp must be 2 or more, Tries 1..NumWarp, WordW 1 or more");

  reg [NumWarp-1:0] go_q, as_move_q, hold_q, wait_q, held_q;
  always_ff @(posedge clk_i)
    {go_q, as_move_q, hold_q, wait_q, held_q} <= {go_i, move_i, hold_i, wait_i, held_i};
  wire [NumWarp-1:0] goes = is_load_i & go_q, goes_as_move = goes & as_move_q;
  wire [NumWarp-1:0] ready = ((~is_load_i | (goes & ~as_move_q)) & there_i)
                             | (goes_as_move & move_there_i);
  wire [NumWarp-1:0] first = ready & ~hold_q & ~(is_end_i & wait_q)
                             & ~((is_end_i | is_branch_i) & held_q);
  wire [NumWarp-1:0] behind = behind_there_i & ~hold_q & ~(behind_end_i & wait_q)
                              & ~((behind_end_i | behind_branch_i) & held_q);

  reg [Tries*NumWarp-1:0] after_q;
  generate
    for (genvar k = 0; k < Tries; k = k + 1) begin : g_choose
      wire [NumWarp-1:0] at_issue = bit_o[k*NumWarp +: NumWarp] & {NumWarp{valid_o[k]}};
      wire [NumWarp-1:0] mine, pick, after;
      for (genvar w = 0; w < NumWarp; w = w + 1) begin : g_of
        assign mine[w] = w % Tries == k && (at_issue[w] ? behind[w] : first[w]);
      end
      wire [WarpW-1:0] number;
      wire some;
      spref_pick #(.N(NumWarp)) u_pick (
        .req_i(mine), .after_i(after_q[k*NumWarp +: NumWarp]), .bit_o(pick), .index_o(number),
        .some_o(some), .after_o(after)
      );
      reg [WordW-1:0] first_c, behind_c;
      always_comb begin
        first_c = '0;
        behind_c = '0;
        for (int w = k; w < NumWarp; w = w + Tries) begin
          first_c = first_c | (first_i[w*WordW +: WordW] & {WordW{pick[w] && !at_issue[w]}});
          behind_c = behind_c | (behind_i[w*WordW +: WordW] & {WordW{at_issue[w]}});
        end
      end
      wire own = (pick & at_issue) != '0;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          valid_o[k] <= 1'b0;
          after_q[k*NumWarp +: NumWarp] <= '0;
        end else begin
          valid_o[k] <= some && (!own || issue_i[k]);
          if (some) after_q[k*NumWarp +: NumWarp] <= after;
        end
      end
      always_ff @(posedge clk_i) begin
        warp_o[k*WarpW +: WarpW] <= number;
        bit_o[k*NumWarp +: NumWarp] <= pick;
        word_o[k*WordW +: WordW] <= first_c | (behind_c & {WordW{own}});
        load_o[k] <= (is_load_i & pick) != '0 && !own;
        move_o[k] <= (goes_as_move & pick) != '0;
        over_o[k] <= (is_over_i & pick) != '0;
        branch_o[k] <= ((own ? behind_branch_i : is_branch_i) & pick) != '0;
        end_o[k] <= ((own ? behind_end_i : is_end_i) & pick) != '0;
      end
    end
  endgenerate
endmodule
`default_nettype wire
