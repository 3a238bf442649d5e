// bubble_power with a scheduler, SMXs and a regulator around it, any that obey the contract in its
// header: no block starts where none may, SMXs go down empty, drains end, and what waits is served.
// The registers are any numbers that stay. P is Settle + 3 cycles at most: one sample or less.
`default_nettype none
`include "wf_assert.vh"
module bubble_power_props #(
  parameter integer NumSmx = 2,
  parameter integer Live = 0,          // 1: rule 7 as well, with samples of 6 cycles
  localparam integer WarpUnits = 2,
  localparam integer WarpW = 2,
  localparam integer Settle = 3,
  localparam integer SampleBits = 4,
  localparam integer DrainBits = 2,
  localparam integer P = Settle + 3
) (
  input wire clk_i, input wire [NumSmx-1:0] start, input wire [NumSmx-1:0] finish,
  input wire [NumSmx-1:0] room, input wire waits, input wire [NumSmx-1:0] bound,
  input wire [NumSmx-1:0] settles, input wire gpu_settles
);
`include "formal.vh"
  (* anyconst *) wire [1:0] mode;
  (* anyconst *) wire gpu_level, calm;
  (* anyconst *) wire [SampleBits-1:0] any_sample;
  (* anyconst *) wire [WarpW-1:0] any_threshold;
  (* anyconst *) wire [DrainBits-1:0] any_drain;
  wire [SampleBits-1:0] sample = Live != 0 ? SampleBits'(P) : any_sample;
  wire [WarpW-1:0] threshold = any_threshold[1] ? 2'd2 : any_threshold;
  wire [DrainBits-1:0] drain = any_drain;

  wire [NumSmx-1:0] divert, low, busy, dvr, drn;
  wire [NumSmx:0] dvfs;
  wire gpu_low, gpu_busy, idle;
  wire [SampleBits-1:0] count;

  // The regulator: any time up to P.
  reg [3:0] left_q [0:NumSmx-1];
  reg [3:0] gpu_left_q;
  reg [NumSmx-1:0] done_c;
  always @(*) begin
    for (int s = 0; s < NumSmx; s = s + 1)
      done_c[s] = busy[s] && (settles[s] || left_q[s] == 4'd0);
  end
  wire gpu_done = gpu_busy && (gpu_settles || gpu_left_q == 4'd0);

  // The scheduler and the SMXs: blocks of one warp.
  reg [NumSmx-1:0] divert_q;
  reg [WarpW-1:0] used_q [0:NumSmx-1];
  reg [NumSmx*WarpW-1:0] free_c;
  reg [NumSmx-1:0] starts_c, ends_c, full_c, empty_c;
  always @(*) begin
    for (int s = 0; s < NumSmx; s = s + 1) begin
      free_c[s*WarpW +: WarpW] = WarpW'(WarpUnits) - used_q[s];
      full_c[s] = used_q[s] == WarpW'(WarpUnits);
      empty_c[s] = used_q[s] == '0;
      starts_c[s] = start[s] && !divert_q[s] && !full_c[s];
      ends_c[s] = finish[s] && !empty_c[s];
    end
  end
  initial divert_q = '0;
  always @(posedge clk_i) begin
    divert_q <= rst_ni ? divert : '0;
    gpu_left_q <= gpu_busy ? gpu_left_q - 4'd1 : 4'(P - 1);
    for (int s = 0; s < NumSmx; s = s + 1) begin
      left_q[s] <= busy[s] ? left_q[s] - 4'd1 : 4'(P - 1);
      used_q[s] <= !rst_ni ? '0 : used_q[s] + WarpW'(starts_c[s]) - WarpW'(ends_c[s]);
    end
  end

  bubble_power #(
    .NumSmx(NumSmx), .WarpUnits(WarpUnits), .SampleBits(SampleBits), .DrainBits(DrainBits),
    .Settle(Settle), .CounterBits(0)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .mode_i(mode), .gpu_level_i(gpu_level), .calm_i(calm),
    .sample_i(sample), .threshold_i(threshold), .drain_i(drain), .free_i(free_c), .room_i(room),
    .wait_i(waits), .bound_i(bound), .divert_o(divert), .low_o(low), .busy_o(busy),
    .done_i(done_c), .gpu_low_o(gpu_low), .gpu_busy_o(gpu_busy), .gpu_done_i(gpu_done),
    .dvr_o(dvr), .drn_o(drn), .dvfs_o(dvfs), .count_o(count),
    .cnt_snapshot_i(1'b0), .cnt_clear_i(1'b0), .cnt_index_i(4'd0), .cnt_value_o(), .idle_o(idle)
  );

  // What was, and how long.
  reg [NumSmx-1:0] low_q, busy_q, dvr_q, drn_q, divert_last_q;
  reg gpu_low_q, gpu_busy_q;
  initial {low_q, busy_q, dvr_q, drn_q, divert_last_q, gpu_low_q, gpu_busy_q} = '0;
  always @(posedge clk_i) if (rst_ni) begin
    low_q <= low;
    busy_q <= busy;
    dvr_q <= dvr;
    drn_q <= drn;
    divert_last_q <= divert;
    gpu_low_q <= gpu_low;
    gpu_busy_q <= gpu_busy;
  end
  wire [NumSmx-1:0] away = dvfs[NumSmx:1] | {NumSmx{dvfs[0]}};
  wire [NumSmx-1:0] up = busy & ~busy_q & ~low;           // begins to come up
  wire [NumSmx-1:0] back = divert_last_q & ~divert;       // takes blocks again

  `WF_ASSERT(rule1_start, (starts_c & away) == '0,
             "Rule 1: no block starts on an SMX in transition or low")
  `WF_ASSERT(rule1_divert, ((dvr | away) & ~divert) == '0, "Rule 1: nor is one sent there")
  `WF_ASSERT(rule3_drn, (drn & ~dvr) == '0, "Rule 3: draining is diverted")
  `WF_ASSERT(rule3_empty, mode == 2'd3 || (low & ~empty_c) == '0, "Rule 3: SMXs go down empty")
  `WF_ASSERT(rule3_gpu, !gpu_low || empty_c == '1, "Rule 3: the GPU goes down empty")
  `WF_ASSERT(rule4_busy, ((low ^ low_q) & busy_q) == '0 && (gpu_low == gpu_low_q || !gpu_busy_q),
             "Rule 4: no request while one is under way")
  `WF_ASSERT(rule5_one, (up & (up - 1'b1)) == '0, "Rule 5: one resume a sample")
  `WF_ASSERT(off, mode != 2'd0 || divert == '0, "off: nothing is diverted")
  `WF_ASSERT(watch_only, drain != '0 || (dvr | dvfs[NumSmx:1]) == '0,
             "with W of 0 no SMX is diverted")
  `WF_ASSERT(divert_only, mode != 2'd1 || dvfs == '0, "divert only: no P-state changes")
  // Rule 6. A sample is sample cycles, but Settle + 2 at least.
  reg [6:0] drained_q [0:NumSmx-1];
  wire [6:0] period = sample > 4'(Settle + 2) ? 7'(sample) : 7'(Settle + 2);
  wire [6:0] longest = 7'(drain) * period + 7'(Settle);
  reg [NumSmx-1:0] long_c;
  always @(*) begin
    for (int s = 0; s < NumSmx; s = s + 1)
      long_c[s] = drn[s] && !empty_c[s] && drained_q[s] > longest;
  end
  always @(posedge clk_i)
    for (int s = 0; s < NumSmx; s = s + 1)
      drained_q[s] <= rst_ni && drn[s] ? drained_q[s] + 7'd1 : 7'd0;
  `WF_ASSERT(rule6_drain, long_c == '0, "Rule 6: a drain lasts W samples at most")

  // Rule 7. Nobody who takes blocks has room, somebody else is there, and it stays so.
  generate
    if (Live != 0) begin : g_live
      reg [5:0] stuck_q;
      initial stuck_q = 6'd0;
      wire nobody = (~divert & room & ~full_c) == '0;
      wire stuck = mode != 2'd0 && ((waits && nobody && divert != '0) || (bound & divert) != '0);
      always @(posedge clk_i)
        stuck_q <= !rst_ni || !stuck || back != '0 ? 6'd0 : stuck_q + 6'd1;
      `WF_ASSERT(rule7_served, stuck_q <= 6'(4 * P),
                 "Rule 7: somebody takes blocks again after two transitions and two samples")
      `WF_COVER(served, stuck_q > 6'(2 * P) && back != '0)
    end
  endgenerate
  `WF_COVER(woken, up != '0 && gpu_low_q == gpu_low)
  `WF_COVER(gpu_up, gpu_low_q && !gpu_low)
  `WF_COVER(drained, mode == 2'd2 && (drn_q & low) != '0)
  `WF_COVER(in_vain, mode == 2'd2 && (drn_q & ~dvr) != '0)
  // At rest, with registers that stay and were taken.
  reg [1:0] taken_q;
  initial taken_q = 2'd0;
  always @(posedge clk_i) if (rst_ni) taken_q <= {taken_q[0], 1'b1};
  `WF_QUIET(idle && taken_q[1])
endmodule
`default_nettype wire
