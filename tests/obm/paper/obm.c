/* The figures of the OBM paper: a row for each that it gives, with the band in which ours is right.
 * As scripts/new-unit leaves it: that the stub, which decides as the L1 does, changes little. */
#include "tests/papers/paper.h"

static void ipc(paper *p) {
  const char *run = "--app mm --set app.n=128";
  const double with = paper_number(paper_result(p, "mm", "%s --unit obm", run), "ipc");
  const double without = paper_number(paper_result(p, "mm", "%s", run), "ipc");
  paper_note(p, "stub", 1.0, with / without, 0.8, 1.2, "x", "IPC with the unit over without");
}

static const paper_part parts[] = {{"ipc", "instructions per cycle", ipc, false}, {0}};

const paper_unit paper_this = {"obm", "OBM: what it does", parts};
