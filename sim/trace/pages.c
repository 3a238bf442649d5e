#include "sim/trace/pages.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

static uint32_t slot_of(const wf_pages *p, uint64_t number) {
  uint32_t slot = (uint32_t)((number * 0x9e3779b97f4a7c15u) >> 32) & (p->size - 1);
  while (p->numbers[slot] && p->numbers[slot] != number) slot = (slot + 1) & (p->size - 1);
  return slot;
}

static void grow(wf_pages *p) {
  wf_pages bigger = {.size = p->size ? 2 * p->size : 1024, .count = p->count};
  bigger.numbers = wf_calloc(bigger.size, sizeof *bigger.numbers);
  bigger.places = wf_calloc(bigger.size, sizeof *bigger.places);
  for (uint32_t i = 0; i < p->size; i++)
    if (p->numbers[i]) bigger.numbers[slot_of(&bigger, p->numbers[i])] = p->numbers[i];
  wf_pages_free(p);
  *p = bigger;
}

void wf_pages_touch(wf_pages *p, uint64_t address) {
  const uint64_t number = (address >> WF_PAGE_SHIFT) + 1;
  if (number == p->last) return;
  p->last = number;
  if (2 * (p->count + 1) > p->size) grow(p);
  p->last = number;
  const uint32_t slot = slot_of(p, number);
  if (p->numbers[slot]) return;
  p->numbers[slot] = number;
  p->count++;
}

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

void wf_pages_place(wf_pages *p, uint64_t base, bool identity) {
  uint64_t *order = wf_calloc(p->count + 1u, sizeof *order);
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->size; i++)
    if (p->numbers[i]) order[n++] = p->numbers[i];
  qsort(order, n, sizeof *order, ascending);
  for (uint32_t i = 0; i < n; i++)
    p->places[slot_of(p, order[i])] =
        identity ? (order[i] - 1) << WF_PAGE_SHIFT : base + ((uint64_t)i << WF_PAGE_SHIFT);
  p->last = 0;
  free(order);
}

uint64_t wf_pages_find(wf_pages *p, uint64_t address) {
  const uint64_t number = (address >> WF_PAGE_SHIFT) + 1,
                 offset = address & ((1u << WF_PAGE_SHIFT) - 1);
  if (number == p->last) return p->last_place + offset;
  if (!p->size) return 0;
  const uint32_t slot = slot_of(p, number);
  if (!p->numbers[slot]) return 0;
  p->last = number;
  p->last_place = p->places[slot];
  return p->last_place + offset;
}

uint64_t wf_pages_highest(const wf_pages *p) {
  uint64_t highest = 0;
  for (uint32_t i = 0; i < p->size; i++)
    if (p->numbers[i] > highest) highest = p->numbers[i];
  return highest << WF_PAGE_SHIFT;
}

void wf_pages_free(wf_pages *p) {
  free(p->numbers);
  free(p->places);
  *p = (wf_pages){0};
}

uint64_t wf_pages_lowest(const wf_pages *p) {
  uint64_t lowest = UINT64_MAX;
  for (uint32_t i = 0; i < p->size; i++)
    if (p->numbers[i] && p->numbers[i] < lowest) lowest = p->numbers[i];
  return lowest == UINT64_MAX ? 0 : (lowest - 1) << WF_PAGE_SHIFT;
}
