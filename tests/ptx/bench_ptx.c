/* Time of one warp instruction by kind, to see where the executor's time goes. Not a test: prints.
 * Run: make bench-ptx */
#include <time.h>

#include "tests/ptx/lane_harness.h"

typedef struct sample {
  const char *name, *text;
} sample;

static const sample samples[] = {
    {"mov.u32", "mov.u32 %r1, %r2;"},
    {"mov tid", "mov.u32 %r1, %tid.x;"},
    {"add.s32", "add.s32 %r1, %r2, %r3;"},
    {"add.s32 imm", "add.s32 %r1, %r1, 4;"},
    {"add.s64", "add.s64 %d1, %d2, %d3;"},
    {"mad.lo.s32", "mad.lo.s32 %r1, %r2, %r3, %r4;"},
    {"mul.wide.s32", "mul.wide.s32 %d1, %r2, %r3;"},
    {"mul.hi.u64", "mul.hi.u64 %d1, %d2, %d3;"},
    {"div.u32", "div.u32 %r1, %r2, %r3;"},
    {"rem.s32", "rem.s32 %r1, %r2, %r3;"},
    {"div.u64", "div.u64 %d1, %d2, %d3;"},
    {"shl.b64", "shl.b64 %d1, %d2, 2;"},
    {"bfe.u32", "bfe.u32 %r1, %r2, 4, 8;"},
    {"popc.b32", "popc.b32 %r1, %r2;"},
    {"setp.lt.s32", "setp.lt.s32 %p1, %r2, %r3;"},
    {"setp.ne.s64", "setp.ne.s64 %p1, %d2, %d3;"},
    {"selp.b32", "selp.b32 %r1, %r2, %r3, %p1;"},
    {"cvt.s64.s32", "cvt.s64.s32 %d1, %r2;"},
    {"cvt.rn.f32.s32", "cvt.rn.f32.s32 %f1, %r2;"},
    {"cvt.rzi.s32.f32", "cvt.rzi.s32.f32 %r1, %f2;"},
    {"cvt.u16.u32", "cvt.u16.u32 %h1, %r2;"},
    {"add.f32", "add.f32 %f1, %f2, %f3;"},
    {"fma.rn.f32", "fma.rn.f32 %f1, %f2, %f3, %f4;"},
    {"add.ftz.f32", "add.ftz.f32 %f1, %f2, %f3;"},
    {"div.rn.f32", "div.rn.f32 %f1, %f2, %f3;"},
    {"sqrt.rn.f32", "sqrt.rn.f32 %f1, %f2;"},
    {"min.f32", "min.f32 %f1, %f2, %f3;"},
    {"ex2.approx.f32", "ex2.approx.f32 %f1, %f2;"},
    {"sin.approx.f32", "sin.approx.f32 %f1, %f2;"},
    {"add.rz.f32", "add.rz.f32 %f1, %f2, %f3;"},
    {"fma.rn.f64", "fma.rn.f64 %g1, %g2, %g3, %g4;"},
    {"ld.param.u64", "ld.param.u64 %d1, [p0];"},
    {"ld.global.u32", "ld.global.u32 %r1, [%base];"},
    {"ld.global.u64", "ld.global.u64 %d1, [%base];"},
    {"ld.v4.u32", "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%base16];"},
    {"st.global.u32", "st.global.u32 [%base], %r1;"},
    {"ld.shared.u32", "ld.shared.u32 %r1, [%lane];"},
    {"ld.u32 generic", "ld.u32 %r1, [%base];"},
    {"atom.add.u32", "atom.global.add.u32 %r1, [%base], 1;"},
    {"shfl.bfly", "shfl.bfly.b32 %r1, %r2, 1, 31;"},
    {"vote.ballot", "vote.ballot.b32 %r1, %p1;"},
    {"bra", "@%p1 bra L;"},
};

enum { COPIES = 64, ROUNDS = 4000 };

static double run(const sample *s, uint32_t mask) {
  static char text[1 << 15];
  char *out = text;
  out +=
      sprintf(out, ".version 3.2\n.target sm_35\n.address_size 64\n.entry k(.param .u64 p0) {\n"
                   ".reg .b16 %%h<4>; .reg .b32 %%r<8>, %%t; .reg .b64 %%d<8>, %%base, %%base16, "
                   "%%lane; .reg .f32 %%f<8>; .reg .f64 %%g<8>; .reg .pred %%p<8>;\n"
                   ".shared .b8 buffer[4096];\n"
                   "ld.param.u64 %%base, [p0]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%lane, %%t, 8; "
                   "add.u64 %%base16, %%base, %%lane; add.u64 %%base16, %%base16, %%lane; "
                   "add.u64 %%base, %%base, %%lane;\n");
  for (int k = 0; k < 8; k++)
    out += sprintf(out,
                   "mad.lo.u32 %%r%d, %%t, 77, %d; cvt.u64.u32 %%d%d, %%r%d; "
                   "cvt.rn.f32.u32 %%f%d, %%r%d; cvt.rn.f64.u32 %%g%d, %%r%d; "
                   "setp.gt.u32 %%p%d, %%r%d, 999;\n",
                   k, k + 1, k, k, k, k, k, k, k, k);
  out += sprintf(out, "test.here;\n");
  for (int k = 0; k < COPIES; k++) out += sprintf(out, "%s\n", s->text);
  sprintf(out, "L: ret; }\n");
  lane_machine m;
  machine_create(&m, text, HARNESS_MEMORY);
  machine_run(&m, UINT32_MAX);
  uint32_t first = 0;
  while (m.kernel->insts[first].cls != PTX_CLASS_CUSTOM) first++;
  first++;
  ptx_effect effect;
  wf_error err = {0};
  struct timespec a, b;
  double best = 1e9;
  for (int attempt = 0; attempt < 5; attempt++) {
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int r = 0; r < ROUNDS / 5; r++)
      for (uint32_t i = first; i < first + COPIES; i++)
        if (!ptx_execute(&m.kernel->insts[i], &m.warp, mask, &effect, &err))
          fail_msg("%s", err.text);
    clock_gettime(CLOCK_MONOTONIC, &b);
    const int executed = COPIES * (ROUNDS / 5);
    const double ns =
        ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / executed;
    if (ns < best) best = ns;
  }
  machine_destroy(&m);
  return best;
}

int main(void) {
  printf("%-18s %10s %10s   ns per warp instruction\n", "instruction", "32 lanes", "8 lanes");
  for (size_t k = 0; k < sizeof samples / sizeof *samples; k++)
    printf("%-18s %10.1f %10.1f\n", samples[k].name, run(&samples[k], UINT32_MAX),
           run(&samples[k], 0x0f00000f));
  return 0;
}
