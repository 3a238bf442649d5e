/* Least recently used is oldest: a line that is used leaves for the L1. */
#include "sim/gpu/l1_victims.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

void wf_l1_victims_init(wf_l1_victims *v, unsigned lines) {
  v->n = lines;
  v->places = lines ? wf_calloc(lines, sizeof *v->places) : NULL;
}

void wf_l1_victims_free(wf_l1_victims *v) {
  free(v->places);
}

void wf_l1_victims_clear(wf_l1_victims *v) {
  if (v->n) memset(v->places, 0, v->n * sizeof *v->places);
}

/* n: not there. */
static unsigned place_of(const wf_l1_victims *v, uint32_t line) {
  unsigned i = 0;
  while (i < v->n && !(v->places[i].valid && v->places[i].line == line)) i++;
  return i;
}

wf_l1_victim wf_l1_victims_find(const wf_l1_victims *v, uint32_t line) {
  const unsigned i = place_of(v, line);
  return i < v->n ? v->places[i] : (wf_l1_victim){0};
}

/* An empty place counts as the oldest. */
static void take_out(wf_l1_victims *v, unsigned i) {
  memmove(v->places + 1, v->places, i * sizeof *v->places);
  v->places[0] = (wf_l1_victim){0};
}

void wf_l1_victims_drop(wf_l1_victims *v, uint32_t line) {
  const unsigned i = place_of(v, line);
  if (i < v->n) take_out(v, i);
}

wf_l1_victim wf_l1_victims_put(wf_l1_victims *v, wf_l1_victim line) {
  const wf_l1_victim oldest = v->places[0];
  memmove(v->places, v->places + 1, (v->n - 1) * sizeof *v->places);
  v->places[v->n - 1] = line;
  return oldest;
}
