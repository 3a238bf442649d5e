/* A unit's RTL from C: cc model.c $(pkg-config --cflags --libs warpfab) */
#include <stdio.h>
#include <stdlib.h>

#include <warpfab.h>

int main(void) {
  wf_error err = {0};
  wf_model_request request = {.unit = "obm", .config = "small"};
  char *path = wf_model_build(&request, &err);
  wf_model_lib *lib = path ? wf_model_load(path, &err) : NULL;
  wf_model *m = lib ? wf_model_create(lib, NULL, 1, &err) : NULL;
  if (!m) return fprintf(stderr, "%s\n", err.text), err.code;
  wf_model_status status = wf_model_reset(m, 2);
  const wf_port *valid = wf_model_port(m, "acc_valid_i"), *ready = wf_model_port(m, "acc_ready_o");
  for (int taken = 0; !status && taken < 100;) {
    wf_port_set(valid, 1);
    status = wf_model_settle(m);
    taken += wf_port_get(ready) != 0;
    if (!status) status = wf_model_edge(m);
  }
  wf_port_set(valid, 0);
  uint64_t *counters = calloc(wf_model_counter_count(m), sizeof *counters);
  for (int i = 0; !status && i < 4; i++) status = wf_model_step(m);
  if (!status) status = wf_model_counters_read(m, counters);
  for (size_t i = 0; !status && i < wf_model_counter_count(m); i++)
    printf("%s %llu\n", wf_model_counter_name(m, i), (unsigned long long)counters[i]);
  if (status) fprintf(stderr, "%s\n", wf_model_last_error(m));
  free(counters);
  wf_model_destroy(m);
  wf_model_unload(lib);
  free(path);
  return status != WF_MODEL_OK;
}
