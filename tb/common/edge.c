#include "tb/common/wf_edge.h"

void wf_edge_open(void *bench, uint64_t *counted) {
  wf_bench *b = bench;
  for (const wf_edge_parameter *p = b->cls->edge->parameters; p->name; p++)
    *(unsigned *)((char *)bench + p->field) = wf_bench_parameter(b, p->name);
  b->counted = counted;
}

bool wf_edge(void *bench, const void *offer) {
  wf_bench *b = bench;
  const wf_edge_class *c = b->cls->edge;
  if (b->failure[0]) return false;
  b->cycle++;
  b->offers += offer != NULL;
  c->drive(bench, offer);
  if (!offer && wf_port_get(c->idle(bench)) && wf_bench_gated(b)) return true;
  c->model(bench, offer);
  return wf_bench_ok(b, wf_model_edge(b->model)) && c->compare(bench);
}

bool wf_edge_quiet(void *bench) {
  return wf_edge(bench, NULL);
}

bool wf_edge_rest(void *bench) {
  wf_bench *b = bench;
  const wf_edge_class *c = b->cls->edge;
  for (unsigned i = 0; i < c->most; i++)
    if (!wf_edge(bench, NULL)) return false;
  return wf_port_get(c->idle(bench)) || wf_bench_fail(b, "not idle after %u edges", c->most);
}
