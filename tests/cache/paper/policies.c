#include "tests/cache/paper/policies.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "tests/cache/paper/hints.h"

#define RMAT " --graph rmat:scale=14,edges=129062"
#define GRAPH1M " --graph random:n=15625,edges=93750"
#define R4 " --graph random:n=16384,degree=4"
#define EVICT " --set l2.write=evict --set l2.fill=line"
/* An eighth of the chapter's machine. */
#define SLICE " --set core.sms=2 --set l2.partitions=1"
#define LINES "--config fermi16" SLICE EVICT
#define FAST "--config fermi16-144" SLICE EVICT
/* Two SMs and a slice of today's, whose caches have sectors and keep what is stored. */
#define TODAY SLICE RMAT
#define VICTIMS " --set l1.victim_lines=8"
#define PAST " --set l1.past=line"
#define BY_SECTOR " --set l2.fill=sector --set l1.sectored=1"
#define BY_LINE " --set l1.write_keep=0 --set l1.sectored=0 --set l2.fill=line"
/* Region knows 16 ways at most. */
#define L1_16_WAYS " --set l1.unified_bytes=0 --set l1.bytes=131072 --set l1.ways=16"

#define EIGHTH "the machine is an eighth of the paper's, and its baseline is not told whole"
#define PAST_BOTH                                                                                  \
  "what goes past L1 is asked of L2 again, and by the same counts goes past L2, too: at either "   \
  "alone it gains (PART=victims)"

#define PREFETCH                                                                                   \
  "a line brings what is asked for next, and its bytes are cheap there (paper-gran PART=waiting)"
/* Inclusion and bypass, by the paper's figures; NAN: it gives none for this machine. */
#define EXCLUSION(figure, paper)                                                                   \
  { "exclusion", VICTIMS " --set l2.exclusive=1", figure, paper, 0.97, NAN, NO_DRAWS, EIGHTH, NULL }
#define FLEXCLUSION(figure, paper)                                                                 \
  { "flexclusion", VICTIMS " --unit flexcl", figure, paper, 0.97, NAN, NO_DRAWS, EIGHTH, NULL }
#define R_EX(figure, paper)                                                                        \
  { "R-EX", " --unit region:mode=rex", figure, paper, 0.97, NAN, NO_DRAWS, EIGHTH, NULL }
#define B_C(figure, paper)                                                                         \
  { "B+C", PAST " --unit region:mode=bc", figure, paper, 1.0, NAN, NO_DRAWS, EIGHTH, NULL }
#define MAT(figure, paper)                                                                         \
  {                                                                                                \
    "MAT", PAST " --set l1.bypass=mat --set l2.bypass=mat", figure, paper, 1.0, NAN, NO_DRAWS,     \
        PAST_BOTH, NULL                                                                            \
  }
#define AB(figure, paper)                                                                          \
  {                                                                                                \
    "AB", PAST " --set l1.bypass=ab --set l2.bypass=ab", figure, paper, 1.0, NAN, AB_DRAWS,        \
        EIGHTH, NULL                                                                               \
  }
#define OBM(figure, paper)                                                                         \
  { "OBM", PAST " --unit obm:level=both", figure, paper, 1.0, NAN, OBM_DRAWS, EIGHTH, NULL }
#define HINTED                                                                                     \
  { "hints", HINTS, NULL, NAN, 1.0, NAN, NO_DRAWS, NULL, NULL }
#define LARGER                                                                                     \
  {                                                                                                \
    "64KB", VICTIMS " --set l1.bytes=65536 --set l1.ways=8", NULL, NAN, 1.0, NAN, NO_DRAWS, NULL,  \
        NULL                                                                                       \
  }
#define BESIDE(name, options, low, high)                                                           \
  { name, options, NULL, NAN, low, high, NO_DRAWS, NULL, NULL }

#define OVER(name, options, low, high, over)                                                       \
  { name, options, NULL, NAN, low, high, NO_DRAWS, NULL, over }

