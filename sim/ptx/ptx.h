/* PTX front end and functional back end: parse, control-flow graph, register allocation, and a
 * 32-lane executor. A leaf: knows nothing of timing. The timing model reads ptx_inst for what it
 * must charge and calls ptx_execute() once per issued warp instruction. */
#ifndef WF_PTX_H
#define WF_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"
#include "sim/ptx/types.h"

enum {
  PTX_LANES = 32,
  PTX_MAX_DST = 8,     /* 32-bit registers written: v8, or v4 of 64-bit elements */
  PTX_MAX_SRC = 20,    /* 32-bit registers and predicates read, guard included */
  PTX_MAX_CUSTOM = 6,  /* operands of a unit's own instruction */
  PTX_MAX_OPERANDS = 8 /* of any instruction whose operands the caller sees */
};

/* What an instruction costs is decided by its class (latencies are the configuration's). */
typedef enum ptx_class {
  PTX_CLASS_INT,  /* integer add, logic, shift, compare, select, move, convert between integers */
  PTX_CLASS_IMUL, /* integer multiply, mad, bit-field and population count */
  PTX_CLASS_IDIV, /* integer divide and remainder */
  PTX_CLASS_FP32, /* add, mul, fma, compare, convert */
  PTX_CLASS_FP64,
  PTX_CLASS_SFU,  /* rcp, sqrt, rsqrt, sin, cos, ex2, lg2, div */
  PTX_CLASS_LOAD, /* by ptx_inst.space */
  PTX_CLASS_STORE,
  PTX_CLASS_ATOMIC, /* atom (has a destination) and red (has none) */
  PTX_CLASS_BRANCH, /* calls and returns too: ptx_branch_op */
  PTX_CLASS_BARRIER,
  PTX_CLASS_FENCE,      /* membar */
  PTX_CLASS_EXIT,       /* exit, ret from the kernel */
  PTX_CLASS_CUSTOM,     /* an instruction of a unit */
  PTX_CLASS_LAUNCH,     /* of the device runtime: ptx_launch_op */
  PTX_CLASS_COPY,       /* cp.async: global to shared memory, past the registers */
  PTX_CLASS_COPY_GROUP, /* ptx_copy_op */
  PTX_CLASS_COUNT
} ptx_class;

typedef enum ptx_space {
  PTX_SPACE_NONE,
  PTX_SPACE_PARAM,
  PTX_SPACE_GLOBAL,
  PTX_SPACE_GLOBAL_NC, /* ld.global.nc */
  PTX_SPACE_SHARED,
  PTX_SPACE_LOCAL,
  PTX_SPACE_CONST,
  PTX_SPACE_GENERIC /* resolved per access by ptx_execute() */
} ptx_space;

/* An instruction that a unit adds. operands: one letter each, 'r' a 32-bit register or immediate,
 * 'l' a 64-bit one, 'm' a bracketed address (register plus offset). All are read, none written. */
typedef struct ptx_custom_op {
  const char *mnemonic; /* complete, e.g. "mff.gather.b32" */
  const char *operands; /* e.g. "mrr" */
  unsigned unit;        /* the caller's number of the unit */
  unsigned id;          /* the unit's number of the operation */
} ptx_custom_op;

/* ptx_inst.custom_id of PTX_CLASS_LAUNCH. Operands come in ptx_effect.operand; what the instruction
 * returns is written by the caller with ptx_write_result(). */
typedef enum ptx_launch_op {
  PTX_LAUNCH_BUFFER, /* cudaGetParameterBuffer: alignment, bytes; returns an address or 0 */
  PTX_LAUNCH_STREAM, /* cudaStreamCreateWithFlags: returns a stream */
  PTX_LAUNCH_DEVICE, /* cudaLaunchDevice: buffer, grid x, y, z, block x, y, z, shared bytes; returns
                        an error code */
  PTX_LAUNCH_GROUP   /* cudaLaunchAggGroup: the same */
} ptx_launch_op;

/* ptx_inst.custom_id of PTX_CLASS_BRANCH. A call and the instruction behind it belong together:
 * that one takes the result. Who follows the lanes keeps the caller's path, at the instruction
 * behind the call, below the called function's, until all that came have returned. */
typedef enum ptx_branch_op {
  PTX_BRANCH_JUMP,
  PTX_BRANCH_CALL,  /* to ptx_inst.target; if that is PTX_NO_TARGET, each lane of ptx_effect.taken
                       to ptx_effect.addr */
  PTX_BRANCH_RETURN /* of the lanes of ptx_effect.taken */
} ptx_branch_op;
#define PTX_NO_TARGET UINT32_MAX

/* ptx_inst.custom_id of PTX_CLASS_BARRIER. All but the first: operands in ptx_effect.operand: 0:
 * which barrier, 0 .. 15; 1: threads that it is for, a multiple of 32, 0: all; taken: lanes that
 * vote. */
