/* Traces: what readers make of each version and address mode, that what is malformed is refused
 * with its place, and that warps are given what the file says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <cmocka.h>

#include "sim/graph/graph.h"
#include "sim/trace/pack.h"
#include "sim/trace/trace.h"

/* ---- files ---- */

typedef struct folder {
  char path[64];
} folder;

static int make_folder(void **state) {
  folder *f = calloc(1, sizeof *f);
  strcpy(f->path, "/tmp/warpfab-trace-XXXXXX");
  *state = f;
  return mkdtemp(f->path) ? 0 : -1;
}

static int remove_folder(void **state) {
  folder *f = *state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", f->path);
  const int rc = system(command);
  free(f);
  return rc;
}

static void put_bytes(const folder *f, const char *name, const void *data, size_t n) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", f->path, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, n, file), n);
  fclose(file);
}

static void put(const folder *f, const char *name, const char *text) {
  put_bytes(f, name, text, strlen(text));
}

/* One block of one warp of 32 threads. */
#define HEADER(version, rest)                                                                      \
  "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = "        \
  "0\n-nregs = 16\n"                                                                               \
  "-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0001001000\n"             \
  "-local mem base_addr = 0x00007f0000000000\n-nvbit version = 1.5\n-accelsim tracer version "     \
  "= " version "\n" rest "\n#traces format = ...\n"
#define BLOCK(count, lines)                                                                        \
  "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " count "\n" lines "\n#END_TB\n"
#define EXIT_LINE "0100 ffffffff 0 EXIT 0 0 \n"

static wf_trace *open_text(const folder *f, const char *text) {
  wf_error err = {0};
  char path[128];
  put(f, "kernel-1.traceg", text);
  snprintf(path, sizeof path, "%s/kernel-1.traceg", f->path);
  wf_trace *t = wf_trace_open(path, NULL, &err);
  if (!t) fail_msg("%s", err.text);
  return t;
}

static const wf_trace_op *op_at(const wf_trace *t, uint64_t pc) {
  const wf_trace_program *p = wf_trace_program_at(t, 0);
  for (uint32_t i = 0; i < p->n_ops; i++)
    if (p->ops[i].pc == pc) return &p->ops[i];
  fail_msg("no instruction at pc %llx", (unsigned long long)pc);
  return NULL;
}

/* ---- running a warp of the source by hand ---- */

typedef struct step {
  const ptx_inst *inst;
  ptx_effect effect;
} step;

/* All instructions of the given block's warp, as the fabric would see them. */
static unsigned follow(wf_trace *t, size_t launch, unsigned warps, step *steps, unsigned room) {
  wf_error err = {0};
  wf_trace_place(t, 0x10000);
  wf_trace_replay *r = wf_trace_replay_create(t, &err);
  assert_non_null(r);
  wf_warp_source *s = wf_trace_replay_launch(r, launch, &err);
  assert_non_null(s);
  const ptx_kernel *k = wf_trace_kernel_of(t, launch);
  assert_true(s->begin(s, NULL, 0, 0, &err));
  unsigned n = 0;
  uint32_t cta[3] = {0};
  s->start_cta(s, cta);
  ptx_warp w[32] = {0};
  ptx_pc pc[32];
  for (unsigned i = 0; i < warps; i++) {
    w[i] = (ptx_warp){.warp_in_cta = i, .warp_slot = i};
    pc[i] = s->start_warp(s, &w[i]);
  }
  for (unsigned i = 0; i < warps; i++) {
    for (; pc[i] < k->n_insts; pc[i] = s->next(s, &w[i])) {
      assert_true(n < room);
      steps[n].inst = &k->insts[pc[i]];
      assert_true(s->execute(s, steps[n].inst, &w[i], UINT32_MAX, &steps[n].effect, &err));
      n++;
    }
    assert_true(n > 0 &&
                steps[n - 1].inst->cls == PTX_CLASS_EXIT); /* a warp's last is always one */
    s->end_warp(s, &w[i]);
  }
  assert_true(s->end(s, &err));
  wf_trace_replay_destroy(r);
  return n;
}

/* ---- versions and modes ---- */