static const policy of_lines[] = {EXCLUSION("figure 23", 1.06),
                                  FLEXCLUSION("figure 23", 1.04),
                                  R_EX("figure 23", 1.05),
                                  B_C("figure 33", 1.09),
                                  MAT("figure 33", 1.03),
                                  AB("figure 33", 1.04),
                                  BESIDE("ABYP", " --set l1.abyp=1", 0.9, NAN),
                                  BESIDE("PD-64", " --set l1.pd=64", 0.9, NAN),
                                  BESIDE("PCAL-12", " --set l1.tokens=12", 0.9, NAN),
                                  BESIDE("past-on-stall", " --set l1.bypass_stalls=1", 0.9, NAN),
                                  BESIDE("MAT-L2", PAST " --set l2.bypass=mat", 0.9, NAN),
                                  LARGER,
                                  HINTED,
                                  OBM("figure 33", 1.14),
                                  BESIDE("APCM", " --unit apcm", 0.9, NAN),
                                  {0}};
/* Further units, and what they are combined with. */
static const policy of_units[] = {
    {"sectors", BY_SECTOR, "figure 40", 1.39, 1.0, NAN, NO_DRAWS, EIGHTH, NULL},
    {"NAP", BY_SECTOR " --unit gran", "figure 40", 1.40, 1.0, NAN, NO_DRAWS, EIGHTH, "sectors"},
    {"SPP", BY_SECTOR " --unit gran:kind=spp", "figure 40", 1.39, 1.0, NAN, NO_DRAWS, EIGHTH,
     "sectors"},
    {"BIM", BY_SECTOR " --unit gran:kind=bim", "figure 40", 1.38, 1.0, NAN, NO_DRAWS, EIGHTH,
     "sectors"},
    {"OBM-L1", PAST " --unit obm", NULL, NAN, 0.95, NAN, OBM_DRAWS, NULL, NULL},
    {"OBM+sectors", BY_SECTOR PAST " --unit obm:level=both", "figure 44", 1.54, 1.0, NAN, OBM_DRAWS,
     EIGHTH, "sectors"},
    HINTED,
    {0}};
static const policy of_l2[] = {
    {"MAT", PAST " --set l2.bypass=mat", "figure 32", 1.02, 0.97, NAN, NO_DRAWS, EIGHTH, NULL},
    {"AB", PAST " --set l2.bypass=ab", "figure 32", 1.02, 0.97, NAN, AB_DRAWS, EIGHTH, NULL},
    {"OBM", PAST " --unit obm:level=l2", "figure 32", 1.05, 0.97, NAN, OBM_DRAWS, EIGHTH, NULL},
    {"B+C", " --unit region:mode=l2", "figure 32", 1.05, 0.97, NAN, NO_DRAWS, EIGHTH, NULL},
    {0}};
static const policy of_no_victims[] = {
    BESIDE("victim-cache", VICTIMS, 0.97, 1.1),
    BESIDE("exclusion", " --set l2.exclusive=1", 0.97, NAN),
    BESIDE("flexclusion", " --unit flexcl", 0.97, NAN),
    BESIDE("R-EX", " --unit region:mode=rex", 0.97, NAN),
    BESIDE("B+C", PAST " --unit region:mode=bc", 0.97, NAN),
    {"MAT", PAST " --set l1.bypass=mat --set l2.bypass=mat", NULL, NAN, 1.0, NAN, NO_DRAWS,
     PAST_BOTH, NULL},
    BESIDE("MAT-at-L1", PAST " --set l1.bypass=mat", 0.9, NAN),
    BESIDE("MAT-at-L2", PAST " --set l2.bypass=mat", 0.9, NAN),
    BESIDE("AB", PAST " --set l1.bypass=ab --set l2.bypass=ab", 0.97, NAN),
    BESIDE("OBM", PAST " --unit obm:level=both", 0.97, NAN),
    BESIDE("64KB", " --set l1.bytes=65536 --set l1.ways=8", 1.0, NAN),
    {0}};
