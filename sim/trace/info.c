/* warpfab trace info: what is in a trace. */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_target.h"
#include "sim/trace/trace_internal.h"

static double ratio(uint64_t a, uint64_t b) {
  return b ? (double)a / (double)b : 0;
}

static const char *class_of(const wf_trace_op *op) {
  return op->inst.cls == PTX_CLASS_LOAD    ? "load"
         : op->inst.cls == PTX_CLASS_STORE ? "store"
                                           : "atomic";
}

static bool touches_lines(const wf_trace_op *op) {
  return op->lines > 0;
}

/* ---- JSON ---- */

static void add_triple(cJSON *o, const char *name, const uint32_t v[3]) {
  const int numbers[3] = {(int)v[0], (int)v[1], (int)v[2]};
  cJSON_AddItemToObject(o, name, cJSON_CreateIntArray(numbers, 3));
}

typedef struct pair {
  const char *name;
  uint64_t value;
} pair;

static void add_numbers(cJSON *o, size_t n, const pair *pairs) {
  for (size_t i = 0; i < n; i++) cJSON_AddNumberToObject(o, pairs[i].name, (double)pairs[i].value);
}

static cJSON *launch_json(const wf_trace_launch *l) {
  cJSON *o = cJSON_CreateObject();
  const wf_trace_kernel *k = &l->kernel;
  cJSON_AddStringToObject(o, "name", k->name);
  cJSON_AddStringToObject(o, "file", k->file);
  add_triple(o, "grid", k->grid);
  add_triple(o, "block", k->block);
  const pair pairs[] = {{"binary_version", k->binary_version},
                        {"tracer_version", k->tracer_version},
                        {"registers", k->registers},
                        {"shared_bytes", k->shared_bytes},
                        {"warp_instructions", l->instructions},
                        {"thread_instructions", l->threads},
                        {"loads", l->loads},
                        {"stores", l->stores},
                        {"atomics", l->atomics},
                        {"load_lines", l->load_lines},
                        {"load_sectors", l->load_sectors}};
  add_numbers(o, sizeof pairs / sizeof *pairs, pairs);
  return o;
}

static cJSON *op_json(const wf_trace_program *p, const wf_trace_op *op) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "kernel", p->name);
  const pair pairs[] = {{"pc", op->pc},
                        {"warp_instructions", op->count},
                        {"lanes", op->threads},
                        {"lines", op->lines},
                        {"sectors", op->sectors}};
  add_numbers(o, sizeof pairs / sizeof *pairs, pairs);
  cJSON_AddStringToObject(o, "text", op->text);
  cJSON_AddStringToObject(o, "class", class_of(op));
  if (op->inst.cls != PTX_CLASS_LOAD) return o;
  cJSON *reuse = cJSON_AddObjectToObject(o, "reuse");
  for (unsigned t = 0; t < WF_REUSE_TYPES; t++)
    cJSON_AddNumberToObject(reuse, wf_reuse_names[t], (double)op->reuse[t]);
  return o;
}

cJSON *wf_trace_info_json(const wf_trace *t) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "trace", t->path);
  cJSON_AddStringToObject(root, "format", t->format->name);
  cJSON_AddNumberToObject(root, "memory_bytes", (double)wf_trace_memory(t));
  uint64_t warp = 0, unknown = 0, copies = 0;
  for (size_t i = 0; i < t->n_launches; i++) warp += t->launches[i].instructions;
  for (size_t i = 0; i < t->n_steps; i++) copies += t->steps[i].is_copy;
  cJSON *kernels = cJSON_CreateArray(), *ops = cJSON_CreateArray();
  for (size_t i = 0; i < t->n_launches; i++)
    cJSON_AddItemToArray(kernels, launch_json(&t->launches[i]));
  for (uint32_t p = 0; p < t->n_programs; p++)
    for (ptx_pc pc = 0; pc < t->programs[p]->n_ops; pc++) {
      const wf_trace_op *op = &t->programs[p]->ops[pc];
      unknown += op->known ? 0 : op->count;
      if (touches_lines(op)) cJSON_AddItemToArray(ops, op_json(t->programs[p], op));
    }
  const pair pairs[] = {
      {"copies", copies}, {"warp_instructions", warp}, {"unknown_instructions", unknown}};
  add_numbers(root, sizeof pairs / sizeof *pairs, pairs);
  cJSON_AddItemToObject(root, "kernels", kernels);
  cJSON_AddItemToObject(root, "memory_instructions", ops);
  return root;
}

/* ---- text ---- */

