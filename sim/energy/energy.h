/* Energy of a run: events counted by the GPU times a constant per event, plus power times time.
 * The constants of a 40 nm GTX 480 (Fermi, GDDR5) are listed, each with its source, in
 * energy_table.c, what other machines make of them in energy_class.c; a unit's are in its class
 * (sim/seam/energy.h). Any can be overridden.
 * Method as in GPUWattch (Leng et al., ISCA 2013). */
#ifndef WF_ENERGY_H
#define WF_ENERGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/gpu/config.h"
#include "sim/ptx/ptx.h"
#include "sim/seam/unit.h"

/* Constants. Names as text: wf_energy_constant_name(), e.g. "dram_activate". */
typedef enum wf_energy_constant {
  /* picojoules per active lane of a warp instruction */
  WF_EN_LANE_INT,
  WF_EN_LANE_IMUL,
  WF_EN_LANE_IDIV,
  WF_EN_LANE_FP32,
  WF_EN_LANE_FP64,
  WF_EN_LANE_SFU,
  WF_EN_LANE_MEMORY, /* address of a load, store, atomic or custom instruction */
  /* picojoules per event */
  WF_EN_ISSUE,         /* warp instruction: fetch, decode, schedule, pipeline registers */
  WF_EN_REGISTER_READ, /* warp-wide 32-bit operand */
  WF_EN_REGISTER_WRITE,
  WF_EN_SHARED_ACCESS, /* warp-wide access, one pass over the banks */
  WF_EN_L1_TAG,        /* look-up */
  WF_EN_L1_READ,       /* 128 bytes */
  WF_EN_L1_FILL,       /* 128 bytes */
  WF_EN_L2_TAG,
  WF_EN_L2_READ,        /* 32 bytes */
  WF_EN_L2_WRITE,       /* 32 bytes */
  WF_EN_NOC_FLIT,       /* 32 bytes of a flit through the crossbar */
  WF_EN_DRAM_ACTIVATE,  /* activate and precharge of a row, all devices of a channel */
  WF_EN_DRAM_READ_BYTE, /* array and column path */
  WF_EN_DRAM_WRITE_BYTE,
  WF_EN_DRAM_IO_BYTE,  /* driver and termination, both ends */
  WF_EN_DRAM_PHY_BYTE, /* memory controller and PHY on the GPU */
  /* watts */
  WF_EN_SM_STATIC,       /* leakage of one SM, always */
  WF_EN_SM_CLOCK,        /* clock tree and idle switching of one SM, while a kernel runs */
  WF_EN_UNCORE_STATIC,   /* leakage of L2, crossbar, controllers, fixed-function logic */
  WF_EN_BOARD,           /* fan, regulators, PCIe */
  WF_EN_DRAM_BACKGROUND, /* one channel: standby and refresh */
  /* ratios: of an SM at the lower voltage, to the higher one's */
  WF_EN_LOW_VOLTS,
  WF_EN_LOW_LEAK, /* of its leakage */
  /* ratios: of a unit on this machine's node, to what its class says */
  WF_EN_UNIT_PJ,
  WF_EN_UNIT_WATTS,
  WF_EN_CONSTANTS
} wf_energy_constant;

typedef struct wf_energy_model {
  double value[WF_EN_CONSTANTS];
  const wf_options *settings; /* energy.<unit>.<name>; NULL: none */
} wf_energy_model;

/* The constants as the tables and the units' classes have them. */
void wf_energy_default(wf_energy_model *model, wf_energy_class machine);
/* The same with what energy.* of the settings say; they must live as long as the model. False and
 * *err: a key that is none, a number that cannot be (code 2); or a unit's class names a constant
 * that is none (code 1). */
bool wf_energy_read(wf_energy_model *model, wf_energy_class machine, const wf_options *settings,
                    wf_error *err);
const char *wf_energy_constant_name(wf_energy_constant constant);
const char *wf_energy_constant_unit(wf_energy_constant constant); /* "pJ", "W" or "ratio" */
/* What the figure rests on: the machine's own, or the table's, which its node scales. */
const char *wf_energy_constant_source(wf_energy_constant constant, wf_energy_class machine);

enum { WF_EN_UNITS = 16 };

/* Of one unit, by the rows of its class. */
typedef struct wf_energy_unit {
  const wf_unit_class *cls;
  double events[WF_UNIT_EVENTS];
  double instances[WF_UNIT_POWERS];
} wf_energy_unit;

/* What SMs, or one, did in a P-state, of all that they did; their time there, summed. */
typedef struct wf_energy_pstate {
  double sm_seconds, clock; /* clock: its share of the core's */
  double warp_instructions[PTX_CLASS_COUNT], register_reads, register_writes, shared_accesses,
      l1_lookups, l1_reads, l1_fills;
} wf_energy_pstate;

/* Events of a run, over the whole GPU. All >= 0. */
typedef struct wf_energy_counts {
  double seconds; /* modelled time */
  unsigned n_sm, n_channels;
  double warp_instructions[PTX_CLASS_COUNT];
  double active_lanes;                    /* mean over warp instructions, 0..32 */
  double register_reads, register_writes; /* warp-wide operands */
  double shared_accesses;                 /* passes over the banks, conflicts included */
  double l1_lookups, l1_reads, l1_fills;  /* reads: hits, of a line each */
  double l2_lookups, l2_read_sectors, l2_write_sectors;
  double noc_flits; /* of 32 bytes */
  double dram_activates, dram_read_bytes, dram_write_bytes;
  wf_energy_pstate low; /* at the lower voltage */
  wf_energy_unit units[WF_EN_UNITS];
  unsigned n_units;
} wf_energy_counts;

const char *wf_energy_part_name(wf_energy_part part); /* "core", "registers", ... */

typedef struct wf_energy {
  double joules[WF_EN_PARTS];
  double total;              /* joules */
  double units[WF_EN_UNITS]; /* of the total: what each unit costs, in whatever part */
  double watts;              /* total over seconds; 0 if no time passed */
} wf_energy;

/* With an event at the lower voltage costing its square, idle clocks its square times their share
 * of the core's, and leakage WF_EN_LOW_LEAK. Linear in the counts; the sum of the parts is the
 * total. */
void wf_energy_compute(const wf_energy_model *model, const wf_energy_counts *counts,
                       wf_energy *energy);

/* Joules of an SM in one P-state: its events, its idle clocks, its leakage. */
typedef struct wf_energy_sm {
  double events, clock, leakage;
} wf_energy_sm;

/* active_lanes: of all SMs together, by which the total is made. Over all SMs and states events are
 * core, registers and l1 of the run's energy without what units add there; clock and leakage are
 * static without the GPU's uncore and board. */
void wf_energy_compute_sm(const wf_energy_model *model, const wf_energy_pstate *counts,
                          double active_lanes, bool low, wf_energy_sm *energy);

#endif