/* What is left where the L1 has 64 KB already. */
static const policy of_64kb[] = {
    BESIDE("exclusion", VICTIMS " --set l2.exclusive=1", 0.97, NAN),
    BESIDE("B+C", PAST " --unit region:mode=bc", 0.97, NAN),
    {"OBM", PAST " --unit obm:level=both", NULL, NAN, 0.95, NAN, OBM_DRAWS, NULL, NULL},
    BESIDE("APCM", " --unit apcm", 0.95, NAN),
    BESIDE("sectors", BY_SECTOR, 0.95, NAN),
    OVER("NAP", BY_SECTOR " --unit gran", 0.95, NAN, "sectors"),
    OVER("OBM+sectors", BY_SECTOR PAST " --unit obm:level=both", 0.95, NAN, "sectors"),
    BESIDE("96KB", VICTIMS " --set l1.bytes=98304 --set l1.ways=12", 1.0, NAN),
    {0}};
#define OF_TODAY                                                                                   \
  BESIDE("OBM", " --unit obm:level=both", 0.9, 1.1), BESIDE("NAP", " --unit gran", 0.95, 1.1),     \
      {"lines", BY_LINE L1_16_WAYS, NULL, NAN, NAN, 1.1, NO_DRAWS, PREFETCH, NULL}, {              \
    "B+C-of-lines", BY_LINE L1_16_WAYS " --unit region", NULL, NAN, NAN, 1.1, NO_DRAWS, PREFETCH,  \
        "lines"                                                                                    \
  }
static const policy of_rtx3070[] = {OF_TODAY, HINTED, {0}};
static const policy of_a100[] = {OF_TODAY, {0}};
static const policy of_fast[] = {EXCLUSION("figure 28", 1.03), FLEXCLUSION("figure 28", 1.03),
                                 R_EX("figure 28", 1.03),      B_C("figure 38", 1.08),
                                 MAT("figure 38", 1.02),       AB("figure 38", 1.03),
                                 OBM("figure 38", 1.12),       {0}};
static const policy of_large[] = {
    EXCLUSION("figure 27", 1.05), FLEXCLUSION("figure 27", 1.03), R_EX("figure 27", 1.03), {0}};
static const policy of_whole[] = {
    EXCLUSION(NULL, NAN), FLEXCLUSION(NULL, NAN), R_EX(NULL, NAN), B_C(NULL, NAN),
    MAT(NULL, NAN),       AB(NULL, NAN),          OBM(NULL, NAN),  {0}};
static const policy of_bypass[] = {MAT(NULL, NAN), AB(NULL, NAN), OBM(NULL, NAN), {0}};
/* What a unit's area at 45 nm holds as lines of L1, by the price of 64 KB (docs/results/prices.md):
 * OBM's or APCM's 2 KB, in the victim cache; region_core's 8 KB, a way. Misses alone, too, for what
 * goes past may save an MSHR. */
static const policy of_area[] = {
    EXCLUSION(NULL, NAN),
    B_C(NULL, NAN),
    AB(NULL, NAN),
    OBM(NULL, NAN),
    BESIDE("APCM", " --unit apcm", 0.9, NAN),
    BESIDE("MAT-L2", PAST " --set l2.bypass=mat", 0.9, NAN),
    BESIDE("2KB-victims", " --set l1.victim_lines=24", 0.97, NAN),
    BESIDE("56KB", VICTIMS " --set l1.bytes=57344 --set l1.ways=7", 0.97, NAN),
    BESIDE("twice-the-MSHRs", VICTIMS " --set l1.mshrs=64", 0.9, NAN),
    {0}};