typedef enum ptx_barrier_op {
  PTX_BARRIER_ALL, /* barrier 0, all threads of the CTA */
  PTX_BARRIER_SYNC,
  PTX_BARRIER_ARRIVE, /* does not wait */
  PTX_BARRIER_REDUCE  /* its result is written with ptx_write_votes() when it opens */
} ptx_barrier_op;

/* ptx_inst.custom_id of PTX_CLASS_COPY_GROUP. */
typedef enum ptx_copy_op {
  PTX_COPY_COMMIT,  /* the warp's copies since the last commit are a group */
  PTX_COPY_WAIT,    /* until no more than ptx_inst.bytes of its groups are under way */
  PTX_COPY_WAIT_ALL /* until none of its copies is */
} ptx_copy_op;

typedef struct ptx_param {
  const char *name;
  uint32_t offset, bytes; /* in the parameter block */
  ptx_type type;          /* of an element: more bytes than it has are an array */
} ptx_param;

/* Index of an instruction in its kernel; the kernel's instruction count means "past the end". */
typedef uint32_t ptx_pc;

/* What timing needs of an instruction. Registers are architectural: 0 .. n_regs-1 are 32-bit
 * registers (a 64-bit value takes two), n_regs .. n_regs+n_preds-1 are predicates. */
typedef struct ptx_inst {
  uint8_t cls;   /* ptx_class */
  uint8_t space; /* ptx_space of a load, store or atomic */
  uint8_t bytes; /* bytes per element per lane: 1, 2, 4, 8; of a wait for copies: groups */
  uint8_t vec;   /* elements per lane: 1, 2, 4, 8 */
  uint8_t n_dst, n_src;
  uint16_t dst[PTX_MAX_DST], src[PTX_MAX_SRC];
  ptx_pc target;     /* branch: where taken lanes go */
  ptx_pc reconverge; /* branch: first instruction of the immediate post-dominator */
  bool uniform;      /* branch marked .uni or unconditional: never diverges by itself */
  bool bypass_l1;    /* ld.volatile, ld.cv, ld.cg: not cached in L1 */
  bool no_allocate;  /* ld.L1::no_allocate: found in L1, but brings nothing there */
  bool unread;       /* atom with a result that nothing reads: red would do */
  uint8_t custom_unit, custom_id; /* PTX_CLASS_CUSTOM; custom_id: by the class, see above */
  uint32_t line;                  /* in the PTX file, for messages */
  const struct ptx_code *code;    /* the executor's decoded form */
} ptx_inst;

/* A natural loop: its blocks lie in instructions low..high (other code may lie between them). */
enum { PTX_NO_LOOP = 0x7fffffff };
typedef struct ptx_loop {
  ptx_pc low, high;
  uint32_t parent; /* the loop around it, or PTX_NO_LOOP */
} ptx_loop;

typedef struct ptx_kernel {
  const char *name;
  const ptx_inst *insts;
  uint32_t n_insts;
  uint32_t n_regs; /* 32-bit registers per thread after allocation, at least 1 */
  uint32_t n_preds;
  uint32_t shared_bytes; /* static shared memory of the variables this kernel uses; .extern .shared
                            arrays start here, so the CTA's dynamic bytes go behind */
  uint32_t local_bytes;  /* per thread; with the frames of the functions that it calls */
  const ptx_param *params;
  uint32_t n_params, param_bytes;
  uint32_t max_ntid; /* from .maxntid, 0 if absent */
  const ptx_loop *loops;
  const uint32_t *loop_of; /* by instruction: the innermost loop around it, or PTX_NO_LOOP */
  uint32_t n_loops;
  bool launches; /* has instructions of PTX_CLASS_LAUNCH */
  bool calls;    /* functions follow its own instructions */
  bool heap;     /* has malloc or free */
  bool narrow;   /* its pointers have 32 bits */
} ptx_kernel;

typedef struct ptx_module ptx_module;

/* Parses, checks, builds the CFG and allocates registers for every kernel of the text.
 * An unknown or unsupported instruction, an undeclared register, a missing label, a wrong operand
 * count or type: NULL, with *err naming "file:line". */
ptx_module *ptx_parse_file(const char *path, const ptx_custom_op *ops, size_t n_ops, wf_error *err);
ptx_module *ptx_parse_text(const char *name, const char *text, size_t bytes,
                           const ptx_custom_op *ops, size_t n_ops, wf_error *err);
void ptx_module_destroy(ptx_module *module);
size_t ptx_kernel_count(const ptx_module *module);
const ptx_kernel *ptx_kernel_at(const ptx_module *module, size_t index);
/* NULL and *err listing the kernels there are, if the name is unknown. */
const ptx_kernel *ptx_find_kernel(const ptx_module *module, const char *name, wf_error *err);
/* The loads of global memory in this line of the file become .cg, or .L1::no_allocate: what a
 * programmer writes who has seen the profile. False and *err: the kernel has no such load there. */
