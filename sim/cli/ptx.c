/* warpfab ptx analyse FILE|--app NAME [--kernel K] [--json]: what a compiler could tell a unit of
 * the kernel's loads, a row a load. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/apps/apps.h"
#include "sim/base/wf_options.h"
#include "sim/cli/cli.h"
#include "sim/cli/kernel_text.h"
#include "sim/cli/ptx_affine.h"
#include "sim/cli/ptx_rows.h"
#include "sim/ptx/code.h"
#include "sim/ptx/loadpairs.h"
#include "sim/units/registry.h"

static const char usage[] =
    "usage: warpfab ptx analyse FILE|--app NAME|--app all [--kernel KERNEL] [--json]\n"
    "\n"
    "Of every load from global memory of the kernels of a PTX or .cu file, or of an application's: "
    "where "
    "it is, whether it is the\n"
    "head-load or the tail-load of a pair in its loop, and why not. Of every loop: its test, and "
    "the test before it. Then whether its address\n"
    "can be calculated when a thread block starts (static, quasi-static), or why not, and what it "
    "is made of.\n"
    "--app all: of all modules of kernels. --json: addresses only, with totals, as JSON.\n"
    "With --kernel K --grid X[,Y,Z] --block X[,Y,Z] --param KIND:VALUE ... (u32, s32, u64, f32, "
    "buf:BYTES) also the rows of the preload table\n"
    "for that launch; --relax loops,choices,operators allows more loads, --bits PRODUCTS,ADDRESS "
    "is the table's widths (16,32).\n";

typedef struct arguments {
  const char *file, *app, *kernel;
  bool json;
  wf_ptx_rows_options launch;
} arguments;

/* Over all kernels looked at. */
typedef struct summary {
  ptx_affine_totals totals;
  uint32_t kernels;
  cJSON *json; /* of each kernel, or NULL */
} summary;

static bool read_arguments(int argc, char **argv, arguments *a, wf_error *err) {
  static const char *const once[] = {"--app",   "--kernel", "--grid", "--block",
                                     "--relax", "--bits",   NULL};
  if (!wf_options_once(argc, argv, once, err)) return false;
  for (int i = 2; i < argc; i++) {
    if (!strcmp(argv[i], "--json")) {
      a->json = true;
      continue;
    }
    bool taken = false;
    if (!wf_ptx_rows_option(&a->launch, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &taken, err))
      return false;
    if (taken) {
      i++;
      continue;
    }
    const bool app = !strcmp(argv[i], "--app"), kernel = !strcmp(argv[i], "--kernel");
    if ((app || kernel) && ++i == argc)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s expects a value", argv[i - 1]);
    if (!app && !kernel && argv[i][0] == '-')
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "%s: unknown option; there are --app, --kernel, --json, --grid, --block, "
                     "--param, --relax and --bits",
                     argv[i]);
    const char **to = app ? &a->app : kernel ? &a->kernel : &a->file;
    if (*to) return wf_fail(err, WF_EXIT_BAD_INPUT, "'%s' is one too many", argv[i]);
    *to = argv[i];
  }
  if (!a->file == !a->app) return wf_fail(err, WF_EXIT_BAD_INPUT, "give one of FILE and --app");
  const wf_ptx_rows_options *l = &a->launch;
  const bool launch =
      l->grid[0] || l->block[0] || l->n_params || l->table.relax || l->table.prod_bits;
  if (launch && (!l->grid[0] || !l->block[0] || !a->kernel || a->json))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "rows need --kernel, --grid and --block, and are not for --json");
  return true;
}

static ptx_module *parse_file(const char *path, const ptx_custom_op *ops, size_t n_ops,
                              wf_error *err) {
  wf_kernel_text text;
  ptx_module *m = NULL;
  if (wf_kernel_text_read(&text, path, NULL, 0, err))
    m = ptx_parse_text(text.name, text.ptx, text.bytes, ops, n_ops, err);
  wf_kernel_text_free(&text);
  return m;
}

