// Live assertions that every tool accepts. Include inside the file, before the module; the module
// must have clk_i and rst_ni. Conditions are checked at each rising edge outside reset.
// A condition that is X fails.
//
//   `WF_ASSERT(name, condition, "Rule 3: what always holds")
//   `WF_ASSUME(name, condition, "Rule 1: what the neighbour must do")
//   `WF_ASSERT_STABLE(name, valid, ready, data, bits, "...")   valid stays, data holds until taken
//   `WF_ASSUME_STABLE(name, valid, ready, data, bits, "...")   the same, of an input channel
//   `WF_ASSERT_PROVEN, `WF_ASSERT_STABLE_PROVEN   as those above; left out with WF_BENCH
//   `WF_COVER(name, condition)
//
// Simulators stop with the instance and the text ($fatal; Verilator and Icarus both add the
// hierarchical name, the label `name` included). `yosys read_verilog -formal` gets assert, assume
// and cover; an assumption inside a larger proof becomes an obligation with WF_ASSUME_IS_ASSERT.
// In simulation WF_COVER counts in models built for coverage (WF_COVERAGE), else it is nothing.
// A proof of one rule leaves all others to theirs with WF_RULES_ELSEWHERE.
// With WF_COVER_IS_ASSERT a cover point is the assertion that it is not reached, for engines
// without covers. Synthesis gets nothing, nor does a simulation with WF_NO_ASSERT. Without `;` at
// the end of a use. With WF_BENCH (the bench's models) rules are looked at while wf_look::now, and
// offers kept for the next edge while wf_look::keep (sim/model/wf_look.v).
`ifndef WF_ASSERT_VH
`define WF_ASSERT_VH

`ifdef FORMAL
// Yosys does not prefix labels by generate blocks: WF_NO_LABELS leaves them out where a loop
// repeats one.
`ifdef WF_NO_LABELS
`define WF_LABEL(name)
`else
`define WF_LABEL(name) name :
`endif
`ifdef WF_RULES_ELSEWHERE
`define WF_ASSERT(name, condition, text)
`else
`define WF_ASSERT(name, condition, text) \
  always @(*) if (rst_ni) `WF_LABEL(name) assert (condition);
`endif
`ifdef WF_ASSUME_IS_ASSERT
`define WF_ASSUME(name, condition, text) `WF_ASSERT(name, condition, text)
`else
`define WF_ASSUME(name, condition, text) \
  always @(*) if (rst_ni) `WF_LABEL(name) assume (condition);
`endif
`ifdef WF_COVER_IS_ASSERT
`define WF_COVER(name, condition) \
  always @(*) if (rst_ni) cover_``name : assert (!(condition));
`else
`define WF_COVER(name, condition) \
  always @(*) if (rst_ni) `WF_LABEL(name) cover (condition);
`endif
`define WF_ASSERT_LIVE
`elsif WF_NO_ASSERT
`define WF_ASSERT(name, condition, text)
`define WF_ASSUME(name, condition, text)
`define WF_COVER(name, condition)
`elsif SYNTHESIS
`define WF_ASSERT(name, condition, text)
`define WF_ASSUME(name, condition, text)
`define WF_COVER(name, condition)
`else
`ifdef WF_BENCH
`define WF_ASSERT(name, condition, text) \
  always @(posedge clk_i) if (wf_look::now) begin : name \
    if ((!(condition)) !== 1'b0) $fatal(1, text); \
  end
`else
`define WF_ASSERT(name, condition, text) \
  always @(posedge clk_i or negedge rst_ni) begin : name \
    if (!rst_ni) begin end else if ((!(condition)) !== 1'b0) $fatal(1, text); \
  end
`endif
`define WF_ASSUME(name, condition, text) `WF_ASSERT(name, condition, text)
`ifdef WF_COVERAGE
`define WF_COVER(name, condition) \
  cover_``name : cover property (@(posedge clk_i) rst_ni && (condition));
`else
`define WF_COVER(name, condition)
`endif
`define WF_ASSERT_LIVE
`endif

// Ready/valid: an offer that was not taken is repeated unchanged. In a simulator only what is held
// is compared, in two steps: else Verilator makes one expression of all, and compares every cycle.
`ifdef WF_ASSERT_LIVE
`define WF_STABLE_STATE(name, valid, ready, data, bits) \
  reg name``_held_q; \
  reg [(bits)-1:0] name``_data_q; \
  always @(posedge clk_i or negedge rst_ni) \
    if (!rst_ni) name``_held_q <= 1'b0; \
    else name``_held_q <= (valid) && !(ready); \
  always @(posedge clk_i) if ((valid) && !(ready)) name``_data_q <= (data);
`ifdef FORMAL
`define WF_ASSERT_STABLE(name, valid, ready, data, bits, text) \
  `WF_STABLE_STATE(name, valid, ready, data, bits) \
  `WF_ASSERT(name, !name``_held_q || ((valid) && (data) == name``_data_q), text)
`define WF_ASSUME_STABLE(name, valid, ready, data, bits, text) \
  `WF_STABLE_STATE(name, valid, ready, data, bits) \
  `WF_ASSUME(name, !name``_held_q || ((valid) && (data) == name``_data_q), text)
`else
`ifdef WF_BENCH
`define WF_ASSERT_STABLE(name, valid, ready, data, bits, text) \
  reg name``_held_q; \
  reg [(bits)-1:0] name``_data_q; \
  always @(posedge clk_i) if (wf_look::keep) begin : name \
    name``_held_q <= (valid) && !(ready); \
    name``_data_q <= (data); \
    if (wf_look::now && name``_held_q !== 1'b0) begin \
      if ((!(valid)) !== 1'b0) $fatal(1, text); \
      if (((data) != name``_data_q) !== 1'b0) $fatal(1, text); \
    end \
  end
`else
`define WF_ASSERT_STABLE(name, valid, ready, data, bits, text) \
  `WF_STABLE_STATE(name, valid, ready, data, bits) \
  always @(posedge clk_i or negedge rst_ni) begin : name \
    if (!rst_ni) begin end else if (name``_held_q !== 1'b0) begin \
      if ((!(valid)) !== 1'b0) $fatal(1, text); \
      if (((data) != name``_data_q) !== 1'b0) $fatal(1, text); \
    end \
  end
`endif
`define WF_ASSUME_STABLE(name, valid, ready, data, bits, text) \
  `WF_ASSERT_STABLE(name, valid, ready, data, bits, text)
`endif
`else
`define WF_ASSERT_STABLE(name, valid, ready, data, bits, text)
`define WF_ASSUME_STABLE(name, valid, ready, data, bits, text)
`endif

// Rules that the module's own proof shows for any number of cycles (tests/system/proven.sh): the
// bench's models do without.
`ifdef WF_BENCH
`define WF_ASSERT_PROVEN(name, condition, text)
`define WF_ASSERT_STABLE_PROVEN(name, valid, ready, data, bits, text)
`else
`define WF_ASSERT_PROVEN(name, condition, text) `WF_ASSERT(name, condition, text)
`define WF_ASSERT_STABLE_PROVEN(name, valid, ready, data, bits, text) \
  `WF_ASSERT_STABLE(name, valid, ready, data, bits, text)
`endif

`endif
