/* What the MFF unit's tables buy: tag entries and work registers swept, area against speedup of
 * PageRank. `mff_sizes --points` lists the synthesis parameters of every point; then
 *   mff_sizes WARPFAB FOLDER GRAPH SYNTH_FOLDER NODE
 * runs them, reads SYNTH_FOLDER/mff-tuned...@NODE.json and leaves FOLDER/mff-sizes.{json,dat}. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_out.h"
#include "tests/papers/paper.h"

typedef struct point {
  unsigned tags, registers;
  double speedup, logic_um2, memory_um2, memory_bits, mhz;
  bool front; /* no other point is both smaller and faster */
} point;

/* The bench's default; every size of the sweep is told as a difference from it. */
enum { TAGS = 256, REGISTERS = 8192, C_REGISTERS = 2048, SHARE = REGISTERS / C_REGISTERS };

static const struct {
  unsigned tags, registers;
} swept[] = {{64, 1024},  {64, 8192},  {128, 8192},  {256, 1024},
             {256, 4096}, {256, 8192}, {256, 16384}, {512, 8192}};
enum { POINTS = sizeof swept / sizeof swept[0] };

/* "TagEntries=64 WorkRegs=1024 CRegs=256": a quarter of the registers may be in C state. */
static void parameters(const point *p, const char *separator, const char *equals, char *text,
                       size_t bytes) {
  const struct {
    const char *name;
    unsigned value, preset;
  } all[] = {{"CRegs", p->registers / SHARE, C_REGISTERS},
             {"TagEntries", p->tags, TAGS},
             {"WorkRegs", p->registers, REGISTERS}};
  size_t n = 0;
  text[0] = '\0';
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i].value != all[i].preset)
      n += (size_t)snprintf(text + n, bytes - n, "%s%s%s%u", *equals == '.' || n ? separator : "",
                            all[i].name, equals, all[i].value);
}

static double number(const cJSON *json, const char *path, const char *key) {
  const cJSON *item = cJSON_GetObjectItem(json, key);
  if (cJSON_IsNumber(item)) return item->valuedouble;
  fprintf(stderr, "%s: no number %s\n", path, key);
  exit(2);
}

static void read_area(point *p, const char *folder, const char *node) {
  char name[160], path[640];
  wf_error err = {0};
  parameters(p, "+", ".", name, sizeof name);
  snprintf(path, sizeof path, "%s/mff-tuned%s@%s.json", folder, name, node);
  cJSON *json = wf_json_read(path, &err);
  if (!json) {
    fprintf(stderr, "%s: %s\n", path, err.text);
    exit(2);
  }
  p->logic_um2 = number(json, path, "logic_um2");
  p->memory_um2 = number(json, path, "memory_um2");
  p->memory_bits = number(json, path, "memory_bits");
  p->mhz = number(cJSON_GetObjectItem(json, "clock"), path, "mhz");
  cJSON_Delete(json);
}

static void run_all(point *points, const char *warpfab, const char *folder, const char *graph) {
  char runs[512];
  size_t job[POINTS];
  snprintf(runs, sizeof runs, "%s/runs", folder);
  paper_jobs jobs = {.program = warpfab, .folder = runs};
  const char *app = "--app pagerank --set app.supersteps=1 --graph";
  size_t base = paper_add(&jobs, "sizes-base", "%s %s", app, graph);
  for (size_t i = 0; i < POINTS; i++) {
    char name[64];
    snprintf(name, sizeof name, "sizes-%u-%u", points[i].tags, points[i].registers);
    job[i] =
        paper_add(&jobs, name,
                  "%s %s --unit mff --set mff.tag_entries=%u --set mff.work_registers=%u --set "
                  "mff.c_registers=%u",
                  app, graph, points[i].tags, points[i].registers, points[i].registers / SHARE);
  }
  if (!paper_run(&jobs)) exit(1);
  for (size_t i = 0; i < POINTS; i++)
    points[i].speedup = paper_number(&jobs, base, "cycles") / paper_number(&jobs, job[i], "cycles");
  paper_free(&jobs);
}

