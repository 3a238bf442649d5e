/* The table behind wf_energy_default(); private to sim/energy. */
#ifndef WF_ENERGY_TABLE_H
#define WF_ENERGY_TABLE_H

typedef struct wf_energy_constant_row {
  const char *name, *unit;
  double value;
  const char *source;
} wf_energy_constant_row;

extern const wf_energy_constant_row wf_energy_table[];

#endif