static ptx_module *open_module(const arguments *a, const wf_app_kernels *k, wf_error *err) {
  size_t n_ops;
  ptx_module *m = NULL;
  ptx_custom_op *ops = wf_unit_ops(&n_ops);
  if (a->file)
    m = parse_file(a->file, ops, n_ops, err);
  else if (k)
    m = ptx_parse_text(k->name, k->ptx, k->bytes, ops, n_ops, err);
  else
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "--app %s: no module of kernels of that name (`warpfab list apps`)", a->app);
  free(ops);
  return m;
}

/* ---- the table of loads: one entry a column ---- */
typedef struct row {
  const ptx_kernel *kernel;
  const ptx_pairs *pairs;
  const ptx_pair_load *load;
} row;

typedef struct column {
  const char *title;
  int width; /* negative: to the left */
  void (*print)(const row *r, char *text, size_t bytes);
} column;

static void print_pc(const row *r, char *t, size_t n) {
  snprintf(t, n, "%u", r->load->pc);
}
static void print_line(const row *r, char *t, size_t n) {
  snprintf(t, n, "%u", r->kernel->insts[r->load->pc].line);
}
static void print_bytes(const row *r, char *t, size_t n) {
  const ptx_inst *i = &r->kernel->insts[r->load->pc];
  snprintf(t, n, i->vec > 1 ? "%u x %u" : "%u", i->bytes, i->vec);
}
static void print_loop(const row *r, char *t, size_t n) {
  if (r->load->loop == PTX_NO_LOOP)
    snprintf(t, n, "-");
  else
    snprintf(t, n, "%u", r->load->loop);
}
static void print_role(const row *r, char *t, size_t n) {
  static const char *const names[] = {"none", "head", "tail"};
  snprintf(t, n, "%s", names[r->load->role]);
}
static void print_why(const row *r, char *t, size_t n) {
  const ptx_pair_load *l = r->load;
  if (l->role == PTX_LOAD_NONE) {
    snprintf(t, n, "%s", l->reason);
  } else if (l->role == PTX_LOAD_HEAD) {
    snprintf(t, n, "%+" PRId64 " bytes an iteration", l->stride);
  } else if (!l->simple) {
    snprintf(t, n, "of %u; its address is no base + index << n", l->head);
  } else {
    static const char *const extend[] = {"", "sign ", "zero "};
    snprintf(t, n, "of %u: [r%u + (%sv << %u) %+" PRId64 "]", l->head, l->base, extend[l->extend],
             l->shift, l->offset);
  }
}

static const column columns[] = {{"pc", 5, print_pc},       {"line", 6, print_line},
                                 {"bytes", 6, print_bytes}, {"loop", 5, print_loop},
                                 {"role", 5, print_role},   {"why", -44, print_why}};
enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

static void print_loads(const ptx_kernel *k, const ptx_pairs *p) {
  for (size_t c = 0; c < N_COLUMNS; c++) printf("  %*s", columns[c].width, columns[c].title);
  printf("  text\n");
  for (uint32_t i = 0; i < p->n_loads; i++) {
    const row r = {k, p, &p->loads[i]};
    char cell[128];
    for (size_t c = 0; c < N_COLUMNS; c++) {
      columns[c].print(&r, cell, sizeof cell);
      printf("  %*s", columns[c].width, cell);
    }
    printf("  %s\n", ptx_inst_text(&k->insts[p->loads[i].pc]));
  }
}

static void print_test(const char *what, const ptx_kernel *k, const ptx_loop_test *t) {
  static const char *const compare[] = {"==", "!=", "<", "<=", ">", ">="};
  if (t->pc == PTX_NO_PC) return;
  printf(", %s %u (line %u): goes on while %s %s %s, stepping by %+" PRId64, what, t->pc,
         k->insts[t->pc].line, t->swapped ? "operand 2" : "operand 1", compare[t->compare],
         t->swapped ? "operand 1" : "operand 2", t->step);
}

