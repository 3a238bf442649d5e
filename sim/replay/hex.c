/* Bit ranges of word arrays as hex text. */
#include <string.h>

#include "sim/replay/wf_replay.h"

static uint32_t nibble_at(const uint32_t *words, uint32_t bit, uint32_t bits) {
  uint32_t value = words[bit / 32] >> bit % 32;
  if (bit % 32 + bits > 32) value |= words[bit / 32 + 1] << (32 - bit % 32);
  return value & ((1u << bits) - 1);
}

static void set_bits(uint32_t *words, uint32_t bit, uint32_t bits, uint32_t value) {
  for (uint32_t i = 0; i < bits; i++) {
    uint32_t *w = &words[(bit + i) / 32], mask = 1u << (bit + i) % 32;
    *w = value >> i & 1 ? *w | mask : *w & ~mask;
  }
}

size_t wf_hex_put(char *text, const uint32_t *words, const uint32_t *care, uint32_t lsb,
                  uint32_t width) {
  size_t n = 0;
  for (uint32_t digit = (width + 3) / 4; digit-- > 0;) {
    uint32_t bits = width - 4 * digit < 4 ? width - 4 * digit : 4;
    uint32_t value = nibble_at(words, lsb + 4 * digit, bits);
    bool known = !care || nibble_at(care, lsb + 4 * digit, bits) == (1u << bits) - 1;
    if (!n && known && !value && digit) continue; /* leading zero */
    text[n++] = known ? "0123456789abcdef"[value] : 'x';
  }
  text[n] = '\0';
  return n;
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c == 'x' || c == 'X' ? 16 : -1;
}

bool wf_hex_get(const char *text, size_t n, uint32_t *words, uint32_t *care, uint32_t lsb,
                uint32_t width) {
  if (!n) return false;
  for (uint32_t bit = 0; bit < width; bit += 4) {
    uint32_t bits = width - bit < 4 ? width - bit : 4;
    while (n && text[n - 1] == '_') n--; /* between digits, to be read more easily */
    int value = n ? digit_value(text[--n]) : 0;
    bool known = value != 16;
    if (value < 0 || (!known && !care) || (known && (uint32_t)value >> bits)) return false;
    set_bits(words, lsb + bit, bits, known ? (uint32_t)value : 0);
    if (care) set_bits(care, lsb + bit, bits, known ? 15 : 0);
  }
  for (; n; n--)
    if (text[n - 1] != '0' && text[n - 1] != '_') return false;
  return true;
}