static void address_modes(void **state) {
  wf_trace *t = open_text(
      *state,
      HEADER("3", "") BLOCK("5", "0000 0000000f 1 R2 LDG.E 1 R4 4 0 0x7f1000000000 0x7f1000000010 "
                                 "0x7f1000000020 0x7f1000000030 \n"
                                 "0010 000000f0 1 R3 LDG.E.64 1 R6 8 1 0x7f1000001000 8 \n"
                                 "0020 80000011 0 STG.E.U8 2 R4 R2 1 2 0x7f1000002000 -16 300 \n"
                                 "0030 00000000 1 R9 LDG.E.128 1 R6 16 1 0x0 0 \n" EXIT_LINE));
  step s[8];
  assert_int_equal(follow(t, 0, 1, s, 8), 5);
  assert_int_equal(s[0].effect.active, 0xf);
  assert_int_equal(s[0].effect.space, PTX_SPACE_GLOBAL);
  for (unsigned l = 0; l < 4; l++) assert_int_equal(s[0].effect.addr[l], 0x10000 + 0x10 * l);
  for (unsigned l = 0; l < 4; l++) assert_int_equal(s[1].effect.addr[4 + l], 0x11000 + 8 * l);
  assert_int_equal(s[2].effect.addr[0], 0x12000);
  assert_int_equal(s[2].effect.addr[4], 0x12000 - 16);
  assert_int_equal(s[2].effect.addr[31], 0x12000 - 16 + 300);
  assert_int_equal(s[3].effect.active, 0);
  /* widths and registers: pairs of a 64-bit load, quadruples of a 128-bit one, the address pair of
   * .E */
  assert_int_equal(s[1].inst->n_dst, 2);
  assert_int_equal(s[1].inst->dst[1], 4);
  assert_int_equal(s[1].inst->bytes * s[1].inst->vec, 8);
  assert_int_equal(s[3].inst->n_dst, 4);
  assert_int_equal(s[3].inst->bytes * s[3].inst->vec, 16);
  assert_int_equal(s[0].inst->n_src, 2);
  assert_int_equal(s[0].inst->src[1], 5);
  assert_int_equal(s[2].inst->bytes, 1);
  assert_int_equal(s[2].inst->cls, PTX_CLASS_STORE);
  wf_trace_close(t);
}

