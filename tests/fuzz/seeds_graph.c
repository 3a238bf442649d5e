/* Writes the first inputs for fuzz_graph into the folder named: each format, plain and packed. */
#include <stdio.h>
#include <string.h>

#include "sim/graph/graph.h"

static bool put(const char *folder, const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "wb");
  return f && fwrite(text, 1, strlen(text), f) == strlen(text) && fclose(f) == 0;
}

static bool put_graph(const char *folder, const char *spec, unsigned number, bool weights,
                      wf_error *err) {
  static const char *const endings[] = {"mtx", "el", "gr", "wfg", "mtx.gz", "el.zst", "wfg.gz"};
  wf_graph *g = wf_graph_open(spec, 1, err);
  bool ok = g != NULL;
  if (ok && weights) ok = wf_graph_need_weights(g, 1, err);
  for (size_t i = 0; ok && i < sizeof endings / sizeof *endings; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%u.%s", folder, number, endings[i]);
    ok = wf_graph_write(g, path, err);
  }
  wf_graph_destroy(g);
  return ok;
}

int main(int argc, char **argv) {
  static const char *const specs[] = {"rmat:scale=4,edges=20", "grid:x=3,y=2", "star:n=4"};
  static const char *const texts[] = {
      "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 3.0\n3 3 1e2\n",
      "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1 -1\n",
      "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -4\n",
      "# Nodes: 5 Edges: 2\n0\t1\n1\t4\n",
      "c x\np sp 3 3\na 1 2 9\na 1 2 7\na 3 3 1\n",
      "gen:rmat:scale=5,edges=40,a=0.5,b=0.2,c=0.2,d=0.1,seed=3",
      "gen:rgg:scale=5,radius=0.2",
      "gen:er:scale=5,p=0.1",
      "gen:random:n=40,degree=3",
      "gen:grid:x=2,y=3,z=2",
      "gen:complete:n=5"};
  wf_error err = {0};
  bool ok = argc == 2;
  for (unsigned i = 0; ok && i < 3; i++)
    ok = put_graph(argv[1], specs[i], 2 * i, false, &err) &&
         put_graph(argv[1], specs[i], 2 * i + 1, true, &err);
  for (unsigned i = 0; ok && i < sizeof texts / sizeof *texts; i++) {
    char name[32];
    snprintf(name, sizeof name, "text%u", i);
    ok = put(argv[1], name, texts[i]);
  }
  if (!ok) fprintf(stderr, "seeds_graph: %s\n", argc == 2 ? err.text : "needs a folder");
  return ok ? 0 : 2;
}
