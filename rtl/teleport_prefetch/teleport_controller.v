// teleport_controller: preload table and range calculation of TELEPORT, one per GPU, in the thread
// block dispatcher. For each thread block that is dispatched it computes, row by row, the range of
// memory that the block will read, and sends it to the buffer of its SM, which asks for the blocks
// of 128 bytes in it. README.md has the page; this header is the contract for whoever connects it.
//
// CHANNELS. A transfer is valid and ready at a rising edge; an offer holds until taken; valid may
// not wait for ready.
//
//   set  from the runtime. flush = 1 empties the table, the other fields are ignored; flush = 0
//        appends a row: base (bytes), size of an element, for the lower and the upper end three
//        products and an offset, two's complement; and how many more lines like this one there
//        are, each `pitch` bytes behind the one before: a tile is one row. A row beyond the table
//        is taken and ignored (counter sets_dropped): its data are read on demand.
//   tb   a thread block is dispatched: SM, slot on that SM, blockIdx.
//   req  to the buffer of SM `sm`, a bus that all buffers share: the bytes low .. high, and `lines`
//        more such ranges, each `pitch` bytes further, for the thread block of `slot`. last = 1:
//        the thread block has no more. none = 1: no range; sent only with last = 1.
//        Thread blocks in the order in which they were taken, their ranges not interleaved.
//   set and tb are ready together, while no rows are being read; of one edge set acts before tb.
//
// WHAT IS ASKED FOR. For rows in the order of the table: low and high by equations 7.2 and 7.3,
// exact (nothing wraps); empty if high < low (open_end_i: if high <= low; else the byte `high`
// belongs to the range, with open_end_i it does not), or if its first line lies above all
// addresses, or as far below them. What lies further away than AddrBits + 1 signed bits tell is
// sent as the nearest that they do.
//
// LEVEL: open_end_i: changed only while the unit is idle.
//
// TIME: one row a cycle; 13 edges from tb to the first range: eleven stages, the queue, and the
// bus, a register that keeps a range for a cycle on its way. Nothing but req_ready_i can hold the
// unit up. tb has no queue: the dispatcher places a block when this one takes it, or after.
//
// IDLE: idle_o: nothing is inside and nothing will change until a valid input: the clock may be
// withheld.
//
// STORAGE in RAM: Rows * (AddrBits + SizeBits + 8 * ProdBits + PitchBits + HeightBits), and the
// queue of ranges, 14 * (2 * AddrBits + PitchBits + HeightBits + 4). The bus has two ranges in
// flops.
//
// Rules
//   1 Offers hold.   2 Slots and SMs exist.
//   3 The queue of ranges has room for what the pipeline holds.
//   4 A range belongs to a thread block that was taken.   5 An idle unit holds nothing.
`default_nettype none
`include "wf_assert.vh"

