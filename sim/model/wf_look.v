// Which edges a bench's model looks at (rtl/common/wf_assert.vh): written by the shim before each.
package wf_look;
  logic keep /*verilator public_flat_rw*/;   // offers that are not taken are kept for the next edge
  logic now /*verilator public_flat_rw*/;    // rules are looked at
endpackage
