/* Record and replay of what happens at a unit's ports, one clocked edge at a time. docs/replay.md
 * describes the file; `warpfab run --record` writes one, `make replay` plays it.
 *
 *   roles    which ports form ready/valid streams: section [replay] of the unit's unit.ini
 *   layout   roles and ports together: every stream with its lanes, every other port a level
 *   recorder writes the edges of an instance that somebody else clocks
 *   reader   gives a file back, edge by edge, as port values: what to drive, what to expect
 *   play     drives an instance with a reader and finds the first difference
 *   script   drives an instance with a hand-written file of transactions
 *   export   a recording as stimulus for the Verilog player (player.v) */
#ifndef WF_REPLAY_H
#define WF_REPLAY_H

#include <stdio.h>

#include "sim/base/wf_error.h"
#include "sim/graph/sink.h"
#include "sim/model/wf_model.h"

enum { WF_REPLAY_VERSION = 1, WF_REPLAY_MAX_PAYLOAD = 32 };

/* --- Roles --------------------------------------------------------------------------------- */

typedef struct wf_role {
  char *name, *valid, *ready; /* ready is NULL where the ini says "-": always ready */
  char *payload[WF_REPLAY_MAX_PAYLOAD];
  unsigned n_payload;
} wf_role;

typedef struct wf_roles {
  char *clock, *reset; /* of section [unit] */
  wf_role *streams;
  size_t count;
  char **loose; /* key may_be_unknown: outputs without a defined value at first */
  size_t n_loose;
} wf_roles;

/* Reads [unit] clock, reset and the whole section [replay]: streams, and may_be_unknown. False with
 * *err (code 2), naming file and line, if it is malformed. A unit without the section has only
 * level ports. */
bool wf_roles_read(wf_roles *roles, const char *ini_path, wf_error *err);
void wf_roles_free(wf_roles *roles);

/* --- Layout -------------------------------------------------------------------------------- */

/* A port's place in the flat arrays of its direction: words of 32 bits, each port from a new one.
 */
typedef struct wf_replay_port {
  const wf_port *port;
  uint32_t first, words;
  int stream;        /* index of its stream; -1: a level; -2: clock or reset, in no array */
  uint32_t per_lane; /* bits of one lane */
} wf_replay_port;

typedef struct wf_replay_stream {
  const wf_role *role;
  bool to_unit; /* the unit receives */
  unsigned lanes;
  int valid, ready; /* port indices; ready -1: always */
  int payload[WF_REPLAY_MAX_PAYLOAD];
} wf_replay_stream;

typedef struct wf_layout {
  wf_replay_port *ports; /* in the order of the unit's ports */
  size_t n_ports;
  wf_replay_stream *streams;
  size_t n_streams;
  uint32_t in_words, out_words;
  uint32_t *loose; /* out_words: bits of which four-state engines may say x, but nothing wrong */
} wf_layout;

/* Fits roles to ports: each named port is there, with the direction its role has, and as many bits
 * per lane as the lanes of valid divide it into. `roles` and `ports` must outlive the layout. */
bool wf_layout_make(wf_layout *layout, const wf_roles *roles, const wf_port *ports, size_t n_ports,
                    wf_error *err);
void wf_layout_free(wf_layout *layout);

/* --- Recording ----------------------------------------------------------------------------- */

/* What a file says about itself. */
typedef struct wf_replay_header {
  char *unit, *config; /* config: the named set, without overrides */
  char *overrides;     /* "NSlice=2 NumSm=1", or "" */
  uint64_t seed;
  unsigned reset_cycles;
  bool script;            /* body of transactions, not of cycles */
  char **parameter_names; /* as elaborated */
  int64_t *parameter_values;
  size_t parameter_count;
} wf_replay_header;

void wf_replay_header_free(wf_replay_header *h);

typedef struct wf_recorder wf_recorder;

/* Starts a recording of an instance that has just been reset (reset_cycles edges). The file
 * becomes the recorder's, which completes it. `limit`: edges after which nothing more is written;
 * 0: none. Memory use does not depend on the length. */
wf_recorder *wf_recorder_open(wf_sink *to, const wf_layout *layout, const wf_model *model,
                              const wf_replay_header *header, uint64_t limit);
/* Call before each edge, inputs set and settled; writes nothing once the limit is reached. */
void wf_recorder_edge(wf_recorder *r, uint64_t time);
bool wf_recorder_full(const wf_recorder *r);
/* Completes the file; frees r either way. */
bool wf_recorder_close(wf_recorder *r, wf_error *err);

