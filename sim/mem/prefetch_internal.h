/* What the kinds of prefetchers share. Internal to sim/mem/prefetch*.c. */
#ifndef WF_GPU_PREFETCH_INTERNAL_H
#define WF_GPU_PREFETCH_INTERNAL_H

#include "sim/mem/prefetch.h"

/* A line to be asked for, unless it waits already; a full queue drops its oldest. */
void wf_prefetch_foretell(wf_prefetcher *p, int64_t line);
uint32_t wf_prefetch_mix(uint32_t x);

/* Kinds that see a load's lanes; prefetch_lanes.c. */
typedef struct wf_imp wf_imp;
wf_imp *wf_imp_create(void);
void wf_imp_destroy(wf_imp *imp);
void wf_imp_clear(wf_imp *imp);
void wf_imp_load(wf_imp *imp, wf_prefetcher *p, const wf_prefetch_load *l);

typedef struct wf_snake wf_snake;
wf_snake *wf_snake_create(void);
void wf_snake_destroy(wf_snake *snake);
void wf_snake_clear(wf_snake *snake);
void wf_snake_load(wf_snake *snake, wf_prefetcher *p, const wf_prefetch_load *l);

#endif
