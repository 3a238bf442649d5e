/* Conversions under a directed rounding, 32 lanes at a time. */
#ifndef WF_PTX_EXEC_ROUND_H
#define WF_PTX_EXEC_ROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/ptx/ptx.h"

/* Integers to the bits of floats or doubles; rounding: a ptx_rounding, RN to RP. */
void ptx_round_ints(const uint64_t in[PTX_LANES], bool is_signed, bool to_double, unsigned rounding,
                    uint64_t out[PTX_LANES]);
void ptx_round_doubles(const double in[PTX_LANES], unsigned rounding, float out[PTX_LANES]);

#endif
