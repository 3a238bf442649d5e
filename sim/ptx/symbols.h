/* Names in scope: registers, ranges of registers (%r<10>), variables and parameters.
 * Inner scopes hide outer ones. */
#ifndef WF_PTX_SYMBOLS_H
#define WF_PTX_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/ptx/types.h"

typedef struct ptx_variable {
  const char *name;
  uint8_t space; /* ptx_space: param, global, const, shared, local */
  bool external;
  uint32_t align;
  uint64_t bytes, offset; /* offset in its space; shared: in the kernel of `kernel` */
  const void *kernel;     /* shared, and local of the module: the kernel that `offset` is for */
  bool of_module;         /* local: declared outside kernels, and one for all functions */
} ptx_variable;

typedef enum ptx_symbol_kind {
  PTX_SYMBOL_REG,
  PTX_SYMBOL_RANGE,
  PTX_SYMBOL_VARIABLE,
  PTX_SYMBOL_FUNCTION
} ptx_symbol_kind;

typedef struct ptx_symbol {
  ptx_symbol_kind kind;
  ptx_type type;
  uint32_t number; /* register: virtual number; range: how many */
  uint32_t parts;  /* register: of a vector, whose numbers follow; 0 or 1: none */
  ptx_variable *variable;
  struct ptx_function *function;
} ptx_symbol;

typedef struct ptx_symbols ptx_symbols;

ptx_symbols *ptx_symbols_create(void);
void ptx_symbols_destroy(ptx_symbols *symbols);
void ptx_symbols_open(ptx_symbols *symbols);  /* an inner scope */
void ptx_symbols_close(ptx_symbols *symbols); /* forgets the innermost scope's names */
/* False if the innermost scope has the name already. The name is not copied: it must live as long
 * as its scope. */
bool ptx_symbols_add(ptx_symbols *symbols, const char *name, size_t bytes, ptx_symbol symbol);
/* NULL if there is none. A register of a range is looked up as the range's name plus a number:
 * *index gets the number, and the range is returned. */
ptx_symbol *ptx_symbols_find(const ptx_symbols *symbols, const char *name, size_t bytes,
                             uint32_t *index);
/* Adds a register of a range to the scope in which that range is. */
void ptx_symbols_add_beside(ptx_symbols *symbols, const ptx_symbol *range, const char *name,
                            size_t bytes, ptx_symbol symbol);

#endif