static void versions(void **state) {
  /* 1 and 2 say place and warp in each line; 4 may have source lines; 5 ends lines with an
   * immediate */
  static const struct {
    const char *text;
  } cases[] = {
      {HEADER("1", "") BLOCK("2", "0 0 0 0 0000 00000001 1 R2 LDG.E 1 R4 4 0 0x500040 \n0 0 0 0 "
                                  "0100 ffffffff 0 EXIT 0 0 \n")},
      {HEADER("2", "") BLOCK("2", "0 0 0 0 0000 00000001 1 R2 LDG.E 1 R4 4 0 0x500040 \n0 0 0 0 "
                                  "0100 ffffffff 0 EXIT 0 0 \n")},
      {HEADER("3", "") BLOCK("2", "0000 00000001 1 R2 LDG.E 1 R4 4 0 0x500040 \n" EXIT_LINE)},
      {HEADER("4", "-enable lineinfo = 0")
           BLOCK("2", "0000 00000001 1 R2 LDG.E 1 R4 4 0 0x500040 \n" EXIT_LINE)},
      {HEADER("4", "-enable lineinfo = 1")
           BLOCK("2", "77 0000 00000001 1 R2 LDG.E 1 R4 4 0 0x500040 \n78 " EXIT_LINE)},
      {HEADER("5", "-enable lineinfo = 0") BLOCK(
          "2", "0000 00000001 1 R2 LDG.E 1 R4 4 2 0x500040 16 \n0100 ffffffff 0 EXIT 0 0 0 \n")},
      /* two immediates, and where the block stands in a cluster: NVBit 1.8 */
      {HEADER("5", "-enable lineinfo = 0") "#BEGIN_TB\nthread block = 0,0,0\ncluster id = "
                                           "0,0,0\ncluster cta = "
                                           "0,0,0\ncluster rank = 0\n\nwarp = 0\ninsts = 2\n0000 "
                                           "00000001 1 R2 LDG.E 1 R4 4 2 0x500040 -1 7 \n"
                                           "0100 ffffffff 0 EXIT 0 0 0 0 \n\n#END_TB\n"},
      {HEADER("6", "") BLOCK("2", "0000 00000001 1 R2 LDG.E 1 R4 4 1 0x500040 0 0 0 Val 1 [0x17] \n"
                                  "0100 ffffffff 0 EXIT 0 0 0 0 NoVal \n")},
      {HEADER("6", "") "0 0 0 0 0000 00000001 1 R2 LDG.E 1 R4 4 0 0x500040 0 0.5 NoVal \n0 0 0 0 "
                       "0100 ffffffff "
                       "0 EXIT 0 0 0 0 NoVal \n"},
      /* as the tracer writes it, before blocks are grouped */
      {HEADER("3", "") "0 0 0 0 0000 00000001 1 R2 LDG.E 1 R4 4 0 0x500040 \n0 0 0 0 0100 ffffffff "
                       "0 EXIT 0 0 \n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wf_trace *t = open_text(*state, cases[i].text);
    step s[4];
    assert_int_equal(follow(t, 0, 1, s, 4), 2);
    assert_int_equal(s[0].effect.active, 1);
    assert_int_equal(s[0].effect.addr[0], 0x10040);
    assert_int_equal(wf_trace_launch_at(t, 0)->instructions, 2);
    wf_trace_close(t);
  }
}

/* Uniform registers stand behind the others; the last is none. One beside an address is a pair. */
static void uniform_registers(void **state) {
  wf_trace *t = open_text(
      *state,
      HEADER("6", "") BLOCK("6", "0000 ffffffff 1 UR4 ULDC.64 0 0 0 0 NoVal \n"
                                 "0010 ffffffff 1 R10 IMAD 3 R10 UR4 R255 0 0 0 NoVal \n"
                                 "0020 ffffffff 1 UR6 UMOV 1 UR63 0 0 0 NoVal \n"
                                 "0030 00000001 1 R2 LDG.E.64 2 R8 UR4 8 0 0x500040 0 0 NoVal \n"
                                 "0040 ffffffff 1 UR62 ULDC.64 0 0 0 0 NoVal \n"
                                 "0100 ffffffff 0 EXIT 0 0 0 0 NoVal \n"));
  enum { UR0 = WF_TRACE_UR0 };
  const ptx_inst *i = &op_at(t, 0)->inst;
  assert_int_equal(i->n_dst, 2);
  assert_int_equal(i->dst[0], UR0 + 4);
  assert_int_equal(i->dst[1], UR0 + 5);
  i = &op_at(t, 0x10)->inst;
  assert_int_equal(i->n_src, 2);
  assert_int_equal(i->src[0], 10);
  assert_int_equal(i->src[1], UR0 + 4);
  i = &op_at(t, 0x20)->inst;
  assert_int_equal(i->n_src, 0);
  assert_int_equal(i->dst[0], UR0 + 6);
  i = &op_at(t, 0x30)->inst;
  assert_int_equal(i->n_src, 4);
  assert_int_equal(i->src[1], 9);
  assert_int_equal(i->src[2], UR0 + 4);
  assert_int_equal(i->src[3], UR0 + 5);
  assert_int_equal(op_at(t, 0x40)->inst.n_dst, 1);        /* UR63 reads zero */
  assert_int_equal(wf_trace_kernel_of(t, 0)->n_regs, 16); /* they take no room of a thread's */
  assert_string_equal(op_at(t, 0x10)->text, "IMAD R10 <- R10 UR4 R255");
  wf_trace_close(t);
}

/* More SMs than the machines of 2010 had. */
static void many_sms(void **state) {
  wf_error err = {0};
  wf_trace *t = open_text(*state, HEADER("3", "") BLOCK("1", EXIT_LINE));
  wf_trace_place(t, 0x10000);
  wf_trace_replay *r = wf_trace_replay_create(t, &err);
  wf_warp_source *s = wf_trace_replay_launch(r, 0, &err);
  assert_non_null(s);
  assert_true(s->begin(s, NULL, 0, 0, &err));
  uint32_t cta[3];
  s->start_cta(s, cta);
  ptx_warp w = {.sm_id = WF_SOURCE_SMS - 1, .warp_slot = WF_SOURCE_SLOTS - 1};
  assert_int_equal(s->start_warp(s, &w), 1); /* an exit that ends its warp */
  s->end_warp(s, &w);
  assert_true(s->end(s, &err));
  wf_trace_replay_destroy(r);
  wf_trace_close(t);
}

static void windows(void **state) {
  wf_trace *t = open_text(
      *state,
      HEADER("3", "") BLOCK(
          "6",
          "0000 00000001 1 R2 LD.E 1 R4 4 0 0x7f0001001020 \n" /* generic, in the shared window */
          "0010 00000001 1 R2 LD.E 1 R4 4 0 0x7f0000fffd00 \n" /* generic, in the local one */
          "0020 00000001 1 R2 LD.E 1 R4 4 0 0x7f2000000000 \n"
          "0030 00000003 1 R2 LDS 1 R4 4 1 0x40 4 \n"
          "0040 00000001 0 STL 2 R1 R2 4 0 0x7f0000fffd10 \n" EXIT_LINE));
  step s[8];
  assert_int_equal(follow(t, 0, 1, s, 8), 6);
  assert_int_equal(s[0].effect.space, PTX_SPACE_SHARED);
  assert_int_equal(s[0].effect.addr[0], 0x20);
  assert_int_equal(s[1].effect.space, PTX_SPACE_LOCAL);
  assert_int_equal(s[1].effect.addr[0], 0);
  assert_int_equal(s[2].effect.space, PTX_SPACE_GLOBAL);
  assert_int_equal(s[3].effect.space, PTX_SPACE_SHARED);
  assert_int_equal(s[3].effect.addr[1], 0x44);
  assert_int_equal(s[4].effect.space, PTX_SPACE_LOCAL);
  assert_int_equal(s[4].effect.addr[0], 0x10);
  assert_int_equal(wf_trace_kernel_of(t, 0)->local_bytes, 0x20);
  wf_trace_close(t);
}

/* An asynchronous copy stands twice in ungrouped files: the second is kept. Copies by descriptor
 * have addresses in forms of their own. */
static void copies(void **state) {
  wf_trace *t = open_text(
      *state,
      HEADER("3",
             "") "0 0 0 0 0000 00000003 0 LDGSTS.E.128 2 R4 R6 16 1 0x7f0001000000 16 \n"
                 "0 0 0 0 0000 00000003 0 LDGSTS.E.128 2 R4 R6 16 1 0x500000 16 \n"
                 "0 0 0 0 0010 ffffffff 0 LDGDEPBAR 0 0 \n0 0 0 0 0100 ffffffff 0 EXIT 0 0 \n");
  step s[6];
  assert_int_equal(follow(t, 0, 1, s, 6), 3);
  assert_int_equal(s[0].inst->cls, PTX_CLASS_LOAD);
  assert_int_equal(s[0].effect.addr[1], 0x10010);
  assert_int_equal(s[0].inst->dst[0], s[1].inst->src[0]); /* DEPBAR waits for it */
  wf_trace_close(t);
  const char *text = HEADER("5", "") BLOCK(
      "2", "0000 ffffffff 0 UBLKCP 0 16 3 2 0x500000 0x600000 7\n0100 ffffffff 0 EXIT 0 0 0 \n");
  t = open_text(*state, text);
  assert_int_equal(follow(t, 0, 1, s, 6), 2);
  assert_int_equal(s[0].inst->cls, PTX_CLASS_INT);
  wf_trace_close(t);
}

/* An exit that not all lanes take does not end a warp; a warp whose trace has no exit ends all the
 * same. */
static void exits_and_loops(void **state) {
  wf_trace *t = open_text(
      *state,
      HEADER("3", "") BLOCK("8", "0000 ffffffff 1 R1 MOV 0 0 \n0010 0000ffff 0 EXIT 0 0 \n0020 "
                                 "ffff0000 1 R2 IADD3 1 R1 0 \n0030 ffff0000 0 BRA 0 0 \n"
                                 "0020 ffff0000 1 R2 IADD3 1 R1 0 \n0030 00000000 0 BRA 0 0 \n0040 "
                                 "ffff0000 1 R3 FROBNICATE.X 1 R2 0 \n"
                                 "0050 ffff0000 1 R3 MOV 0 0 \n"));
  const ptx_kernel *k = wf_trace_kernel_of(t, 0);
  step s[12];
  assert_int_equal(follow(t, 0, 1, s, 12), 9);
  assert_int_equal(s[1].inst->cls, PTX_CLASS_INT);
  assert_int_equal(s[3].inst->cls, PTX_CLASS_BRANCH);
  assert_int_equal(s[8].effect.active, 0);
  assert_int_equal(k->n_loops, 1);
  assert_ptr_equal(&k->insts[k->loops[0].low], s[2].inst);
  assert_ptr_equal(&k->insts[k->loops[0].high], s[3].inst);
  assert_int_equal(k->loop_of[s[2].inst - k->insts], 0);
  assert_int_equal(k->loop_of[0], PTX_NO_LOOP);
  char *unknown = wf_trace_unknown_text(t);
  assert_non_null(strstr(unknown, "FROBNICATE.X is not known for Ampere: 1 warp"));
  free(unknown);
  assert_false(op_at(t, 0x40)->known);
  assert_int_equal(op_at(t, 0x40)->inst.cls, PTX_CLASS_INT);
  wf_trace_close(t);
}

/* A branch after which other lanes go on further up is no loop. Pages lie in the order of their
 * addresses, whichever is touched first. */
static void turns_and_pages(void **state) {
  wf_trace *t = open_text(
      *state,
      HEADER("3", "") BLOCK("6", "0000 ffffffff 0 BRA 0 0 \n0020 0000ffff 1 R2 LDG.E 1 R4 4 1 "
                                 "0x7f1000050000 4 \n0030 0000ffff 0 BRA 0 0 \n"
                                 "0010 ffff0000 1 R2 LDG.E 1 R4 4 1 0x7f1000020000 4 \n0020 "
                                 "ffff0000 1 R2 LDG.E 1 R4 4 1 0x7f1000010000 4 \n" EXIT_LINE));
  step s[8];
  assert_int_equal(wf_trace_kernel_of(t, 0)->n_loops, 0);
  assert_int_equal(follow(t, 0, 1, s, 8), 6);
  assert_int_equal(s[1].effect.addr[0], 0x30000);
  assert_int_equal(s[3].effect.addr[16], 0x20000);
  assert_int_equal(s[4].effect.addr[16], 0x10000);
  wf_trace_close(t);
}

static void classes(void **state) {
  static const struct {
    unsigned version;
    const char *opcode;
    ptx_class cls;
    bool known;
  } c[] = {{35, "LD.E.64", PTX_CLASS_LOAD, true},
           {35, "IADD3", PTX_CLASS_INT, false},
           {52, "XMAD.MRG", PTX_CLASS_IMUL, true},
           {61, "XMAD", PTX_CLASS_IMUL, true},
           {70, "XMAD", PTX_CLASS_INT, false},
           {70, "BAR.SYNC", PTX_CLASS_BARRIER, true},
           {70, "BAR.ARV", PTX_CLASS_INT, true},
           {75, "ULDC.64", PTX_CLASS_LOAD, true},
           {70, "ULDC", PTX_CLASS_INT, false},
           {80, "LDGSTS.E.BYPASS.128", PTX_CLASS_LOAD, true},
           {75, "LDGSTS", PTX_CLASS_INT, false},
           {80, "MUFU.RCP", PTX_CLASS_SFU, true},
           {80, "IMAD.MOV.U32", PTX_CLASS_INT, true},
           {80, "IMAD.WIDE", PTX_CLASS_IMUL, true},
           {90, "LDGMC.E", PTX_CLASS_LOAD, true},
           {90, "WARPGROUPSET", PTX_CLASS_INT, true},
           {90, "UCGABAR_ARV", PTX_CLASS_INT, true},
           {89, "QMMA.16832.F32.E4M3.E4M3", PTX_CLASS_FP32, true},
           {86, "LDGMC", PTX_CLASS_INT, false},
           {90, "VIADD", PTX_CLASS_INT, true},
           {80, "VIADD", PTX_CLASS_INT, false},
           {80, "DFMA", PTX_CLASS_FP64, true},
           {80, "I2F.F64", PTX_CLASS_FP64, true},
           {80, "MEMBAR.SC.GPU", PTX_CLASS_FENCE, true},
           {80, "EXIT", PTX_CLASS_EXIT, true},
           {80, "ATOMG.E.ADD", PTX_CLASS_ATOMIC, true},
           {80, "RED.E.ADD.STRONG.GPU", PTX_CLASS_ATOMIC, true}};
  (void)state;
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    wf_sass_generation g;
    assert_true(wf_sass_generation_of(c[i].version, &g));
    const wf_sass_class got = wf_sass_classify(g, c[i].opcode, strlen(c[i].opcode));
    if (got.cls != c[i].cls || got.known != c[i].known)
      fail_msg("%s of version %u", c[i].opcode, c[i].version);
  }
  wf_sass_generation g;
  assert_false(wf_sass_generation_of(20, &g));
  assert_false(wf_sass_generation_of(100, &g));
}