static void print_launches(FILE *out, const wf_trace *t) {
  fprintf(out, "%-22s %-24s %10s %6s %10s %9s %9s %7s %8s\n", "file", "kernel", "CTAs", "block",
          "warp inst", "loads", "stores", "lines/l", "sectors/l");
  for (size_t i = 0; i < t->n_launches; i++) {
    const wf_trace_launch *l = &t->launches[i];
    const wf_trace_kernel *k = &l->kernel;
    const uint64_t ctas = (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
    fprintf(out,
            "%-22.22s %-24.24s %10" PRIu64 " %6u %10" PRIu64 " %9" PRIu64 " %9" PRIu64
            " %7.2f %8.2f\n",
            k->file, k->name, ctas, k->block[0] * k->block[1] * k->block[2], l->instructions,
            l->loads, l->stores, ratio(l->load_lines, l->loads), ratio(l->load_sectors, l->loads));
  }
}

static void print_op(FILE *out, const wf_trace_op *op) {
  fprintf(out, "  %6" PRIx64 " %-7s %10" PRIu64 " %10" PRIu64 " %7.2f %9.2f", op->pc, class_of(op),
          op->count, op->threads, ratio(op->lines, op->count), ratio(op->sectors, op->count));
  if (op->inst.cls == PTX_CLASS_LOAD)
    for (unsigned r = 0; r < WF_REUSE_TYPES; r++) fprintf(out, " %9" PRIu64, op->reuse[r]);
  else
    fprintf(out, " %39s", "");
  fprintf(out, "  %s\n", op->text);
}

static void print_program(FILE *out, const wf_trace_program *p) {
  fprintf(out, "%s (%s): %u instructions, %u loops\n", p->name,
          wf_sass_generation_name(p->generation), p->n_ops, p->kernel->n_loops);
  fprintf(out, "  %6s %-7s %10s %10s %7s %9s", "pc", "class", "warp inst", "lanes", "lines/i",
          "sectors/i");
  for (unsigned r = 0; r < WF_REUSE_TYPES; r++) fprintf(out, " %9s", wf_reuse_names[r]);
  fputc('\n', out);
  uint32_t *order = wf_calloc(p->n_ops + 1u, sizeof *order); /* by place in the kernel */
  for (uint32_t i = 0; i < p->n_ops; i++) {
    uint32_t at = i;
    for (; at > 0 && p->ops[order[at - 1]].index > p->ops[i].index; at--) order[at] = order[at - 1];
    order[at] = i;
  }
  for (uint32_t i = 0; i < p->n_ops; i++)
    if (touches_lines(&p->ops[order[i]])) print_op(out, &p->ops[order[i]]);
  free(order);
}

void wf_trace_info_print(FILE *out, const wf_trace *t) {
  uint64_t warp = 0, copies = 0;
  for (size_t i = 0; i < t->n_launches; i++) warp += t->launches[i].instructions;
  for (size_t i = 0; i < t->n_steps; i++) copies += t->steps[i].is_copy;
  fprintf(out,
          "%s: %s, %zu kernels, %" PRIu64 " copies, %" PRIu64
          " warp instructions, %.1f MB of memory touched\n",
          t->path, t->format->name, t->n_launches, copies, warp, (double)t->pages.count / 16);
  print_launches(out, t);
  fputs("memory instructions; the last columns: lines that a load brought, by how they were used "
        "(CTAs dealt to 16 SMs)\n",
        out);
  for (uint32_t p = 0; p < t->n_programs; p++) print_program(out, t->programs[p]);
  char *unknown = wf_trace_unknown_text(t);
  fputs(unknown, out);
  free(unknown);
}

/* ---- command ---- */

static const char usage[] = "usage: warpfab trace info PATH [--json FILE]\n"
                            "       warpfab trace write FOLDER[:gz|:xz|:zst] RUN-OPTIONS...   "
                            "records a run as an Accel-Sim trace\n"
                            "  PATH  a folder with kernelslist.g or one kernel-N.traceg of "
                            "Accel-Sim, or the output of NVBit's mem_trace;\n"
                            "        files plain, .gz, .xz or .zst\n";

static int report(const wf_error *err) {
  fprintf(stderr, "warpfab: %s\n", err->text);
  return err->code ? err->code : WF_EXIT_WRONG;
}

static bool parse(int argc, char **argv, const char **json, const char **path, wf_error *err) {
  static const struct option options[] = {{"json", 1, NULL, 'j'}, {NULL, 0, NULL, 0}};
  optind = 1;
  opterr = 0;
  for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
    if (c != 'j')
      return wf_fail(err, WF_EXIT_BAD_INPUT, "trace info: %s: expected PATH [--json FILE]",
                     argv[optind - 1]);
    if (*json) return wf_fail(err, WF_EXIT_BAD_INPUT, "--json %s: given twice", optarg);
    *json = optarg;
  }
  if (optind + 1 != argc)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "trace info: expected one PATH\n%s", usage);
  *path = argv[optind];
  return !*json || wf_target_outside(*json, *path, err);
}

int wf_trace_info_main(int argc, char **argv) {
  const char *json = NULL, *path = NULL;
  wf_error err = {0};
  wf_out_file out = {0};
  if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
    return fputs(usage, stdout), WF_OK;
  if (!parse(argc, argv, &json, &path, &err) || (json && !wf_out_open(&out, json, &err)))
    return report(&err);
  const wf_trace_options options = {.reuse = true};
  wf_trace *t = wf_trace_open(path, &options, &err);
  bool ok = t != NULL;
  if (ok) wf_trace_info_print(stdout, t);
  if (ok && json) {
    cJSON *result = wf_trace_info_json(t);
    ok = wf_json_write(&out, result, &err);
    cJSON_Delete(result);
  }
  if (out.file) wf_out_abandon(&out);
  wf_trace_close(t);
  return ok ? WF_OK : report(&err);
}

const char *wf_trace_usage(void) {
  return usage;
}
