/* MFF's bench behind AXI4 or TileLink-UL: the bus of a wrapped unit, whose memory is the bench's.
 */
#ifndef MFF_BUS_H
#define MFF_BUS_H

#include "tb/mff/mff_bench.h"

/* NULL: the unit is not wrapped. */
wf_bus *mff_bus_open(mff_bench *b);
void mff_bus_cycle(mff_bench *b);

#endif
