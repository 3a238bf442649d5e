#ifndef WF_PAPER_TELEPORT_H
#define WF_PAPER_TELEPORT_H

#include "tests/papers/paper.h"

enum { TELEPORT_EDS, TELEPORT_HSP, TELEPORT_JAC, TELEPORT_MMA, TELEPORT_PTF, TELEPORT_APPS };
typedef struct teleport_app {
  const char *name, *title; /* of the application; in the paper */
} teleport_app;
extern const teleport_app teleport_apps[TELEPORT_APPS];

/* Figures 7.3 and 7.4, of all applications' kernels (teleport_analysis.c). */
void teleport_analysis(paper *p);
/* Forms double buffered by hand beside the unit. */
void teleport_best(paper *p);
/* The plain forms and these, where a kernel may have 48 KB of L1 in place of the unit's lines. */
void teleport_split(paper *p);

#endif
