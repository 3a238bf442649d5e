/* Any bytes as a replay file: must give an error with a code and a text, or edges whose values lie
 * within their ports. Run by `make fuzz`. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/replay/fake_unit.h"

enum { MAX_EDGES = 200 };

static void require(bool condition) {
  if (!condition) abort();
}

/* Bits between ports stay 0, and nothing differs from itself. */
static void check_frame(const wf_layout *l, const wf_frame *f) {
  char text[1100];
  for (size_t i = 0; i < l->n_ports; i++) {
    const wf_replay_port *p = &l->ports[i];
    const uint32_t *values = p->port->is_output ? f->out : f->in;
    if (p->words && p->port->width % 32)
      require(values[p->first + p->words - 1] >> p->port->width % 32 == 0);
  }
  require(!wf_play_difference(l, f, f->out, NULL, text, sizeof text));
}

static void read_cycles(wf_reader *r, const wf_layout *l, wf_error *err) {
  const wf_frame *f;
  wf_play_stats stats = {0};
  int more;
  wf_reader_bind(r, l);
  for (unsigned n = 0; (more = wf_reader_next(r, &f, err)) == 1 && n < MAX_EDGES; n++) {
    check_frame(l, f);
    wf_play_count(&stats, l, f);
  }
  require(more >= 0 || (err->code == WF_EXIT_BAD_INPUT && err->text[0]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  wf_error err = {0};
  wf_layout layout;
  require(wf_layout_make(&layout, &fake_roles, fake_ports, FAKE_PORTS, &err));
  wf_reader *r = wf_reader_open_memory("fuzz", data, bytes, &err);
  require((r != NULL) == (err.code == 0));
  if (r && wf_reader_header(r)->script) {
    char *line;
    while (wf_reader_line(r, &line, &err) == 1) {
    }
  } else if (r) {
    read_cycles(r, &layout, &err);
  }
  wf_reader_close(r);
  wf_layout_free(&layout);
  return 0;
}
