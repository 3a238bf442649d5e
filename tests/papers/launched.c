/* Inputs of programs whose threads launch work; see launched.h. */
#include "tests/papers/launched.h"

/* Scaled to minutes (findings.md of both papers have what stands for what). graph: a file of the
 * shared folder, NULL: none; instead: a generator, if there is no such file. small: arguments of
 * the same scaled to seconds, for experiments of hundreds of runs. */
static const struct {
  const char *name, *arguments, *graph, *instead, *small;
} inputs[LAUNCHED_INPUTS] = {
    [AMR] = {"amr", "--app amr --set app.side=256 --set app.low=100", NULL, NULL,
             "--app amr --set app.side=64 --set app.low=100"},
    [BHT] = {"bht", "--app bht --set app.bodies=131072", NULL, NULL,
             "--app bht --set app.bodies=65536"},
    [BFS_CITATION] = {"bfs_citation", "--app bfs_dp --graph ", "dblp-2010.mtx.gz",
                      "cite:n=65536,degree=4", "--app bfs_dp --graph cite:n=32768,degree=4"},
    [BFS_ROAD] = {"bfs_usa_road", "--app bfs_dp --graph ", "USA-road-d.NY.gr.gz",
                  "grid:x=512,y=256", NULL},
    [BFS_CAGE15] = {"bfs_cage15", "--app bfs_dp --graph band:n=65536", NULL, NULL,
                    "--app bfs_dp --graph band:n=16384"},
    [CLR_CITATION] = {"clr_citation", "--app clr --set app.rounds=1 --graph ", "dblp-2010.mtx.gz",
                      "cite:n=65536,degree=4",
                      "--app clr --set app.rounds=1 --graph cite:n=16384,degree=4"},
    [CLR_GRAPH500] = {"clr_graph500",
                      "--app clr --set app.rounds=1 --graph "
                      "rmat:scale=14,edges=700000,a=0.57,b=0.19,c=0.19,d=0.05",
                      NULL, NULL,
                      "--app clr --set app.rounds=1 --graph "
                      "rmat:scale=12,edges=130000,a=0.57,b=0.19,c=0.19,d=0.05"},
    [CLR_CAGE15] = {"clr_cage15", "--app clr --set app.rounds=1 --graph band:n=65536", NULL, NULL,
                    "--app clr --set app.rounds=1 --graph band:n=16384"},
    [REGX_DARPA] = {"regx_darpa", "--app regx", NULL, NULL, "--app regx --set app.texts=2048"},
    [REGX_STRING] = {"regx_string", "--app regx --set app.kind=strings --set app.texts=24576", NULL,
                     NULL, "--app regx --set app.kind=strings --set app.texts=4096"},
    [PRE] = {"pre", "--app pre --set app.users=8192 --set app.products=512 --set app.least=1000",
             NULL, NULL,
             "--app pre --set app.users=1024 --set app.products=512 --set app.least=1000"},
    [JOIN_UNIFORM] = {"join_uniform",
                      "--app join --set app.left=32768 --set app.right=65536 --set app.keys=2048",
                      NULL, NULL,
                      "--app join --set app.left=8192 --set app.right=16384 --set app.keys=1024"},
    [JOIN_GAUSSIAN] = {"join_gaussian",
                       "--app join --set app.spread=gaussian --set app.left=24576 --set "
                       "app.right=32768 --set app.keys=1024",
                       NULL, NULL,
                       "--app join --set app.spread=gaussian --set app.left=8192 --set "
                       "app.right=12288 --set app.keys=1024"},
    [SSSP_CITATION] = {"sssp_citation", "--app sssp_dp --graph cite:n=32768,degree=4", NULL, NULL,
                       "--app sssp_dp --graph cite:n=8192,degree=4"},
    [SSSP_FLIGHT] = {"sssp_flight", "--app sssp_dp --graph rgg:scale=11", NULL, NULL, NULL},
    [SSSP_CAGE15] = {"sssp_cage15", "--app sssp_dp --graph band:n=8192", NULL, NULL,
                     "--app sssp_dp --graph band:n=2048"},
    [CLR_EVEN] = {"clr_even", "--app clr --set app.rounds=1 --graph random:n=24576,degree=20", NULL,
                  NULL, NULL},
    [BFS_GRAPH500] =
        {"bfs_graph500",
         "--app bfs_dp --graph "
         "rmat:scale=14,edges=700000,a=0.57,b=0.19,c=0.19,d=0.05",
         NULL, NULL, "--app bfs_dp --graph rmat:scale=13,edges=130000,a=0.57,b=0.19,c=0.19,d=0.05"},
    [SSSP_GRAPH500] =
        {"sssp_graph500",
         "--app sssp_dp --graph "
         "rmat:scale=12,edges=170000,a=0.57,b=0.19,c=0.19,d=0.05",
         NULL, NULL, "--app sssp_dp --graph rmat:scale=11,edges=30000,a=0.57,b=0.19,c=0.19,d=0.05"},
};

const char *launched_name(int input) {
  return inputs[input].name;
}

const cJSON *launched_result(paper *p, int input, const char *form, const char *options) {
  char graph[PAPER_PATH] = "", label[64];
  if (inputs[input].graph) paper_graph(p, inputs[input].graph, inputs[input].instead, graph);
  snprintf(label, sizeof label, "%s-%s", inputs[input].name, form);
  return paper_result(p, label, "--config k20c %s%s --set %s", inputs[input].arguments, graph,
                      options);
}

const cJSON *launched_small_result(paper *p, int input, const char *form, const char *options) {
  char label[64];
  if (!inputs[input].small) paper_fail("%s: has no small form", inputs[input].name);
  snprintf(label, sizeof label, "%s-%s", inputs[input].name, form);
  return paper_result(p, label, "--config k20c %s --set %s", inputs[input].small, options);
}
