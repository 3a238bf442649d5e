/* Functions of the device's run-time library that compilers leave to be linked: vprintf,
 * __assertfail, malloc, free. Lanes act in their order. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/ptx/handlers.h"
#include "sim/ptx/heap.h"
#include "sim/ptx/lanes.h"

enum { TEXT_BYTES = 4096, SPEC_BYTES = 40 };

/* ---- memory by generic addresses, byte by byte ---- */

static const u8 *byte_at(const ptx_warp *w, u32 lane, u64 address) {
  const ptx_launch *l = w->launch;
  if (address >= PTX_SHARED_WINDOW) {
    const u64 at = address - PTX_SHARED_WINDOW;
    return at < w->shared_limit ? w->shared + at : NULL;
  }
  if (address >= PTX_LOCAL_WINDOW) {
    const u64 at = address - PTX_LOCAL_WINDOW, room = l->kernel->local_bytes;
    return at < room ? w->local + lane * room + at : NULL;
  }
  const u64 at = address - l->global_base;
  return at < l->global_bytes ? l->global + at : NULL;
}

/* The string at an address, cut at bytes - 1; what lies outside memory ends it. */
static void read_text(const ptx_warp *w, u32 lane, u64 address, char *text, size_t bytes) {
  size_t n = 0;
  for (const u8 *c; n + 1 < bytes && (c = byte_at(w, lane, address + n)) && *c;)
    text[n++] = (char)*c;
  text[n] = 0;
}

static u64 read_word(const ptx_warp *w, u32 lane, u64 address, u32 bytes) {
  u64 value = 0;
  for (u32 k = 0; k < bytes; k++) {
    const u8 *c = byte_at(w, lane, address + k);
    value |= (u64)(c ? *c : 0) << 8 * k;
  }
  return value;
}

/* ---- vprintf ---- */

typedef struct printer {
  const ptx_warp *w;
  u32 lane;
  u64 next; /* address of the next argument: each aligned to its size */
  char text[TEXT_BYTES];
  size_t n;
  u32 taken;
} printer;

static u64 argument(printer *p, u32 bytes) {
  const u64 at = (p->next + bytes - 1) & ~(u64)(bytes - 1);
  p->next = at + bytes;
  p->taken++;
  return read_word(p->w, p->lane, at, bytes);
}

static void put(printer *p, const char *text, size_t n) {
  if (n > sizeof p->text - p->n) n = sizeof p->text - p->n;
  memcpy(p->text + p->n, text, n);
  p->n += n;
}

/* Flags, width and precision, with numbers for the stars; what follows the length is returned. */
static const char *read_spec(printer *p, const char *at, char *spec, bool *wide) {
  size_t n = 0;
  spec[n++] = '%';
  while (*at && strchr("-+ #0123456789.*", *at) && n < SPEC_BYTES - 16) {
    if (*at == '*')
      n += (size_t)snprintf(spec + n, 12, "%d", (int)(s32)argument(p, 4));
    else
      spec[n++] = *at;
    at++;
  }
  u32 longs = 0;
  for (; *at && strchr("hlLqjzt", *at); at++) longs += *at != 'h';
  *wide = longs > 0;
  spec[n] = 0;
  return at;
}

