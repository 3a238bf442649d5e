/* Where hardware units plug into the fabric. The GPU knows units only through this table; nothing
 * else in sim/ names one. A unit hears of: its own instructions at issue, packets that reach
 * an SM or a partition, the clock, kernel boundaries; beside an L1 (wf_l1_ops) of the warps' loads.
 */
#ifndef WF_UNITS_SOCKET_H
#define WF_UNITS_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_options.h"
#include "sim/mem/mem.h"
#include "sim/ptx/ptx.h"
#include "sim/units/dispatch.h"
#include "sim/units/issue.h"
#include "sim/units/preload.h"

typedef struct wf_unit wf_unit;
struct wf_rtl_model;

/* What the fabric offers a unit. The function pointers act on the GPU behind `gpu`. */
typedef struct wf_unit_env {
  void *gpu;
  wf_mem *mem;
  wf_image *image;
  unsigned n_sm, warps_per_sm, n_part;
  unsigned ctas_per_sm, registers_per_sm, register_granularity, shared_bytes_per_sm,
      kernels; /* kernels: entries of the distributor */
  unsigned line_bytes, interleave_bytes;
  unsigned l1_sets, l1_ways, lsu_queue; /* lsu_queue: memory instructions an SM may have waiting */
  const wf_options *options;            /* its parameters are <unit>.<key> */
  uint64_t seed;
  /* The warp may try again an instruction for which issue() said WF_ISSUE_PARK. */
  void (*wake_warp)(void *gpu, unsigned sm, unsigned warp);
  /* Writes a word of the warp's CTA's shared memory; false if offset is outside it. One call is one
   * bank access; an arriving packet's words are written in one cycle of the load/store unit. */
  bool (*shared_write)(void *gpu, unsigned sm, unsigned warp, uint32_t offset, uint32_t word);
  uint64_t (*cycle)(void *gpu); /* core cycles since the start */
  /* The answer to the warp's instruction that waits for it; NULL: look at the warp again. */
  void (*issue_answer)(void *gpu, unsigned sm, unsigned warp, const wf_issue_answer *answer);
  /* Asks for a line, to be filled into a place (wf_preload_ops); false: not in this cycle. */
  bool (*preload_fetch)(void *gpu, unsigned sm, uint32_t line, unsigned place);
  /* The warps of the block in this slot may issue. */
  void (*block_go)(void *gpu, unsigned sm, unsigned slot);
} wf_unit_env;

typedef enum wf_issue_result {
  WF_ISSUE_DONE,  /* taken: the warp goes on */
  WF_ISSUE_RETRY, /* the unit's port at this SM is busy: try again next cycle */
  WF_ISSUE_PARK,  /* the warp sleeps until wake_warp() */
  WF_ISSUE_FAULT  /* the instruction's operands are wrong: *err says how */
} wf_issue_result;

typedef struct wf_unit_issue {
  unsigned sm, warp, id; /* id: ptx_custom_op.id */
  uint32_t active;
  const ptx_effect *effect; /* operand values */
  uint32_t shared_limit;    /* bytes of shared memory of the warp's CTA */
} wf_unit_issue;

/* One counter or figure of a unit, for the JSON result. */
typedef void (*wf_counter_fn)(void *user, const char *name, double value);

/* ---- a unit beside each SM's L1 ---- */

typedef enum wf_l1_verdict {
  WF_L1_WAIT,  /* not known yet */
  WF_L1_CACHE, /* of a load: through the L1; of a miss: it takes a way */
  WF_L1_BYPASS /* past the L1 */
} wf_l1_verdict;

enum { WF_L1_MAX_WAYS = 16 };

/* A line request of a load, with the L1's set as it is in this cycle. */
typedef struct wf_l1_access {
  unsigned sm, warp;
  bool told;         /* of a load that load() announced; otherwise local memory's */
  bool bypassed;     /* the load's verdict was to bypass: what follows `line` is not filled in */
  bool last;         /* of the load's requests */
  unsigned nth;      /* of the load's requests, from 0 */
  uint32_t line;     /* device address / line size */
  unsigned set, way; /* way: of a hit */
  bool hit;          /* valid or reserved (a merge) */
  uint64_t invalid, reserved; /* by way */
  uint64_t rank;              /* four bits a way: 0 the newest; distinct */
} wf_l1_access;
static inline unsigned wf_l1_rank(const wf_l1_access *a, unsigned way) {
  return (unsigned)(a->rank >> (4 * way)) & 15;
}

