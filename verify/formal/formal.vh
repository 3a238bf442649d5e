// Included inside a property module that has the port clk_i.
//
// Reset: low in the first cycle, then high.
  reg rst_ni;
  initial rst_ni = 1'b0;
  always @(posedge clk_i) rst_ni <= 1'b1;

// The condition of the rule `stable`: while it is high no flop of `dut` changes (formal.h). Proofs
// of clock gating use idle_o and "nothing is offered"; any output that promises rest will do.
`define WF_QUIET(condition) \
  always @(*) if (rst_ni) wf_quiet : assert (!(condition));

// Follows one item of a first-in first-out path: any one that goes in while `pick` is high. `more`:
// items inside, ahead included. Rules: it comes out after what was ahead of it, unchanged, and is
// not lost.
`define WF_FOLLOW(name, pick, push, push_data, pop, pop_data, bits, more, most) \
  reg name``_on_q; \
  reg [(bits)-1:0] name``_item_q; \
  reg [3:0] name``_ahead_q, name``_inside_q; \
  initial name``_on_q = 1'b0; \
  initial name``_inside_q = 4'd0; \
  wire name``_out = (pop) && name``_on_q && name``_ahead_q == 4'd0; \
  always @(posedge clk_i) if (rst_ni) begin \
    name``_inside_q <= name``_inside_q + {3'd0, (push)} - {3'd0, (pop)}; \
    if (!name``_on_q && (pick) && (push)) begin \
      name``_on_q <= 1'b1; \
      name``_item_q <= (push_data); \
      name``_ahead_q <= name``_inside_q - {3'd0, (pop)}; \
    end else if (name``_out) begin \
      name``_on_q <= 1'b0; \
    end else if (name``_on_q && (pop)) begin \
      name``_ahead_q <= name``_ahead_q - 4'd1; \
    end \
  end \
  `WF_ASSERT(name``_unchanged, !name``_out || (pop_data) == name``_item_q, "in order, unchanged") \
  `WF_ASSERT(name``_kept, !name``_on_q || name``_ahead_q < name``_inside_q, "not lost") \
  `WF_ASSERT(name``_none_made, !(pop) || name``_inside_q != 4'd0, \
             "nothing comes out that did not go in") \
  `WF_ASSERT(name``_fits, name``_inside_q <= (most), "no overflow") \
  `WF_ASSERT(name``_agrees, (more) == name``_inside_q, "the module's own count") \
  `WF_COVER(name``_came_out, name``_out) \
  `WF_COVER(name``_full, name``_inside_q == (most))
