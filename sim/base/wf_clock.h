/* Host time, for rates and progress; nothing modelled depends on it. */
#ifndef WF_CLOCK_H
#define WF_CLOCK_H

#include <time.h>

/* Seconds since some fixed moment. */
static inline double wf_clock_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
