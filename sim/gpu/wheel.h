/* An SM's event wheel: what happens in which of the coming cycles, WF_WHEEL at most. */
#ifndef WF_GPU_WHEEL_H
#define WF_GPU_WHEEL_H

#include "sim/ptx/ptx.h"

enum { WF_WHEEL = 1024 }; /* cycles that it looks ahead */
#define WF_NEVER UINT64_MAX

/* Of an instruction's result: its destinations are written then. */
typedef enum wf_wheel_kind {
  WF_WHEEL_LOOK, /* at the warp again, no more */
  WF_WHEEL_RESULT,
  WF_WHEEL_LOAD,
  WF_WHEEL_MOVE,     /* in a load's place */
  WF_WHEEL_INJECTED, /* load: no destination of the program's */
  WF_WHEEL_FAILED,   /* the same, whose address is none */
  WF_WHEEL_SUM,      /* of an injected multiply-add; tag: its place */
  WF_WHEEL_COPY,     /* its data are there; they pass shared memory's port */
  WF_WHEEL_COPIED
} wf_wheel_kind;

typedef struct wf_wheel_event {
  const ptx_inst *inst;
  uint16_t load; /* of loads: the place that it keeps until units were told; NO_LOAD: none */
  uint8_t warp, kind;
  uint8_t tag;    /* the copy's group, or the multiply-add's place */
  uint8_t cycles; /* of a copy at the port */
} wf_wheel_event;

typedef struct wf_bucket {
  wf_wheel_event *events;
  unsigned count, capacity;
} wf_bucket;

typedef struct wf_wheel {
  wf_bucket at[WF_WHEEL];
  uint64_t used[WF_WHEEL / 64]; /* buckets with events, by bit */
} wf_wheel;

void wf_wheel_free(wf_wheel *wheel);
void wf_wheel_add(wf_wheel *wheel, uint64_t when, wf_wheel_event event);
/* First cycle after `now` with an event, WF_NEVER if there is none. */
uint64_t wf_wheel_next(const wf_wheel *wheel, uint64_t now);
/* The events of this cycle, which are to be dropped when they have happened. */
static inline wf_bucket *wf_wheel_now(wf_wheel *wheel, uint64_t now) {
  return &wheel->at[now % WF_WHEEL];
}
static inline void wf_wheel_drop(wf_wheel *wheel, uint64_t now) {
  wheel->at[now % WF_WHEEL].count = 0;
  wheel->used[now % WF_WHEEL / 64] &= ~((uint64_t)1 << (now % 64));
}

#endif
