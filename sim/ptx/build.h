/* What is being built while a module is parsed: the module, and one kernel at a time.
 *
 * parse_module.c reads directives and variables, parse_body.c statements; decode*.c turns each
 * statement into code over virtual registers; cfg.c finds blocks and post-dominators; liveness.c
 * and allocate.c map virtual to architectural registers; finish.c completes the kernel. */
#ifndef WF_PTX_BUILD_H
#define WF_PTX_BUILD_H

#include "sim/base/wf_hash.h"
#include "sim/ptx/arena.h"
#include "sim/ptx/code.h"
#include "sim/ptx/lex.h"
#include "sim/ptx/symbols.h"

#define PTX_NO_REG UINT32_MAX

typedef struct ptx_function ptx_function;
struct ptx_ranges;
struct ptx_allocation;

enum {
  PTX_MAX_ARGS = 8,      /* operands of a statement */
  PTX_MAX_ELEMENTS = 64, /* of all its vectors, or of a call's lists */
  PTX_MAX_MODS = 12,
  /* Far above any machine's; they keep sizes from overflowing. */
  PTX_SHARED_LIMIT = 1 << 28,
  PTX_LOCAL_LIMIT = 1 << 24,
  PTX_PARAM_LIMIT = 32764,
  PTX_SCOPE_LIMIT = 64, /* braces inside braces: a name is looked up in each */
  PTX_FILE_LIMIT = 256 << 20,
  PTX_GLOBALS_LIMIT = 1 << 30,
  PTX_FUNCTION_LIMIT = 4096, /* functions a kernel may call */
  PTX_KEPT_LIMIT = 1 << 20,  /* values kept in memory over its calls */
  PTX_SWITCH_LIMIT = 4096,   /* targets of a brx.idx */
  PTX_STACK_BYTES = 4096     /* for functions that may be called while they run */
};

/* A constant whose value is known later: where it stands, and what is added to it. */
typedef struct ptx_fixup {
  void *at;
  uint64_t addend;
  uint32_t lanes; /* 64-bit words at `at`, or 32-bit ones if narrow */
  bool narrow;
} ptx_fixup;

typedef struct ptx_fixups {
  ptx_fixup *items;
  size_t n, capacity;
} ptx_fixups;

struct ptx_module {
  ptx_arena arena;
  const char *file;
  ptx_kernel **kernels;
  size_t n_kernels, kernel_capacity;
  ptx_variable **variables; /* global and constant ones with memory */
  size_t n_variables, variable_capacity;
  uint8_t
      *globals; /* NULL while parsing: what is declared takes no memory before the text is right */
  size_t globals_bytes;
  struct ptx_initial *initial;
  size_t n_initial, initial_capacity;
  uint64_t base;                  /* device address of globals */
  ptx_fixups device;              /* constants that hold device addresses */
  ptx_fixups pointers;            /* the same in initial values: `at` is an offset into globals */
  struct ptx_constant *constants; /* planes already made, by value */
  struct ptx_callee *callees;
  bool narrow;              /* .address_size 32 */
  ptx_function **functions; /* declared and defined ones, by number */
  size_t n_functions, function_capacity;
};

/* A parameter of a function, or its result. */
typedef struct ptx_formal {
  const char *name; /* in the module's text */
  size_t name_bytes;
  ptx_type type;
  bool array; /* .b8 name[n]: in memory of the caller, whose address is what is passed */
  bool plain; /* .reg, not .param */
  uint32_t align, bytes;
} ptx_formal;

struct ptx_function {
  const char *name;
  uint32_t number;
  ptx_formal *params;
  uint32_t n_params;
  bool has_result;
  ptx_formal result;
  bool defined, address_taken;
  ptx_lexer body; /* at its opening brace */
};

/* A kernel that an instruction launches. */
typedef struct ptx_callee {
  const char *name;
  uint32_t line;
  const ptx_kernel *kernel; /* once the module is read */
  struct ptx_callee *next;
} ptx_callee;

/* A number to be written into globals once their size is known. */
typedef struct ptx_initial {
  uint64_t at, bits;
  uint32_t bytes;
} ptx_initial;

typedef struct ptx_vreg {
  uint8_t type; /* ptx_type as declared */
  bool call;    /* a .param variable of a call or a function */
} ptx_vreg;