/* ---- folders, packed files ---- */

static const char small[] =
    HEADER("3", "") BLOCK("2", "0000 00000001 1 R2 LDG.E 1 R4 4 0 0x500040 \n" EXIT_LINE);

static void packed_files(void **state) {
  const folder *f = *state;
  enum { ROOM = 4096 };
  unsigned char gz[ROOM], zst[ROOM], xz[ROOM];
  z_stream z = {0};
  assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, 0), Z_OK);
  z.next_in = (unsigned char *)(uintptr_t)small, z.avail_in = sizeof small - 1, z.next_out = gz,
  z.avail_out = ROOM;
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  put_bytes(f, "kernel-1.traceg.gz", gz, ROOM - z.avail_out);
  deflateEnd(&z);
  put_bytes(f, "kernel-2.traceg.zst", zst, ZSTD_compress(zst, ROOM, small, sizeof small - 1, 3));
  size_t n = 0;
  assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)small,
                                           sizeof small - 1, xz, &n, ROOM),
                   LZMA_OK);
  put_bytes(f, "kernel-3.traceg.xz", xz, n);
  put(f, "kernel-4.traceg", small);
  /* listed with or without the ending; copies to the device count, others do not */
  put(f, "kernelslist.g",
      "MemcpyHtoD,0x00007f1000000000,4096\nkernel-1.traceg\nkernel-2.traceg.zst\r\nMemcpyDtoH,0x1,"
      "2\n\n"
      "kernel-3.traceg.xz\nkernel-4.traceg.xz\n");
  wf_error err = {0};
  wf_trace *t = wf_trace_open(f->path, NULL, &err);
  if (!t) fail_msg("%s", err.text);
  assert_int_equal(wf_trace_launch_count(t), 4);
  size_t steps;
  const wf_trace_step *s = wf_trace_steps(t, &steps);
  assert_int_equal(steps, 5);
  assert_true(s[0].is_copy && s[0].bytes == 4096);
  step got[4];
  assert_int_equal(follow(t, 3, 1, got, 4), 2);                         /* skips three */
  assert_ptr_equal(wf_trace_kernel_of(t, 0), wf_trace_kernel_of(t, 3)); /* one program */
  wf_trace_close(t);
  /* cut short */
  put_bytes(f, "kernel-3.traceg.xz", xz, n - 20);
  assert_null(wf_trace_open(f->path, NULL, &err));
  assert_non_null(strstr(err.text, "kernel-3.traceg.xz"));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  xz[n / 2] ^= 0x55;
  put_bytes(f, "kernel-3.traceg.xz", xz, n);
  assert_null(wf_trace_open(f->path, NULL, &err));
  assert_non_null(strstr(err.text, "xz data"));
}

