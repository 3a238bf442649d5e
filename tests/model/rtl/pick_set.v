// Arbiters, encoders and slice numbers of several sizes, combinational or nearly so, side by side.
`default_nettype none

module pick_set #(
  localparam integer Sizes = 6
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire  [69:0]       bits_i,
  input  wire  [Sizes-1:0]  advance_i,
  output logic [Sizes*70-1:0] first_o,    // wf_priority_enc: one-hot
  output logic [Sizes*8-1:0]  index_o,    //   and index
  output logic [Sizes-1:0]    any_o,
  output logic [Sizes*70-1:0] free_o,     // wf_arb_rr, Hold = 0
  output logic [Sizes*8-1:0]  free_index_o,
  output logic [Sizes*70-1:0] hold_o,     // wf_arb_rr, Hold = 1
  input  wire  [63:0]       block_i,
  output logic [11*8-1:0]     slice_o,    // combinational
  output logic [11*8-1:0]     slice_q_o,  // one cycle later
  output logic [6*8-1:0]      hash_o,     // wf_slice_hash, combinational
  output logic [6*8-1:0]      hash_q_o    // three enabled edges later
);
  function automatic integer size(input integer k);
    case (k)
      0:       size = 1;
      1:       size = 2;
      2:       size = 3;
      3:       size = 6;
      4:       size = 32;
      default: size = 70;
    endcase
  endfunction
  function automatic integer slices(input integer k);
    case (k)
      0:       slices = 1;
      1:       slices = 2;
      2:       slices = 3;
      3:       slices = 4;
      4:       slices = 6;
      5:       slices = 8;
      6:       slices = 12;
      7:       slices = 24;
      8:       slices = 48;
      9:       slices = 96;
      default: slices = 192;
    endcase
  endfunction

  function automatic integer hashed(input integer k);
    case (k)
      0:       hashed = 1;
      1:       hashed = 3;
      2:       hashed = 10;
      3:       hashed = 16;
      4:       hashed = 80;
      default: hashed = 224;
    endcase
  endfunction

  generate
    for (genvar k = 0; k < Sizes; k++) begin : g_size
      localparam integer N = size(k);
      localparam integer B = (N > 1) ? $clog2(N) : 1;
      logic [N-1:0] first, free, hold;
      logic [B-1:0] index, free_index;
      wf_priority_enc #(.N(N)) u_first (
        .bits_i   (bits_i[N-1:0]),
        .onehot_o (first),
        .index_o  (index),
        .any_o    (any_o[k])
      );
      /* verilator lint_off PINCONNECTEMPTY */
      wf_arb_rr #(.N(N)) u_free (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .req_i       (bits_i[N-1:0]),
        .advance_i   (advance_i[k]),
        .gnt_o       (free),
        .gnt_index_o (free_index),
        .gnt_valid_o ()
      );
      wf_arb_rr #(.N(N), .Hold(1)) u_hold (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .req_i       (bits_i[N-1:0]),
        .advance_i   (advance_i[k]),
        .gnt_o       (hold),
        .gnt_index_o (),
        .gnt_valid_o ()
      );
      /* verilator lint_on PINCONNECTEMPTY */
      assign first_o[k*70 +: 70]    = 70'(first);
      assign free_o[k*70 +: 70]     = 70'(free);
      assign hold_o[k*70 +: 70]     = 70'(hold);
      assign index_o[k*8 +: 8]      = 8'(index);
      assign free_index_o[k*8 +: 8] = 8'(free_index);
    end
    for (genvar k = 0; k < 11; k++) begin : g_slice
      localparam integer S = slices(k);
      localparam integer B = (S > 1) ? $clog2(S) : 1;
      logic [B-1:0] direct, registered;
      wf_mod_slice #(.Bits(64), .NSlice(S)) u_direct (
        .clk_i   (clk_i),
        .rst_ni  (rst_ni),
        .en_i    (1'b1),
        .block_i (block_i),
        .slice_o (direct)
      );
      wf_mod_slice #(.Bits(64), .NSlice(S), .Stages(1)) u_registered (
        .clk_i   (clk_i),
        .rst_ni  (rst_ni),
        .en_i    (advance_i[0]),
        .block_i (block_i),
        .slice_o (registered)
      );
      assign slice_o[k*8 +: 8]   = 8'(direct);
      assign slice_q_o[k*8 +: 8] = 8'(registered);
    end
    for (genvar k = 0; k < 6; k++) begin : g_hash
      localparam integer S = hashed(k);
      localparam integer Bits = k == 5 ? 64 : 41 - k;
      localparam integer B = (S > 1) ? $clog2(S) : 1;
      logic [B-1:0] direct, staged;
      wf_slice_hash #(.Bits(Bits), .NSlice(S), .Stages(0)) u_direct (
        .clk_i(clk_i), .rst_ni(rst_ni), .en_i(1'b1), .block_i(block_i[Bits-1:0]),
        .slice_o(direct)
      );
      wf_slice_hash #(.Bits(Bits), .NSlice(S)) u_staged (
        .clk_i(clk_i), .rst_ni(rst_ni), .en_i(advance_i[0]),
        .block_i(block_i[Bits-1:0]), .slice_o(staged)
      );
      assign hash_o[k*8 +: 8]   = 8'(direct);
      assign hash_q_o[k*8 +: 8] = 8'(staged);
    end
  endgenerate
endmodule
`default_nettype wire
