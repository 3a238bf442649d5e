/* Formal proofs of RTL modules: what a proof is, and the steps of running one.
 *
 * A file rtl/UNIT/NAME.ini has one section per proof, [formal NAME]:
 *
 * - top = x_props: module of tb/UNIT/proofs that holds the device and its properties (default:
 *   NAME_props).
 * - set = Tags=2 Regs=3: parameters of top; define = X Y=2: Verilog defines.
 * - assume = wf_fifo: modules whose WF_ASSUME stay assumptions (default: top less "_props"); others
 *   are proved.
 * - free = PATTERN: cells (Yosys patterns) whose outputs become free: RAMs whose contents do not
 *   matter.
 * - engine = induction:6 pdr:60 sat:20:100: tried in this order on the rules still open.
 *   induction:K is smtbmc with z3, base case of K steps and induction over K; pdr:S is yosys-abc
 *   pdr, S seconds; bmc:K is smtbmc with z3, K steps; sat:K:S is yosys-abc bmc3, K steps, at most
 *   S seconds.
 * - cover = 20: steps within which every cover point must be reached.
 * - quick = 1: part of `make check`.
 * - shallow = 1: it is known to hold for fewer cycles than its deepest cover takes, which fails
 *   otherwise.
 * - says = ...: what is proved, for the table.
 *
 * An assertion labelled wf_quiet, as `assert (!quiet)`, is not a rule but a condition: the rule
 * `stable` says that no flop of the instance `dut` changes in a cycle in which quiet is high. */
#ifndef TB_FORMAL_H
#define TB_FORMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

enum { FORMAL_MAX_ENGINES = 8, FORMAL_MAX_FILES = 64, FORMAL_MAX_RULES = 1024, FORMAL_PATH = 512 };

typedef enum formal_kind { FORMAL_INDUCTION, FORMAL_PDR, FORMAL_BMC, FORMAL_SAT } formal_kind;

typedef struct formal_engine {
  formal_kind kind;
  unsigned limit;   /* steps; seconds for pdr */
  unsigned seconds; /* time limit */
} formal_engine;

typedef struct formal_proof {
  char *name, *top, *set, *define, *assume, *free_cells, *says; /* never NULL but says may be "" */
  formal_engine engines[FORMAL_MAX_ENGINES];
  unsigned n_engines, cover;
  bool quick, shallow;
  const char *only; /* of a seeded bug: the rule that must fail, or "any"; NULL: all are proved */
} formal_proof;

typedef struct formal_unit {
  char *unit; /* folder below rtl/ and verify/formal/ */
  formal_proof *proofs;
  size_t n_proofs;
} formal_unit;

/* Reads every rtl/UNIT/NAME.ini. Errors (code 2): no such unit, a wrong key or value. A unit
 * without formal sections has no proofs. The caller frees with formal_unit_free. */
bool formal_unit_read(formal_unit *unit, const char *name, wf_error *err);
void formal_unit_free(formal_unit *unit);
const formal_proof *formal_unit_find(const formal_unit *unit, const char *name);

/* The Verilog files that a proof needs, property module first, found by the names of modules in
 * their text. `overlay`, if not NULL, is a folder whose files stand for those of the same name
 * elsewhere. */
typedef struct formal_files {
  char path[FORMAL_MAX_FILES][FORMAL_PATH];
  size_t count;
} formal_files;
bool formal_files_find(formal_files *files, const char *unit, const formal_proof *proof,
                       const char *overlay, wf_error *err);
/* Of everything the result depends on: files, settings and this program's version. */
bool formal_files_hash(const formal_files *files, const formal_proof *proof, uint64_t *hash,
                       wf_error *err);

typedef enum formal_state {
  FORMAL_OPEN,
  FORMAL_PROVEN,
  FORMAL_BOUNDED,
  FORMAL_FAILED
} formal_state;

typedef struct formal_rule {
  char name[128];
  bool cover;
  formal_state state; /* of a cover: PROVEN = unreachable, FAILED = reached in step `depth` */
  int depth; /* steps checked (BOUNDED), induction depth (PROVEN by induction) or step of failure */
  const char *engine;
} formal_rule;

typedef struct formal_result {
  formal_rule rules[FORMAL_MAX_RULES];
  size_t n_rules;
  double seconds;
  char vcd[FORMAL_PATH]; /* of the first failed rule, or empty */
} formal_result;

/* Runs a proof in `folder` (created), leaving logs and, for a failed rule, a VCD there. False with
 * *err if a tool is missing or cannot read the design (code 2); a rule that fails is not an error
 * here. */
bool formal_prove(const char *unit, const formal_proof *proof, const formal_files *files,
                  const char *folder, formal_result *result, wf_error *err);
/* Cycles for which all rules hold that are not proven; 0: all are. */
int formal_holds_for(const formal_result *result);
/* Cycles that the deepest cover takes: a rule that holds for fewer says little. */
int formal_needs(const formal_result *result);
/* True if all rules hold, for as long as the covers take, and all covers were reached; prints what
 * is wrong to stderr otherwise. */
bool formal_judge(const char *unit, const formal_proof *proof, const formal_result *result);

/* The result as a JSON file with its hash, and back. Reading a missing or different file gives
 * false. */
bool formal_result_write(const char *path, const formal_result *result, uint64_t hash,
                         wf_error *err);
bool formal_result_read(const char *path, formal_result *result, uint64_t *hash);

/* The table of results below `build`, as a section of the unit's page in docs/results. */
bool formal_page(const formal_unit *unit, const char *build, wf_error *err);

/* A command with its output in a log file; `seconds` 0: no limit. The exit code, 124 at a time-out,
 * or -1. */
int formal_run(char *const argv[], const char *log, unsigned seconds);
bool formal_write_text(const char *path, const char *text, wf_error *err);
bool formal_make_folder(const char *path, wf_error *err);

#endif
