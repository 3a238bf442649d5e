/* What a unit's copies take in a machine: areas of docs/results/prices.md, numbers of SMs and
 * slices of the machine's own description, dies of dies.txt. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_file.h"
#include "tests/together/paper/together.h"

#define PRICES "docs/results/prices.md"
#define DIES "tests/together/paper/dies.txt"
enum { LIMIT = 1 << 20, SMALLEST_NM = 7, LARGEST_NM = 45 };

/* One for each SM, for each slice of the L2, or one; of mff one netlist has six slices. */
enum { PER_SM, PER_SLICE, PER_GPU, PARTS = 18 };
static const struct {
  int unit, per;
  const char *part;
  double slices; /* of a netlist */
} parts[PARTS] = {{APCM, PER_SM, "apcm", 0},
                  {BUBBLE, PER_GPU, "bubble", 0},
                  {DTBL, PER_GPU, "dtbl", 0},
                  {DTBL, PER_GPU, "dtbl_kmu", 0},
                  {FLEXCL, PER_SLICE, "flexcl", 1},
                  {GRAN, PER_SM, "gran", 0},
                  {LAPERM, PER_GPU, "laperm", 0},
                  {MFF, PER_SLICE, "mff", 6},
                  {MFF, PER_SM, "mff_sm", 0},
                  {MSHR, PER_SM, "mshr", 0},
                  {MSHR_RICH, PER_SM, "mshr_rich", 0},
                  {OBM, PER_SM, "obm", 0},
                  {PRT, PER_SM, "prt", 0},
                  {REGION, PER_SM, "region_core", 0},
                  {REGION, PER_SLICE, "region_slice", 1},
                  {SPREF, PER_SM, "spref", 0},
                  {TELEPORT, PER_SM, "teleport_buffer", 0},
                  {TELEPORT, PER_GPU, "teleport_controller", 0}};
/* um2 of a copy, logic and RAM at 45 and at 7 nm; NAN: there is none. */
enum { LOGIC_45, LOGIC_7, RAM_45, RAM_7, AREAS };

static char *whole(const char *path) {
  wf_error err = {0};
  size_t bytes;
  char *text = wf_file_read(path, LIMIT, &bytes, &err);
  if (!text) paper_fail("%s", err.text);
  return text;
}

/* Cell `n` of a table's line, without marks of scripts/figures. */
static void cell(const char *line, int n, char text[64]) {
  size_t to = 0;
  for (; n && *line && *line != '\n'; line++) n -= *line == '|';
  for (; *line && *line != '|' && *line != '\n' && to < 63; line++) {
    if (!strncmp(line, "<!--", 4))
      line = strstr(line, "-->") + 2;
    else if (*line != ',' && *line != ' ' && *line != '`')
      text[to++] = *line;
  }
  text[to] = '\0';
}

static double number(const char *text) {
  char *end;
  const double v = strtod(text, &end);
  return end == text || *end ? NAN : v;
}

/* The first table of the page that has the part: that of areas. */
static void areas_of(const char *page, const char *part, double areas[AREAS]) {
  for (const char *line = page; line; line = strchr(line, '\n')) {
    char text[64];
    line += *line == '\n';
    cell(line, 2, text);
    if (*line != '|' || strcmp(text, part) != 0) continue;
    for (int a = 0; a < AREAS; a++) {
      cell(line, 7 + a, text);
      areas[a] = number(text);
    }
    if (!isnan(areas[LOGIC_45]) && !isnan(areas[RAM_45])) return;
    break;
  }
  paper_fail(PRICES ": no areas at 45 nm of %s", part);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Where a part was not mapped to 7 nm: the median of what that leaves of the others. */
static void fill_7nm(double areas[PARTS][AREAS], int at_45, int at_7) {
  double ratios[PARTS];
  size_t n = 0;
  for (int i = 0; i < PARTS; i++)
    if (!isnan(areas[i][at_7])) ratios[n++] = areas[i][at_7] / areas[i][at_45];
  if (!n) paper_fail(PRICES ": no area at 7 nm");
  qsort(ratios, n, sizeof *ratios, compare);
  for (int i = 0; i < PARTS; i++)
    if (isnan(areas[i][at_7])) areas[i][at_7] = areas[i][at_45] * ratios[n / 2];
}

static const double (*all_areas(void))[AREAS] {
  static double areas[PARTS][AREAS];
  static bool there;
  if (there) return (const double(*)[AREAS])areas;
  char *page = whole(PRICES);
  for (int i = 0; i < PARTS; i++) areas_of(page, parts[i].part, areas[i]);
  free(page);
  fill_7nm(areas, LOGIC_45, LOGIC_7);
  fill_7nm(areas, RAM_45, RAM_7);
  there = true;
  return (const double(*)[AREAS])areas;
}

double together_described(int machine, const char *key) {
  char path[128], wanted[64];
  snprintf(path, sizeof path, "sim/gpu/configs/%s.ini", together_machine_name(machine));
  snprintf(wanted, sizeof wanted, "\n%s = ", key);
  char *text = whole(path), *at = strstr(text, wanted);
  if (!at) paper_fail("%s: no %s", path, key);
  const double v = strtod(at + strlen(wanted), NULL);
  free(text);
  return v;
}

static void die_of(const char *machine, double *mm2, double *nm) {
  char *text = whole(DIES), wanted[64];
  snprintf(wanted, sizeof wanted, "\n%s | ", machine);
  const char *at = strstr(text, wanted);
  if (!at || sscanf(at + strlen(wanted), "%lf | %lf |", mm2, nm) != 2)
    paper_fail(DIES ": expected a line %s | MM2 | NM | SOURCE", machine);
  free(text);
}

price together_price(int unit, int machine) {
  const double copies[] = {[PER_SM] = together_described(machine, "sms"),
                           [PER_SLICE] = together_described(machine, "partitions"),
                           [PER_GPU] = 1};
  const double(*areas)[AREAS] = all_areas();
  price price = {0};
  if (!together_takes(unit, machine < RTX3070 ? machine : WHOLE(machine)))
    price.logic = price.ram = NAN; /* its parts do not grow in proportion */
  double nm;
  die_of(together_machine_name(machine), &price.die, &nm);
  const bool small = nm <= SMALLEST_NM;
  const double shrink = small ? 1 : nm * nm / (LARGEST_NM * LARGEST_NM);
  for (int i = 0; i < PARTS; i++) {
    if (parts[i].unit != unit) continue;
    const double n = copies[parts[i].per] / fmax(1, parts[i].slices) * shrink / 1e6;
    price.logic += n * areas[i][small ? LOGIC_7 : LOGIC_45];
    price.ram += n * areas[i][small ? RAM_7 : RAM_45];
  }
  return price;
}