/* A function, or the kernel itself, among the instructions of a kernel. */
typedef struct ptx_instance {
  ptx_function *function; /* NULL: the kernel */
  uint32_t first, end;    /* its instructions */
  uint32_t vreg_first, vreg_end;
  uint32_t frame_bytes, align; /* its variables in local memory */
  uint32_t *params;            /* virtual registers; that of a result's address last */
  uint32_t n_params;
  uint32_t result; /* virtual register of the result, PTX_NO_REG if none or in memory */
  uint32_t group;  /* functions that call each other have one number */
  bool cyclic;     /* it may be called while it runs */
  uint32_t reg_base, pred_base;
  ptx_linked *linked;
} ptx_instance;

/* The instance of a function, by the function's number. */
typedef struct ptx_instance_number {
  uint32_t function, instance;
  UT_hash_handle hh;
} ptx_instance_number;

/* A call under construction, the second of its two instructions at `at`. */
typedef struct ptx_call_site {
  ptx_call *call;
  uint32_t at, caller, callee; /* instances; callee PTX_NO_REG: by address */
} ptx_call_site;

typedef struct ptx_label_ref {
  const char *name;
  size_t bytes;
  uint32_t scope;
} ptx_label_ref;

typedef struct ptx_scope {
  uint32_t parent;
  struct ptx_label *labels;
} ptx_scope;

/* One kernel under construction. The arrays run in parallel, one entry per instruction. */
typedef struct ptx_build {
  ptx_module *module;
  ptx_lexer *lex;
  ptx_symbols *symbols;
  const ptx_custom_op *ops;
  size_t n_ops;
  ptx_kernel *kernel;
  ptx_code *codes;
  ptx_inst *insts;
  ptx_label_ref *targets; /* name NULL: not a branch */
  uint32_t n, capacity;
  ptx_vreg *vregs;
  uint32_t n_vregs, vreg_capacity;
  ptx_scope *scopes; /* by number; 0: the body */
  uint32_t n_scopes, scope_capacity, scope;
  uint32_t carry;          /* predicate that holds the carry flag, or PTX_NO_REG */
  ptx_instance *instances; /* the kernel, then functions as they are met */
  size_t n_instances, instance_capacity;
  uint32_t current; /* instance being parsed */
  ptx_instance_number *numbers;
  const ptx_lexer *registers; /* the module's, behind .reg */
  size_t n_registers;
  ptx_call_site *sites;
  size_t n_sites, site_capacity;
  bool by_address; /* calls functions by address */
  uint32_t n_groups;
  struct ptx_switch *switches; /* lists of branch targets */
  uint32_t n_switches;
  ptx_token label;    /* the last that was read */
  ptx_fixups dynamic; /* addresses of .extern .shared variables */
  uint32_t dynamic_align;
  bool keep_virtual; /* tests: one architectural register per virtual one */
} ptx_build;

/* Operand of a statement as written. */
typedef enum ptx_arg_kind {
  PTX_ARG_REG,     /* reg; negate: predicate written with ! */
  PTX_ARG_PAIR,    /* reg|reg2: two predicates, or a register and a predicate */
  PTX_ARG_INTEGER, /* bits */
  PTX_ARG_FLOAT,   /* bits: of a double */
  PTX_ARG_FLOAT32, /* bits: of a single */
  PTX_ARG_SREG,    /* reg: number for the handler, type */
  PTX_ARG_SYMBOL,  /* variable + bits */
  PTX_ARG_FUNCTION,
  PTX_ARG_ADDRESS, /* [reg + bits], [variable + bits], or [bits] */
  PTX_ARG_VECTOR,  /* elements first .. first + count - 1 */
  PTX_ARG_SINK,    /* _ */
  PTX_ARG_NAME     /* anything else: a label */
} ptx_arg_kind;

typedef struct ptx_arg {
  ptx_arg_kind kind;
  bool negate;
  ptx_type type;
  uint32_t reg, reg2;
  uint32_t first, count;
  uint64_t bits;
  ptx_variable *variable;
  ptx_function *function;
  uint8_t select; /* a part of the register: 1 .. 4 .b0 to .b3, 5 and 6 .h0 and .h1 */
  bool whole;     /* a .param variable's value, where others are not to be read */
  const char *name;
  size_t bytes;
} ptx_arg;

typedef struct ptx_statement {
  const char *mnemonic; /* with modifiers */
  size_t mnemonic_bytes;
  uint32_t guard; /* PTX_NO_REG if none */
  bool guard_negate;
  ptx_arg args[PTX_MAX_ARGS];
  uint32_t n_args;
  ptx_arg elements[PTX_MAX_ELEMENTS];
  uint32_t n_elements;
  uint32_t line;
  const char *text; /* in the module's arena */
} ptx_statement;

