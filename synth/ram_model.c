#include "synth/ram_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_file.h"

const char *const ram_quantity_names[RAM_QUANTITIES] = {"area_um2", "access_ns", "read_pj",
                                                        "write_pj", "leak_uw"};

void ram_features(ram_quantity quantity, int depth, int width, double feature[RAM_FEATURES]) {
  double bits = (double)depth * width;
  feature[0] = 1;
  feature[1] = quantity == RAM_ACCESS ? log2(depth > 1 ? depth : 2) : bits;
  feature[2] = width;
  feature[3] = sqrt(bits);
}

static ram_source *source_of(ram_table *table, const char *name) {
  for (unsigned i = 0; i < table->count; i++)
    if (strcmp(table->sources[i].name, name) == 0) return &table->sources[i];
  if (table->count == RAM_MAX_SOURCES) return NULL;
  ram_source *s = &table->sources[table->count++];
  *s = (ram_source){0};
  snprintf(s->name, sizeof s->name, "%s", name);
  return s;
}

static bool read_line(ram_table *table, const char *line) {
  char name[32], quantity[32];
  int node, d0, d1, w0, w1;

  ram_fit fit = {.known = true};
  if (sscanf(line, "%31[^,],%d,%d,%d,%d,%d,%31[^,],%lf,%lf,%lf,%lf,%u,%lf,%lf", name, &node, &d0,
             &d1, &w0, &w1, quantity, &fit.coefficient[0], &fit.coefficient[1], &fit.coefficient[2],
             &fit.coefficient[3], &fit.points, &fit.mean_error, &fit.max_error) != 14)
    return false;
  ram_source *s = source_of(table, name);
  for (int q = 0; s && q < RAM_QUANTITIES; q++) {
    if (strcmp(quantity, ram_quantity_names[q]) != 0) continue;
    s->min_depth = d0, s->max_depth = d1, s->min_width = w0, s->max_width = w1;
    fit.node_nm = node;
    s->fit[q] = fit;
    return true;
  }
  return false;
}

bool ram_table_read(ram_table *table, const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, 1 << 20, &bytes, err), *line = text, *end;
  bool ok = text != NULL;
  *table = (ram_table){0};
  for (int n = 1; ok && *line; n++, line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = 0;
    if (*line && *line != '#' && strncmp(line, "source,", 7) != 0 && !read_line(table, line))
      ok = wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s:%d: `%.40s...' is no line of the RAM price table (make synth-fit writes it)",
                   path, n, line);
  }
  free(text);
  if (ok && !table->count)
    ok = wf_fail(err, WF_EXIT_BAD_INPUT, "%s: the RAM price table is empty", path);
  return ok;
}

static const ram_source *named(const ram_table *table, const char *name, size_t length) {
  for (unsigned i = 0; i < table->count; i++) {
    const char *has = table->sources[i].name;
    if (strlen(has) == length && strncmp(has, name, length) == 0) return &table->sources[i];
  }
  return NULL;
}

static bool unknown(const ram_table *table, const char *name, int length, wf_error *err) {
  char known[256] = "";
  for (unsigned i = 0; i < table->count; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, " %s", table->sources[i].name);
  }
  return wf_fail(err, WF_EXIT_BAD_INPUT, "no RAM prices `%.*s'; there are:%s", length, name, known);
}

bool ram_table_find(const ram_table *table, const char *name, ram_source *found, wf_error *err) {
  bool first = true;
  for (const char *at = name; first || *at++ == '+'; first = false) {
    size_t length = strcspn(at, "+");
    const ram_source *s = named(table, at, length);
    if (!s) return unknown(table, at, (int)length, err);
    if (first) *found = *s;
    for (int q = 0; q < RAM_QUANTITIES; q++)
      if (!found->fit[q].known) found->fit[q] = s->fit[q];
    at += length;
  }
  return true;
}

/* One bank; single-port figures of the source's node. */
static double evaluate(const ram_source *s, ram_quantity q, int depth, int width) {
  double feature[RAM_FEATURES], value = 0;
  ram_features(q, depth, width, feature);
  for (int f = 0; f < RAM_FEATURES; f++) value += s->fit[q].coefficient[f] * feature[f];
  return value;
}

ram_price ram_price_of(const ram_source *source, int target_nm, int depth, int width) {
  ram_price price = {.banks = (width + RAM_BANK_WIDTH - 1) / RAM_BANK_WIDTH};
  int bank = (width + price.banks - 1) / price.banks;
  price.extrapolated = depth < source->min_depth || depth > source->max_depth ||
                       bank < source->min_width || bank > source->max_width;
  for (int q = 0; q < RAM_QUANTITIES; q++) {
    double one = source->fit[q].known ? evaluate(source, (ram_quantity)q, depth, bank) : NAN;
    double ratio = target_nm ? (double)target_nm / source->fit[q].node_nm : 1;
    switch (q) {
    case RAM_AREA:
      price.value[q] = one * price.banks * RAM_PORT_FACTOR * ratio * ratio;
      break;
    case RAM_ACCESS:
      price.value[q] = one * ratio;
      break;
    case RAM_LEAK:
      price.value[q] = one * price.banks * RAM_PORT_FACTOR;
      break;
    default:
      price.value[q] = one * price.banks * ratio * ratio * ratio;
    }
  }
  return price;
}