/* ---- what is refused ---- */

static void expect_refused(const folder *f, const char *name, const char *text,
                           const char *message) {
  char path[128];
  wf_error err = {0};
  put(f, name, text);
  snprintf(path, sizeof path, "%s/%s", f->path, strncmp(name, "kernelslist", 11) ? name : "");
  wf_trace *t = wf_trace_open(path, NULL, &err);
  if (t) fail_msg("taken, but should say: %s", message);
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  if (!strstr(err.text, message)) fail_msg("says: %s\nshould: %s", err.text, message);
  unlink(path);
}

static void refused(void **state) {
  static const struct {
    const char *text, *message;
  } c[] = {
      {"", "kernel-1.traceg: the file is empty"},
      {"-kernel name = k\n", "ends within its header"},
      {"hello\n", ":1: header: expected lines"},
      {"-kernel name k\n", ":1: header: expected \"-key = value\""},
      {"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#\n",
       "-binary version = is missing"},
      {"-kernel name = k\n-grid dim = (1,0,1)\n", ":2: header: grid dim"},
      {"-kernel name = k\n-block dim = (1025,1,1)\n", ":2: header: block dim"},
      {"-kernel name = k\n-binary version = 20\n", "binary version 20: 30 to 90"},
      {HEADER("7", ""), "tracer version 7: versions 1 to 6"},
      {HEADER("3", "") "#BEGIN_TB\n", "ends within a thread block"},
      {HEADER("3", ""), "holds 0 thread blocks, the grid has 1"},
      {HEADER("3", "") "#BEGIN_TB\nthread block = 1,0,0\n",
       "thread block 1,0,0 is outside the grid 1,1,1"},
      {HEADER("3", "") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\n",
       "warp 1: a block has 1 warps"},
      {HEADER("3", "") "#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n",
       "ends with 0 warps, it must list all 1"},
      {HEADER("3", "") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n" EXIT_LINE,
       "ends without the #END_TB of thread block 0,0,0, which begins at line 15: it is "
       "truncated"},
      {HEADER("3", "") BLOCK("2", EXIT_LINE),
       ":23: warp 0 announces 2 instructions, 1 of them are missing"},
      {HEADER("3", "") BLOCK("1", EXIT_LINE EXIT_LINE),
       "thread block: expected \"warp = N\" or #END_TB, found \"0100\""},
      {HEADER("3", "") "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n" EXIT_LINE
                       "#BEGIN_TB\n",
       ":20: #END_TB is missing before this #BEGIN_TB: thread block 0,0,0 begins at line 15"},
      {HEADER("3", "") "#END_TB\n",
       ":15: body: expected #BEGIN_TB or the end of the file, found \"#END_TB\""},
      {HEADER("5", "") "#BEGIN_TB\nthread block = 0,0,0\ncluster id = 0,0\n",
       ":17: expected \"cluster id = x,y,z\""},
      {HEADER("5", "") "#BEGIN_TB\nthread block = 0,0,0\ncluster rank = r\n",
       ":17: expected \"cluster rank = N\""},
      {HEADER("5", "") BLOCK("1", "0000 1 0 MOV 0 0 1 2 3\n"),
       "expected the end of the line, found \"3\""},
      {HEADER("5", "") BLOCK("1", "0000 1 0 MOV 0 0 huh\n"),
       "expected an immediate, a number, found \"huh\""},
      {HEADER("6", "") BLOCK("1", "0000 1 0 MOV 0 0 1 NoVal\n"),
       "expected two immediates, numbers, found \"NoVal\""},
      {HEADER("6", "") BLOCK("1", "0000 1 0 MOV 0 0 1 2\n"),
       "Val or NoVal behind two immediates (tracer version 6), found the end of the line"},
      {HEADER("6", "") BLOCK("1", "0000 1 1 R1 MOV 0 0 1 2 Val 2 0x5\n"),
       "Val announces 2 values, the line has 1"},
      {HEADER("6", "") BLOCK("1", "0000 1 1 R1 MOV 0 0 1 2 Val x\n"),
       "the number of values behind Val, found \"x\""},
      {HEADER("6", "") BLOCK("1", "0000 f 1 UR64 UMOV 0 0 0 0 NoVal\n"),
       "R255 or UR0 to UR63, found \"UR64\""},
      {HEADER("6", "") BLOCK("1", "0000 f 1 UP0 UMOV 0 0 0 0 NoVal\n"), "found \"UP0\""},
      {HEADER("3", "") BLOCK("1", EXIT_LINE) BLOCK("1", EXIT_LINE),
       "thread block 0,0,0 is there twice"},
      {HEADER("3", "") BLOCK("1", "0000 fffffffff 0 EXIT 0 0\n"),
       "mask of 32 lanes, found \"fffffffff\""},
      {HEADER("3", "") BLOCK("1", "0000 f 3 R1 R2 R3 MOV 0 0\n"),
       "destination registers, 0 to 2, found \"3\""},
      {HEADER("3", "") BLOCK("1", "0000 f 1 R256 MOV 0 0\n"),
       "a register R0 to R255 or UR0 to UR63, found \"R256\""},
      {HEADER("3", "") BLOCK("1", "0000 f 1 R2 MOV 0\n"),
       "width of a memory access in bytes, 0 to 64, found the end of the line"},
      {HEADER("3", "") BLOCK("1", "0000 3 1 R2 LDG.E 1 R4 4 0 0x10\n"),
       "one hexadecimal address per set bit of the mask"},
      {HEADER("3", "") BLOCK("1", "0000 5 1 R2 LDG.E 1 R4 4 1 0x10 4\n"),
       "base and stride with the mask 00000005"},
      {HEADER("3", "") BLOCK("1", "0000 7 1 R2 LDG.E 1 R4 4 2 0x10 4\n"),
       "a decimal difference for each further bit"},
      {HEADER("3", "") BLOCK("1", "0000 7 1 R2 LDG.E 1 R4 4 3 0x10 4\n"),
       "an address mode: 0 list"},
      {HEADER("3", "") BLOCK("1", "0000 1 1 R2 LDG.E 1 R4 4 0 0x10 4\n"),
       "expected the end of the line, found \"4\""},
      {HEADER("2", "") BLOCK("1", "0 0 0 1 0000 1 0 EXIT 0 0\n"), "warp 1: a block has 1 warps"},
      {HEADER("3", "-warpfab inst = 0 99 0 0 0 0 0 0 | x | y"), "header: warpfab inst"},
      {HEADER("3", "-warpfab loop = 0 9 0"), "header: warpfab loop"},
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++)
    expect_refused(*state, "kernel-1.traceg", c[i].text, c[i].message);
  expect_refused(*state, "kernelslist.g", "kernel-9.traceg\n",
                 "kernelslist.g:1: kernel file kernel-9.traceg is not in the folder");
  expect_refused(*state, "kernelslist.g", "\nMemcpyHtoD,0x12\n",
                 "kernelslist.g:2: expected MemcpyHtoD,0xADDRESS,BYTES");
  expect_refused(*state, "kernelslist.g", "MemcpyHtoD,0x12,4\n",
                 "there is no kernel in this trace");
}

