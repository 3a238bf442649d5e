/* PTX fundamental types. */
#ifndef WF_PTX_TYPES_H
#define WF_PTX_TYPES_H

#include <stdbool.h>
#include <stddef.h>

/* X(enumerator, PTX name, bytes, kind): kind is u, s, b, f, p for predicates, or h for formats that
 * registers hold as bits. */
// clang-format off
#define PTX_TYPES(X) \
  X(U8, "u8", 1, 'u') X(U16, "u16", 2, 'u') X(U32, "u32", 4, 'u') X(U64, "u64", 8, 'u') \
  X(S8, "s8", 1, 's') X(S16, "s16", 2, 's') X(S32, "s32", 4, 's') X(S64, "s64", 8, 's') \
  X(B8, "b8", 1, 'b') X(B16, "b16", 2, 'b') X(B32, "b32", 4, 'b') X(B64, "b64", 8, 'b') \
  X(F16, "f16", 2, 'f') X(F32, "f32", 4, 'f') X(F64, "f64", 8, 'f') X(PRED, "pred", 0, 'p') \
  X(BF16, "bf16", 2, 'h') X(F16X2, "f16x2", 4, 'h') X(BF16X2, "bf16x2", 4, 'h') \
  X(TF32, "tf32", 4, 'h')
// clang-format on

typedef enum ptx_type {
  PTX_NO_TYPE,
#define X(id, name, bytes, kind) PTX_##id,
  PTX_TYPES(X)
#undef X
      PTX_TYPE_COUNT
} ptx_type;

/* PTX_NO_TYPE if text[0 .. bytes) names no type; no leading dot. */
ptx_type ptx_type_find(const char *text, size_t bytes);
const char *ptx_type_name(ptx_type type);
unsigned ptx_type_bytes(ptx_type type);
char ptx_type_kind(ptx_type type);

#endif