static double area(const point *p) {
  return p->logic_um2 + p->memory_um2;
}

static void mark_front(point *points) {
  for (size_t i = 0; i < POINTS; i++) {
    points[i].front = true;
    for (size_t k = 0; k < POINTS; k++)
      if (k != i && area(&points[k]) <= area(&points[i]) && points[k].speedup >= points[i].speedup)
        points[i].front = false;
  }
}

/* Logic and RAM stand apart in every row; their sum is only the plot's axis. */
static void write_all(const point *points, const char *folder, const char *graph,
                      const char *node) {
  char path[640];
  wf_error err = {0};
  snprintf(path, sizeof path, "%s/mff-sizes.dat", folder);
  FILE *dat = fopen(path, "w");
  if (!dat) {
    fprintf(stderr, "%s: cannot be written\n", path);
    exit(2);
  }
  fprintf(dat, "area_mm2 speedup label front\n");
  cJSON *json = cJSON_CreateArray();
  printf("MFF unit's sizes: PageRank on %s, area at %s\n", graph, node);
  printf("%6s %10s %9s %10s %10s %10s %7s\n", "tags", "registers", "speedup", "logic mm2",
         "RAM kbit", "RAM mm2", "MHz");
  for (size_t i = 0; i < POINTS; i++) {
    const point *p = &points[i];
    printf("%6u %10u %9.3f %10.3f %10.0f %10.3f %7.0f%s\n", p->tags, p->registers, p->speedup,
           p->logic_um2 / 1e6, p->memory_bits / 1024, p->memory_um2 / 1e6, p->mhz,
           p->front ? "  *" : "");
    fprintf(dat, "%.4f %.4f %u/%u %d\n", area(p) / 1e6, p->speedup, p->tags, p->registers,
            p->front);
    cJSON *row = cJSON_CreateObject();
    cJSON_AddNumberToObject(row, "tag_entries", p->tags);
    cJSON_AddNumberToObject(row, "work_registers", p->registers);
    cJSON_AddNumberToObject(row, "speedup", p->speedup);
    cJSON_AddNumberToObject(row, "logic_um2", p->logic_um2);
    cJSON_AddNumberToObject(row, "memory_um2", p->memory_um2);
    cJSON_AddNumberToObject(row, "memory_bits", p->memory_bits);
    cJSON_AddNumberToObject(row, "mhz", p->mhz);
    cJSON_AddBoolToObject(row, "front", p->front);
    cJSON_AddItemToArray(json, row);
  }
  printf("  * on the Pareto front: no other size is smaller and at least as fast\n");
  fclose(dat);
  snprintf(path, sizeof path, "%s/mff-sizes.json", folder);
  wf_out_file out;
  if (!wf_out_open(&out, path, &err) || !wf_json_write(&out, json, &err)) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  cJSON_Delete(json);
}

int main(int argc, char **argv) {
  point points[POINTS] = {0};
  for (size_t i = 0; i < POINTS; i++)
    points[i].tags = swept[i].tags, points[i].registers = swept[i].registers;
  if (argc == 2 && !strcmp(argv[1], "--points")) {
    for (size_t i = 0; i < POINTS; i++) {
      char text[160];
      parameters(&points[i], " ", "=", text, sizeof text);
      puts(text);
    }
    return 0;
  }
  if (argc != 6) {
    fprintf(stderr, "usage: %s --points | WARPFAB FOLDER GRAPH SYNTH_FOLDER NODE\n", argv[0]);
    return 2;
  }
  for (size_t i = 0; i < POINTS; i++) read_area(&points[i], argv[4], argv[5]);
  run_all(points, argv[1], argv[2], argv[3]);
  mark_front(points);
  write_all(points, argv[2], argv[3], argv[5]);
  return 0;
}