static const policy of_inputs[] = {EXCLUSION(NULL, NAN),
                                   FLEXCLUSION(NULL, NAN),
                                   R_EX(NULL, NAN),
                                   B_C(NULL, NAN),
                                   MAT(NULL, NAN),
                                   BESIDE("MAT-L2", PAST " --set l2.bypass=mat", 0.9, NAN),
                                   AB(NULL, NAN),
                                   OBM(NULL, NAN),
                                   LARGER,
                                   {0}};

const setting
    over_lines = {"lines",    "Speedup over non-inclusive caches of lines",
                  LINES RMAT, VICTIMS,
                  of_lines,   false},
    units_over_lines = {"units",    "Speedup over non-inclusive caches of lines",
                        LINES RMAT, VICTIMS,
                        of_units,   false},
    at_the_l2 = {"l2",       "Speedup over caches of lines, a policy at the L2 alone",
                 LINES RMAT, VICTIMS,
                 of_l2,      false},
    without_victims = {"victims",     "Speedup over caches of lines without a victim cache",
                       LINES RMAT,    "",
                       of_no_victims, false},
    over_64kb = {"larger",
                 "Speedup over caches of lines whose L1 has 64 KB",
                 LINES " --set l1.bytes=65536 --set l1.ways=8" RMAT,
                 VICTIMS,
                 of_64kb,
                 false},
    over_rtx3070 = {"rtx3070",
                    "Speedup over caches of sectors: two SMs and a slice of rtx3070",
                    "--config rtx3070" TODAY,
                    "",
                    of_rtx3070,
                    false},
    over_a100 = {"a100",
                 "Speedup over caches of sectors: two SMs and a slice of a100",
                 "--config a100" TODAY,
                 "",
                 of_a100,
                 false},
    at_144 = {"fast", "Speedup over caches of lines with 144 GB/s", FAST RMAT, VICTIMS, of_fast,
              false},
    in_large = {"large",
                "Speedup over large caches of lines, 96 and 192 KB",
                LINES " --set l1.bytes=98304 --set l2.bytes=196608" RMAT,
                VICTIMS,
                of_large,
                false},
    on_whole = {"whole",
                "Speedup over caches of lines, sixteen SMs and eight slices",
                "--config fermi16" EVICT RMAT,
                VICTIMS,
                of_whole,
                true},
    under_pressure = {"pressure",
                      "Speedup over caches of lines: L1s of a third, a graph four times "
                      "as large",
                      LINES " --set l1.bytes=16384 --set l1.ways=4"
                            " --graph rmat:scale=16,edges=516248",
                      VICTIMS,
                      of_bypass,
                      true},
    on_graph1m = {"graph1m",     "Speedup over caches of lines, Graph1M",
                  LINES GRAPH1M, VICTIMS,
                  of_inputs,     false},
    on_r4 = {"r4", "Speedup over caches of lines, R4_2e20", LINES R4, VICTIMS, of_inputs, false},
    fast_graph1m = {"fast-graph1m", "Speedup over caches of lines with 144 GB/s, Graph1M",
                    FAST GRAPH1M,   VICTIMS,
                    of_inputs,      false},
    fast_r4 = {"fast-r4", "Speedup over caches of lines with 144 GB/s, R4_2e20",
               FAST R4,   VICTIMS,
               of_inputs, false},
    over_area = {"area", "Speedup over caches of lines", LINES RMAT, VICTIMS, of_area, true};

static const int six[] = {0, 1, 3, 7, 8, 9};

int kernels_of(const setting *s) {
  return s->six ? (int)(sizeof six / sizeof *six) : KERNELS;
}

int kernel_at(const setting *s, int row) {
  return s->six ? six[row] : row;
}

const policy *policy_of(const setting *s, const char *name) {
  const policy *of = s->policies;
  while (of->name && strcmp(of->name, name)) of++;
  if (!of->name) paper_fail("%s has no policy %s", s->file, name);
  return of;
}

bool has_hints(const setting *s) {
  const policy *of = s->policies;
  while (of->name && strcmp(of->options, HINTS)) of++;
  return of->name;
}
