/* The fabric's side of a table of a unit's class: what is to be done around each kernel for the
 * unit to have its place in it. */
#ifndef WF_GPU_SEAT_H
#define WF_GPU_SEAT_H

#include "sim/seam/unit.h"

struct wf_gpu;

/* What the kernel in gpu->launch leaves. */
typedef struct wf_kernel_room {
  unsigned fit;          /* blocks of it that an SM holds */
  uint32_t shared_bytes; /* of a block */
} wf_kernel_room;

typedef struct wf_seat wf_seat;
/* Functions may be NULL. */
struct wf_seat {
  struct wf_gpu *gpu;
  wf_unit *unit;
  void *state;
  /* Before and after each kernel that is timed; end also if it failed. */
  bool (*begin)(wf_seat *seat, const wf_kernel_room *room, wf_error *err);
  void (*end)(wf_seat *seat);
  /* Once a cycle: what went wrong where no error can be returned. */
  bool (*check)(const wf_seat *seat, wf_error *err);
  bool (*kernel_end)(wf_seat *seat, wf_error *err); /* checks, of a kernel that is over */
  void (*destroy)(wf_seat *seat);
};

#endif
