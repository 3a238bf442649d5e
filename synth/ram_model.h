/* Price of a RAM macro from its shape: area, access time, energy and leakage as linear forms of a
 * few features, one set of coefficients per source (synth/ram_table.csv, made by synth/ram_fit.c).
 */
#ifndef WF_SYNTH_RAM_MODEL_H
#define WF_SYNTH_RAM_MODEL_H

#include <stdbool.h>

#include "sim/base/wf_error.h"

enum { RAM_FEATURES = 4, RAM_QUANTITIES = 5, RAM_MAX_SOURCES = 8 };

typedef enum ram_quantity { RAM_AREA, RAM_ACCESS, RAM_READ, RAM_WRITE, RAM_LEAK } ram_quantity;

/* Names as in the table: area_um2 access_ns read_pj write_pj leak_uw. */
extern const char *const ram_quantity_names[RAM_QUANTITIES];

typedef struct ram_fit {
  bool known;                       /* the source has this quantity */
  int node_nm;                      /* of the macros */
  double coefficient[RAM_FEATURES]; /* of ram_features(), in order */
  unsigned points;                  /* macros it was fitted to */
  double mean_error, max_error;     /* relative, over those macros; 0.1 is 10 % */
} ram_fit;

typedef struct ram_source {
  char name[32];                                  /* e.g. cacti7-45 */
  int min_depth, max_depth, min_width, max_width; /* of the macros it was fitted to */
  ram_fit fit[RAM_QUANTITIES];
} ram_source;

typedef struct ram_table {
  ram_source sources[RAM_MAX_SOURCES];
  unsigned count;
} ram_table;

/* A RAM of `depth` words of `width` bits, one read and one write port. */
typedef struct ram_price {
  double value[RAM_QUANTITIES]; /* um2, ns, pJ per read of a word, pJ per write, uW */
  int banks;                    /* macros side by side that make up the width */
  bool extrapolated;            /* depth or width of a bank is outside what the fit has seen */
} ram_price;

/* What each quantity is linear in: 1, bits, width, sqrt(bits) for areas, energies and leakage;
 * 1, log2(depth), sqrt(bits), width for access times. */
void ram_features(ram_quantity quantity, int depth, int width, double feature[RAM_FEATURES]);

/* Reads a table in the form ram_fit writes. False and *err (code 2) naming file and line. */
bool ram_table_read(ram_table *table, const char *path, wf_error *err);
/* "fakeram7+cacti7-32": what the first does not know is the second's. False and *err (code 2, with
 * the names there are) if the table lacks one. */
bool ram_table_find(const ram_table *table, const char *name, ram_source *found, wf_error *err);

/* `target_nm`: other than the source's node, the price is scaled (README.md: areas with the square,
 * times in proportion, energies with the cube); 0: at the source's node. */
ram_price ram_price_of(const ram_source *source, int target_nm, int depth, int width);

/* Area of a 1R1W bit against the tables' single-port bit (README.md). */
#define RAM_PORT_FACTOR 1.3
/* A word wider than this is made of several macros side by side. */
#define RAM_BANK_WIDTH 128

#endif
