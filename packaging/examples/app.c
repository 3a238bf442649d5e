/* A graph program on the modelled GPU: cc app.c $(pkg-config --cflags --libs warpfab) */
#include <stdio.h>

#include <warpfab.h>

int main(int argc, char **argv) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  const wf_app *app = wf_app_find(argc > 1 ? argv[1] : "bfs", &err);
  wf_graph *graph = app ? wf_graph_open(argc > 2 ? argv[2] : "rmat:scale=10", 1, &err) : NULL;
  wf_gpu *gpu = NULL;
  if (graph && wf_gpu_config_load(&config, "gtx480", &err))
    gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  wf_app_run run = {.gpu = gpu, .graph = graph, .seed = 1};
  if (!gpu || !wf_app_start(app, &run, &err))
    return fprintf(stderr, "%s\n", err.text), err.code ? err.code : 1;
  printf("%s: %llu cycles, %llu warp instructions, %s: %s\n", app->name,
         (unsigned long long)wf_gpu_cycles(gpu),
         (unsigned long long)wf_gpu_sm_counters(gpu)->warp_instructions,
         run.verified ? "verified" : "WRONG", run.verdict);
  wf_gpu_destroy(gpu);
  wf_graph_destroy(graph);
  return !run.verified;
}
