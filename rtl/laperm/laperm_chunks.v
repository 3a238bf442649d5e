// laperm_chunks: where the records of queues in memory lie: Records places, cut into chunks of
// Chunk places. A list takes a chunk for itself and fills it from below, so that its records lie
// side by side and a line of memory brings several of them, whatever other lists do meanwhile. A
// chunk is free again when all its places were read, or its list is empty.
//
// A pointer is the address behind the record: base + 16 * (place + 1).
//
// Timing: look, then room and pointer after the edge, which hold until the next look; take in one
// of these cycles. What is given up is known in three cycles.
//
//   Records 2^k, 2 * Chunk..   Chunk 2^k, 2..   Lists   AddrW: over log2(16 * Records)
// Storage: RAM Lists * log2(Records), and for each chunk log2(2 * Chunk) and its number; flops
// Lists, and some.
//
// Rules
//   1 base_i is a multiple of 16 * Records, and stays.
//   2 A place is taken after a look that found room.
//   3 A record that is given up lies in a chunk that is in use; in two cycles there is one at most,
//     and no look or take follows in the cycle of one, no take in the next.
//   4 No chunk has two owners.
`default_nettype none
`include "wf_assert.vh"

module laperm_chunks #(
  parameter integer Records = 32768,
  parameter integer Chunk = 64,
  parameter integer Lists = 40,
  parameter integer AddrW = 32,
  localparam integer ListW = $clog2(Lists)
) (
  input  wire             clk_i,
  input  wire             rst_ni,
  input  wire [AddrW-1:0] base_i,
  // the next place of a list
  input  wire             look_i,
  input  wire [ListW-1:0] list_i,         // stays from look to take
  output wire             room_o,
  output wire [AddrW-1:0] pointer_o,
  input  wire             take_i,
  // a record is needed no more; of one that does not lie here only that it was its list's last
  input  wire             free_i,
  input  wire             free_last_i,
  input  wire [ListW-1:0] free_list_i,
  input  wire [AddrW-1:0] free_pointer_i,
  output wire             quiet_o
);
  localparam integer Chunks = Records / Chunk;
  localparam integer AtW = $clog2(Records);
  localparam integer PlaceW = $clog2(Chunk);
  localparam integer ChunkW = AtW - PlaceW;
  localparam integer CountW = PlaceW + 1;
  localparam integer FreshW = ChunkW + 1;
  localparam [CountW-1:0] ALL = CountW'(Chunk);

  initial begin
    if (Chunk < 2 || (Chunk & (Chunk - 1)) != 0)
      $fatal(1, "laperm_chunks: Chunk must be 2^k, k >= 1");
    if (Records < 2 * Chunk || (Records & (Records - 1)) != 0)
      $fatal(1, "laperm_chunks: Records must be 2^k, 2 * Chunk or more");
    if (AddrW <= AtW + 4) $fatal(1, "laperm_chunks: AddrW must exceed log2 of 16 * Records");
  end

  reg [Lists-1:0] open_q;                 // this list has a chunk with places left
  reg here_q, room_q;                     // so has the list of the last look; there is a place

  // Free chunks: those never used by a count, then those that were given back.
  reg [FreshW-1:0] fresh_q;
  wire fresh = !fresh_q[ChunkW];
  wire again_valid, give, again_ready;
  wire [ChunkW-1:0] again, given;
  wire [FreshW-1:0] n_again;
  wire begins = take_i && !here_q;        // a chunk
  wf_fifo #(.Width(ChunkW), .Depth(Chunks), .Ram(1)) u_free (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(give), .in_ready_o(again_ready), .in_data_i(given),
    .out_valid_o(again_valid), .out_ready_i(begins && !fresh), .out_data_o(again), .count_o(n_again)
  );
  wire [AtW-1:0] at;
  wire [AtW-1:0] place = here_q ? at : {fresh ? fresh_q[ChunkW-1:0] : again, {PlaceW{1'b0}}};
  wire ends = place[PlaceW-1:0] == '1;    // the chunk, with this place

  // What is given up.
  reg count_q, close_q, closed_q;         // second cycle; of a chunk that its list leaves; third
  reg [ChunkW-1:0] chunk_q, closed_chunk_q;
  wire [AddrW-5:0] freed_place = free_pointer_i[AddrW-1:4] - 1'b1;
  wire freed = free_i && freed_place[AddrW-5:AtW] == base_i[AddrW-1:AtW+4];
  wire close = free_i && free_last_i && open_q[free_list_i];
  wire [CountW-1:0] n_read;
  wire [CountW-1:0] more = n_read + 1'b1;
  wire through = count_q && more == ALL;
  assign give = through || closed_q;
  assign given = closed_q ? closed_chunk_q : chunk_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      fresh_q <= '0;
      here_q <= 1'b0;
      room_q <= 1'b0;
      count_q <= 1'b0;
      close_q <= 1'b0;
      closed_q <= 1'b0;
    end else begin
      if (take_i) open_q[list_i] <= !ends;
      else if (close) open_q[free_list_i] <= 1'b0;
      if (begins && fresh) fresh_q <= fresh_q + 1'b1;
      if (look_i) begin
        here_q <= open_q[list_i];
        room_q <= open_q[list_i] || fresh || again_valid;
      end
      count_q <= freed;
      close_q <= close;
      closed_q <= close_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (freed) chunk_q <= freed_place[AtW-1:PlaceW];
    if (close_q) closed_chunk_q <= at[AtW-1:PlaceW];
  end

  wf_ram_1r1w #(.Width(AtW), .Depth(Lists)) u_at (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(take_i && !ends), .wr_addr_i(list_i),
    .wr_mask_i(1'b1), .wr_data_i(place + 1'b1), .rd_en_i(look_i || close),
    .rd_addr_i(look_i ? list_i : free_list_i), .rd_data_o(at)
  );
  wf_ram_1r1w #(.Width(CountW), .Depth(Chunks)) u_read (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(begins || count_q),
    .wr_addr_i(count_q ? chunk_q : place[AtW-1:PlaceW]), .wr_mask_i(1'b1),
    .wr_data_i(count_q ? more : '0), .rd_en_i(freed), .rd_addr_i(freed_place[AtW-1:PlaceW]),
    .rd_data_o(n_read)
  );

  assign room_o = room_q;
  assign pointer_o = {base_i[AddrW-1:4], 4'd0} + {{(AddrW-AtW-4){1'b0}}, place, 4'd0} + AddrW'(16);
  assign quiet_o = !count_q && !close_q && !closed_q && (n_again == '0 || again_valid);
  wire unused = &{1'b0, base_i[AtW+3:0], free_pointer_i[3:0], freed_place[PlaceW-1:0], again_ready};

  `WF_ASSUME(rule1_base, base_i[AtW+3:0] == '0, "Rule 1: the places are aligned to their size")
  `WF_ASSUME(rule2_room, !take_i || room_q, "Rule 2: what is taken is there")
  `WF_ASSUME(rule3_gap, !(free_i && (count_q || close_q || look_i || take_i))
                        && !(take_i && (count_q || close_q)),
             "Rule 3: one thing at a time")
  `WF_ASSERT(rule3_count, !count_q || n_read < ALL,
             "Rule 3: of a chunk no more comes free than it has")
  `WF_ASSERT(rule4_given, !give || again_ready, "Rule 4: no chunk is given back twice")
  `WF_ASSERT(rule4_one, !(through && closed_q), "Rule 4: one chunk is given back at a time")
  `WF_ASSERT(rule4_fresh, !give || FreshW'(given) < fresh_q, "Rule 4: it was in use")
endmodule
`default_nettype wire
