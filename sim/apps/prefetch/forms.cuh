// A search's loop over a list with loads ahead of their use, as one writes them by hand (the
// paper's own loop is the form plain). What is done with an edge goes by steps, each of which needs
// what the one before has loaded:
//   Work::Edge                         what is known of an edge
//   work.head<SURE>(wanted, e, edge)   loads what lies at the edge's own place
//   work.near<SURE>(wanted, edge)      what that points to, where something points on from there
//   work.tail<SURE>(wanted, edge)      the last
//   work.use(e, edge)
// SURE: it is wanted. Forms:
//   fine          as the paper's, in smaller blocks
//   swp, swpnc    the next turn's edge is loaded whole before this one's use; swpnc: without a
//                 test, the last edge outside the loop
//   ahead         the next turn's tail, and the head of that after it
//   unr2, unr3    so many edges a turn, all heads first, then all tails; the rest one by one
//   wide4, wide8  so many, by predicated loads; no rest
#ifndef WARPFAB_FORMS_CUH
#define WARPFAB_FORMS_CUH

#include "shared.cuh"

enum { FORM_BLOCK = 256 }; // threads; WF_PREFETCH_BLOCK
enum { FINE, SWP, SWPNC, AHEAD, UNR2, UNR3, WIDE4, WIDE8 };

// An array that the kernel only reads; a word, a byte.
template <bool SURE>
DEVICE uint32_t load(bool wanted, const uint32_t *__restrict__ at, uint32_t otherwise) {
  return SURE ? *at : load_if(wanted, at, otherwise);
}
template <bool SURE>
DEVICE uint32_t load(bool wanted, const uint8_t *__restrict__ at, uint32_t otherwise) {
  if (SURE) return *at;
  asm(WHERE_WANTED("ld.global.nc.u8 %0, [%1]") : "+r"(otherwise) : "l"(at), "r"((uint32_t)wanted));
  return otherwise;
}

// For edges that have no such step.
struct Steps {
  template <bool SURE, class Edge> DEVICE_METHOD void near(bool, Edge &) const {}
  template <bool SURE, class Edge> DEVICE_METHOD void tail(bool, Edge &) const {}
};

template <bool SURE, class Work>
DEVICE typename Work::Edge whole(const Work &work, bool wanted, uint32_t e) {
  typename Work::Edge edge;
  work.template head<SURE>(wanted, e, edge);
  work.template near<SURE>(wanted, edge);
  work.template tail<SURE>(wanted, edge);
  return edge;
}

template <class Work> DEVICE void one_by_one(Work &work, uint32_t e, uint32_t end) {
#pragma clang loop unroll(disable)
  for (; e < end; e++) work.use(e, whole<true>(work, true, e));
}

// In these, edges take turns in their registers.

template <class Work> DEVICE void pipelined(Work &work, uint32_t e, uint32_t end) {
  typedef typename Work::Edge Edge;
  if (e >= end) return;
  Edge a = whole<true>(work, true, e), b;
  auto turn = TURN(const Edge &now, Edge &next) {
    next = whole<false>(work, e + 1 < end, e + 1);
    work.use(e, now);
    return ++e < end;
  };
#pragma clang loop unroll(disable)
  while (turn(a, b) && turn(b, a)) {}
}

template <class Work> DEVICE void pipelined_unchecked(Work &work, uint32_t e, uint32_t end) {
  typedef typename Work::Edge Edge;
  if (e >= end) return;
  Edge a = whole<true>(work, true, e), b;
#pragma clang loop unroll(disable)
  for (end--;; e += 2) {
    if (e == end) return work.use(e, a);
    b = whole<true>(work, true, e + 1);
    work.use(e, a);
    if (e + 1 == end) return work.use(e + 1, b);
    a = whole<true>(work, true, e + 2);
    work.use(e + 1, b);
  }
}