/* ---- NVBit ---- */

#define LAUNCH                                                                                     \
  "MEMTRACE: CTX 0x0000560df95ced70 - LAUNCH - Kernel pc 0x00007faedadc0200 - Kernel name void "   \
  "k<int>(int*) - grid launch id 1 - grid size 2,1,1 - block size 64,1,1 - nregs 20 - shmem 16 - " \
  "cuda stream id 9\n"
#define ACCESS(cta, warp, opcode, addresses)                                                       \
  "MEMTRACE: CTX 0x0000560df95ced70 - grid_launch_id 1 - CTA " cta " - warp " warp " - " opcode    \
  " - " addresses "\n"
#define ZEROS8 "0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 "
#define FOUR "0x7f00 0x7f04 0x7f08 0x7f0c 0x0 0x0 0x0 0x0 " ZEROS8 ZEROS8 ZEROS8

static void nvbit(void **state) {
  const folder *f = *state;
  put(f, "out.txt",
      "NVBit loaded\n" LAUNCH ACCESS("1,0,0", "7", "LDG.E", FOUR) "hello from the program\n" ACCESS(
          "0,0,0", "3", "LDG.E", FOUR) ACCESS("1,0,0", "2", "STG.E", FOUR)
          ACCESS("1,0,0", "7", "STG.E", FOUR));
  char path[128];
  snprintf(path, sizeof path, "%s/out.txt", f->path);
  wf_error err = {0};
  wf_trace *t = wf_trace_open(path, NULL, &err);
  if (!t) fail_msg("%s", err.text);
  const wf_trace_launch *l = wf_trace_launch_at(t, 0);
  assert_string_equal(l->kernel.name, "void k<int>(int*)");
  assert_int_equal(l->instructions, 4);
  assert_int_equal(l->loads, 2);
  assert_int_equal(l->threads, 16);
  step s[8];
  assert_int_equal(follow(t, 0, 2, s, 8), 3); /* block 0: one load of its first warp; both end */
  assert_int_equal(s[0].inst->cls, PTX_CLASS_LOAD);
  assert_int_equal(s[0].effect.active, 0xf);
  assert_int_equal(s[0].effect.addr[3], 0x17f0c);
  wf_trace_close(t);
  expect_refused(f, "out.txt", ACCESS("0,0,0", "3", "LDG.E", FOUR),
                 "out.txt:1: a memory access before the first LAUNCH");
  expect_refused(f, "out.txt", LAUNCH ACCESS("2,0,0", "3", "LDG.E", FOUR),
                 "out.txt:2: CTA 2,0,0 is outside the grid 2,1,1");
  expect_refused(f, "out.txt", LAUNCH ACCESS("0,0,0", "3", "LDG.E", "0x1 0x2"), "number 3 is none");
  expect_refused(f, "out.txt",
                 LAUNCH ACCESS("0,0,0", "1", "LDG", FOUR) ACCESS("0,0,0", "2", "LDG", FOUR)
                     ACCESS("0,0,0", "3", "LDG", FOUR),
                 "out.txt:4: warp 3: the block's 2 warps have been seen");
}