module teleport_controller #(
  parameter integer Rows = 64,         // of the preload table, 1..1024
  parameter integer NumSm = 15,        // 1..256
  parameter integer MaxTb = 8,         // slots of an SM, 1..64
  parameter integer AddrBits = 32,     // of a byte address, 2..63
  parameter integer SizeBits = 8,      // of the type's size, 1..16
  parameter integer ProdBits = 16,     // of products and offsets, 2..32
  parameter integer IdxBits = 16,      // of a component of blockIdx, 1..32
  parameter integer PitchBits = 20,    // of the distance of two lines in bytes, 1..
  parameter integer HeightBits = 8,    // of the number of lines; with PitchBits up to AddrBits
  parameter integer CounterBits = 40,  // of the performance counters, up to 64; 0: none
  localparam integer SmW = NumSm > 1 ? $clog2(NumSm) : 1,
  localparam integer SlotW = MaxTb > 1 ? $clog2(MaxTb) : 1,
  localparam integer RowW = Rows > 1 ? $clog2(Rows) : 1,
  localparam integer FillW = $clog2(Rows + 1)
) (
  input  wire                 clk_i,
  input  wire                 rst_ni,
  input  wire                 open_end_i,
  // preload table
  input  wire                 set_valid_i,
  output wire                 set_ready_o,
  input  wire                 set_flush_i,
  input  wire [AddrBits-1:0]  set_base_i,
  input  wire [SizeBits-1:0]  set_size_i,
  input  wire [ProdBits-1:0]  set_lo_x_i,
  input  wire [ProdBits-1:0]  set_lo_y_i,
  input  wire [ProdBits-1:0]  set_lo_z_i,
  input  wire [ProdBits-1:0]  set_lo_off_i,
  input  wire [ProdBits-1:0]  set_hi_x_i,
  input  wire [ProdBits-1:0]  set_hi_y_i,
  input  wire [ProdBits-1:0]  set_hi_z_i,
  input  wire [ProdBits-1:0]  set_hi_off_i,
  input  wire [PitchBits-1:0] set_pitch_i,
  input  wire [HeightBits-1:0] set_lines_i,
  // thread blocks
  input  wire                 tb_valid_i,
  output wire                 tb_ready_o,
  input  wire [SmW-1:0]       tb_sm_i,
  input  wire [SlotW-1:0]     tb_slot_i,
  input  wire [IdxBits-1:0]   tb_x_i,
  input  wire [IdxBits-1:0]   tb_y_i,
  input  wire [IdxBits-1:0]   tb_z_i,
  // ranges to the buffers
  output wire                 req_valid_o,
  input  wire                 req_ready_i,
  output wire [SmW-1:0]       req_sm_o,
  output wire [SlotW-1:0]     req_slot_o,
  output wire                 req_last_o,
  output wire                 req_none_o,
  output wire [AddrBits:0]    req_low_o,   // signed
  output wire [AddrBits:0]    req_high_o,
  output wire [PitchBits-1:0] req_pitch_o,
  output wire [HeightBits-1:0] req_lines_o,
  // rows in the table
  output wire [FillW-1:0]     rows_o,
  // counters: snapshot copies all, clear zeroes the running ones; order in unit.ini
  input  wire                 cnt_snapshot_i,
  input  wire                 cnt_clear_i,
  input  wire [4:0]           cnt_index_i,
  output wire [63:0]          cnt_value_o,
  output wire                 idle_o
);
  localparam integer ShapeW = PitchBits + HeightBits;
  localparam integer EntryW = AddrBits + SizeBits + 8 * ProdBits + ShapeW;
  localparam integer ScaledW = IdxBits + ProdBits + 2 + SizeBits + 1;  // as in teleport_range
  localparam integer FullW = (ScaledW > AddrBits + 1 ? ScaledW : AddrBits + 1) + 1;
  localparam integer Depth = 14;   // of the queue of ranges; a row leaves it 12 edges after it came
  localparam integer HeldW = $clog2(Depth + 1);
  localparam integer TbDepth = 4;  // thread blocks whose ranges are not all sent
  localparam integer NCount = 8;

  initial begin
    if (Rows < 1 || Rows > 1024) $fatal(1, "teleport_controller: Rows must be 1..1024");
    if (NumSm < 1 || NumSm > 256) $fatal(1, "teleport_controller: NumSm must be 1..256");
    if (MaxTb < 1 || MaxTb > 64) $fatal(1, "teleport_controller: MaxTb must be 1..64");
    if (AddrBits < 2 || AddrBits > 63) $fatal(1, "teleport_controller: AddrBits must be 2..63");
    if (SizeBits < 1 || SizeBits > 16) $fatal(1, "teleport_controller: SizeBits must be 1..16");
    if (ProdBits < 2 || ProdBits > 32) $fatal(1, "teleport_controller: ProdBits must be 2..32");
    if (IdxBits < 1 || IdxBits > 32) $fatal(1, "teleport_controller: IdxBits must be 1..32");
    if (PitchBits < 1 || HeightBits < 1 || PitchBits + HeightBits > AddrBits)
      $fatal(1, "teleport_controller: PitchBits + HeightBits must be 2..AddrBits, neither 0");
    if (CounterBits < 0 || CounterBits > 64)
      $fatal(1, "teleport_controller: CounterBits must be 0..64");
  end

  // The table: rows 0 .. rows_q - 1 are valid.
  reg [FillW-1:0] rows_q;
  reg run_q;             // rows of a thread block are being read
  reg [RowW-1:0] row_q;  // the next one
  wire tb_room;
  assign set_ready_o = !run_q;
  assign tb_ready_o = !run_q && tb_room;
  assign rows_o = rows_q;
  wire set_take = set_valid_i && !run_q;
  wire tb_take = tb_valid_i && tb_ready_o;
  wire flush = set_take && set_flush_i;
  wire full = rows_q == FillW'(Rows);
  wire append = set_take && !set_flush_i && !full;
  wire [EntryW-1:0] new_entry = {set_pitch_i, set_lines_i, set_base_i, set_size_i, set_hi_off_i,
                                 set_hi_z_i, set_hi_y_i, set_hi_x_i, set_lo_off_i, set_lo_z_i,
                                 set_lo_y_i, set_lo_x_i};
  wire [EntryW-1:0] entry;
  wire none = rows_q == '0;
  wire issue;  // a row enters the pipeline, or the token of a thread block without rows
  wire last_row = none || FillW'(row_q) == rows_q - 1'b1;
  wf_ram_1r1w #(.Width(EntryW), .Depth(Rows)) u_table (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(append), .wr_addr_i(RowW'(rows_q)), .wr_mask_i(1'b1),
    .wr_data_i(new_entry), .rd_en_i(issue && !none), .rd_addr_i(row_q), .rd_data_o(entry)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rows_q <= '0;
      run_q <= 1'b0;
      row_q <= '0;
    end else begin
      if (flush) rows_q <= '0;
      else if (append) rows_q <= rows_q + 1'b1;
      if (tb_take) run_q <= 1'b1;
      else if (issue && last_row) run_q <= 1'b0;
      if (issue) row_q <= last_row ? '0 : row_q + 1'b1;
    end
  end
  reg [3*IdxBits-1:0] ids_q;
  always_ff @(posedge clk_i) if (tb_take) ids_q <= {tb_z_i, tb_y_i, tb_x_i};

  // The pipeline. Stage 1: the RAM's output. Stage 2: row and ids in registers, then
  // teleport_range's seven; stage 9: both addresses; stage 10: compared and cut to the bits sent.
  reg [10:1] valid_q, empty_q, end_q;
  reg [HeldW-1:0] held_q;  // items in the pipeline and the queue
  wire item_take;
  assign issue = run_q && held_q != HeldW'(Depth);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      held_q <= '0;
    end else begin
      valid_q <= {valid_q[9:1], issue};
      if (issue != item_take) held_q <= issue ? held_q + 1'b1 : held_q - 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    empty_q <= {empty_q[9:1], none};
    end_q <= {end_q[9:1], last_row};
  end

  reg [3*IdxBits-1:0] ids2_q;
  reg [8*ProdBits-1:0] factors2_q;
  reg [SizeBits-1:0] size2_q, size3_q, size4_q, size5_q, size6_q;
  reg [AddrBits-1:0] base2_q, base3_q, base4_q, base5_q, base6_q, base7_q, base8_q;
  always_ff @(posedge clk_i) begin
    ids2_q <= ids_q;
    factors2_q <= entry[8*ProdBits-1:0];
    size2_q <= entry[8*ProdBits +: SizeBits];
    size3_q <= size2_q;
    size4_q <= size3_q;
    size5_q <= size4_q;
    size6_q <= size5_q;
    base2_q <= entry[8*ProdBits+SizeBits +: AddrBits];
    base3_q <= base2_q;
    base4_q <= base3_q;
    base5_q <= base4_q;
    base6_q <= base5_q;
    base7_q <= base6_q;
    base8_q <= base7_q;
  end
  // With an open end the last byte is the one before `high`.
  reg signed [AddrBits:0] base8_hi_q;
  always_ff @(posedge clk_i)
    base8_hi_q <= $signed({1'b0, base7_q}) - $signed({{AddrBits{1'b0}}, open_end_i});

  wire signed [FullW-1:0] low, high;
  teleport_range #(
    .IdxBits(IdxBits), .ProdBits(ProdBits), .SizeBits(SizeBits), .AddrBits(AddrBits)
  ) u_low (
    .clk_i(clk_i), .ids_i(ids2_q), .products_i(factors2_q[0 +: 3*ProdBits]),
    .offset_i(factors2_q[3*ProdBits +: ProdBits]), .size4_i(size6_q), .base6_i({1'b0, base8_q}),
    .address_o(low)
  );
  teleport_range #(
    .IdxBits(IdxBits), .ProdBits(ProdBits), .SizeBits(SizeBits), .AddrBits(AddrBits)
  ) u_high (
    .clk_i(clk_i), .ids_i(ids2_q), .products_i(factors2_q[4*ProdBits +: 3*ProdBits]),
    .offset_i(factors2_q[7*ProdBits +: ProdBits]), .size4_i(size6_q), .base6_i(base8_hi_q),
    .address_o(high)
  );

  // Stage 9 to 10. All bits from AddrBits on are the sign: the value is sent as it is.
  wire low_fits = low[FullW-1:AddrBits] == {(FullW-AddrBits){low[FullW-1]}};
  wire high_fits = high[FullW-1:AddrBits] == {(FullW-AddrBits){high[FullW-1]}};
  reg inverted_q, outside_q;
  reg [AddrBits:0] low_q, high_q;
  always_ff @(posedge clk_i) begin
    inverted_q <= high < low;
    outside_q <= (!low_fits && !low[FullW-1]) || (!high_fits && high[FullW-1]);
    low_q <= low_fits ? low[AddrBits:0] : {1'b1, {AddrBits{1'b0}}};
    high_q <= high_fits ? high[AddrBits:0] : {1'b0, {AddrBits{1'b1}}};
  end
  wire row = valid_q[10] && !empty_q[10];
  wire nothing = empty_q[10] || inverted_q || outside_q;

  // The queue of ranges, and beside it that of their pitches and heights, which wait there from
  // stage 1 on. Both are asked at least two edges after they were written.
  localparam integer ItemW = 2 + 2 * (AddrBits + 1);
  wire queue_ready, shape_ready, item_valid, shape_valid, item_none;
  wire [HeldW-1:0] queue_count, shape_count;
  wire item_last, bus_ready;
  wire [AddrBits:0] item_low, item_high;
  wire [ShapeW-1:0] item_shape;
  // An empty range is sent only if it is the last.
  wire skip = item_none && !item_last;
  wire send = item_valid && !skip;
  assign item_take = item_valid && (skip || bus_ready);
  wf_fifo #(.Width(ItemW), .Depth(Depth), .Ram(1)) u_ranges (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(valid_q[10]), .in_ready_o(queue_ready),
    .in_data_i({nothing, end_q[10], low_q, high_q}), .out_valid_o(item_valid),
    .out_ready_i(skip || bus_ready), .out_data_o({item_none, item_last, item_low, item_high}),
    .count_o(queue_count)
  );
  wf_fifo #(.Width(ShapeW), .Depth(Depth), .Ram(1)) u_shapes (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(valid_q[1]), .in_ready_o(shape_ready),
    .in_data_i(entry[EntryW-1 -: ShapeW]), .out_valid_o(shape_valid), .out_ready_i(item_take),
    .out_data_o(item_shape), .count_o(shape_count)
  );

  // Whose ranges they are.
  wire to_valid;
  wire [$clog2(TbDepth+1)-1:0] to_count;
  wire [SmW+SlotW-1:0] to;
  wf_fifo #(.Width(SmW + SlotW), .Depth(TbDepth)) u_tbs (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(tb_valid_i && !run_q), .in_ready_o(tb_room),
    .in_data_i({tb_sm_i, tb_slot_i}), .out_valid_o(to_valid),
    .out_ready_i(send && bus_ready && item_last), .out_data_o(to), .count_o(to_count)
  );

  // The bus: a cycle on the way to the buffers.
  wire req_take = req_valid_o && req_ready_i;
  wf_skid #(.Width(SmW + SlotW + ItemW + ShapeW)) u_bus (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(send), .in_ready_o(bus_ready),
    .in_data_i({to, item_last, item_none, item_low, item_high, item_shape}),
    .out_valid_o(req_valid_o), .out_ready_i(req_ready_i),
    .out_data_o({req_sm_o, req_slot_o, req_last_o, req_none_o, req_low_o, req_high_o, req_pitch_o,
                 req_lines_o})
  );
  assign idle_o = !to_valid && !req_valid_o;

  // Counters: the order is that of unit.ini.
  generate
    if (CounterBits != 0) begin : g_count
      wire [NCount-1:0] inc = {
        req_valid_o && !req_ready_i, row && nothing, row, req_take && !req_none_o, tb_take,
        set_take && !set_flush_i && full, flush, append};
      wire [63:0] value;
      reg beyond_q;
      always_ff @(posedge clk_i or negedge rst_ni)
        if (!rst_ni) beyond_q <= 1'b0;
        else beyond_q <= cnt_index_i[4:3] != 2'd0;
      wf_counters #(.N(NCount), .Width(CounterBits)) u_counters (
        .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .snapshot_i(cnt_snapshot_i),
        .clear_i(cnt_clear_i), .index_i(cnt_index_i[2:0]), .value_o(value)
      );
      assign cnt_value_o = beyond_q ? '0 : value;
    end else begin : g_no_count
      wire unused = &{1'b0, cnt_snapshot_i, cnt_clear_i, cnt_index_i, row, flush, req_take};
      assign cnt_value_o = '0;
    end
  endgenerate

  `WF_ASSUME_STABLE(rule1_set, set_valid_i, set_ready_o, {set_flush_i, new_entry}, 1 + EntryW,
                    "Rule 1: an offered row holds")
  `WF_ASSUME_STABLE(rule1_tb, tb_valid_i, tb_ready_o, {tb_sm_i, tb_slot_i, tb_x_i, tb_y_i, tb_z_i},
                    SmW + SlotW + 3 * IdxBits,
                    "Rule 1: an offered thread block holds")
  `WF_ASSERT_STABLE(rule1_req, req_valid_o, req_ready_i,
                    {req_sm_o, req_slot_o, req_last_o, req_none_o, req_low_o, req_high_o,
                     req_pitch_o, req_lines_o}, SmW + SlotW + 2 + 2 * (AddrBits + 1) + ShapeW,
                    "Rule 1: an offered range holds")
  wire [31:0] sm_n = 32'(tb_sm_i), slot_n = 32'(tb_slot_i);
  `WF_ASSUME(rule2_tb, !tb_valid_i || (sm_n < NumSm && slot_n < MaxTb),
             "Rule 2: slots and SMs exist")
  `WF_ASSERT(rule3_room, (!valid_q[10] || queue_ready) && (!valid_q[1] || shape_ready)
             && (!item_valid || shape_valid),
             "Rule 3: the queue of ranges has room for what the pipeline holds")
  `WF_ASSERT(rule4_tb, !send || to_valid,
             "Rule 4: a range belongs to a thread block that was taken")
  `WF_ASSERT(rule5_idle, !idle_o || !(run_q || valid_q != '0 || queue_count != '0
                                      || shape_count != '0 || held_q != '0),
             "Rule 5: an idle unit holds nothing")
  wire unused = &{1'b0, sm_n, slot_n, queue_count, queue_ready, shape_count, shape_ready,
                  shape_valid, to_count};
endmodule
`default_nettype wire
