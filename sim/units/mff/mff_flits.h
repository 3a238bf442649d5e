/* Flit layouts of the ports of mff_unit (rtl/mff_unit/README.md, "Ports"): pack and unpack helpers.
 * A flit is 256 bits, held as 8 words of 32 bits, least significant first: word k is bits
 * 32k+31..32k. Pure C11, no dependence on a simulator. */
#ifndef MFF_FLITS_H
#define MFF_FLITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
  MFF_FLIT_WORDS = 8,     /* 32-bit words of a flit, of a memory beat */
  MFF_LANES = 32,         /* lanes of a warp */
  MFF_MAX_SIZE = 32,      /* largest size of one lane */
  MFF_LANES_PER_FLIT = 6, /* lanes in one lane flit */
  MFF_MAX_LANE_FLITS = 6, /* lane flits of a full command: ceil(32 / 6) */
  MFF_WORDS_PER_RSP = 5,  /* words in one data response */
  MFF_BLOCK_BYTES = 128,  /* memory block */
  MFF_BEAT_BYTES = 32,    /* one memory beat (a sector); 4 make a block */
  MFF_BEATS = 4,
  MFF_MEM_ID_BITS = 16 /* width of one slice's field in mem_rd_id_o and mem_rsp_id_i */
};

/* Operations of a command. */
enum { MFF_OP_GATHER = 0, MFF_OP_SCATTER_SET = 1 };

/* Configuration registers (cfg_addr_i): byte addresses; not a multiple of 4 makes commands fail.
 * What lies above the lower 32 bits of a base has a register MFF_CFG_HIGH further. */
enum { MFF_CFG_C_BASE = 0, MFF_CFG_V_BASE = 1, MFF_CFG_B_BASE = 2, MFF_CFG_HIGH = 4 };

/* Header flit of a command: word 0 op[0] sm[15:8] warp[21:16] tag[31:24], word 1 lane mask,
 * word 2 number of lane flits that follow [2:0]. */
typedef struct mff_cmd_header {
  uint32_t op;         /* MFF_OP_* */
  uint32_t sm;         /* 0 .. NumSm-1 (field: 8 bits, of which up to 64 SMs use 6) */
  uint32_t warp;       /* 0 .. NumWarp-1 (field: 6 bits) */
  uint32_t tag;        /* 0 .. 255, returned in every response of the command */
  uint32_t lane_mask;  /* bit n: lane n has an entry in the lane flits */
  uint32_t lane_flits; /* must be ceil(popcount(lane_mask) / 6) */
} mff_cmd_header;

/* One lane of a command: read C[c_index .. c_index + size). */
typedef struct mff_lane {
  uint32_t c_index; /* element index into C */
  uint32_t size;    /* 0 .. 32 (field: 6 bits; more is refused) */
} mff_lane;

/* A response flit. Data: words 0..4 the words; bits 160+10k+4..160+10k lane and
 * 160+10k+9..160+10k+5 a_offset of word k. Done: word 0 words_delivered[15:0] op[16] error[17].
 * Both: word 7 is type[0] count[6:4] sm[15:8] warp[21:16] tag[31:24]. */
typedef struct mff_rsp {
  uint32_t is_done; /* 0 data, 1 done */
  uint32_t sm, warp, tag;
  uint32_t count;                       /* data: words in this flit, 1..5 */
  uint32_t lane[MFF_WORDS_PER_RSP];     /* data */
  uint32_t a_offset[MFF_WORDS_PER_RSP]; /* data: place in the lane's list, 0..31 */
  uint32_t word[MFF_WORDS_PER_RSP];     /* data */
  uint32_t op;                          /* done */
  uint32_t error;                       /* done: 1 the command was refused and did nothing */
  uint32_t words_delivered;             /* done: words (gather) or bits (scatter_set), 0..1024 */
} mff_rsp;

/* Lanes named by a mask. */
static inline uint32_t mff_lanes_in(uint32_t mask) {
  uint32_t n = 0;
  for (; mask; mask &= mask - 1) n++;
  return n;
}

/* Lane flits that a command with this many lanes carries. */
static inline uint32_t mff_lane_flits(uint32_t lanes) {
  return (lanes + MFF_LANES_PER_FLIT - 1) / MFF_LANES_PER_FLIT;
}

static inline void mff_pack_header(uint32_t flit[MFF_FLIT_WORDS], const mff_cmd_header *h) {
  memset(flit, 0, MFF_FLIT_WORDS * sizeof flit[0]);
  flit[0] = (h->op & 1u) | (h->sm & 255u) << 8 | (h->warp & 63u) << 16 | (h->tag & 255u) << 24;
  flit[1] = h->lane_mask;
  flit[2] = h->lane_flits & 7u;
}

/* Lane flit: word k (0..5) is c_index of its lane k, bits 192+6k+5..192+6k its size. */
static inline void mff_pack_lanes(uint32_t flit[MFF_FLIT_WORDS], const mff_lane *lanes,
                                  uint32_t count) {
  uint64_t sizes = 0;
  memset(flit, 0, MFF_FLIT_WORDS * sizeof flit[0]);
  for (uint32_t k = 0; k < count && k < MFF_LANES_PER_FLIT; k++) {
    flit[k] = lanes[k].c_index;
    sizes |= (uint64_t)(lanes[k].size & 63u) << (6 * k);
  }
  flit[6] = (uint32_t)sizes;
  flit[7] = (uint32_t)(sizes >> 32);
}