/* ---- packing ---- */

static void packing(void **state) {
  enum { N = 2000 };
  static struct {
    uint32_t op, mask;
    uint64_t address[PTX_LANES];
    bool with;
  } all[N];
  wf_pack pack = {0};
  uint64_t x = 1;
  (void)state;
  for (unsigned i = 0; i < N; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    all[i].op = (uint32_t)(x >> 60 ? i % 50 : x >> 33);
    all[i].mask = x >> 8 & 1 ? UINT32_MAX : (uint32_t)(x >> 20);
    all[i].with = x >> 9 & 1;
    for (unsigned l = 0; l < PTX_LANES; l++)
      all[i].address[l] = x >> 10 & 1 ? x + 4 * l : x * (l + 3);
    wf_pack_put(&pack, all[i].op, all[i].mask, (ptx_space)(i % 7),
                all[i].with ? all[i].address : NULL);
  }
  wf_unpack u = wf_unpack_start(&pack);
  for (unsigned i = 0; i < N; i++) {
    uint64_t address[PTX_LANES] = {0};
    assert_true(wf_unpack_next(&u));
    assert_int_equal(u.op, all[i].op);
    assert_int_equal(u.mask, all[i].mask);
    assert_int_equal(u.addressed, all[i].with && all[i].mask);
    if (!u.addressed) continue;
    assert_int_equal(u.space, i % 7);
    wf_unpack_addresses(&u, address);
    for (uint32_t m = u.mask; m; m &= m - 1)
      assert_int_equal(address[__builtin_ctz(m)], all[i].address[__builtin_ctz(m)]);
  }
  assert_false(wf_unpack_next(&u));
  wf_pack_free(&pack);
}

