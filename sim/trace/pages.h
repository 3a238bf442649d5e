/* Internal to sim/trace: pages of 64 KiB that a trace touches, packed together in device memory in
 * the order of their addresses. */
#ifndef WF_TRACE_PAGES_H
#define WF_TRACE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

enum { WF_PAGE_SHIFT = 16 };

typedef struct wf_pages {
  uint64_t *numbers; /* open addressing; 0: free, else page + 1 */
  uint64_t *places;  /* of the same slot: device address, once placed */
  uint32_t size, count;
  uint64_t last, last_place; /* the page looked up last, + 1 */
} wf_pages;

void wf_pages_touch(wf_pages *p, uint64_t address);
/* Gives the pages places from base on; or, if `identity`, each its own address. */
void wf_pages_place(wf_pages *p, uint64_t base, bool identity);
/* Device address; 0: a page never touched. */
uint64_t wf_pages_find(wf_pages *p, uint64_t address);
uint64_t wf_pages_highest(const wf_pages *p); /* end of the highest page */
uint64_t wf_pages_lowest(const wf_pages *p);  /* start of the lowest */
void wf_pages_free(wf_pages *p);

#endif
