/* A unit's instances beside the caches of a level: one at each SM's L1, or at each slice of L2.
 * They are clocked in their cache's domain, and what is on its way between the two is kept here. */
#ifndef WF_UNITS_CACHE_LEVEL_H
#define WF_UNITS_CACHE_LEVEL_H

#include "sim/base/wf_ring.h"
#include "sim/units/rtl_set.h"

/* A parameter `level`, which caches have an instance: WF_CACHE_L1, WF_CACHE_L2, or both. */
enum { WF_CACHE_BOTH = WF_CACHE_LEVELS };
extern const char *const wf_cache_level_words[];
static inline bool wf_cache_stands(unsigned level, unsigned at) {
  return level == WF_CACHE_BOTH || level == at;
}

/* Bits of the number of any line in memory, and at least so many. */
unsigned wf_cache_line_bits(const wf_unit_env *env, unsigned least);

/* First member of what a unit keeps of a cache. The rings are of arrays that follow. */
typedef struct wf_cache_side {
  wf_rtl *rtl;
  unsigned loads; /* of an SM: that entered and have no verdict */
  bool offered;   /* a request is to be sent */
  wf_ring sent;   /* between their edge and their answer */
  wf_ring told;   /* answers that the fabric has not fetched */
} wf_cache_side;

/* Has it room for a request, of which so many may be on their way? */
static inline bool wf_cache_side_takes(const wf_cache_side *s, unsigned flight) {
  return !s->offered && s->sent.count + s->told.count < flight;
}

struct wf_cache_level;
typedef struct wf_cache_level_class {
  unsigned at;                              /* WF_CACHE_L1, WF_CACHE_L2 */
  size_t bytes;                             /* of a side */
  const char *prefix;                       /* of its counters' names, or NULL */
  bool (*works)(const wf_cache_side *side); /* is it to be clocked? */
  void (*drive)(const struct wf_cache_level *level, wf_cache_side *side);
  bool (*take)(wf_cache_side *side, wf_error *err); /* what the edge has answered */
} wf_cache_level_class;

enum { WF_CACHE_KINDS = 3 };
typedef struct wf_cache_level {
  const wf_cache_level_class *cls;
  wf_unit *unit;
  const wf_unit_env *env;
  wf_rtl_set rtl; /* .n is 0 where none stands */
  void *sides;    /* [rtl.n], each of cls->bytes */
  unsigned kind;
  uint64_t busy[WF_CACHE_KINDS]; /* rtl.busy, as that of its kind: they are billed apart */
} wf_cache_level;

/* Have the caches, of 2 sets or more, no more sets and ways than these? */
bool wf_cache_level_fits(const char *unit, const wf_unit_env *env, unsigned at, unsigned sets,
                         unsigned ways, wf_error *err);
/* One beside each; request->env stays, and the unit's state ends with wf_cache_level_free(). */
bool wf_cache_level_open(wf_cache_level *level, const wf_cache_level_class *cls,
                         const wf_rtl_request *request, wf_error *err);
void wf_cache_level_free(wf_cache_level *level);
wf_cache_side *wf_cache_level_side(const wf_cache_level *level, unsigned k);
/* A core cycle: an edge of each that has work, if its cache has one. */
bool wf_cache_level_clock(wf_cache_level *level, wf_error *err);
bool wf_cache_level_idle(const wf_cache_level *level);
/* At a kernel's end nothing is left that the fabric should have asked for. */
bool wf_cache_level_end(const wf_cache_level *level, wf_error *err);
void wf_cache_level_describe(const wf_cache_level *level, FILE *out);

#endif
