/* The experiments of the work on prefetching into spare registers (chapter 3: figures 10 to 16,
 * tables 2, 4 and 7). A figure is made again until every run that it asks for is there; numbers
 * that are not there yet are NAN.
 *
 * A *sample* is one launch of an application's search kernel on an input, timed alone; the launches
 * before it and after it are executed without timing, so that the result is verified. Which
 * launches are samples is decided by a survey: the same run with nothing timed. */
#ifndef WF_PAPER_SPREF_H
#define WF_PAPER_SPREF_H

#include "tests/papers/paper.h"

typedef enum spref_kernel_id {
  SPREF_HBFS,
  SPREF_HSSSP,
  SPREF_HMST,
  SPREF_LSBFS,
  SPREF_LSSSSP,
  SPREF_LSMST,
  SPREF_STCON,
  SPREF_KERNELS
} spref_kernel_id;
typedef enum spref_input_id { SPREF_GRAPH1M, SPREF_RMAT20, SPREF_R4, SPREF_INPUTS } spref_input_id;
/* Table 7's rows in its order; then the unit at each edge of the SM's clock, which its RTL does
 * not reach. */
typedef enum spref_variant {
  SPREF_STREAM,
  SPREF_STRIDE,
  SPREF_GHB,
  SPREF_SPREF1,
  SPREF_CSPREF1,
  SPREF_SPREF,
  SPREF_CSPREF,
  SPREF_SPREF1C,
  SPREF_64KB,
  SPREF_FAST,
  SPREF_CFAST,
  SPREF_VARIANTS
} spref_variant;

enum { SPREF_MAX_SAMPLES = 128, SPREF_OPTIONS = 192 };

typedef struct spref_kernel {
  const char *name, *app, *kernel, *options,
      *larger;          /* options: of every run; larger: of Base-64KB */
  const char *roomy;    /* options that leave the paper's spare registers; NULL: they are there */
  bool heavy;           /* its launches take longest: one input */
  unsigned needed, fit; /* table 4 */
  unsigned pages[2]; /* unified storage of 192 KB: 4 KB pages left for the L1 beside registers and
                        shared memory; also beside the spare ones of SPREF1 */
} spref_kernel;
extern const spref_kernel spref_kernels[SPREF_KERNELS];
extern const char *const spref_input_names[SPREF_INPUTS], *const spref_inputs[SPREF_INPUTS];
extern const char *const spref_variant_names[SPREF_VARIANTS];

typedef struct spref_sample {
  int kernel, input;
  unsigned launch; /* from 1, of the search kernel's */
  double warp_instructions;
} spref_sample;

/* Warp instructions of a sample: the paper takes launches of about a million, or more. */
#define SPREF_LEAST (1e6 / 8)
/* Of table 7. */
extern spref_sample spref_chosen[SPREF_MAX_SAMPLES];
extern int spref_n;

/* Fills in the samples as far as surveys are there. */
void spref_choose(paper *p);
/* Launches of one kernel and input with at least `least` warp instructions, in their order; returns
 * how many, at most `most`. */
int spref_launches(paper *p, int kernel, int input, double least, spref_sample *samples, int most);

/* What distinguishes the variant from the baseline. */
const char *spref_options(int kernel, spref_variant v);
/* The sample's result with further options ("": the baseline); NULL: not there yet. */
const cJSON *spref_result(paper *p, const spref_sample *s, const char *options);
/* A number of it; NAN: not there yet. Ends the program if it has no such number. */
double spref_number(paper *p, const spref_sample *s, const char *options, const char *path);
/* Over the head-loads or tail-loads that the analyser finds in the search kernel: sum of loads,
 * mean wait per load. NAN: not there yet; 0 loads: none. */
double spref_loads(paper *p, const spref_sample *s, const char *options, const char *role);
double spref_wait(paper *p, const spref_sample *s, const char *options, const char *role);

/* Kernels with loads ahead by hand beside the unit. */
void spref_best(paper *p);
/* Hardware prefetchers beside the unit. */
void spref_rivals(paper *p);
/* The unit by itself beside a larger L1 that costs less. */
void spref_area(paper *p);
void spref_clock(paper *p);

#endif