/* All functions are required. Order per SM is that of the calls. The fabric asks verdict() and
 * decision() once a cycle until they answer, and does not go on before: a unit that is slow stalls
 * the load/store unit. While a miss waits for its decision, no other request of its set is offered.
 */
typedef struct wf_l1_ops {
  void (*kernel_start)(wf_unit *unit, const ptx_kernel *kernel);
  void (*warp_start)(wf_unit *unit, unsigned sm, unsigned warp);
  void (*warp_exit)(wf_unit *unit, unsigned sm, unsigned warp);
  /* No lane of the warp is left in the loop whose instructions are low..high. */
  void (*loop_exit)(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc low, ptx_pc high);
  /* A global load that the L1 may cache enters the load/store unit. */
  void (*load)(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc);
  /* What becomes of the oldest load() without a verdict. Its requests follow. */
  wf_l1_verdict (*verdict)(wf_unit *unit, unsigned sm);
  /* Offers a request; false: not in this cycle. The L1 can act on any decision. */
  bool (*access)(wf_unit *unit, const wf_l1_access *access);
  /* Of the oldest miss taken by access() that has none; CACHE: in *way. */
  wf_l1_verdict (*decision)(wf_unit *unit, unsigned sm, unsigned *way);
  /* All data of the warp's load at pc are there (loads of shared and local memory too). */
  void (*load_done)(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc);
} wf_l1_ops;

/* What a unit has to say of one load instruction, for the result. */
typedef struct wf_unit_load {
  const char *kernel, *text, *what; /* text: the instruction; what: how the unit treats it */
  ptx_pc pc;
  uint32_t line;                                       /* of the PTX text */
  uint64_t loads, requests, bypassed, pinned, refused; /* loads: warp-level; the rest: lines */
} wf_unit_load;
typedef void (*wf_unit_load_fn)(void *user, const wf_unit_load *load);

/* A parameter that --set <unit>.<name>= takes. */
typedef struct wf_unit_parameter {
  const char *name, *rtl; /* rtl: the top module's parameter; NULL: the socket's own */
  long low, high, preset;
  const char *meaning;
} wf_unit_parameter;

typedef struct wf_unit_class {
  const char *name, *summary;
  const ptx_custom_op *ops; /* .unit is ignored; the GPU numbers units */
  size_t n_ops;
  wf_unit *(*create)(const wf_unit_env *env, wf_error *err);
  void (*destroy)(wf_unit *unit);
  bool (*write_register)(wf_unit *unit, const char *reg, uint32_t value, wf_error *err);
  wf_issue_result (*issue)(wf_unit *unit, const wf_unit_issue *issue, wf_error *err);
  /* A packet of kind WF_PKT_UNIT is at the head of an SM's output buffer; the unit takes it. */
  bool (*receive)(wf_unit *unit, unsigned sm, const wf_packet *packet, wf_error *err);
  /* After each memory tick. False on a failed check or assertion. */
  bool (*tick)(wf_unit *unit, wf_error *err);
  bool (*idle)(const wf_unit *unit);
  /* May a kernel end now? Also the unit's end-of-kernel checks. */
  bool (*kernel_end)(wf_unit *unit, wf_error *err);
  void (*counters)(wf_unit *unit, wf_counter_fn each, void *user);
  size_t (*describe)(const wf_unit *unit, char *text, size_t bytes); /* for the hang report */
  bool (*wave)(wf_unit *unit, const char *path, uint64_t from, uint64_t to, wf_error *err);
  struct wf_rtl_model *(*rtl)(wf_unit *unit); /* for --record; NULL: the unit has no RTL */
  const wf_unit_parameter *parameters;        /* ended by a NULL name */
  const wf_l1_ops *l1;                        /* NULL: does not care for the L1 */
  void (*loads)(wf_unit *unit, wf_unit_load_fn each, void *user); /* NULL: no table of loads */
  const wf_issue_ops *issue_stage; /* NULL: it does not stand where instructions are issued */
  const wf_dispatch_ops
      *dispatch; /* it decides where blocks run, self is the unit; NULL: it does not */
  const wf_preload_ops
      *preload; /* it brings what blocks will read before they start; NULL: it does not */
} wf_unit_class;

/* First member of every unit's state. */
struct wf_unit {
  const wf_unit_class *cls;
};

const wf_unit_class *const *wf_unit_classes(size_t *count);
/* The instructions that all units add, for kernels that are read without a GPU; the caller's to
 * free. */
ptx_custom_op *wf_unit_ops(size_t *count);
/* NULL and *err listing the names there are. */
const wf_unit_class *wf_unit_find(const char *name, wf_error *err);

#endif
