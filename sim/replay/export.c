/* A recording as commands for player.v, and the test bench around a unit. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/replay/wf_replay.h"

/* The words that changed; `seen` follows. True if there were any. */
static bool put_changes(FILE *to, char what, const uint32_t *now, uint32_t *seen, uint32_t n) {
  bool any = false;
  for (uint32_t w = 0; w < n; w++) {
    if (now[w] == seen[w]) continue;
    fprintf(to, "%c %" PRIu32 " %" PRIx32 "\n", what, w, now[w]);
    seen[w] = now[w];
    any = true;
  }
  return any;
}

bool wf_export_stimulus(wf_reader *r, const wf_layout *l, FILE *to, wf_play_stats *stats,
                        wf_error *err) {
  const wf_frame *f;
  uint32_t *in = wf_calloc(l->in_words + 1, 4), *out = wf_calloc(l->out_words + 1, 4),
           *care = wf_calloc(l->out_words + 1, 4);
  uint64_t pending = 0;
  int more;
  *stats = (wf_play_stats){0};
  for (uint32_t w = 0; w < l->out_words; w++)
    if (l->loose[w]) fprintf(to, "u %" PRIu32 " %" PRIx32 "\n", w, l->loose[w]);
  while ((more = wf_reader_next(r, &f, err)) == 1) {
    bool changed = memcmp(in, f->in, 4 * l->in_words) || memcmp(out, f->out, 4 * l->out_words) ||
                   memcmp(care, f->care, 4 * l->out_words);
    if (changed && pending) {
      fprintf(to, "c %" PRIu64 "\n", pending);
      pending = 0;
    }
    put_changes(to, 'i', f->in, in, l->in_words);
    put_changes(to, 'e', f->out, out, l->out_words);
    put_changes(to, 'm', f->care, care, l->out_words);
    pending++;
    wf_play_count(stats, l, f);
  }
  if (pending) fprintf(to, "c %" PRIu64 "\n", pending);
  fprintf(to, "q\n");
  free(in);
  free(out);
  free(care);
  if (more < 0) return false;
  return !ferror(to) || wf_fail(err, WF_EXIT_BAD_INPUT, "the stimulus file cannot be written");
}

/* "NSlice=2 NumSm=1" as .NSlice(2), .NumSm(1) */
static void put_parameters(const char *parameters, FILE *to) {
  char *copy = wf_strdup(parameters), *save = NULL;
  const char *before = " #(";
  for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
    char *value = strchr(word, '=');
    if (!value) continue;
    *value++ = '\0';
    fprintf(to, "%s.%s(%s)", before, word, value);
    before = ", ";
  }
  if (before[0] == ',') fputc(')', to);
  free(copy);
}

void wf_export_bench(const wf_layout *l, const wf_roles *roles, const char *top,
                     bool reset_active_low, unsigned reset_cycles, const char *parameters,
                     FILE *to) {
  unsigned in = l->in_words ? l->in_words : 1, out = l->out_words ? l->out_words : 1;
  fprintf(to,
          "// Made from the ports of %s; see sim/replay/player.v.\n`timescale 1ns/10ps\n"
          "module replay_top;\n  wire clk, rst;\n  wire [%u:0] in;\n  wire [%u:0] out;\n",
          top, 32 * in - 1, 32 * out - 1);
  for (size_t i = 0; i < l->n_ports; i++) { /* bits between ports are constant */
    const wf_replay_port *p = &l->ports[i];
    uint32_t end = 32 * (p->first + p->words), used = 32 * p->first + p->port->width;
    if (p->words && p->port->is_output && used < end)
      fprintf(to, "  assign out[%" PRIu32 ":%" PRIu32 "] = '0;\n", end - 1, used);
  }
  if (!l->out_words) fprintf(to, "  assign out = '0;\n");
  fprintf(to,
          "  wf_player #(.InWords(%u), .OutWords(%u), .ResetLow(%d), .ResetCycles(%u)) u_player (\n"
          "    .clk(clk), .rst(rst), .in(in), .out(out));\n  %s",
          in, out, reset_active_low, reset_cycles, top);
  put_parameters(parameters, to);
  fprintf(to, " dut (\n    .%s(clk), .%s(rst)", roles->clock, roles->reset);
  for (size_t i = 0; i < l->n_ports; i++) {
    const wf_replay_port *p = &l->ports[i];
    if (p->words)
      fprintf(to, ",\n    .%s(%s[%" PRIu32 " +: %" PRIu32 "])", p->port->name,
              p->port->is_output ? "out" : "in", 32 * p->first, p->port->width);
  }
  fprintf(to, ");\nendmodule\n");
}