static void print_loops(const ptx_kernel *k, const ptx_pairs *p) {
  for (uint32_t l = 0; l < p->n_loops; l++) {
    const ptx_pair_loop *loop = &p->loops[l];
    printf("  loop %u: %u to %u", l, loop->first, loop->back);
    print_test("test", k, &loop->test);
    print_test("before it", k, &loop->entry);
    if (loop->test.pc == PTX_NO_PC) printf(", %s", loop->reason);
    if (loop->early_exits) printf(", %u early exits", loop->early_exits);
    if (loop->n_chain) printf(", addresses depend on");
    for (uint32_t i = 0; i < loop->n_chain; i++) printf(" %u", loop->chain[i]);
    printf("%s\n", loop->chain_cut ? " and more" : "");
  }
}

static bool analyse(const ptx_kernel *k, const wf_ptx_rows_options *launch, summary *sum,
                    wf_error *err) {
  ptx_affine *addresses = ptx_affine_analyse(k);
  const ptx_affine_totals t = ptx_affine_count(addresses);
  ptx_affine_add(&sum->totals, &t);
  sum->kernels++;
  if (sum->json) {
    cJSON_AddItemToArray(sum->json, wf_ptx_affine_json(addresses));
  } else {
    ptx_pairs *p = ptx_find_pairs(k);
    printf("%s: %u registers, %u instructions, %u loops, %u loads\n", k->name, k->n_regs,
           k->n_insts, k->n_loops, p->n_loads);
    if (p->n_loads) print_loads(k, p);
    print_loops(k, p);
    wf_ptx_affine_print(addresses);
    ptx_pairs_destroy(p);
  }
  const bool fine = !launch->grid[0] || wf_ptx_rows_print(addresses, launch, err);
  ptx_affine_destroy(addresses);
  return fine;
}

/* Of one module. */
static bool analyse_module(const arguments *a, const wf_app_kernels *source, summary *sum,
                           wf_error *err) {
  ptx_module *m = open_module(a, source, err);
  const ptx_kernel *only = m && a->kernel ? ptx_find_kernel(m, a->kernel, err) : NULL;
  if (!m) return false;
  bool fine = !a->kernel || only;
  for (size_t i = 0; !a->kernel && i < ptx_kernel_count(m); i++)
    fine = analyse(ptx_kernel_at(m, i), &a->launch, sum, err) && fine;
  if (only) fine = analyse(only, &a->launch, sum, err);
  ptx_module_destroy(m);
  return fine;
}

static void print_summary(const summary *sum) {
  if (!sum->json) {
    if (sum->kernels > 1) wf_ptx_affine_print_totals("all kernels", &sum->totals);
    return;
  }
  cJSON *json = cJSON_CreateObject();
  cJSON_AddItemToObject(json, "kernels", sum->json);
  cJSON_AddItemToObject(json, "totals", wf_ptx_affine_totals_json(&sum->totals));
  char *text = cJSON_Print(json);
  puts(text);
  free(text);
  cJSON_Delete(json);
}

int wf_cli_ptx(int argc, char **argv) {
  arguments a = {0};
  wf_error err = {0};
  if (argc >= 2 && !strcmp(argv[1], "--help")) return fputs(usage, stdout), WF_OK;
  if (argc < 2 || strcmp(argv[1], "analyse") != 0) return fputs(usage, stderr), WF_EXIT_BAD_INPUT;
  if (!read_arguments(argc, argv, &a, &err)) return wf_cli_report(&err);
  summary sum = {.json = a.json ? cJSON_CreateArray() : NULL};
  const bool all = a.app && !strcmp(a.app, "all");
  const wf_app_kernels *k;
  bool fine = true;
  if (!all) fine = analyse_module(&a, a.app ? wf_app_kernels_find(a.app) : NULL, &sum, &err);
  for (size_t i = 0; all && fine && (k = wf_app_kernels_at(i)); i++) {
    if (!a.json) printf("== %s\n", k->name);
    fine = analyse_module(&a, k, &sum, &err);
  }
  if (fine)
    print_summary(&sum);
  else
    cJSON_Delete(sum.json);
  return fine ? WF_OK : wf_cli_report(&err);
}
