/* What is being built while a module is parsed: the module, and one kernel at a time.
 *
 * parse_module.c reads directives and variables, parse_body.c statements; decode*.c turns each
 * statement into code over virtual registers; cfg.c finds blocks and post-dominators; liveness.c
 * and allocate.c map virtual to architectural registers; finish.c completes the kernel. */
#ifndef WF_PTX_BUILD_H
#define WF_PTX_BUILD_H

#include "sim/ptx/arena.h"
#include "sim/ptx/code.h"
#include "sim/ptx/lex.h"
#include "sim/ptx/symbols.h"

#define PTX_NO_REG UINT32_MAX

enum {
  PTX_MAX_ARGS = 8,      /* operands of a statement */
  PTX_MAX_ELEMENTS = 16, /* of all its vectors */
  PTX_MAX_MODS = 12,
  /* Far above any machine's; they keep sizes from overflowing. */
  PTX_SHARED_LIMIT = 1 << 28,
  PTX_LOCAL_LIMIT = 1 << 24,
  PTX_PARAM_LIMIT = 32764,
  PTX_SCOPE_LIMIT = 64, /* braces inside braces: a name is looked up in each */
  PTX_FILE_LIMIT = 256 << 20,
  PTX_GLOBALS_LIMIT = 1 << 30
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
  bool call;    /* a .param variable of a call */
} ptx_vreg;

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
  uint32_t carry;     /* predicate that holds the carry flag, or PTX_NO_REG */
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

/* parse_body.c: the statements of a kernel, up to and with the closing brace. */
bool ptx_parse_body(ptx_build *b);
/* parse_variable.c: one declaration, from its space to the semicolon or comma list's end.
 * b is NULL outside kernels. */
bool ptx_parse_variable(ptx_lexer *lex, ptx_module *module, ptx_symbols *symbols, ptx_build *b,
                        ptx_space space, bool external);
/* decode_launch.c: .param inside a kernel, its type next; the kernels that launches name. */
bool ptx_parse_call_param(ptx_build *b);
bool ptx_resolve_callees(const ptx_module *module, wf_error *err);
/* decode.c: appends the code of a statement. */
bool ptx_decode(ptx_build *b, const ptx_statement *s);
/* finish.c: labels, control flow, allocation; the kernel is complete afterwards. */
bool ptx_finish(ptx_build *b);

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
bool ptx_find_label(const ptx_build *b, const ptx_label_ref *ref, uint32_t *pc);
void ptx_build_free(ptx_build *b);
void ptx_constants_free(ptx_module *module);
/* Appends size bytes of zeros to *array (elements of `size`), growing it by doubling. */
void *ptx_grow(void *array, size_t size, size_t n, size_t *capacity);

#endif
