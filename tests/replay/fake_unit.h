/* Ports and roles of a made-up unit, enough for a reader: no model is behind them. */
#ifndef FAKE_UNIT_H
#define FAKE_UNIT_H

#include "sim/replay/wf_replay.h"

static const wf_port fake_ports[] = {
    {.name = "clk_i", .width = 1},
    {.name = "rst_ni", .width = 1},
    {.name = "cmd_valid_i", .width = 3},
    {.name = "cmd_ready_o", .width = 3, .is_output = true},
    {.name = "cmd_data_i", .width = 3 * 37},
    {.name = "cmd_tag_i", .width = 3 * 5},
    {.name = "rsp_valid_o", .width = 1, .is_output = true},
    {.name = "rsp_ready_i", .width = 1},
    {.name = "rsp_data_o", .width = 70, .is_output = true},
    {.name = "note_valid_o", .width = 2, .is_output = true},
    {.name = "note_data_o", .width = 2 * 9, .is_output = true},
    {.name = "mode_i", .width = 6},
    {.name = "idle_o", .width = 1, .is_output = true},
};
enum { FAKE_PORTS = sizeof fake_ports / sizeof *fake_ports };

static wf_role fake_streams[] = {
    {.name = "cmd",
     .valid = "cmd_valid_i",
     .ready = "cmd_ready_o",
     .payload = {"cmd_data_i", "cmd_tag_i"},
     .n_payload = 2},
    {.name = "rsp",
     .valid = "rsp_valid_o",
     .ready = "rsp_ready_i",
     .payload = {"rsp_data_o"},
     .n_payload = 1},
    {.name = "note",
     .valid = "note_valid_o",
     .ready = "-",
     .payload = {"note_data_o"},
     .n_payload = 1},
};
static const wf_roles fake_roles = {
    .clock = "clk_i", .reset = "rst_ni", .streams = fake_streams, .count = 3};

#endif
