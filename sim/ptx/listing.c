/* What there is of PTX's instructions, and what is refused, with what to do instead. */
#include "sim/ptx/listing.h"

#include <string.h>

#define INTEGERS "u16 s16 u32 s32 u64 s64"
#define BITS "b16 b32 b64"
#define HALVES "f16 f16x2 bf16 bf16x2"
#define VIDEO "u32 s32 (sat; add min max; parts b0 .. b3 h0 h1 of operands and result)"
#define ALL_VIDEO "u32 s32 (sat; add), all parts in their order"
#define ROUNDINGS "rn rz rm rp"

static const ptx_listed known[] = {
    {"add", INTEGERS " (sat: s32; cc: 32, 64 bits) f32 f64 (" ROUNDINGS " ftz sat) " HALVES},
    {"sub", INTEGERS " (sat: s32; cc: 32, 64 bits) f32 f64 (" ROUNDINGS " ftz sat) " HALVES},
    {"mul", "lo hi " INTEGERS "; wide u16 s16 u32 s32; f32 f64 (" ROUNDINGS " ftz sat) " HALVES},
    {"mad", "lo hi " INTEGERS " (sat: hi.s32; cc: 32, 64 bits); wide u16 s16 u32 s32; f32 f64"},
    {"mul24", "lo hi u32 s32"},
    {"mad24", "lo hi u32 s32 (sat: hi.s32)"},
    {"addc", "u32 s32 u64 s64 (cc)"},
    {"subc", "u32 s32 u64 s64 (cc)"},
    {"madc", "lo hi u32 s32 u64 s64 (cc)"},
    {"fma", "f32 f64 (" ROUNDINGS " ftz sat) " HALVES " (ftz sat relu)"},
    {"div", INTEGERS " f32 f64 (" ROUNDINGS " approx full ftz)"},
    {"rem", INTEGERS},
    {"abs", "s16 s32 s64 f32 f64 " HALVES " (ftz)"},
    {"neg", "s16 s32 s64 f32 f64 " HALVES " (ftz)"},
    {"min", INTEGERS " f32 f64 " HALVES " (ftz; f32 and halves: NaN xorsign.abs)"},
    {"max", INTEGERS " f32 f64 " HALVES " (ftz; f32 and halves: NaN xorsign.abs)"},
    {"sad", INTEGERS},
    {"rcp", "f32 f64 (" ROUNDINGS " approx ftz)"},
    {"sqrt", "f32 f64 (" ROUNDINGS " approx ftz)"},
    {"rsqrt", "approx f32 f64 (ftz)"},
    {"sin", "approx f32 (ftz)"},
    {"cos", "approx f32 (ftz)"},
    {"ex2", "approx f32 " HALVES " (ftz)"},
    {"lg2", "approx f32 (ftz)"},
    {"tanh", "approx f32 " HALVES},
    {"copysign", "f32 f64"},
    {"testp", "finite infinite number notanumber normal subnormal f32 f64"},
    {"dp4a", "u32 s32, each operand its own"},
    {"dp2a", "lo hi u32 s32, each operand its own"},
    {"and", BITS " pred"},
    {"or", BITS " pred"},
    {"xor", BITS " pred"},
    {"not", BITS " pred"},
    {"cnot", BITS},
    {"shl", BITS},
    {"shr", BITS " " INTEGERS},
    {"popc", "b32 b64"},
    {"clz", "b32 b64"},
    {"brev", "b32 b64"},
    {"bfind", "u32 s32 u64 s64 (shiftamt)"},
    {"bfe", "u32 s32 u64 s64"},
    {"bfi", "b32 b64"},
    {"bmsk", "clamp wrap b32"},
    {"szext", "clamp wrap u32 s32"},
    {"fns", "b32"},
    {"prmt", "b32 (f4e b4e rc8 ecl ecr rc16)"},
    {"shf", "l r clamp wrap b32"},
    {"lop3", "b32"},
    {"vadd", VIDEO},
    {"vsub", VIDEO},
    {"vabsdiff", VIDEO},
    {"vmin", VIDEO},
    {"vmax", VIDEO},
    {"vshl", VIDEO "; clamp wrap"},
    {"vshr", VIDEO "; clamp wrap"},
    {"vset", "eq ne lt le gt ge, as vadd without sat"},
    {"vadd2", ALL_VIDEO},
    {"vsub2", ALL_VIDEO},
    {"vabsdiff2", ALL_VIDEO},
    {"vavrg2", ALL_VIDEO},
    {"vmin2", ALL_VIDEO},
    {"vmax2", ALL_VIDEO},
    {"vset2", "eq ne lt le gt ge u32 s32 (add)"},
    {"vadd4", ALL_VIDEO},
    {"vsub4", ALL_VIDEO},
    {"vabsdiff4", ALL_VIDEO},
    {"vavrg4", ALL_VIDEO},
    {"vmin4", ALL_VIDEO},
    {"vmax4", ALL_VIDEO},
    {"vset4", "eq ne lt le gt ge u32 s32 (add)"},
    {"mov", "all types; addresses, special registers; a value and its parts"},
    {"selp", "all types but pred"},
    {"slct", "all types by s32 or f32 (ftz)"},
    {"setp", "all types (and or xor ftz; p|q)"},
    {"set", "all types but f16, into u32 s32 f32 (and or xor ftz)"},
    {"cvt", "all types (" ROUNDINGS " rni rzi rmi rpi ftz sat; halves: relu; tf32: rna; f16x2 and "
            "bf16x2 of two f32); pack.sat u16 s16 u8 s8"},
    {"ld", "param global (nc) shared local const, generic; all types; v2 v4, v8 of 32 bits; "
           "volatile, orders and "
           "scopes, cache operators and hints"},
    {"ldu", "as ld"},
    {"st", "global shared local param (of calls), generic; as ld"},
    {"atom", "add and or xor inc dec min max exch cas, global shared, generic; u32 s32 u64 s64 b32 "
             "b64; add f32 f64, noftz " HALVES "; cas b16"},
    {"red", "as atom, but exch and cas"},
    {"cp", "async ca cg shared.global; commit_group wait_group wait_all; mbarrier.arrive"},
    {"cvta", "global shared local const u64, and to"},
    {"isspacep", "global shared local"},
    {"prefetch", "read, without effect"},
    {"prefetchu", "read, without effect"},
    {"applypriority", "read, without effect"},
    {"discard", "read, without effect"},
    {"createpolicy", "b64: read, without effect"},
    {"bra", "(uni)"},
    {"brx", "idx (uni), without a guard: as comparisons and branches"},
    {"call", "(uni) by name, by address; vprintf __assertfail malloc free"},
    {"ret", "(uni)"},
    {"exit", ""},
    {"trap", "ends the run with code 1"},
    {"bar", "sync arrive red (popc and or), warp.sync; barriers 0 to 15, of all or some threads"},
    {"barrier", "as bar (aligned)"},
    {"membar", "cta gl sys"},
    {"fence", "sc acq_rel cta gpu sys"},
    {"shfl", "up down bfly idx b32 (sync)"},
    {"vote", "all any uni pred, ballot b32 (sync)"},
    {"match", "any all b32 b64 sync"},
    {"redux", "sync add min max u32 s32, and or xor b32"},
    {"activemask", "b32"},
    {"nanosleep", "u32: does not sleep"},
    {"mma",
     "sync.aligned row.col m16n8k8 m16n8k16 f16 bf16, m16n8k4 m16n8k8 tf32, m16n8k16 m16n8k32 "
     "s8 u8 (satfinite); into f32, f16, s32"},
    {"wmma",
     "load.a .b .c, mma, store.d; m16n16k16 m8n32k16 m32n8k16 f16 bf16 s8 u8, m16n16k8 tf32 (row "
     "col satfinite); into f32, f16, s32"},
    {"ldmatrix", "sync.aligned m8n8 x1 x2 x4 shared.b16 (trans)"},
    {"stmatrix", "as ldmatrix"},
    {"mbarrier", "init inval arrive arrive_drop test_wait try_wait (parity) shared.b64"},
    {"cuda", "stream.create launch.device launch.group: launches from device code"},
};

