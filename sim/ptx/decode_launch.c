/* Launches from device code: calls of the device runtime by name, and the launch instructions that
 * name a kernel as text (compilers without a device runtime refuse a kernel's address).
 *
 *   call.uni (r), cudaGetParameterBuffer, (alignment, bytes);
 *   cuda.stream.create r;
 *   cuda.launch.device r, kernel, buffer, {gx, gy, gz}, {bx, by, bz}, shared;
 *   cuda.launch.group r, kernel, buffer, {gx, gy, gz}, {bx, by, bz}, shared;
 *
 * What they do is the caller's of ptx_execute(): it reads the operands, and writes r. */
#include <string.h>

#include "sim/ptx/decode.h"
#include "sim/ptx/lanes.h"

/* ---- instructions ---- */

static bool finish_launch(ptx_decoder *d, ptx_launch_op op) {
  d->code.custom_offset =
      ptx_arena_small(&d->b->module->arena, PTX_MAX_OPERANDS * sizeof *d->code.custom_offset);
  d->inst.custom_id = (uint8_t)op;
  d->b->kernel->launches = true;
  return ptx_decoded(d, ptx_custom_handler(), PTX_CLASS_LAUNCH);
}

bool ptx_decode_get_buffer(ptx_decoder *d, const ptx_arg *result, const ptx_arg *args, uint32_t n) {
  if (!result || n != 2)
    return ptx_decode_fail(d, "is called as (buffer), cudaGetParameterBuffer, (alignment, bytes)");
  ptx_arg in[2] = {args[0], args[1]};
  in[0].whole = in[1].whole = true;
  return ptx_dest_reg(d, result, PTX_B64, false) && ptx_source_value(d, &in[0], PTX_B64, false) &&
         ptx_source_value(d, &in[1], PTX_B64, false) && finish_launch(d, PTX_LAUNCH_BUFFER);
}

static bool source_triple(ptx_decoder *d, const ptx_arg *arg, const char *what) {
  if (arg->kind != PTX_ARG_VECTOR || arg->count != 3)
    return ptx_decode_fail(d, "needs the %s as {x, y, z}", what);
  for (uint32_t k = 0; k < 3; k++)
    if (!ptx_source_value(d, &d->s->elements[arg->first + k], PTX_B32, false)) return false;
  return true;
}

/* The kernel may follow later in the text: its name is looked up when all are known. */
static bool name_callee(ptx_decoder *d, const ptx_arg *arg) {
  ptx_module *m = d->b->module;
  if (arg->kind != PTX_ARG_NAME) return ptx_decode_fail(d, "needs the name of a kernel");
  ptx_callee *c = ptx_arena_small(&m->arena, sizeof *c);
  *c = (ptx_callee){.name = ptx_arena_text(&m->arena, arg->name, arg->bytes),
                    .line = d->s->line,
                    .next = m->callees};
  d->code.callee = m->callees = c;
  return true;
}

PTX_DECODER(ptx_decode_cuda) {
  const ptx_arg *a = d->s->args;
  (void)op;
  if (ptx_take(d, "stream") && ptx_take(d, "create"))
    return ptx_need_args(d, 1, 1) && ptx_dest_reg(d, &a[0], PTX_B64, false) &&
           finish_launch(d, PTX_LAUNCH_STREAM);
  const bool launch = ptx_take(d, "launch"), device = ptx_take(d, "device");
  if (!launch || (!device && !ptx_take(d, "group")))
    return ptx_decode_fail(
        d, "there are cuda.stream.create, cuda.launch.device and cuda.launch.group");
  return ptx_need_args(d, 6, 6) && ptx_dest_reg(d, &a[0], PTX_B32, false) &&
         name_callee(d, &a[1]) && ptx_source_value(d, &a[2], PTX_B64, false) &&
         source_triple(d, &a[3], "grid") && source_triple(d, &a[4], "block") &&
         ptx_source_value(d, &a[5], PTX_B32, false) &&
         finish_launch(d, device ? PTX_LAUNCH_DEVICE : PTX_LAUNCH_GROUP);
}

bool ptx_resolve_callees(const ptx_module *m, wf_error *err) {
  for (ptx_callee *c = m->callees; c; c = c->next) {
    wf_error listed = {0};
    c->kernel = ptx_find_kernel(m, c->name, &listed);
    if (!c->kernel)
      return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%u: launch of an unknown kernel: %.300s", m->file,
                     c->line, listed.text);
  }
  return true;
}

/* ---- for the caller ---- */

const ptx_kernel *ptx_inst_callee(const ptx_inst *inst) {
  return inst->code->callee ? inst->code->callee->kernel : NULL;
}

void ptx_write_result(const ptx_inst *inst, ptx_warp *w, uint32_t mask,
                      const uint64_t value[PTX_LANES]) {
  const ptx_code *c = inst->code;
  for (uint32_t i = 0; i < PTX_LANES; i++) {
    if (!(mask >> i & 1)) continue;
    if (c->dst[0].bytes == 8)
      ptx_set_lane64(ptx_out(c, w, 0), i, value[i]);
    else
      ((lane32 *)ptx_out(c, w, 0))[i] = (u32)value[i];
  }
}

bool ptx_launch_fault(const ptx_inst *inst, const ptx_warp *w, unsigned lane, wf_error *err,
                      const char *what) {
  return ptx_fault(inst->code, w, lane, err, "%s", what);
}