template <class Work> DEVICE void steps_ahead(Work &work, uint32_t e, uint32_t end) {
  typedef typename Work::Edge Edge;
  if (e >= end) return;
  Edge a = whole<true>(work, true, e), b, c;
  work.template head<false>(e + 1 < end, e + 1, b);
  work.template near<false>(e + 1 < end, b);
  auto turn = TURN(const Edge &now, Edge &next, Edge &third) {
    work.template tail<false>(e + 1 < end, next);
    work.template head<false>(e + 2 < end, e + 2, third);
    work.use(e, now);
    work.template near<false>(e + 2 < end, third);
    return ++e < end;
  };
#pragma clang loop unroll(disable)
  while (turn(a, b, c) && turn(b, c, a) && turn(c, a, b)) {}
}

template <int U, class Work> DEVICE void unrolled(Work &work, uint32_t e, uint32_t end) {
#pragma clang loop unroll(disable)
  for (; e + U <= end; e += U) {
    typename Work::Edge edge[U];
#pragma unroll
    for (int i = 0; i < U; i++) work.template head<true>(true, e + i, edge[i]);
#pragma unroll
    for (int i = 0; i < U; i++) work.template near<true>(true, edge[i]);
#pragma unroll
    for (int i = 0; i < U; i++) work.template tail<true>(true, edge[i]);
#pragma unroll
    for (int i = 0; i < U; i++) work.use(e + i, edge[i]);
  }
  one_by_one(work, e, end);
}

template <int U, class Work> DEVICE void wide(Work &work, uint32_t e, uint32_t end) {
#pragma clang loop unroll(disable)
  for (; e < end; e += U) {
    typename Work::Edge edge[U];
#pragma unroll
    for (int i = 0; i < U; i++) work.template head<false>(e + i < end, e + i, edge[i]);
#pragma unroll
    for (int i = 0; i < U; i++) work.template near<false>(e + i < end, edge[i]);
#pragma unroll
    for (int i = 0; i < U; i++) work.template tail<false>(e + i < end, edge[i]);
#pragma unroll
    for (int i = 0; i < U; i++)
      if (e + i < end) work.use(e + i, edge[i]);
  }
}

// Edges e .. end - 1.
template <int FORM, class Work> DEVICE void walk_list(Work &work, uint32_t e, uint32_t end) {
  if (FORM == FINE) one_by_one(work, e, end);
  if (FORM == SWP) pipelined(work, e, end);
  if (FORM == SWPNC) pipelined_unchecked(work, e, end);
  if (FORM == AHEAD) steps_ahead(work, e, end);
  if (FORM == UNR2) unrolled<2>(work, e, end);
  if (FORM == UNR3) unrolled<3>(work, e, end);
  if (FORM == WIDE4) wide<4>(work, e, end);
  if (FORM == WIDE8) wide<8>(work, e, end);
}

// KERNEL NAME_fine, .. from template <int FORM> void FUNCTION(PARAMS).
#define IN_LOAD_FORMS(NAME, FUNCTION, PARAMS, ...)                                                 \
  KERNEL NAME##_fine PARAMS {                                                                      \
    FUNCTION<FINE>(__VA_ARGS__);                                                                   \
  }                                                                                                \
  KERNEL NAME##_swp PARAMS {                                                                       \
    FUNCTION<SWP>(__VA_ARGS__);                                                                    \
  }                                                                                                \
  KERNEL NAME##_swpnc PARAMS {                                                                     \
    FUNCTION<SWPNC>(__VA_ARGS__);                                                                  \
  }                                                                                                \
  KERNEL NAME##_ahead PARAMS {                                                                     \
    FUNCTION<AHEAD>(__VA_ARGS__);                                                                  \
  }                                                                                                \
  KERNEL NAME##_unr2 PARAMS {                                                                      \
    FUNCTION<UNR2>(__VA_ARGS__);                                                                   \
  }                                                                                                \
  KERNEL NAME##_unr3 PARAMS {                                                                      \
    FUNCTION<UNR3>(__VA_ARGS__);                                                                   \
  }                                                                                                \
  KERNEL NAME##_wide4 PARAMS {                                                                     \
    FUNCTION<WIDE4>(__VA_ARGS__);                                                                  \
  }                                                                                                \
  KERNEL NAME##_wide8 PARAMS {                                                                     \
    FUNCTION<WIDE8>(__VA_ARGS__);                                                                  \
  }

#endif
