/* Internal to sim/trace: numbers in lines that end in '\n' (wf_source), which is neither blank nor
 * digit. */
#ifndef WF_TRACE_SCAN_TEXT_H
#define WF_TRACE_SCAN_TEXT_H

#include <stdbool.h>
#include <stdint.h>

static inline bool wf_text_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
static inline bool wf_text_ends(char c) {
  return wf_text_blank(c) || c == '\n';
}

static inline const char *wf_text_skip(const char *p) {
  while (wf_text_blank(*p)) p++;
  return p;
}

/* Behind the word at p. */
static inline const char *wf_text_word(const char *p) {
  while (!wf_text_ends(*p)) p++;
  return p;
}

/* Length of the opcode at p: letters, digits, dots, underscores; 0 if something else is among them.
 */
static inline unsigned wf_text_opcode(const char *p) {
  unsigned n = 0;
  for (; !wf_text_ends(p[n]) && n <= 64; n++) {
    const unsigned letter = ((unsigned char)p[n] | 32u) - 'a', digit = (unsigned char)p[n] - '0';
    if (letter > 25 && (n == 0 || (digit > 9 && p[n] != '.' && p[n] != '_'))) return 0;
  }
  return n <= 64 ? n : 0;
}

static inline unsigned wf_text_nibble(char c) {
  const unsigned digit = (unsigned char)c - '0', letter = ((unsigned char)c | 32) - 'a';
  return digit < 10 ? digit : letter < 6 ? letter + 10 : 16;
}

/* Each skips blanks, reads a number and stops behind it: at any character. NULL: no number, or too
 * long. */
static inline const char *wf_text_hex(const char *p, uint64_t *value) {
  p = wf_text_skip(p);
  if (p[0] == '0' && (p[1] | 32) == 'x') p += 2;
  const char *begin = p;
  uint64_t v = 0;
  for (unsigned d; (d = wf_text_nibble(*p)) < 16; p++) v = v << 4 | d;
  *value = v;
  return p > begin && p - begin <= 16 ? p : NULL;
}

static inline const char *wf_text_number(const char *p, uint64_t *value) {
  p = wf_text_skip(p);
  const char *begin = p;
  uint64_t v = 0;
  for (unsigned d; (d = (unsigned char)*p - '0') < 10; p++) v = v * 10 + d;
  *value = v;
  return p > begin && p - begin <= 19 ? p : NULL;
}

static inline const char *wf_text_signed(const char *p, int64_t *value) {
  p = wf_text_skip(p);
  const bool minus = *p == '-';
  uint64_t v;
  p = wf_text_number(p + minus, &v);
  *value = minus ? (int64_t)(0 - v) : (int64_t)v;
  return p;
}

/* "(x,y,z)" or "x,y,z", each below 2^32. */
static inline const char *wf_text_triple(const char *p, uint32_t v[3]) {
  p = wf_text_skip(p);
  const bool round = *p == '(';
  p += round;
  for (unsigned d = 0; d < 3; d++) {
    uint64_t n;
    if (d > 0 && *p++ != ',') return (const char *)0;
    p = wf_text_number(p, &n);
    if (!p || n > UINT32_MAX) return (const char *)0;
    v[d] = (uint32_t)n;
  }
  if (round && *p++ != ')') return (const char *)0;
  return p;
}

#endif