/* Packs a whole command; by_lane[n] is used for the lanes n of h->lane_mask, and h->lane_flits is
 * ignored. flits has room for 1 + MFF_MAX_LANE_FLITS flits; returns how many were written. */
static inline uint32_t mff_pack_command(uint32_t flits[][MFF_FLIT_WORDS], const mff_cmd_header *h,
                                        const mff_lane by_lane[MFF_LANES]) {
  mff_lane packed[MFF_LANES];
  uint32_t n = 0;
  for (uint32_t lane = 0; lane < MFF_LANES; lane++)
    if (h->lane_mask >> lane & 1u) packed[n++] = by_lane[lane];
  mff_cmd_header header = *h;
  header.lane_flits = mff_lane_flits(n);
  mff_pack_header(flits[0], &header);
  for (uint32_t f = 0; f < header.lane_flits; f++) {
    uint32_t first = f * MFF_LANES_PER_FLIT;
    mff_pack_lanes(flits[1 + f], packed + first, n - first);
  }
  return 1 + header.lane_flits;
}

static inline void mff_unpack_rsp(mff_rsp *r, const uint32_t flit[MFF_FLIT_WORDS]) {
  memset(r, 0, sizeof *r);
  uint32_t top = flit[7];
  r->is_done = top & 1u;
  r->count = top >> 4 & 7u;
  r->sm = top >> 8 & 255u;
  r->warp = top >> 16 & 63u;
  r->tag = top >> 24;
  if (r->is_done) {
    r->words_delivered = flit[0] & 0xffffu;
    r->op = flit[0] >> 16 & 1u;
    r->error = flit[0] >> 17 & 1u;
    return;
  }
  uint64_t places = flit[5] | (uint64_t)flit[6] << 32;
  for (uint32_t k = 0; k < r->count && k < MFF_WORDS_PER_RSP; k++) {
    uint32_t place = (uint32_t)(places >> (10 * k));
    r->word[k] = flit[k];
    r->lane[k] = place & 31u;
    r->a_offset[k] = place >> 5 & 31u;
  }
}

/* Slice that owns a byte address; with `hash` each row of stripes, one for each slice, is turned.
 */
static inline uint32_t mff_owner(uint64_t address, uint32_t interleave_bytes, uint32_t slices,
                                 bool hash) {
  const uint64_t stripe = address / interleave_bytes;
  const uint32_t row = (uint32_t)(stripe / slices), turn = row ^ row >> 4 ^ row >> 9 ^ row >> 15;
  return (uint32_t)((stripe + (hash ? turn % slices : 0)) % slices);
}

/* Performance counters of one slice (cnt_index_i); cnt_slice_i selects the slice. Sums of
 * occupancy are entry-cycles: divide by MFF_CNT_CYCLES for the mean. */
enum {
  MFF_CNT_CYCLES = 0,      /* cycles with work in the unit */
  MFF_CNT_COMMANDS,        /* commands accepted, refused ones included */
  MFF_CNT_ERRORS,          /* commands refused and bad configuration writes */
  MFF_CNT_JOB_OCC,         /* sum of jobs held */
  MFF_CNT_STALL_JOB,       /* cycles a header waited for a free job entry */
  MFF_CNT_RUNS,            /* C requests sent by the sequencer */
  MFF_CNT_C_LOOKUPS,       /* runs looked up in the C tags */
  MFF_CNT_C_MERGES,        /* ... that met an outstanding block */
  MFF_CNT_C_STALL_TAG,     /* cycles a C miss waited for a free line */
  MFF_CNT_C_STALL_REG,     /* cycles a run waited for a free C register */
  MFF_CNT_C_OCC,           /* sum of C lines held */
  MFF_CNT_ELEMENTS,        /* indexes extracted: V requests sent */
  MFF_CNT_C_STALL_OUT,     /* cycles a V request waited for the crossbar */
  MFF_CNT_V_LOOKUPS,       /* requests looked up in the V tags */
  MFF_CNT_V_MERGES,        /* ... that met an outstanding block */
  MFF_CNT_V_STALL_TAG,     /* cycles a V miss waited for a free tag */
  MFF_CNT_V_STALL_REG,     /* cycles a V request waited for a free work register */
  MFF_CNT_V_STALL_RD,      /* cycles a V miss waited for the read queue */
  MFF_CNT_V_TAG_OCC,       /* sum of V tags held */
  MFF_CNT_V_REG_OCC,       /* sum of work registers held */
  MFF_CNT_V_NODES,         /* list nodes walked */
  MFF_CNT_STALL_LINE,      /* cycles a V block waited at mem_rsp for a free line */
  MFF_CNT_STALL_WALK,      /* cycles the V walk waited for the reply side */
  MFF_CNT_BLOCKS_READ,     /* block reads issued, C and V */
  MFF_CNT_SECTORS_WRITTEN, /* 32 B sectors written */
  MFF_CNT_BLOCKS_WRITTEN,  /* blocks written back */
  MFF_CNT_EARLY_WRITES,    /* ... before the list's end, because the token queue was full */
  MFF_CNT_RSP_DATA,        /* data flits taken */
  MFF_CNT_RSP_WORDS,       /* words in them */
  MFF_CNT_RSP_DONE,        /* done flits taken */
  MFF_CNT_STALL_RSP,       /* cycles a response flit waited at the port */
  MFF_CNT_COUNT
};

#endif
