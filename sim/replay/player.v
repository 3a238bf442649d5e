// Plays a recording on any unit: drives flat inputs, compares flat outputs before each rising edge,
// in four states, so that an unknown where a value is expected is a difference. Made for Icarus;
// the bench around it comes from lib_export.c.
//
// +stimulus=FILE holds the commands: i WORD HEX (input), e WORD HEX (expected output), m WORD HEX
// (its bits that count), u WORD HEX (bits that may be unknown), c EDGES (clock so often), q (end).
// At the first difference it prints the edge and the outputs in hex, most significant word first,
// and stops.
`timescale 1ns/10ps
`default_nettype none

module wf_player #(
  parameter integer InWords = 1,
  parameter integer OutWords = 1,
  parameter integer ResetLow = 1,
  parameter integer ResetCycles = 2
) (
  output reg                   clk,
  output reg                   rst,
  output reg  [InWords*32-1:0] in,
  input  wire [OutWords*32-1:0] out
);
  reg [OutWords*32-1:0] expected, care, loose, wrong;
  reg [8*1024-1:0] name;
  reg [7:0] command;
  reg [31:0] value;
  integer file, at, count, edges, fields;
  reg running;
  wire zeros = $test$plusargs("zeros") != 0;

  task clock;
    begin
      #5 clk = 1'b1;
      #5 clk = 1'b0;
    end
  endtask

  // An unknown bit is wrong unless it may be unknown; a known one that differs is wrong always, but
  // with +zeros, where flops and RAMs begin at 0: what may be unknown is then something.
  task compare;
    begin
      wrong = (out ^ expected) & care;
      if ((wrong & ~loose) !== {OutWords*32{1'b0}} || (!zeros && |(wrong & loose) === 1'b1)) begin
        $display("REPLAY difference edge %0d", edges);
        $display("REPLAY outputs %b", out);
        $finish;
        running = 1'b0;
      end
    end
  endtask

  task broken;
    begin
      $display("REPLAY broken stimulus");
      $finish;
      running = 1'b0;
    end
  endtask

  initial begin
    clk = 1'b0;
    in = {InWords*32{1'b0}};
    expected = {OutWords*32{1'b0}};
    care = {OutWords*32{1'b0}};
    loose = {OutWords*32{1'b0}};
    edges = 0;
    running = 1'b1;
    rst = ResetLow != 0;
    #1 rst = ResetLow == 0;  // an edge, for asynchronous resets
    if (!$value$plusargs("stimulus=%s", name)) name = "stimulus.txt";
    file = $fopen(name, "r");
    if (file == 0) broken;
    repeat (ResetCycles) clock;
    rst = ResetLow != 0;
    while (running) begin
      fields = $fscanf(file, " %c", command);
      if (fields != 1) broken;
      else if (command == "q") begin
        $display("REPLAY same edges %0d", edges);
        $finish;
        running = 1'b0;
      end else if (command == "c") begin
        if ($fscanf(file, " %d", count) != 1) broken;
        while (running && count > 0) begin
          #4 compare;
          if (running) begin
            clock;
            edges = edges + 1;
            count = count - 1;
          end
        end
      end else if ($fscanf(file, " %d %h", at, value) != 2) broken;
      else if (command == "i") in[at*32 +: 32] = value;
      else if (command == "e") expected[at*32 +: 32] = value;
      else if (command == "m") care[at*32 +: 32] = value;
      else if (command == "u") loose[at*32 +: 32] = value;
      else broken;
    end
  end
endmodule

`default_nettype wire
