// mff_ways: which way a block takes, of its sets in one or two banks: the first free one of the set
// that has more, bank 0 in a tie; none if all are held. Combinational. tag_o is the tag's number,
// {bank, way, set}.
//   Banks 1, 2   Ways of a set, Sets: powers of two   SetW, TagW: 1 or more
`default_nettype none

module mff_ways #(
  parameter integer Banks = 2,
  parameter integer Ways = 4,
  parameter integer Sets = 32,
  parameter integer SetW = 5,
  parameter integer TagW = 8,
  localparam integer N = Banks * Ways
) (
  input  wire [N-1:0]          held_i,
  input  wire [Banks*SetW-1:0] set_i,     // of each bank
  output wire [N-1:0]          pick_o,    // one bit at most
  output wire [TagW-1:0]       tag_o      // of that bit
);
  localparam integer CountW = $clog2(Ways + 1);
  wire [Banks*CountW-1:0] free;
  wire bank = Banks > 1 && free[(Banks-1)*CountW +: CountW] > free[CountW-1:0];
  generate
    for (genvar b = 0; b < Banks; b = b + 1) begin : g_bank
      wire [Ways-1:0] held = held_i[b*Ways +: Ways];
      reg [CountW-1:0] count;
      always_comb begin
        count = '0;
        for (int w = 0; w < Ways; w = w + 1) count = count + CountW'(!held[w]);
      end
      assign free[b*CountW +: CountW] = count;
      assign pick_o[b*Ways +: Ways] = bank == (b != 0) ? ~held & (held + 1'b1) : '0;
    end
  endgenerate
  reg [TagW-1:0] first;                   // its number in the first of the sets
  always_comb begin
    first = '0;
    for (int n = 0; n < N; n = n + 1) if (pick_o[n]) first = first | TagW'(n * Sets);
  end
  wire [SetW-1:0] set = bank ? set_i[(Banks-1)*SetW +: SetW] : set_i[SetW-1:0];
  assign tag_o = first | TagW'(set);
endmodule

`default_nettype wire