typedef enum ptx_cache_hint { PTX_HINT_CG, PTX_HINT_NO_ALLOCATE } ptx_cache_hint;
bool ptx_hint_loads(const ptx_kernel *kernel, uint32_t line, ptx_cache_hint hint, wf_error *err);
void ptx_hint_all_loads(const ptx_kernel *kernel, ptx_cache_hint hint);
/* Atomics whose result nothing reads become red, as vendors' compilers make them. */
void ptx_reduce_unread(const ptx_kernel *kernel);
/* Bytes of the module's .global and .const variables, laid out from offset 0, with initial values.
 * The loader chooses a device address (256-byte aligned), calls ptx_module_place(), and then copies
 * these bytes there: placing also fills in initial values that are addresses. NULL if *bytes is 0.
 */
const uint8_t *ptx_module_globals(const ptx_module *module, size_t *bytes);
void ptx_module_place(ptx_module *module, uint64_t device_address);
/* The device address of a module variable after placing; false if there is none of that name. */
bool ptx_module_symbol(const ptx_module *module, const char *name, uint64_t *address,
                       size_t *bytes);

/* Windows of the generic address space. Global addresses stand for themselves. */
#define PTX_SHARED_WINDOW 0x7f0000000000u /* + offset in the CTA's shared memory */
#define PTX_LOCAL_WINDOW 0x7e0000000000u  /* + offset in the thread's local memory */
/* Addresses of functions: + PTX_CODE_STEP * number in the module. Nothing is to be read there. */
#define PTX_CODE_WINDOW 0x7d0000000000u
#define PTX_CODE_STEP 16

/* What all warps of a launch share. */
typedef struct ptx_launch {
  const ptx_kernel *kernel;
  const uint8_t *params; /* kernel->param_bytes */
  uint32_t ntid[3], nctaid[3];
  uint8_t *global; /* host memory standing for device addresses global_base.. */
  uint64_t global_base, global_bytes;
  void (*print)(const char *text, size_t bytes); /* what vprintf prints; NULL: nowhere */
  struct ptx_heap *heap;                         /* of malloc; NULL: it always returns 0 */
} ptx_launch;

/* One warp's architectural state; the caller owns the memory. */
typedef struct ptx_warp {
  const ptx_launch *launch;
  uint32_t (*reg)[PTX_LANES]; /* [n_regs][32], 64-byte aligned. A 64-bit value in registers r, r +
                                 1: low words in reg[r], high words in reg[r + 1] */
  uint32_t *pred;             /* [n_preds] lane masks */
  uint8_t *shared;            /* the CTA's, shared_limit bytes */
  uint32_t shared_limit;
  uint8_t *local; /* 32 * local_bytes: lane l at l * local_bytes; NULL if none */
  uint32_t ctaid[3];
  uint32_t warp_in_cta;
  uint32_t sm_id, warp_slot; /* for %smid, %warpid, %nwarpid-like registers */
  uint32_t valid;            /* lanes that hold threads */
  uint64_t clock;            /* for %clock, %clock64: the caller sets it before ptx_execute() */
} ptx_warp;

/* What executing one instruction did, for the timing model. */
typedef struct ptx_effect {
  uint32_t active; /* lanes that executed: the caller's mask and the guard */
  uint32_t taken;  /* branch: lanes that jump, are called or return; barrier: that vote yes */
  uint8_t space;   /* memory: GLOBAL, SHARED, LOCAL, PARAM or CONST, generic resolved */
  uint64_t addr[PTX_LANES]; /* memory: byte address of element 0 per active lane: device address,
                               or offset in shared or local memory. Call of functions by address:
                               their first instructions */
  uint64_t operand[PTX_MAX_OPERANDS][PTX_LANES]; /* custom and launch: operand values per lane;
                                                    copies: 0: offsets in shared memory */
} ptx_effect;

/* Executes one instruction for the lanes of `mask`: reads and writes registers, performs loads,
 * stores and atomics on memory at once (atomics in lane order). False on a fault (address out of
 * range or misaligned, mixed generic spaces in one access, divide by zero is not one): *err names
 * PTX line, kernel, CTA, warp, lane and address. effect fields that do not apply are left alone. */
bool ptx_execute(const ptx_inst *inst, ptx_warp *warp, uint32_t mask, ptx_effect *effect,
                 wf_error *err);

/* The kernel that PTX_LAUNCH_DEVICE or PTX_LAUNCH_GROUP names; NULL for other instructions. */
const ptx_kernel *ptx_inst_callee(const ptx_inst *inst);
/* Writes what a PTX_CLASS_LAUNCH instruction returns, for the lanes of the mask. */
void ptx_write_result(const ptx_inst *inst, ptx_warp *warp, uint32_t mask,
                      const uint64_t value[PTX_LANES]);
/* Writes the result of a PTX_BARRIER_REDUCE: of so many threads so many voted yes. */
void ptx_write_votes(const ptx_inst *inst, ptx_warp *warp, uint32_t mask, uint32_t votes,
                     uint32_t threads);
/* Fills *err as a fault of ptx_execute() does; returns false. */
bool ptx_launch_fault(const ptx_inst *inst, const ptx_warp *warp, unsigned lane, wf_error *err,
                      const char *what);

/* The text of an instruction as it stood in the file, for traces and messages. */
const char *ptx_inst_text(const ptx_inst *inst);

#endif
