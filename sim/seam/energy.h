/* What a unit costs: energy per event that it counts, power of each instance of its RTL. Events are
 * of the modelled machine; how often the simulation clocks a model is none. */
#ifndef WF_SEAM_ENERGY_H
#define WF_SEAM_ENERGY_H

typedef enum wf_energy_part {
  WF_EN_PART_CORE, /* issue and execution, dynamic */
  WF_EN_PART_REGISTERS,
  WF_EN_PART_L1, /* L1 and shared memory, dynamic */
  WF_EN_PART_L2,
  WF_EN_PART_NOC,
  WF_EN_PART_DRAM,   /* dynamic and background, controllers included */
  WF_EN_PART_UNIT,   /* dynamic and static */
  WF_EN_PART_STATIC, /* leakage and clocks of the GPU, board */
  WF_EN_PARTS
} wf_energy_part;

enum { WF_UNIT_EVENTS = 32, WF_UNIT_POWERS = 8 }; /* rows of a unit, at most */

/* --set energy.<unit>.<counter>= is another pJ. */
typedef struct wf_energy_event {
  const char *counter; /* of the unit or of its RTL, or [MODULE_]NAME_transfers: what passes in its
                          stream NAME, in the module of this name if it has two; NULL ends a list */
  wf_energy_part part;
  double pj;          /* of one count */
  const char *as;     /* costs what this constant of the machine says, instead of pj; or NULL */
  const char *source; /* what the figure rests on */
} wf_energy_event;

/* A row of what passes in a stream; "MODULE_NAME" or "NAME". */
#define WF_ENERGY_TRANSFER(name, pj)                                                               \
  { name "_transfers", WF_EN_PART_UNIT, pj, NULL, "as a cycle's, of the same recorded runs" }

/* --set energy.<unit>.<name>= is another number of watts. */
typedef struct wf_energy_power {
  const char *name;   /* NULL ends a list; gpu_...: beside an instance's row, what the GPU keeps */
  const char *rtl;    /* of instances of this module; NULL: of any of the unit's */
  const char *config; /* in this parameter set; NULL: in those without a row of their own before */
  double watts;       /* of one instance */
  const char *source;
} wf_energy_power;

#endif