/* --- Reading ------------------------------------------------------------------------------- */

/* Port values at one clocked edge. care: bits of out that must be as they are here. */
typedef struct wf_frame {
  uint64_t edge, time; /* number of the edge from 0; the cycle of the recorded run */
  uint64_t line;
  uint32_t *in, *out, *care;
} wf_frame;

typedef struct wf_reader wf_reader;

/* Reads a file to its end: it is complete and its checksum right. False with *err (code 2). */
bool wf_replay_check_file(const char *path, wf_error *err);
/* Reads the header. NULL and *err (code 2) for a file that is none, or of another version. */
wf_reader *wf_reader_open(const char *path, wf_error *err);
/* The same over bytes in memory, which must outlive the reader. */
wf_reader *wf_reader_open_memory(const char *name, const void *data, size_t bytes, wf_error *err);
const wf_replay_header *wf_reader_header(const wf_reader *r);
const char *wf_reader_path(const wf_reader *r);
/* Before the first frame of a body of cycles. */
void wf_reader_bind(wf_reader *r, const wf_layout *layout);
/* The next edge: 1 and *frame, valid until the next call; 0 at the end, checksum and count found
 * right; -1 with *err. */
int wf_reader_next(wf_reader *r, const wf_frame **frame, wf_error *err);
/* The next line of a body of transactions, ended by zero; the same return values. */
int wf_reader_line(wf_reader *r, char **line, wf_error *err);
uint64_t wf_reader_line_number(const wf_reader *r);
void wf_reader_close(wf_reader *r);

/* The header's unit, configuration and parameters must be the model's. False (code 2) names the
 * first that differs. */
bool wf_replay_check_model(const wf_reader *r, const wf_model_lib *lib, wf_error *err);

/* Hex text of bits lsb .. lsb + width - 1, with x for digits that are not cared for (care may be
 * NULL: all are), shortest form. Needs width / 4 + 3 bytes; returns the length. */
size_t wf_hex_put(char *text, const uint32_t *words, const uint32_t *care, uint32_t lsb,
                  uint32_t width);
/* The reverse: false if text (n characters) is no hex number of at most width bits. care may be
 * NULL: then x is refused. */
bool wf_hex_get(const char *text, size_t n, uint32_t *words, uint32_t *care, uint32_t lsb,
                uint32_t width);

/* --- Playing ------------------------------------------------------------------------------- */

typedef struct wf_play_stats {
  uint64_t edges, transfers; /* of all streams and lanes */
  uint64_t compared_bits;
} wf_play_stats;

/* Counts a frame's transfers and bits. */
void wf_play_count(wf_play_stats *stats, const wf_layout *layout, const wf_frame *frame);

/* The first difference of a frame's expected outputs against `got` (unknown: bits that are x, or
 * NULL), in port order, as text: "edge 12 (cycle 40): rsp lane 1: valid: expected 1, got 0". False
 * if there is none. */
bool wf_play_difference(const wf_layout *layout, const wf_frame *frame, const uint32_t *got,
                        const uint32_t *unknown, char *text, size_t bytes);

/* Resets the model, plays the whole file. False with *err: code 1 for a difference or an assertion
 * of the RTL, code 2 for a bad file. */
bool wf_play(wf_reader *r, const wf_layout *layout, wf_model *model, wf_play_stats *stats,
             wf_error *err);

/* Runs a body of transactions. `recorder` may be NULL. */
bool wf_script_run(wf_reader *r, const wf_layout *layout, wf_model *model, wf_recorder *recorder,
                   wf_play_stats *stats, wf_error *err);

/* --- The Verilog player -------------------------------------------------------------------- */

/* Writes the commands of player.v for the whole file: i WORD HEX input, e WORD HEX expected, m WORD
 * HEX care, u WORD HEX may be unknown, c EDGES clock, q end. */
bool wf_export_stimulus(wf_reader *r, const wf_layout *layout, FILE *to, wf_play_stats *stats,
                        wf_error *err);
/* The test bench for one unit: module replay_top with player and device, parameters as text
 * "NSlice=2 ..." ("": none are passed, as for a netlist). */
void wf_export_bench(const wf_layout *layout, const wf_roles *roles, const char *top,
                     bool reset_active_low, unsigned reset_cycles, const char *parameters,
                     FILE *to);

#endif
