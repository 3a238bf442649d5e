/* Drives the toy counter; TOY_CYCLES=n cycles, TOY_LOOK=0 does not look at what it counts,
 * TOY_SPIN=1 never ends when a fault is there. Exit code 1 for a wrong count or an assertion. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/model/wf_model.h"

static unsigned number(const char *name, unsigned otherwise) {
  const char *text = getenv(name);
  return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

int main(void) {
  wf_error err = {0};
  wf_model_request request = {.unit = "toy", .config = "nine"};
  char *path = wf_model_build(&request, &err);
  wf_model_lib *lib = path ? wf_model_load(path, &err) : NULL;
  wf_model *m = lib ? wf_model_create(lib, NULL, 1, &err) : NULL;
  if (!m) return fprintf(stderr, "%s\n", err.text), 2;
  const wf_port *up = wf_model_port(m, "up_i"), *count = wf_model_port(m, "count_o");
  const char *fault = getenv("WF_MUTANT");
  if (number("TOY_SPIN", 0) && fault && atoi(fault))
    for (;;) {
    }
  unsigned expected = 0, wrong = 0;
  bool look = number("TOY_LOOK", 1);
  wf_model_status status = wf_model_reset(m, 2);
  wf_port_set(up, 1); /* a reset must undo this */
  for (unsigned i = 0; i < 5 && look && !status; i++) status = wf_model_step(m);
  if (!status) status = wf_model_reset(m, 2);
  for (unsigned i = 0; i < number("TOY_CYCLES", 40) && !status; i++) {
    wf_port_set(up, i % 3 != 1);
    if (look && wf_port_get(count) != expected && !wrong++)
      fprintf(stderr, "error: cycle %u: count %u, expected %u\n", i, (unsigned)wf_port_get(count),
              expected);
    status = wf_model_step(m);
    if (i % 3 != 1) expected = expected == 9 ? 0 : expected + 1;
  }
  if (status) fprintf(stderr, "error: %s\n", wf_model_last_error(m));
  wf_model_destroy(m);
  wf_model_unload(lib);
  free(path);
  return wrong || status;
}