/* ---- real traces, where they are ---- */

static bool shared_trace(const char *name, char path[256]) {
  const char *shared = getenv("SHARED") ? getenv("SHARED") : "../shared";
  snprintf(path, 256, "%s/data/traces/%s", shared, name);
  if (access(path, R_OK) == 0) return true;
  printf("SKIPPED: no %s\n", path);
  return false;
}

/* All of them are read to their end; every opcode of the H100's is known. */
static void real_traces(void **state) {
  static const struct {
    const char *name;
    uint64_t instructions;
  } all[] = {{"accelsim-bfs-rodinia-graph4096", 159509},
             {"accelsim-vectoradd", 0},
             {"accelsim-ffma-h100", 1328},
             {"format-atax-v5-64threads", 60},
             {"format-atax-v6-64threads", 60}};
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char path[256];
    wf_error err = {0};
    uint64_t n = 0;
    if (!shared_trace(all[i].name, path)) continue;
    wf_trace *t = wf_trace_open(path, NULL, &err);
    if (!t) fail_msg("%s", err.text);
    for (size_t l = 0; l < wf_trace_launch_count(t); l++)
      n += wf_trace_launch_at(t, l)->instructions;
    if (all[i].instructions) assert_int_equal(n, all[i].instructions);
    char *unknown = wf_trace_unknown_text(t);
    assert_string_equal(unknown, "");
    free(unknown);
    wf_trace_close(t);
  }
}

/* Rodinia's BFS on a graph that we have, too: each edge is loaded once, each level's vertices are
 * its frontier. */
static void real_bfs(void **state) {
  const char *shared = getenv("SHARED") ? getenv("SHARED") : "../shared";
  char path[256], graph_path[256];
  (void)state;
  snprintf(graph_path, sizeof graph_path, "%s/data/graphs/rodinia-graph4096.el.gz", shared);
  if (!shared_trace("accelsim-bfs-rodinia-graph4096", path) || access(graph_path, R_OK)) skip();
  wf_error err = {0};
  wf_trace *t = wf_trace_open(path, NULL, &err);
  wf_graph *g = t ? wf_graph_open(graph_path, 1, &err) : NULL;
  if (!g) fail_msg("%s", err.text);
  assert_int_equal(wf_trace_launch_count(t), 16);
  assert_int_equal(op_at(t, 0x190)->threads, g->n_edges); /* edge loads: 24,576 */
  assert_int_equal(g->n_edges, 24576);
  /* levels of our own breadth-first walk from vertex 0 */
  uint32_t *level = calloc(g->n_vertices, sizeof *level),
           *queue = calloc(g->n_vertices, sizeof *queue), frontier[16] = {0};
  uint32_t head = 0, tail = 1;
  memset(level, 0xff, g->n_vertices * sizeof *level);
  level[queue[0] = 0] = 0;
  while (head < tail) {
    const uint32_t v = queue[head++];
    frontier[level[v]]++;
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++)
      if (level[g->out_col[e]] == UINT32_MAX) level[queue[tail++] = g->out_col[e]] = level[v] + 1;
  }
  /* lanes that clear their mask (store at pc 0xd0) in the launch of a level */
  wf_trace_reader *r = wf_trace_accelsim.open(path, &err);
  wf_trace_command command;
  for (unsigned launch = 0, depth = 0; wf_trace_accelsim.command(r, &command, &err) == 1;) {
    if (command.kind != WF_TRACE_KERNEL) continue;
    const bool visits = launch++ % 2 == 0;
    wf_trace_program *p = wf_trace_launch_at(t, launch - 1)->kernel.program;
    uint32_t lanes = 0;
    for (wf_trace_event e = {0}; visits;) {
      assert_true(wf_trace_accelsim.next(r, p, &e, &err));
      if (e.kind == WF_TRACE_END) break;
      if (e.kind == WF_TRACE_INST && p->ops[e.op].pc == 0xd0)
        lanes += (unsigned)__builtin_popcount(e.mask);
    }
    if (visits) assert_int_equal(lanes, frontier[depth++]);
    wf_trace_kernel_free(&command.kernel);
  }
  wf_trace_accelsim.close(r);
  free(level);
  free(queue);
  wf_graph_destroy(g);
  wf_trace_close(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(address_modes, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(versions, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(uniform_registers, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(many_sms, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(windows, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(copies, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(exits_and_loops, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(turns_and_pages, make_folder, remove_folder),
      cmocka_unit_test(classes),
      cmocka_unit_test_setup_teardown(packed_files, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(refused, make_folder, remove_folder),
      cmocka_unit_test_setup_teardown(nvbit, make_folder, remove_folder),
      cmocka_unit_test(packing),
      cmocka_unit_test(real_traces),
      cmocka_unit_test(real_bfs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
