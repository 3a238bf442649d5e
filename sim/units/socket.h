/* Where hardware units plug into the fabric. The GPU knows units only through this table; nothing
 * else in sim/ names one. A unit hears of: its own instructions at issue, packets that reach
 * an SM or a partition, the clock, kernel boundaries. */
#ifndef WF_UNITS_SOCKET_H
#define WF_UNITS_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_options.h"
#include "sim/mem/mem.h"
#include "sim/ptx/ptx.h"

/* What the fabric offers a unit. The function pointers act on the GPU behind `gpu`. */
typedef struct wf_unit_env {
  void *gpu;
  wf_mem *mem;
  wf_image *image;
  unsigned n_sm, warps_per_sm, n_part;
  unsigned line_bytes, interleave_bytes;
  const wf_options *options; /* its parameters are <unit>.<key> */
  uint64_t seed;
  /* The warp may try again an instruction for which issue() said WF_ISSUE_PARK. */
  void (*wake_warp)(void *gpu, unsigned sm, unsigned warp);
  /* Writes a word of the warp's CTA's shared memory; false if offset is outside it. One call is one
   * bank access; an arriving packet's words are written in one cycle of the load/store unit. */
  bool (*shared_write)(void *gpu, unsigned sm, unsigned warp, uint32_t offset, uint32_t word);
  uint64_t (*cycle)(void *gpu); /* core cycles since the start */
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

typedef struct wf_unit wf_unit;
struct wf_rtl_model;

/* One counter or figure of a unit, for the JSON result. */
typedef void (*wf_counter_fn)(void *user, const char *name, double value);

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
  const wf_unit_parameter *parameters; /* ended by a NULL name */
} wf_unit_class;

/* First member of every unit's state. */
struct wf_unit {
  const wf_unit_class *cls;
};

const wf_unit_class *const *wf_unit_classes(size_t *count);
/* NULL and *err listing the names there are. */
const wf_unit_class *wf_unit_find(const char *name, wf_error *err);

#endif
