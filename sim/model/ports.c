/* Bit ranges of ports. Verilator's variables are little-endian words of 1, 2, 4 or 8 bytes or an
 * array of 4-byte words, so a port is, on a little-endian host, its bits in memory order. */
#include "sim/model/wf_ports.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the port functions need a little-endian host"
#endif

void wf_port_set_wide(const wf_port *p, uint64_t value) {
  memset(p->data, 0, p->bytes);
  memcpy(p->data, &value, p->bytes < 8 ? p->bytes : 8);
}

/* 8 bytes at a byte offset, as many of them as the port has. */
static inline uint64_t load(const wf_port *p, uint32_t byte) {
  uint64_t value = 0;
  if (p->bytes - byte >= 8)
    memcpy(&value, (const uint8_t *)p->data + byte, 8);
  else
    memcpy(&value, (const uint8_t *)p->data + byte, p->bytes - byte);
  return value;
}

static inline void store(const wf_port *p, uint32_t byte, uint64_t value) {
  if (p->bytes - byte >= 8)
    memcpy((uint8_t *)p->data + byte, &value, 8);
  else
    memcpy((uint8_t *)p->data + byte, &value, p->bytes - byte);
}

static inline uint64_t low_bits(uint32_t width) {
  return width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
}

/* Up to 64 bits at any place touch at most nine bytes: eight, and one more. */
uint64_t wf_port_get_bits(const wf_port *p, uint32_t lsb, uint32_t width) {
  uint32_t byte = lsb >> 3, shift = lsb & 7;
  uint64_t value = load(p, byte) >> shift;
  if (shift + width > 64) value |= (uint64_t)((const uint8_t *)p->data)[byte + 8] << (64 - shift);
  return value & low_bits(width);
}

void wf_port_set_bits(const wf_port *p, uint32_t lsb, uint32_t width, uint64_t value) {
  uint32_t byte = lsb >> 3, shift = lsb & 7;
  uint64_t mask = low_bits(width);
  value &= mask;
  store(p, byte, (load(p, byte) & ~(mask << shift)) | value << shift);
  if (shift + width <= 64) return;
  uint8_t *last = (uint8_t *)p->data + byte + 8;
  *last = (uint8_t)((*last & ~(mask >> (64 - shift))) | value >> (64 - shift));
}

void wf_port_read(const wf_port *p, uint32_t lsb, uint32_t width, uint32_t *words) {
  uint32_t whole = width / 32, rest = width % 32;
  if (lsb % 8 == 0)
    memcpy(words, (const uint8_t *)p->data + lsb / 8, whole * 4u);
  else
    for (uint32_t i = 0; i < whole; i++) words[i] = (uint32_t)wf_port_get_bits(p, lsb + 32 * i, 32);
  if (rest) words[whole] = (uint32_t)wf_port_get_bits(p, lsb + 32 * whole, rest);
}

void wf_port_write(const wf_port *p, uint32_t lsb, uint32_t width, const uint32_t *words) {
  uint32_t whole = width / 32, rest = width % 32;
  if (lsb % 8 == 0)
    memcpy((uint8_t *)p->data + lsb / 8, words, whole * 4u);
  else
    for (uint32_t i = 0; i < whole; i++) wf_port_set_bits(p, lsb + 32 * i, 32, words[i]);
  if (rest) wf_port_set_bits(p, lsb + 32 * whole, rest, words[whole]);
}

static uint32_t word_bits(const wf_port *p, unsigned k) {
  return p->width - 64 * k < 64 ? p->width - 64 * k : 64;
}

wf_mask wf_port_wide_mask(const wf_port *p) {
  wf_mask mask = {0};
  for (unsigned k = 0; k < WF_MASK_WORDS && 64 * k < p->width; k++)
    mask.w[k] = wf_port_get_bits(p, 64 * k, word_bits(p, k));
  return mask;
}

void wf_port_set_wide_mask(const wf_port *p, const wf_mask *mask) {
  for (unsigned k = 0; k < WF_MASK_WORDS && 64 * k < p->width; k++)
    wf_port_set_bits(p, 64 * k, word_bits(p, k), mask->w[k]);
}

bool wf_ports_bind(const wf_model *m, const wf_port_row *rows, size_t count, wf_error *err) {
  for (const wf_port_row *r = rows; r < rows + count; r++) {
    const wf_port *port = *r->to = wf_model_port(m, r->name);
    if (!port || port->width != r->width || port->is_output != r->is_output)
      return wf_fail(err, WF_EXIT_WRONG, "%s: port %s: expected an %s of %u bits, the RTL has %u",
                     wf_model_name(m), r->name, r->is_output ? "output" : "input", r->width,
                     port ? port->width : 0);
  }
  return true;
}

unsigned wf_ports_parameter(const wf_model *m, const char *name) {
  int64_t value = 0;
  wf_model_parameter(m, name, &value);
  return (unsigned)value;
}