/* Width and precision of a hostile text would ask for gigabytes. */
static bool modest(const char *spec) {
  u32 digits = 0;
  for (; *spec; spec++) {
    digits = *spec >= '0' && *spec <= '9' ? digits + 1 : 0;
    if (digits > 3) return false;
  }
  return true;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* built here, with its conversion */
static void put_one(printer *p, char *spec, char conversion, bool wide) {
  char out[1200], string[TEXT_BYTES];
  const size_t n = strlen(spec);
  int length = 0;
  if (strchr("di", conversion)) {
    memcpy(spec + n, PRId64, sizeof PRId64);
    const u64 v = argument(p, wide ? 8 : 4);
    length = snprintf(out, sizeof out, spec, wide ? (s64)v : (s64)(s32)v);
  } else if (strchr("uoxX", conversion)) {
    snprintf(spec + n, 8, "ll%c", conversion);
    length = snprintf(out, sizeof out, spec, (unsigned long long)argument(p, wide ? 8 : 4));
  } else if (strchr("fFeEgGaA", conversion)) {
    snprintf(spec + n, 8, "%c", conversion);
    length = snprintf(out, sizeof out, spec, ptx_bits_double(argument(p, 8)));
  } else if (conversion == 'c') {
    snprintf(spec + n, 8, "c");
    length = snprintf(out, sizeof out, spec, (int)argument(p, 4));
  } else if (conversion == 'p') {
    length = snprintf(out, sizeof out, "0x%" PRIx64, argument(p, 8));
  } else if (conversion == 's') {
    read_text(p->w, p->lane, argument(p, 8), string, sizeof string);
    snprintf(spec + n, 8, "s");
    length = snprintf(out, sizeof out, spec, string);
    if (n == 1) {
      put(p, string, strlen(string));
      return;
    }
  }
  put(p, out, length < (int)sizeof out ? (size_t)length : sizeof out - 1);
}
#pragma GCC diagnostic pop

static void format(printer *p, const char *at) {
  while (*at) {
    const char *percent = strchr(at, '%');
    put(p, at, percent ? (size_t)(percent - at) : strlen(at));
    if (!percent || !percent[1]) return;
    char spec[SPEC_BYTES];
    bool wide;
    at = percent + 1;
    if (*at == '%') {
      put(p, at++, 1);
      continue;
    }
    at = read_spec(p, at, spec, &wide);
    if (!*at) return;
    if (modest(spec)) put_one(p, spec, *at, wide);
    at++;
  }
}

HANDLER(print) {
  GET_u64(texts, 0);
  GET_u64(arguments, 1);
  lane32 r[PTX_LANES] = {0};
  UNUSED_EFFECT;
  ACTIVE_LANES(m) {
    char text[TEXT_BYTES];
    printer p = {.w = w, .lane = i, .next = arguments[i]};
    read_text(w, i, texts[i], text, sizeof text);
    format(&p, text);
    if (w->launch->print) w->launch->print(p.text, p.n);
    r[i] = p.taken;
  }
  if (c->n_dst) ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

HANDLER(fail_assertion) {
  GET_u64(what, 0);
  GET_u64(file, 1);
  GET_u32(line, 2);
  GET_u64(function, 3);
  char text[3][200];
  const u32 i = (u32)__builtin_ctz(m);
  (void)e;
  read_text(w, i, what[i], text[0], sizeof text[0]);
  read_text(w, i, file[i], text[1], sizeof text[1]);
  read_text(w, i, function[i], text[2], sizeof text[2]);
  return ptx_fault(c, w, i, err, "%s:%u: %s: assertion `%s` failed", text[1], line[i], text[2],
                   text[0]);
}

/* ---- malloc, free ---- */

HANDLER(take_memory) {
  GET_u64(bytes, 0);
  lane64 r[PTX_LANES] = {0};
  UNUSED_EFFECT;
  ACTIVE_LANES(m) if (w->launch->heap) r[i] = ptx_heap_take(w->launch->heap, bytes[i]);
  if (c->n_dst) ptx_keep64(ptx_out(c, w, 0), r, m);
  return true;
}

HANDLER(give_memory) {
  GET_u64(at, 0);
  (void)e;
  ACTIVE_LANES(m) {
    if (at[i] && (!w->launch->heap || !ptx_heap_give(w->launch->heap, at[i])))
      return ptx_fault(c, w, i, err, "free(0x%" PRIx64 "): malloc has not given that", at[i]);
  }
  return true;
}

static const ptx_runtime_function functions[] = {
    {"vprintf", print, 4, 2, {PTX_B64, PTX_B64}, false},
    {"__assertfail", fail_assertion, 0, 5, {PTX_B64, PTX_B64, PTX_B32, PTX_B64, PTX_B64}, false},
    {"malloc", take_memory, 8, 1, {PTX_B64}, true},
    {"free", give_memory, 0, 1, {PTX_B64}, true}};

const ptx_runtime_function *ptx_runtime_find(const char *name) {
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
    if (strcmp(functions[k].name, name) == 0) return &functions[k];
  return NULL;
}
