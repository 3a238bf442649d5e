// spref_form: what an instruction makes of a value that is followed. x is the operand whose form
// goes on, scaled first, then added to; y, the other one, is a number or a constant. A form is a
// kind and, of a stride, its number; of a load's value the index scaled, one base and a number.
//
// Timing: combinational, in S1. Storage: none.
`default_nettype none

module spref_form (
  input  wire        widen_i,     // indexes may go from 32 to 64 bits
  // the instruction
  input  wire [3:0]  op_i,
  input  wire [15:0] imm_i,
  input  wire [1:0]  ext_i,
  input  wire [3:0]  sh_i,
  // y
  input  wire        y_number_i,
  input  wire        y_reg_i,
  input  wire        y_const_i,
  input  wire        y_hit_i,     // an entry holds it
  // x
  input  wire [1:0]  x_kind_i,
  input  wire [15:0] x_num_i,
  input  wire        x_base_v_i,
  input  wire [3:0]  x_scale_i,
  input  wire [1:0]  x_ext_i,
  // the result
  output wire        follows_o,   // it has a form; else it is random
  output wire        base_o,      // y is its base
  output wire [15:0] num_o,
  output wire [3:0]  scale_o,
  output wire [1:0]  ext_o,
  // of a load whose address is x
  output wire [15:0] address_o,   // what is added in all
  output wire        address_ok_o
);
  localparam [3:0] ADD = 4'd1, SUB = 4'd2, SCALE = 4'd3, MAD = 4'd4;
  localparam [1:0] CONST = 2'd0, STRIDE = 2'd1, LOAD = 2'd2, RANDOM = 2'd3;

  wire signed [15:0] x_num = x_num_i;
  wire scaling = op_i == SCALE || op_i == MAD, adding = op_i == ADD || op_i == MAD;
  wire [3:0] sh = scaling ? sh_i : 4'd0;
  wire [1:0] ext = scaling ? ext_i : 2'd0;
  wire signed [31:0] wide_num = {{16{x_num[15]}}, x_num};
  // Of a stride; of a load's value a number is not shifted.
  wire signed [31:0] scaled = wide_num <<< sh;
  wire signed [16:0] plus = {x_num[15], x_num}
                            + (adding && y_number_i ? {imm_i[15], imm_i} : 17'd0);
  wire num_ok = x_kind_i == CONST || (x_kind_i == LOAD ? plus[16] == plus[15]
                                      : scaled[31:15] == '0 || scaled[31:15] == '1);
  wire [4:0] scale_sum = {1'b0, x_scale_i} + {1'b0, sh};
  wire plain = x_num == '0 && !x_base_v_i;  // of a load's value: nothing added yet
  wire scale_ok = x_kind_i == CONST || (x_kind_i == STRIDE && (ext == 2'd0 || widen_i))
                  || (x_kind_i == LOAD && (sh == 4'd0 && ext == 2'd0 || plain) && !scale_sum[4]
                      && (ext == 2'd0 || (x_scale_i == 4'd0 && x_ext_i == 2'd0)));
  wire add_ok = op_i == SCALE
                || (y_const_i && (adding || (op_i == SUB && x_kind_i != LOAD && y_reg_i)));
  // A base is read with the tail: it must be the same at any place of the loop.
  wire base_ok = !(x_kind_i == LOAD && adding && y_reg_i && (x_base_v_i || y_hit_i));
  wire signed [31:0] address = wide_num + {{16{imm_i[15]}}, imm_i};

  assign follows_o = (adding || op_i == SUB || op_i == SCALE) && x_kind_i != RANDOM && scale_ok
                     && add_ok && base_ok && num_ok;
  assign base_o = x_kind_i == LOAD && adding && y_reg_i;
  assign num_o = x_kind_i == LOAD ? plus[15:0] : x_kind_i == STRIDE ? scaled[15:0] : 16'd0;
  assign scale_o = scale_sum[3:0];
  assign ext_o = ext != 2'd0 ? ext : x_ext_i;
  assign address_o = address[15:0];
  assign address_ok_o = address[31:15] == '0 || address[31:15] == '1;
endmodule
`default_nettype wire