/* parse_body.c: behind .reg. */
bool ptx_parse_registers(ptx_build *b);
/* The statements of a kernel, up to and with the closing brace. */
bool ptx_parse_body(ptx_build *b);
/* parse_switch.c: behind .branchtargets; at brx.idx. */
bool ptx_parse_targets(ptx_build *b);
bool ptx_parse_switch(ptx_build *b);
/* parse_variable.c: has each .extern variable of global memory a definition? */
bool ptx_variables_defined(const ptx_module *module, wf_error *err);
/* One declaration, from its space to the semicolon or comma list's end. b is NULL outside kernels.
 */
bool ptx_parse_variable(ptx_lexer *lex, ptx_module *module, ptx_symbols *symbols, ptx_build *b,
                        ptx_space space, bool external);
/* Where every `ret` of a function jumps; no name of a text. */
#define PTX_RETURN_LABEL " ret"

/* function.c: '.param .align 4 .b8 name[12]', its space read or not. */
bool ptx_parse_formal(ptx_lexer *lex, ptx_formal *formal);
/* A function's header, its body skipped; an instance's body, whose header is known. */
bool ptx_parse_function(ptx_lexer *lex, ptx_module *module, ptx_symbols *symbols);
bool ptx_parse_instance(ptx_build *b, uint32_t instance);
/* The module's registers, in the innermost scope. */
bool ptx_declare_registers(ptx_build *b);
ptx_instance *ptx_add_instance(ptx_build *b, ptx_function *function);
/* The number of a function's instance, a new one if there is none yet. */
uint32_t ptx_instance_of(ptx_build *b, ptx_function *function);
/* Notes which functions' addresses are taken in the body that is next. */
bool ptx_note_addresses(const ptx_symbols *symbols, ptx_lexer body);
/* decode_call.c: .param inside a body, its type next. */
bool ptx_parse_call_param(ptx_build *b);
/* link.c: which functions call each other; what is kept in memory over calls that may come back to
 * their caller; registers and frames. */
void ptx_link_groups(ptx_build *b);
bool ptx_link_saves(const ptx_build *b);
bool ptx_link_save(ptx_build *b, const struct ptx_ranges *ranges);
/* ranges may be NULL: every register counts as read. */
bool ptx_link_registers(ptx_build *b, const struct ptx_ranges *ranges, struct ptx_allocation *a,
                        const uint8_t *classes);
bool ptx_link_frames(ptx_build *b);
/* decode_launch.c: the kernels that launches name. */
bool ptx_resolve_callees(const ptx_module *module, wf_error *err);
/* decode.c: appends the code of a statement. */
bool ptx_decode(ptx_build *b, const ptx_statement *s);
/* finish.c: the labels of what was read last, a kernel's missing `ret`. */
bool ptx_end_body(ptx_build *b);
/* Control flow, allocation; the kernel is complete afterwards. */
bool ptx_finish(ptx_build *b);

static inline uint64_t ptx_function_address(const ptx_function *f) {
  return PTX_CODE_WINDOW + (f->number + 1ull) * PTX_CODE_STEP;
}
/* parse_variable.c: into the frame of the function being read. */
bool ptx_place_local(ptx_build *b, ptx_variable *v);
/* One of the module's: into the kernel's frame, where all functions find it. */
bool ptx_place_thread(ptx_build *b, ptx_variable *v);

/* build.c */
uint32_t ptx_new_vreg(ptx_build *b, ptx_type type);
/* The plane of a constant in all lanes, 32 or 64 bits wide. */
const void *ptx_constant_plane(ptx_module *module, uint64_t bits, bool wide);
/* The plane of a variable's address plus addend; lays shared variables out for this kernel. */
const void *ptx_address_plane(ptx_build *b, ptx_variable *variable, uint64_t addend, bool wide);
ptx_code *ptx_append(ptx_build *b); /* zeroed; the matching insts entry is insts[n - 1] */
void ptx_add_fixup(ptx_fixups *list, ptx_fixup fixup);
void ptx_resolve(const ptx_fixups *list, uint64_t base);
bool ptx_define_label(ptx_build *b, const char *name, size_t bytes);
/* Labels of these scopes at instruction `from` are now at `to`. */
void ptx_move_labels(ptx_build *b, uint32_t first_scope, uint32_t from, uint32_t to);
bool ptx_find_label(const ptx_build *b, const ptx_label_ref *ref, uint32_t *pc);
void ptx_build_free(ptx_build *b);
void ptx_constants_free(ptx_module *module);
/* Appends size bytes of zeros to *array (elements of `size`), growing it by doubling. */
void *ptx_grow(void *array, size_t size, size_t n, size_t *capacity);

#endif
