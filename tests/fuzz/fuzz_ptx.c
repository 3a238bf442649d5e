/* Fuzzing of the PTX front end and executor: any text must parse or fail with a message; what
 * parses runs a bounded number of instructions, on small memory, where it may fault but nothing
 * else. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/affine.h"
#include "sim/ptx/ptx.h"

enum { STEPS = 2000, MEMORY = 1 << 12, MAX_PLANES = 4096, DEPTH = 64 };

/* Where to go on, or past the end: a branch is taken for all lanes if any lane takes it, and all
 * lanes call what the first one does. */
static ptx_pc next_of(const ptx_kernel *k, ptx_pc pc, const ptx_effect *e, ptx_pc *stack,
                      unsigned *depth) {
  const ptx_inst *inst = &k->insts[pc];
  if (inst->cls != PTX_CLASS_BRANCH || !e->taken) return pc + 1;
  if (inst->custom_id == PTX_BRANCH_RETURN) return *depth ? stack[--*depth] : k->n_insts;
  if (inst->custom_id != PTX_BRANCH_CALL) return inst->target;
  if (*depth == DEPTH) return k->n_insts;
  stack[(*depth)++] = pc + 1;
  return inst->target == PTX_NO_TARGET ? (ptx_pc)e->addr[__builtin_ctz(e->taken)] : inst->target;
}

/* Straight through but for branches. */
static void run(const ptx_kernel *k) {
  static uint8_t memory[MEMORY], params[32768];
  ptx_launch launch = {.kernel = k,
                       .params = params,
                       .ntid = {8, 4, 1},
                       .nctaid = {2, 2, 2},
                       .global = memory,
                       .global_base = 0x1000,
                       .global_bytes = MEMORY};
  ptx_warp w = {.launch = &launch, .valid = UINT32_MAX, .shared_limit = 256};
  ptx_pc stack[DEPTH];
  unsigned depth = 0;
  if (k->n_regs > MAX_PLANES || k->local_bytes > 8192) return;
  w.reg = aligned_alloc(64, k->n_regs * sizeof *w.reg);
  memset(w.reg, 0x10, k->n_regs * sizeof *w.reg);
  w.pred = calloc(k->n_preds + 1u, sizeof *w.pred);
  w.shared = calloc(1, w.shared_limit);
  w.local = calloc(32, k->local_bytes + 1u);
  ptx_effect effect;
  wf_error err = {0};
  ptx_pc pc = 0;
  for (int step = 0; step < STEPS && pc < k->n_insts; step++) {
    const ptx_inst *inst = &k->insts[pc];
    if (!ptx_execute(inst, &w, step % 3 ? UINT32_MAX : 0x00ff0f3f, &effect, &err)) {
      assert(err.code == WF_EXIT_BAD_INPUT && err.text[0]);
      break;
    }
    assert(!effect.taken || inst->cls == PTX_CLASS_BRANCH || inst->cls == PTX_CLASS_BARRIER);
    pc = next_of(k, pc, &effect, stack, &depth);
    if (inst->cls == PTX_CLASS_EXIT && effect.active) break;
  }
  free(w.reg);
  free(w.pred);
  free(w.shared);
  free(w.local);
}

static void check_instruction(const ptx_kernel *k, const ptx_inst *inst) {
  assert(inst->cls < PTX_CLASS_COUNT && inst->n_dst <= PTX_MAX_DST && inst->n_src <= PTX_MAX_SRC);
  for (int i = 0; i < inst->n_dst; i++) assert(inst->dst[i] < k->n_regs + k->n_preds);
  for (int i = 0; i < inst->n_src; i++) assert(inst->src[i] < k->n_regs + k->n_preds);
  const bool by_address = inst->cls == PTX_CLASS_BRANCH && inst->custom_id == PTX_BRANCH_CALL &&
                          inst->target == PTX_NO_TARGET;
  assert((by_address || inst->target < k->n_insts) && inst->reconverge <= k->n_insts);
  assert(ptx_inst_text(inst)[0]);
}

/* Any kernel can be analysed, and any launch of it has rows that fit the table. */
static void analyse(const ptx_kernel *k) {
  static const uint8_t params[32768] = {[1] = 0x10, [8] = 7};
  static const uint32_t sizes[2][3] = {{8, 4, 1}, {300, 2, 2}};
  ptx_affine *a = ptx_affine_analyse(k);
  uint32_t n;
  const ptx_affine_load *loads = ptx_affine_loads(a, &n);
  for (uint32_t i = 0; i < n; i++) {
    char text[40];
    assert(loads[i].cls < PTX_AFFINE_CLASSES && loads[i].cause < PTX_CAUSES &&
           (loads[i].cls == PTX_AFFINE_NONE) == (loads[i].cause != PTX_CAUSE_NONE));
    assert(loads[i].cls == PTX_AFFINE_NONE || !loads[i].needs);
    ptx_affine_text(a, i, text, sizeof text);
    assert(text[0] && ptx_affine_at(a, loads[i].pc) == &loads[i]);
  }
  for (unsigned relax = 0; relax < 8; relax += 7) {
    wf_preload_row rows[WF_PRELOAD_ROWS];
    const ptx_affine_table table = {.relax = relax};
    const ptx_affine_made made =
        ptx_affine_rows(a, sizes[relax > 0], sizes[relax == 0], params, &table, rows, NULL);
    assert(made.rows <= WF_PRELOAD_ROWS && made.left_out <= n);
    for (uint32_t i = 0; i < made.rows; i++) {
      assert(rows[i].element_bytes >= 1 && rows[i].element_bytes <= 255 &&
             rows[i].base <= UINT32_MAX && (!i || rows[i].base >= rows[i - 1].base));
      for (int d = 0; d < 3; d++)
        assert(rows[i].min[d] >= INT16_MIN && rows[i].max[d] <= INT16_MAX);
    }
  }
  ptx_affine_destroy(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static const ptx_custom_op ops[] = {
      {"mff.gather.b32", "mrr", 0, 0}, {"mff.wait", "", 0, 1}, {"u.all", "lmrlmr", 1, 2}};
  wf_error err = {0};
  ptx_module *m = ptx_parse_text("fuzz", (const char *)data, bytes, ops, 3, &err);
  if (!m) {
    assert(err.code == WF_EXIT_BAD_INPUT && strncmp(err.text, "fuzz:", 5) == 0);
    return 0;
  }
  ptx_module_place(m, 0x1000);
  for (size_t i = 0; i < ptx_kernel_count(m); i++) {
    const ptx_kernel *k = ptx_kernel_at(m, i);
    for (uint32_t j = 0; j < k->n_insts; j++) check_instruction(k, &k->insts[j]);
    run(k);
    analyse(k);
  }
  ptx_module_destroy(m);
  return 0;
}
