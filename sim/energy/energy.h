/* Energy of a run: events counted by the GPU times a constant per event, plus power times time.
 * The constants stand for a 40 nm GTX 480 (Fermi, GDDR5) and are listed, each with its source, in
 * energy_table.c; any can be overridden. Method as in GPUWattch (Leng et al., ISCA 2013). */
#ifndef WF_ENERGY_H
#define WF_ENERGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/ptx/ptx.h"

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
  WF_EN_NOC_FLIT,       /* 32-byte flit through the crossbar */
  WF_EN_DRAM_ACTIVATE,  /* activate and precharge of a row, all devices of a channel */
  WF_EN_DRAM_READ_BYTE, /* array and column path */
  WF_EN_DRAM_WRITE_BYTE,
  WF_EN_DRAM_IO_BYTE,  /* driver and termination, both ends */
  WF_EN_DRAM_PHY_BYTE, /* memory controller and PHY on the GPU */
  /* of the MFF unit */
  WF_EN_UNIT_LOOKUP,   /* associative tag search */
  WF_EN_UNIT_NODE,     /* work register written and read again, its word picked from the line */
  WF_EN_UNIT_LINE,     /* 128-byte line written to or read from the line buffer */
  WF_EN_UNIT_COMMAND,  /* job written and read, 32 lanes */
  WF_EN_APCM_REQUEST,  /* APCM: a load told or a line request decided */
  WF_EN_DTBL_EDGE,     /* DTBL scheduler: a clock edge with work in it */
  WF_EN_TELEPORT_EDGE, /* TELEPORT's buffer: a clock edge while it is not idle */
  WF_EN_TELEPORT_OP,   /* its memories, per request, load or store */
  WF_EN_TELEPORT_CONTROLLER, /* a controller's clock edge while it is not idle */
  WF_EN_SPREF_INSTRUCTION,   /* spare-register unit: an instruction told */
  /* watts */
  WF_EN_SM_STATIC,       /* leakage of one SM, always */
  WF_EN_SM_CLOCK,        /* clock tree and idle switching of one SM, while a kernel runs */
  WF_EN_UNCORE_STATIC,   /* leakage of L2, crossbar, controllers, fixed-function logic */
  WF_EN_BOARD,           /* fan, regulators, PCIe */
  WF_EN_DRAM_BACKGROUND, /* one channel: standby and refresh */
  WF_EN_UNIT_STATIC,     /* the MFF unit's memories and clock, all slices */
  WF_EN_APCM_STATIC,     /* of one SM's instance */
  WF_EN_DTBL_STATIC,
  WF_EN_TELEPORT_STATIC, /* of one SM's buffer with its share of the controller */
  WF_EN_SPREF_STATIC,    /* of one SM's instance */
  WF_EN_CONSTANTS
} wf_energy_constant;

typedef struct wf_energy_model {
  double value[WF_EN_CONSTANTS];
} wf_energy_model;

/* The 40 nm constants. */
void wf_energy_default(wf_energy_model *model);
/* key: a constant's name. False and *err (code 2) if unknown or negative or not a number. */
bool wf_energy_set(wf_energy_model *model, const char *key, const char *value, wf_error *err);
const char *wf_energy_constant_name(wf_energy_constant constant);
const char *wf_energy_constant_unit(wf_energy_constant constant);   /* "pJ" or "W" */
const char *wf_energy_constant_source(wf_energy_constant constant); /* what the figure rests on */

/* Events of a run, over the whole GPU. All >= 0. */
typedef struct wf_energy_counts {
  double seconds; /* modelled time */
  unsigned n_sm, n_channels;
  bool has_mff, has_apcm, has_dtbl, has_teleport, has_spref;
  double warp_instructions[PTX_CLASS_COUNT];
  double active_lanes;                    /* mean over warp instructions, 0..32 */
  double register_reads, register_writes; /* warp-wide operands */
  double shared_accesses;                 /* passes over the banks, conflicts included */
  double l1_lookups, l1_reads, l1_fills;  /* reads: hits, of a line each */
  double l2_lookups, l2_read_sectors, l2_write_sectors;
  double noc_flits;
  double dram_activates, dram_read_bytes, dram_write_bytes;
  double unit_lookups, unit_nodes, unit_lines, unit_commands; /* of the MFF unit */
  double apcm_requests, dtbl_edges;
  double teleport_edges, teleport_ops,
      teleport_controller; /* edges of all buffers, operations, edges of controllers */
  double spref_instructions;
  /* What the spare-register unit issues beside the program: warp instructions, lanes of its loads
   * and of their multiply-adds. */
  double injected, injected_load_lanes, injected_imul_lanes;
} wf_energy_counts;

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

const char *wf_energy_part_name(wf_energy_part part); /* "core", "registers", ... */

typedef struct wf_energy {
  double joules[WF_EN_PARTS];
  double total; /* joules */
  double watts; /* total over seconds; 0 if no time passed */
} wf_energy;

/* Linear in the counts; the sum of the parts is the total. */
void wf_energy_compute(const wf_energy_model *model, const wf_energy_counts *counts,
                       wf_energy *energy);

#endif
