#include "sim/gpu/settings.h"

#include <limits.h>

#define FIELD(f) offsetof(wf_gpu_settings, f)

const wf_parameter wf_gpu_parameters[] = {
    {"probe.coalescing", NULL, 0, 1, 0, FIELD(coalescing), NULL,
     "count requests left by coalescing windows"},
    {"probe.footprint", NULL, 0, 1, 0, FIELD(footprint), NULL,
     "what launched blocks access of what their parent and siblings do"},
    {"probe.locality", NULL, 0, 1, 0, FIELD(locality), NULL,
     "how the lines of each load are reused, in an L1 without bound and in this one"},
    {"probe.loads", NULL, 0, 1, 0, FIELD(loads), NULL,
     "how long each load takes, and how long warps wait for it"},
    {"ptx.cg", NULL, 0, 0, 0, FIELD(cg), wf_any_text,
     "loads that go past the L1, as ld.global.cg does: KERNEL:LINE+LINE,KERNEL:LINE, lines of "
     "loads[] with probe.loads=1; or all"},
    {"ptx.no_allocate", NULL, 0, 0, 0, FIELD(no_allocate), wf_any_text,
     "loads that leave nothing in the L1 but may find theirs there, as ld.global.L1::no_allocate "
     "does: as ptx.cg"},
    {"ptx.red", NULL, 0, 1, 0, FIELD(red), NULL,
     "atomics whose result nothing reads become red, for which no warp waits, as vendors' "
     "compilers make them"},
    {"sample.kernel", NULL, 0, 0, 0, FIELD(sample_kernel), wf_any_text,
     "only launches of this kernel are timed, the others executed on the same memory"},
    {"sample.launches", NULL, 0, 0, 0, FIELD(sample_launches), wf_any_text,
     "only these: none, or numbers from 1 on among that kernel's (3,5-7)"},
    {"sample.min_instructions", NULL, 0, UINT_MAX, 0, FIELD(sample_least), NULL,
     "only those with so many warp instructions, when they are executed first"},
    {"sim.assertions", NULL, 0, 3, 1, FIELD(assertions), NULL,
     "the RTL's own assertions; 1: those that no proof without bound shows, at 8 edges of each "
     "127; 2: these at each edge; 3: all at each edge"},
    {"sim.order", NULL, 0, 65535, 0, FIELD(order), NULL,
     "where crossbars, schedulers and the dispatcher begin, and when DRAM's first refreshes come, "
     "drawn by this number; 0: at their first. Runs of several tell what of a difference is order"},
    {"sim.skip", NULL, 0, 1, 1, FIELD(skip), NULL,
     "jump over dead time; 0 ticks through it, same results"},
    {"sim.threads", NULL, 1, 2, 1, FIELD(threads), NULL,
     "2: a thread of its own for RTL whose outputs all come from flops (MFF's slices), same "
     "results"},
    {0},
};
