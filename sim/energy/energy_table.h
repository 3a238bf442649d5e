/* The tables behind wf_energy_default(); private to sim/energy. */
#ifndef WF_ENERGY_TABLE_H
#define WF_ENERGY_TABLE_H

#include "sim/energy/energy.h"

/* Wires by what they cross, each with a length of its own on another machine. */
typedef enum wf_energy_wires {
  WF_EN_OPERANDS, /* a scheduler's share of the SM */
  WF_EN_SM,       /* the SM, to its shared memory and L1 */
  WF_EN_DIE,
  WF_EN_WIRES
} wf_energy_wires;

/* Of the value, ram is what memories take and wire what wires of that kind take; the rest is logic.
 */
typedef struct wf_energy_constant_row {
  const char *name, *unit;
  double value;
  const char *source;
  double ram, wire;
  wf_energy_wires wires;
} wf_energy_constant_row;

extern const wf_energy_constant_row wf_energy_table[WF_EN_CONSTANTS];

/* A constant that a machine has of its own. */
typedef struct wf_energy_own_row {
  wf_energy_constant constant;
  double value;
  const char *source;
} wf_energy_own_row;

enum { WF_EN_OWN = 16 };

/* A machine: what of the table's constants is left on its node, by what they consist of. */
typedef struct wf_energy_class_row {
  const char *node;
  double lane, logic, ram, wire[WF_EN_WIRES]; /* ratios to the table's; wire: energy times length */
  const char *source;
  wf_energy_own_row own[WF_EN_OWN]; /* ends with a NULL source */
} wf_energy_class_row;

extern const wf_energy_class_row wf_energy_classes[WF_ENERGY_CLASSES];

#endif
