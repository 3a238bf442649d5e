/* A small experiment for tests/store/store.sh: two runs, one of them of a graph's file. */
#include "tests/papers/paper.h"

static void make(paper *p) {
  const cJSON *plain = paper_result(p, "plain", "--app mm --set app.n=16"),
              *graph = paper_result(p, "graph", "--app bfs --graph out.el");
  paper_note(p, "1", 1, paper_number(plain, "cycles") / paper_number(plain, "cycles"), 1, 1, "x",
             "a run beside itself");
  paper_note(p, "2", 1, paper_number(graph, "cycles") / paper_number(graph, "cycles"), 1, 1, "x",
             "the same of the graph");
}

static const paper_part parts[] = {{"all", "both", make, false}, {NULL, NULL, NULL, false}};
const paper_unit paper_this = {"keep", "A test", parts};
