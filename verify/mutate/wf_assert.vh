// The assertion macros for netlists with mutants (verify/mutate/netlist): clocked assertions that
// Yosys keeps as cells, so that they stay live in what it writes. Read before all sources, whose
// own include is then empty.
`ifndef WF_ASSERT_VH
`define WF_ASSERT_VH
`define WF_ASSERT_LIVE
`define WF_ASSERT(name, condition, text) \
  always @(posedge clk_i) if (rst_ni) assert (condition);
`define WF_ASSUME(name, condition, text) `WF_ASSERT(name, condition, text)
`define WF_COVER(name, condition)
`define WF_STABLE_STATE(name, valid, ready, data, bits) \
  reg name``_held_q; \
  reg [(bits)-1:0] name``_data_q; \
  always @(posedge clk_i or negedge rst_ni) \
    if (!rst_ni) name``_held_q <= 1'b0; \
    else name``_held_q <= (valid) && !(ready); \
  always @(posedge clk_i) if ((valid) && !(ready)) name``_data_q <= (data);
`define WF_ASSERT_STABLE(name, valid, ready, data, bits, text) \
  `WF_STABLE_STATE(name, valid, ready, data, bits) \
  `WF_ASSERT(name, !name``_held_q || ((valid) && (data) == name``_data_q), text)
`define WF_ASSUME_STABLE(name, valid, ready, data, bits, text) \
  `WF_ASSERT_STABLE(name, valid, ready, data, bits, text)
`define WF_ASSERT_PROVEN(name, condition, text) `WF_ASSERT(name, condition, text)
`define WF_ASSERT_STABLE_PROVEN(name, valid, ready, data, bits, text) \
  `WF_ASSERT_STABLE(name, valid, ready, data, bits, text)
`endif
