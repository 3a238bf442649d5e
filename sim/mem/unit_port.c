/* The units' side of a slice: reads, whose blocks wait in their lines, beats, writes. */
#include <assert.h>
#include <string.h>

#include "sim/mem/l2.h"

#define UNIT_OUT_PACKETS 4u

void wf_l2_unit_init(wf_l2 *l2, const wf_mem_config *c) {
  wf_l2_unit *u = &l2->unit;
  wf_packet_ring_init(&u->out, UNIT_OUT_PACKETS);
  /* Enough to hide the pipeline at one beat a cycle and to use all its MSHRs. */
  unsigned beats = c->line_bytes / WF_SECTOR_BYTES, slots = c->l2_latency / beats + 4;
  if (slots < c->l2_mshrs) slots = c->l2_mshrs;
  if (slots > WF_L2_SLOTS) slots = WF_L2_SLOTS;
  u->slots = slots;
  u->free_slots = slots == 64 ? ~UINT64_C(0) : (UINT64_C(1) << slots) - 1;
}

void wf_l2_unit_free(wf_l2 *l2) {
  wf_packet_ring_free(&l2->unit.out);
}

/* Host address of a block, or NULL if it is not in memory. */
static uint8_t *block(const wf_l2 *l2, uint64_t address) {
  uint64_t offset = address - WF_IMAGE_BASE;
  if (!l2->image || offset >= wf_image_bytes(l2->image)) return NULL;
  return wf_image_data(l2->image) + offset;
}

bool wf_l2_turn_is(const wf_l2_turn *t, unsigned client, uint64_t now) {
  for (unsigned others = t->seen & ~(1u << client); others; others &= others - 1) {
    const unsigned c = (unsigned)__builtin_ctz(others);
    const bool asks = t->refused[c] && t->refused[c] >= now, /* in this cycle or the last */
        first =
            t->granted[c] != t->granted[client] ? t->granted[c] < t->granted[client] : c < client;
    if (t->granted[c] == now + 1 || (asks && first)) return false;
  }
  return true;
}

bool wf_l2_unit_read(wf_l2 *l2, unsigned client, uint64_t address, uint32_t id) {
  wf_l2_unit *u = &l2->unit;
  assert(l2->ways > 1); /* a pinned line leaves others none */
  if (wf_packet_ring_full(&l2->queue[WF_SRC_UNIT_READ]) || !u->free_slots) return false;
  unsigned s = (unsigned)__builtin_ctzll(u->free_slots);
  u->free_slots &= u->free_slots - 1;
  address &= ~(uint64_t)(l2->line_bytes - 1);
  u->slot[s] = (wf_l2_slot){.address = address, .id = id, .client = (uint8_t)client};
  if (l2->image && !block(l2, address)) l2->bad_unit_reads++;
  wf_packet p = {.address = address,
                 .id = s,
                 .reply_bytes = (uint16_t)l2->line_bytes,
                 .kind = WF_PKT_UNIT_READ,
                 .sectors = (uint8_t)((1u << l2->sectors) - 1)};
  wf_packet_ring_push(&l2->queue[WF_SRC_UNIT_READ], &p);
  l2->queued |= 1u << WF_SRC_UNIT_READ;
  u->reads_in_flight++;
  u->seen = true;
  return true;
}

/* Did the next beat wait for a write, and is it of one of these sectors? */
static bool holds_up_beat(const wf_l2 *l2, uint64_t address, unsigned sectors) {
  const wf_l2_unit *u = &l2->unit;
  return u->beat_waits && sectors >> u->beat & 1 &&
         u->slot[u->ready[u->ready_ring.head]].address == address;
}

/* From here on every read sees it: beats and SMs' requests of a sector that waits to be written are
 * served behind that. While the next beat or an SM's request waits so, no other write of its
 * sectors is taken: it would wait for that as well, without end if they keep coming. */
