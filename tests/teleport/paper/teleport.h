#ifndef WF_PAPER_TELEPORT_H
#define WF_PAPER_TELEPORT_H

#include "tests/papers/paper.h"

enum { TELE_EDS, TELE_HSP, TELE_JAC, TELE_MMA, TELE_PTF, TELE_APPS };
typedef struct tele_app {
  const char *name, *title; /* of the application; in the paper */
} tele_app;
extern const tele_app tele_apps[TELE_APPS];

/* Figures 7.3 and 7.4, of all applications' kernels (teleport_analysis.c). */
void tele_analysis(paper *p);

#endif
