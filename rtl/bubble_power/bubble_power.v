// bubble_power: occupancy bubbles, one per GPU, beside the scheduler of thread blocks. An SMX that
// holds few warps gets no further block, runs empty, and is set to the lowest P-state until blocks
// wait that nobody else can take. README.md has the page; this header is the contract.
//
// SAMPLES. Every sample_i cycles, while mode_i is not 0:
//   edge 0   the snapshot: which SMXs are bubbles, empty, full, have room; what waits
//   edge 1   decisions, all from it: drains in vain end, one SMX is resumed, SMXs are diverted
//   edge 1 + Settle   SMXs that are diverted and empty now (or all, in mode 3) go down
// While the whole GPU is low the next sample begins when something waits.
// Settle is the time in which a block that was on its way when divert_o rose still starts: an edge
// into the scheduler's register, and one for its offer, which must be taken then.
//
// FROM THE SCHEDULER, at any time
//   free    warps of each SMX that no block holds
//   room    of each SMX: it can take the block that waits (or, if none does, one as the last)
//   wait    a block waits; bound: one waits that only this SMX may take
// TO IT: divert: no block to this SMX.
//
// REGULATOR. low_o, gpu_low_o: the P-state that is asked for, 1: the lowest; an SMX is there if
// either is 1. busy_o, gpu_busy_o rise when one of them changes; done_i, gpu_done_i tell in one
// cycle that the voltage has settled, P after that. A change of gpu_low_o takes all SMXs along.
//
// REGISTERS, levels that are taken at each edge:
//   mode       0 off: all come up at the next sample   1 divert only   2 and DVFS
//              3 and DVFS without draining
//   gpu_level  with modes 2, 3: the whole GPU goes down when all SMXs are empty and nothing waits
//   calm       none is woken while another comes up
//   sample     cycles, from Settle + 3     threshold  T: a bubble has fewer warps
//   drain      W, samples; 0: none is diverted, bubbles are only counted
//
// IDLE: in mode 0 when all SMXs are Normal; while the whole GPU is low, until something waits. It
// follows mode, wait and bound combinationally, and supposes that the registers stay. Else the
// sample counter runs: count_o.
`default_nettype none
`include "wf_assert.vh"

