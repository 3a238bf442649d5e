/* What is changed in a kernel that has been read: cache hints on loads, atomics without a result.
 */
#include "sim/ptx/ptx.h"

static bool is_global_load(const ptx_inst *i) {
  return i->cls == PTX_CLASS_LOAD &&
         (i->space == PTX_SPACE_GLOBAL || i->space == PTX_SPACE_GLOBAL_NC ||
          i->space == PTX_SPACE_GENERIC);
}

static void hint_load(ptx_inst *i, ptx_cache_hint hint) {
  *(hint == PTX_HINT_CG ? &i->bypass_l1 : &i->no_allocate) = true;
}

void ptx_hint_all_loads(const ptx_kernel *kernel, ptx_cache_hint hint) {
  ptx_inst *insts = (ptx_inst *)kernel->insts; /* the module's own memory */
  for (ptx_pc pc = 0; pc < kernel->n_insts; pc++)
    if (is_global_load(&insts[pc])) hint_load(&insts[pc], hint);
}

bool ptx_hint_loads(const ptx_kernel *kernel, uint32_t line, ptx_cache_hint hint, wf_error *err) {
  ptx_inst *insts = (ptx_inst *)kernel->insts; /* the module's own memory */
  unsigned found = 0;
  for (ptx_pc pc = 0; pc < kernel->n_insts; pc++) {
    if (insts[pc].line != line || !is_global_load(&insts[pc])) continue;
    hint_load(&insts[pc], hint);
    found++;
  }
  return found || wf_fail(err, WF_EXIT_BAD_INPUT,
                          "kernel %s: no load of global memory in line %u of its PTX; loads[] of a "
                          "result with --set probe.loads=1 has their lines",
                          kernel->name, line);
}

void ptx_reduce_unread(const ptx_kernel *kernel) {
  ptx_inst *insts = (ptx_inst *)kernel->insts; /* the module's own memory */
  for (ptx_pc pc = 0; pc < kernel->n_insts; pc++)
    if (insts[pc].unread) insts[pc].n_dst = 0;
}