bool wf_l2_unit_write(wf_l2 *l2, uint64_t address, uint32_t word_mask, const uint8_t *data) {
  wf_l2_unit *u = &l2->unit;
  const unsigned words = WF_SECTOR_BYTES / 4, all = (1u << words) - 1;
  unsigned full = 0, touched = 0;
  for (unsigned s = 0; s < l2->sectors; s++) {
    const unsigned mask = word_mask >> (s * words) & all;
    if (mask) touched |= 1u << s;
    if (mask == all) full |= 1u << s;
  }
  address &= ~(uint64_t)(l2->line_bytes - 1);
  if (wf_packet_ring_full(&l2->queue[WF_SRC_UNIT_WRITE])) return false;
  if (u->awaited & touched && u->awaited_line == address) return false;
  if (holds_up_beat(l2, address, touched)) return false;
  wf_coalescer_close(&l2->coalescer, address);
  uint8_t *to = block(l2, address);
  if (l2->image && !to) l2->bad_unit_writes++;
  for (unsigned w = 0; to && w < l2->sectors * words; w++)
    if (word_mask >> w & 1) memcpy(to + 4 * w, data + 4 * w, 4);
  if (!touched) return true;
  wf_packet p = {.address = address,
                 .kind = WF_PKT_WRITE,
                 .sectors = (uint8_t)touched,
                 .full_sectors = (uint8_t)full};
  wf_packet_ring_push(&l2->queue[WF_SRC_UNIT_WRITE], &p);
  l2->queued |= 1u << WF_SRC_UNIT_WRITE;
  u->seen = true;
  return true;
}

void wf_l2_unit_answer(wf_l2 *l2, unsigned slot, unsigned way, uint64_t time) {
  wf_l2_unit *u = &l2->unit;
  u->slot[slot].way = way;
  unsigned at = wf_ring_push(&u->ready_ring, WF_L2_SLOTS);
  u->ready[at] = (uint8_t)slot;
  u->ready_time[at] = time;
}

uint64_t wf_l2_unit_next(const wf_l2 *l2) {
  const wf_l2_unit *u = &l2->unit;
  return u->loaded || !u->ready_ring.count ? UINT64_MAX : u->ready_time[u->ready_ring.head];
}

bool wf_l2_unit_writes(const wf_l2 *l2, uint64_t line_address, unsigned sectors) {
  const wf_packet_ring *writes = &l2->queue[WF_SRC_UNIT_WRITE];
  for (uint32_t i = 0; i < wf_packet_ring_count(writes); i++) {
    const wf_packet *p = wf_packet_ring_at(writes, i);
    if (p->address == line_address && p->sectors & sectors) return true;
  }
  return false;
}

bool wf_l2_unit_holds_up(wf_l2 *l2, const wf_packet *p) {
  wf_l2_unit *u = &l2->unit;
  const uint64_t line = p->address & ~(uint64_t)(l2->line_bytes - 1);
  if (!wf_l2_unit_writes(l2, line, p->sectors)) return false;
  u->awaited_line = line;
  u->awaited = p->sectors;
  return true;
}

bool wf_l2_unit_waits(wf_l2 *l2) {
  wf_l2_unit *u = &l2->unit;
  const uint64_t line = u->slot[u->ready[u->ready_ring.head]].address;
  u->beat_waits = wf_l2_unit_writes(l2, line, 1u << u->beat);
  return u->beat_waits;
}

void wf_l2_unit_load(wf_l2 *l2) {
  wf_l2_unit *u = &l2->unit;
  const unsigned s = u->ready[u->ready_ring.head];
  const wf_l2_slot *slot = &u->slot[s];
  const uint8_t *from = block(l2, slot->address);
  if (from)
    memcpy(u->data, from + u->beat * WF_SECTOR_BYTES, WF_SECTOR_BYTES);
  else
    memset(u->data, 0, WF_SECTOR_BYTES);
  u->current = (wf_mem_beat){.id = slot->id, .beat = u->beat, .data = u->data};
  u->client = slot->client;
  u->loaded = true;
  if (++u->beat < l2->sectors) return;
  u->beat = 0;
  (void)wf_ring_pop(&u->ready_ring, WF_L2_SLOTS);
  u->free_slots |= UINT64_C(1) << s;
  wf_l2_unpin(l2, slot->way);
}

const wf_mem_beat *wf_l2_unit_beat(const wf_l2 *l2, unsigned client) {
  const wf_l2_unit *u = &l2->unit;
  return u->loaded && u->client == client ? &u->current : NULL;
}

void wf_l2_unit_beat_pop(wf_l2 *l2) {
  wf_l2_unit *u = &l2->unit;
  assert(u->loaded);
  u->loaded = false;
  if (u->current.beat + 1 == l2->sectors) u->reads_in_flight--;
}
