/* Waveform of one gather (make wave-mff): an FST file for GTKWave, and a picture of the ports for
 * the README. usage: wave FILE.fst PICTURE.svg */
#include <stdio.h>
#include <string.h>

#include "tb/mff/mff_wave.h"

enum { LEFT = 150, STEP = 8, ROW = 26, TOP = 30, HIGH = 12 };

/* One row of the picture: all transfers of a kind on a slice. */
typedef struct row {
  const char *name;
  unsigned slice;
  mff_event_kind kind;
  const char *label; /* format of the value, or NULL: none */
} row;

static const row rows[] = {
    {"cmd[0]", 0, MFF_EV_CMD, NULL},      {"mem_rd[0]", 0, MFF_EV_READ, "C"},
    {"mem_rsp[0]", 0, MFF_EV_BEAT, "%u"}, {"mem_rd[1]", 1, MFF_EV_READ, "V"},
    {"mem_rsp[1]", 1, MFF_EV_BEAT, "%u"}, {"rsp[1] data", 1, MFF_EV_DATA, "%u"},
    {"rsp[0] done", 0, MFF_EV_DONE, "%u"}};

static void draw_row(FILE *f, const row *r, int y, uint64_t cycles, const mff_wave *w) {
  fprintf(f, "<text x=\"4\" y=\"%d\">%s</text>\n<path class=\"w\" d=\"M%d %d", y, r->name, LEFT, y);
  for (unsigned i = 0; i < w->count; i++) {
    const mff_wave_event *e = &w->event[i];
    int x = LEFT + (int)e->cycle * STEP;
    if (e->slice == r->slice && e->kind == r->kind)
      fprintf(f, "H%dV%dH%dV%d", x, y - HIGH, x + STEP, y);
  }
  fprintf(f, "H%d\"/>\n", LEFT + (int)cycles * STEP);
  for (unsigned i = 0; i < w->count && r->label; i++) {
    const mff_wave_event *e = &w->event[i];
    if (e->slice != r->slice || e->kind != r->kind) continue;
    char label[16];
    snprintf(label, sizeof label, "%u", e->value);
    fprintf(f, "<text class=\"v\" x=\"%d\" y=\"%d\">%s</text>\n", LEFT + (int)e->cycle * STEP + 1,
            y - 2, strcmp(r->label, "%u") == 0 ? label : r->label);
  }
}

static bool draw(const char *path, const mff_wave *w) {
  FILE *f = fopen(path, "w");
  if (!f) return false;
  uint64_t cycles = w->event[w->count - 1].cycle + 4;
  int n = (int)(sizeof rows / sizeof *rows), bottom = TOP + n * ROW;
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "font-family=\"monospace\" font-size=\"12\">\n"
          "<style>.w{fill:none;stroke:#1f4e79;stroke-width:1.5}.g{stroke:#ddd}.v{font-size:8px}</"
          "style>\n"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          LEFT + (int)cycles * STEP + 10, bottom + 8);
  for (uint64_t c = 0; c < cycles; c += 10)
    fprintf(f,
            "<line class=\"g\" x1=\"%d\" y1=\"16\" x2=\"%d\" y2=\"%d\"/><text x=\"%d\" "
            "y=\"12\">%d</text>\n",
            LEFT + (int)c * STEP, LEFT + (int)c * STEP, bottom, LEFT + (int)c * STEP, (int)c);
  for (int i = 0; i < n; i++) draw_row(f, &rows[i], TOP + i * ROW + ROW / 2, cycles, w);
  fprintf(f, "</svg>\n");
  return fclose(f) == 0;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s FILE.fst PICTURE.svg\n", argv[0]);
    return WF_EXIT_BAD_INPUT;
  }
  wf_error err = {0};
  const mff_bench_options o = {.burst = 1,
                               .latency_min = MFF_WAVE_LATENCY,
                               .latency_max = MFF_WAVE_LATENCY,
                               .in_order = true,
                               .hang_after = 1000};
  mff_bench *b =
      wf_bench_create(&mff_bench_class,
                      &(wf_bench_options){.config = "small", .variant = "trace", .seed = 1}, &err);
  if (!b) {
    fprintf(stderr, "%s\n", err.text);
    return WF_EXIT_BAD_INPUT;
  }
  b->options = o;
  mff_wave wave;
  int code = WF_OK;
  if (!mff_wave_gather(b, argv[1], &wave)) {
    fprintf(stderr, "%s\n", b->base.failure);
    code = WF_EXIT_WRONG;
  } else if (!draw(argv[2], &wave)) {
    fprintf(stderr, "%s: cannot be written\n", argv[2]);
    code = WF_EXIT_BAD_INPUT;
  } else {
    printf("wrote %s and %s: one gather, %llu cycles\n", argv[1], argv[2],
           (unsigned long long)wave.event[wave.count - 1].cycle);
  }
  wf_bench_destroy(b);
  return code;
}