#define READ_AS_ARRAY "read the array with ld.global.nc (__ldg) instead"
#define WRITE_AS_ARRAY "write an array instead"
#define FOR_SM80 "compile for sm_80, with mma.sync"

static const ptx_listed refused[] = {
    {"tex", READ_AS_ARRAY},
    {"tld4", READ_AS_ARRAY},
    {"txq", "pass the size as a parameter"},
    {"suld", READ_AS_ARRAY},
    {"sust", WRITE_AS_ARRAY},
    {"sured", "use red.global on an array instead"},
    {"suq", "pass the size as a parameter"},
    {"istypep", "there are no textures and surfaces"},
    {"wgmma", FOR_SM80},
    {"tcgen05", FOR_SM80},
    {"movmatrix", "pass through shared memory and ldmatrix.trans"},
    {"tensormap", "compile for sm_80, with cp.async"},
    {"clusterlaunchcontrol", "there are no clusters: compile for sm_80"},
    {"mapa", "there are no clusters: compile for sm_80"},
    {"getctarank", "there are no clusters: compile for sm_80"},
    {"elect", "choose lane 0, or the first of activemask"},
    {"griddepcontrol", "launches run one after the other: leave it out"},
    {"setmaxnreg", "registers are as many as the kernel needs: leave it out"},
    {"multimem", "there is one GPU: use red or ld.global"},
    {"brkpt", "there is no debugger: leave it out"},
    {"pmevent", "leave it out"},
    {"alloca", "declare .local variables of constant size"},
    {"stacksave", "declare .local variables of constant size"},
    {"stackrestore", "declare .local variables of constant size"},
    {"lg", "there is lg2"},
    {"vmad", "use mad on the operands' parts (bfe)"},
};

const ptx_listed *ptx_list_known(size_t *n) {
  *n = sizeof known / sizeof *known;
  return known;
}

const ptx_listed *ptx_list_refused(size_t *n) {
  *n = sizeof refused / sizeof *refused;
  return refused;
}

const char *ptx_instead_of(const char *name, size_t bytes) {
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
    if (strlen(refused[k].name) == bytes && memcmp(refused[k].name, name, bytes) == 0)
      return refused[k].text;
  return NULL;
}