module bubble_power #(
  parameter integer NumSmx = 13,       // 1..256
  parameter integer WarpUnits = 64,    // 1..1024
  parameter integer SampleBits = 14,   // 4..32
  parameter integer DrainBits = 6,     // 1..16
  parameter integer Settle = 4,        // 3..15
  parameter integer CounterBits = 40,  // up to 64; 0: no performance counters
  localparam integer WarpW = $clog2(WarpUnits + 1)
) (
  input  wire                    clk_i,
  input  wire                    rst_ni,
  input  wire [1:0]              mode_i,
  input  wire                    gpu_level_i,
  input  wire                    calm_i,
  input  wire [SampleBits-1:0]   sample_i,
  input  wire [WarpW-1:0]        threshold_i,
  input  wire [DrainBits-1:0]    drain_i,
  // scheduler
  input  wire [NumSmx*WarpW-1:0] free_i,
  input  wire [NumSmx-1:0]       room_i,
  input  wire                    wait_i,
  input  wire [NumSmx-1:0]       bound_i,
  output wire [NumSmx-1:0]       divert_o,
  // regulator
  output wire [NumSmx-1:0]       low_o,
  output wire [NumSmx-1:0]       busy_o,
  input  wire [NumSmx-1:0]       done_i,
  output wire                    gpu_low_o,
  output wire                    gpu_busy_o,
  input  wire                    gpu_done_i,
  // the paper's registers
  output wire [NumSmx-1:0]       dvr_o,
  output wire [NumSmx-1:0]       drn_o,
  output wire [NumSmx:0]         dvfs_o,   // bit 0: the GPU's
  output wire [SampleBits-1:0]   count_o,  // cycles of the sample
  // counters: snapshot copies all, clear zeroes the running ones; order in unit.ini
  input  wire                    cnt_snapshot_i,
  input  wire                    cnt_clear_i,
  input  wire [3:0]              cnt_index_i,
  output wire [63:0]             cnt_value_o,
  output wire                    idle_o
);
  localparam integer NCount = 11;
  localparam integer IncW = $clog2(NumSmx + 1);
  localparam [3:0] SETTLE = 4'(Settle);
  localparam [1:0] OFF = 2'd0, DIVERT = 2'd1, AT_ONCE = 2'd3;

  initial begin
    if (NumSmx < 1 || NumSmx > 256) $fatal(1, "bubble_power: NumSmx must be 1..256");
    if (WarpUnits < 1 || WarpUnits > 1024) $fatal(1, "bubble_power: WarpUnits must be 1..1024");
    if (SampleBits < 4 || SampleBits > 32) $fatal(1, "bubble_power: SampleBits must be 4..32");
    if (DrainBits < 1 || DrainBits > 16) $fatal(1, "bubble_power: DrainBits must be 1..16");
    if (Settle < 3 || Settle > 15) $fatal(1, "bubble_power: Settle must be 3..15");
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "bubble_power: CounterBits must be 0..64");
  end

  // Run-time registers. limit_q: a bubble has more warps free.
  reg [1:0] mode_q;
  reg gpu_level_q, calm_q;
  reg [SampleBits-1:0] sample_q;
  reg [WarpW-1:0] limit_q;
  reg [DrainBits-1:0] drain_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mode_q <= OFF;
      gpu_level_q <= 1'b0;
      calm_q <= 1'b0;
      sample_q <= '1;
      limit_q <= '1;
      drain_q <= '1;
    end else begin
      mode_q <= mode_i;
      gpu_level_q <= gpu_level_i;
      calm_q <= calm_i;
      sample_q <= sample_i;
      limit_q <= WarpW'(WarpUnits) - threshold_i;
      drain_q <= drain_i;
    end
  end
  wire on = mode_q != OFF;
  wire dvfs_on = mode_q[1];
  wire at_once = mode_q == AT_ONCE;

  // Samples: count_q, then decide_q; settle_q counts down to the check.
  localparam [2:0] G_NONE = 3'd0, G_ASK = 3'd1, G_DOWN = 3'd2, G_LOW = 3'd3, G_UP = 3'd4;
  reg [2:0] gpu_q;
  reg [SampleBits-1:0] count_q;
  reg [3:0] settle_q;
  reg decide_q, check_q;
  wire [NumSmx-1:0] dvr, drn, dvfs, busy, normal, draining;
  wire rests = gpu_q == G_NONE && dvr == '0 && dvfs == '0;
  wire settling = decide_q || settle_q != 4'd0 || check_q;
  wire gpu_is_low = gpu_q == G_LOW;
  wire asleep = gpu_is_low && on && !wait_i && bound_i == '0;
  wire full = count_q >= sample_q;
  wire tick = (on || !rests) && !settling && (gpu_is_low ? !asleep : full);
  wire look = tick || settle_q == 4'd1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= SampleBits'(1);
      settle_q <= 4'd0;
      decide_q <= 1'b0;
      check_q <= 1'b0;
    end else begin
      if (tick || (!on && rests)) count_q <= SampleBits'(1);
      else if (!full && !gpu_is_low) count_q <= count_q + 1'b1;
      decide_q <= tick;
      if (decide_q) settle_q <= SETTLE - 4'd1;
      else if (settle_q != 4'd0) settle_q <= settle_q - 4'd1;
      check_q <= settle_q == 4'd1;
    end
  end

  // The snapshot.
  reg [NumSmx-1:0] low_q, zero_q, takes_q, bound_q;
  reg wait_q;
  reg [NumSmx-1:0] low_c, zero_c, takes_c;
  always_comb begin
    for (int s = 0; s < NumSmx; s = s + 1) begin
      low_c[s] = free_i[s*WarpW +: WarpW] > limit_q;
      zero_c[s] = free_i[s*WarpW +: WarpW] == WarpW'(WarpUnits);
      takes_c[s] = room_i[s] && free_i[s*WarpW +: WarpW] != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (look) begin
      low_q <= low_c;
      zero_q <= zero_c;
      takes_q <= takes_c;
      bound_q <= bound_i;
      wait_q <= wait_i;
    end
  end

  // Decisions. An SMX that is Normal and no bubble is a target, if it has room.
  wire gpu_none = gpu_q == G_NONE;
  wire some_wait = wait_q || bound_q != '0;
  wire target = (normal & ~low_q & takes_q) != '0;
  wire all_idle = zero_q == '1 && busy == '0 && !some_wait;
  wire gpu_ask = decide_q && gpu_none && dvfs_on && gpu_level_q && all_idle;
  wire gpu_up = decide_q && gpu_is_low && (some_wait || !dvfs_on);

  // Who is resumed: who has work of its own, else, if nobody has room, any; drains before others.
  wire stuck = wait_q && (normal & takes_q) == '0;
  wire [NumSmx-1:0] rising = dvfs & ~dvr;
  wire [NumSmx-1:0] drains = draining;
  wire [NumSmx-1:0] others = dvr & ~draining & ~busy
                             & {NumSmx{!calm_q || rising == '0}};
  reg [NumSmx-1:0] ask_c;
  always_comb begin
    if ((drains & bound_q) != '0) ask_c = drains & bound_q;
    else if ((others & bound_q) != '0) ask_c = others & bound_q;
    else if (!stuck) ask_c = '0;
    else if (drains != '0) ask_c = drains;
    else ask_c = others;
  end
  wire [NumSmx-1:0] ask = ask_c & {NumSmx{decide_q && gpu_none && on}};
  wire [NumSmx-1:0] picked;
  wire [(NumSmx > 1 ? $clog2(NumSmx) : 1)-1:0] picked_at;
  wire some_picked;
  wf_arb_rr #(.N(NumSmx)) u_pick (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(ask), .advance_i(1'b1), .gnt_o(picked),
    .gnt_index_o(picked_at), .gnt_valid_o(some_picked)
  );

  wire decide = decide_q && gpu_none;
  wire check = check_q && gpu_none;
  wire [NumSmx-1:0] ev_divert, ev_down, ev_emptied, ev_vain, ev_no_target;
  generate
    for (genvar s = 0; s < NumSmx; s = s + 1) begin : g_smx
      bubble_smx #(.DrainBits(DrainBits)) u_smx (
        .clk_i(clk_i), .rst_ni(rst_ni), .decide_i(decide), .check_i(check), .on_i(on),
        .dvfs_i(dvfs_on), .at_once_i(at_once), .drain_i(drain_q), .low_i(low_q[s]),
        .zero_i(zero_q[s]), .bound_i(bound_q[s]), .target_i(target),
        .resume_i(picked[s] || !on), .park_i(gpu_ask), .clear_i(gpu_up), .done_i(done_i[s]),
        .normal_o(normal[s]), .drain_o(draining[s]), .dvr_o(dvr[s]), .drn_o(drn[s]),
        .dvfs_o(dvfs[s]), .busy_o(busy[s]), .ev_divert_o(ev_divert[s]), .ev_down_o(ev_down[s]),
        .ev_emptied_o(ev_emptied[s]), .ev_vain_o(ev_vain[s]), .ev_no_target_o(ev_no_target[s])
      );
    end
  endgenerate

  // The whole GPU. Asked for, no block starts any more; what came before that is seen by the check.
  wire gpu_confirm = check_q && gpu_q == G_ASK;
  wire gpu_down = gpu_confirm && all_idle && dvfs_on;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gpu_q <= G_NONE;
    else begin
      case (gpu_q)
        G_NONE: if (gpu_ask) gpu_q <= G_ASK;
        G_ASK: if (gpu_confirm) gpu_q <= gpu_down ? G_DOWN : G_NONE;
        G_DOWN: if (gpu_done_i) gpu_q <= G_LOW;
        G_LOW: if (gpu_up) gpu_q <= G_UP;
        default: if (gpu_done_i) gpu_q <= G_NONE;
      endcase
    end
  end
  assign divert_o = dvr | dvfs | {NumSmx{!gpu_none}};
  assign low_o = dvr & dvfs;
  assign busy_o = busy;
  assign gpu_low_o = gpu_q == G_DOWN || gpu_q == G_LOW;
  assign gpu_busy_o = gpu_q == G_DOWN || gpu_q == G_UP;
  assign dvr_o = dvr;
  assign drn_o = drn;
  assign dvfs_o = {dvfs, gpu_low_o || gpu_busy_o};
  assign count_o = count_q;
  assign idle_o = !settling && mode_i == mode_q
                  && (on ? asleep : rests && count_q == SampleBits'(1));

  function automatic [IncW-1:0] ones(input [NumSmx-1:0] bits);
    ones = '0;
    for (int s = 0; s < NumSmx; s = s + 1) ones = ones + IncW'(bits[s]);
  endfunction

  // Counters: the order is that of unit.ini. Sums over SMXs, an edge late; the snapshot stays.
  generate
    if (CounterBits != 0) begin : g_count
      reg [5*NumSmx-1:0] ev_q;
      reg [3:0] one_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          ev_q <= '0;
          one_q <= '0;
        end else begin
          ev_q <= {ev_down, ev_vain, ev_emptied, ev_no_target, ev_divert};
          one_q <= {decide_q && !gpu_none, gpu_down, some_picked, decide_q};
        end
      end
      wire [NCount*IncW-1:0] inc = {
        IncW'(one_q[3]), IncW'(one_q[2]), IncW'(one_q[1]), ones(ev_q[4*NumSmx +: NumSmx]),
        ones(ev_q[3*NumSmx +: NumSmx]), ones(ev_q[2*NumSmx +: NumSmx]),
        ones(ev_q[1*NumSmx +: NumSmx]), ones(ev_q[0 +: NumSmx]),
        ones(zero_q & {NumSmx{one_q[0]}}), ones(low_q & {NumSmx{one_q[0]}}), IncW'(one_q[0])};
      wf_counters #(
        .N(NCount), .Width(CounterBits), .IncBits(IncW), .Wide(11'h0fe), .NarrowBits(1)
      ) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i), .value_o(cnt_value_o)
      );
    end else begin : g_no_count
      wire unused_count = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, ev_divert, ev_down,
                            ev_emptied, ev_vain, ev_no_target, some_picked};
      assign cnt_value_o = '0;
    end
  endgenerate
  wire unused = &{1'b0, picked_at, DIVERT};

  `WF_ASSERT(rule1_diverted, ((dvr | dvfs) & ~divert_o) == '0 && (gpu_none || divert_o == '1),
             "Rule 1: no block to an SMX that is diverted, in transition or low")
  `WF_ASSERT(rule2_some, !gpu_none || divert_o != '1,
             "Rule 2: outside the GPU's level one SMX at least takes blocks")
  `WF_ASSERT(rule5_one, (picked & (picked - 1'b1)) == '0, "Rule 5: one resume a sample")
  `WF_ASSUME(rule6_gpu_done, !gpu_done_i || gpu_busy_o,
             "Rule 6: what ends was under way")
  `WF_ASSUME(rule7_threshold, {1'b0, threshold_i} < (WarpW + 1)'(WarpUnits + 1),
             "Rule 7: the threshold is one of the SMX's warps")
endmodule
`default_nettype wire
