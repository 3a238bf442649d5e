/* Memory behind AXI4 or TileLink-UL ports. */
#include "tb/common/wf_bus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { MAX_ITEMS = 512, MAX_PAYLOAD = 64, SMALL = 64 };
enum { OKAY = 0, SLVERR = 2, DECERR = 3 };
enum { PUT_FULL = 0, PUT_PARTIAL = 1, GET = 4, ACK = 0, ACK_DATA = 1 };

/* A burst, or a message. */
typedef struct item {
  uint64_t address, due, number;
  uint32_t id, words, bytes; /* bytes: of each word */
  uint32_t done;             /* words that came or went */
  bool sampled;              /* data are of the moment when it was taken */
  uint8_t data[512], strobe[512];
} item;

typedef struct list {
  item *items[MAX_ITEMS];
  unsigned n;
} list;

/* Channels that are stalled by themselves, and whose offers must hold. */
enum { CH_READ, CH_WRITE, CH_DATA, CH_ANSWER, CH_ACK, CHANNELS };
typedef struct lane_state {
  list reads;  /* to be answered */
  list writes; /* addresses whose words are not all here */
  list data;   /* words that came before their address */
  list ends;   /* whole writes, to be answered */
  unsigned stall[CHANNELS];
  bool held[CHANNELS];
  uint32_t old[CHANNELS][MAX_PAYLOAD];
  uint64_t last_read; /* number of the read whose word went last */
} lane_state;

typedef struct port {
  const wf_port *port;
  unsigned width; /* of a lane */
} port;
enum {
  P_ARVALID,
  P_ARREADY,
  P_ARID,
  P_ARADDR,
  P_ARLEN,
  P_ARSIZE,
  P_ARBURST,
  P_ARLOCK,
  P_RVALID,
  P_RREADY,
  P_RID,
  P_RDATA,
  P_RRESP,
  P_RLAST,
  P_AWVALID,
  P_AWREADY,
  P_AWID,
  P_AWADDR,
  P_AWLEN,
  P_AWSIZE,
  P_AWBURST,
  P_AWLOCK,
  P_WVALID,
  P_WREADY,
  P_WDATA,
  P_WSTRB,
  P_WLAST,
  P_BVALID,
  P_BREADY,
  P_BID,
  P_BRESP,
  AXI_PORTS,
  P_AVALID = 0,
  P_AREADY,
  P_AOPCODE,
  P_APARAM,
  P_ASIZE,
  P_ASOURCE,
  P_AADDRESS,
  P_AMASK,
  P_ADATA,
  P_ACORRUPT,
  P_DVALID,
  P_DREADY,
  P_DOPCODE,
  P_DSOURCE,
  P_DDENIED,
  P_DDATA,
  P_DCORRUPT,
  TL_PORTS
};
static const char *const axi_names[AXI_PORTS] = {
    "arvalid_o", "arready_i", "arid_o",   "araddr_o", "arlen_o", "arsize_o", "arburst_o",
    "arlock_o",  "rvalid_i",  "rready_o", "rid_i",    "rdata_i", "rresp_i",  "rlast_i",
    "awvalid_o", "awready_i", "awid_o",   "awaddr_o", "awlen_o", "awsize_o", "awburst_o",
    "awlock_o",  "wvalid_o",  "wready_i", "wdata_o",  "wstrb_o", "wlast_o",  "bvalid_i",
    "bready_o",  "bid_i",     "bresp_i"};
static const char *const tl_names[TL_PORTS] = {
    "a_valid_o",   "a_ready_i",  "a_opcode_o", "a_param_o",   "a_size_o",   "a_source_o",
    "a_address_o", "a_mask_o",   "a_data_o",   "a_corrupt_o", "d_valid_i",  "d_ready_o",
    "d_opcode_i",  "d_source_i", "d_denied_i", "d_data_i",    "d_corrupt_i"};

struct wf_bus {
  wf_bench *bench;
  wf_bus_side side;
  const wf_bus_options *options;
  unsigned lanes, n_ports, bus_bytes;
  bool axi, writes; /* writes: there are channels for them */
  port p[AXI_PORTS];
  lane_state *lane;
  uint64_t now, number;
  wf_bus_stats stats;
};

/* ---- life ---- */

wf_bus *wf_bus_create(wf_bench *bench, unsigned lanes, const wf_bus_side *side) {
  const bool axi = wf_model_port(bench->model, "axi_arvalid_o") != NULL;
  if (!axi && !wf_model_port(bench->model, "tl_a_valid_o")) return NULL;
  wf_bus *bus = wf_calloc(1, sizeof *bus);
  bus->bench = bench;
  bus->side = *side;
  bus->lanes = lanes;
  bus->axi = axi;
  bus->n_ports = axi ? AXI_PORTS : TL_PORTS;
  for (unsigned i = 0; i < bus->n_ports; i++) {
    char name[40];
    snprintf(name, sizeof name, "%s%s", axi ? "axi_" : "tl_", (axi ? axi_names : tl_names)[i]);
    bus->p[i].port = wf_model_port(bench->model, name);
    if (bus->p[i].port) bus->p[i].width = bus->p[i].port->width / lanes;
  }
  bus->writes = !axi || bus->p[P_AWVALID].port;
  bus->bus_bytes = bus->p[axi ? P_RDATA : P_DDATA].width / 8;
  bus->lane = wf_calloc(lanes, sizeof *bus->lane);
  return bus;
}

static void clear(list *l) {
  while (l->n) free(l->items[--l->n]);
}

void wf_bus_reset(wf_bus *bus) {
  bus->stats = (wf_bus_stats){0};
  for (unsigned l = 0; l < bus->lanes; l++) {
    lane_state *t = &bus->lane[l];
    clear(&t->reads);
    clear(&t->writes);
    clear(&t->data);
    clear(&t->ends);
    memset(t, 0, sizeof *t);
  }
}

void wf_bus_destroy(wf_bus *bus) {
  if (!bus) return;
  wf_bus_reset(bus);
  free(bus->lane);
  free(bus);
}

bool wf_bus_is_axi(const wf_bus *bus) {
  return bus->axi;
}

unsigned wf_bus_owed(const wf_bus *bus) {
  unsigned n = 0;
  for (unsigned l = 0; l < bus->lanes; l++) {
    const lane_state *t = &bus->lane[l];
    n += t->reads.n + t->writes.n + t->data.n + t->ends.n;
  }
  return n;
}

const wf_bus_stats *wf_bus_statistics(const wf_bus *bus) {
  return &bus->stats;
}

/* ---- small things ---- */

static uint64_t get(const wf_bus *bus, unsigned l, unsigned which) {
  const port *p = &bus->p[which];
  return wf_port_get_bits(p->port, l * p->width, p->width);
}

static void set(wf_bus *bus, unsigned l, unsigned which, uint64_t value) {
  const port *p = &bus->p[which];
  if (p->port) wf_port_set_bits(p->port, l * p->width, p->width, value);
}

static void get_bytes(const wf_bus *bus, unsigned l, unsigned which, uint8_t *bytes) {
  const port *p = &bus->p[which];
  uint32_t words[WF_BUS_BYTES / 4];
  wf_port_read(p->port, l * p->width, p->width, words);
  memcpy(bytes, words, (p->width + 7) / 8);
}

static void set_bytes(wf_bus *bus, unsigned l, unsigned which, const uint8_t *bytes) {
  const port *p = &bus->p[which];
  uint32_t words[WF_BUS_BYTES / 4] = {0};
  memcpy(words, bytes, p->width / 8);
  wf_port_write(p->port, l * p->width, p->width, words);
}

static uint32_t below(wf_bus *bus, uint32_t bound) {
  return (uint32_t)wf_rng_below(&bus->bench->rng, bound);
}

static void garbage(wf_bus *bus, unsigned l, unsigned first, unsigned last) {
  for (unsigned i = first; i <= last; i++) {
    uint8_t bytes[WF_BUS_BYTES];
    for (unsigned k = 0; k < WF_BUS_BYTES; k += 8) {
      uint64_t x = wf_rng_next(&bus->bench->rng);
      memcpy(bytes + k, &x, 8);
    }
    if (bus->p[i].width > SMALL)
      set_bytes(bus, l, i, bytes);
    else
      set(bus, l, i, wf_rng_next(&bus->bench->rng));
  }
}

static bool stalled(wf_bus *bus, lane_state *t, unsigned channel, unsigned percent) {
  if (t->stall[channel]) return t->stall[channel]--, true;
  if (!percent || below(bus, 100) >= percent) return false;
  t->stall[channel] = below(bus, bus->options->burst);
  return true;
}

static bool fail(wf_bus *bus, unsigned l, const char *what) {
  return wf_bench_fail(bus->bench, "bus %u: %s", l, what);
}

/* An offer that was not taken is there again, unchanged. */
static bool holds(wf_bus *bus, unsigned l, unsigned channel, bool valid, bool ready, unsigned first,
                  unsigned last) {
  lane_state *t = &bus->lane[l];
  uint32_t now[MAX_PAYLOAD] = {0};
  unsigned n = 0;
  if (t->held[channel] && !valid) return fail(bus, l, "an offer is withdrawn");
  for (unsigned i = first; i <= last && valid; i++) {
    const port *p = &bus->p[i];
    wf_port_read(p->port, l * p->width, p->width, now + n);
    n += (p->width + 31) / 32;
  }
  if (t->held[channel] && memcmp(now, t->old[channel], sizeof now) != 0)
    return fail(bus, l, "an offer changes before it is taken");
  t->held[channel] = valid && !ready;
  memcpy(t->old[channel], now, sizeof now);
  return true;
}

static item *push(wf_bus *bus, list *l) {
  if (l->n == MAX_ITEMS) {
    wf_bench_fail(bus->bench, "a bus has more on its way than any converter has slots");
    l->n--;
  }
  item *i = wf_calloc(1, sizeof *i);
  const unsigned spread = bus->options->latency_max - bus->options->latency_min + 1;
  i->number = ++bus->number;
  i->due = bus->now + bus->options->latency_min + below(bus, spread);
  l->items[l->n++] = i;
  return i;
}

static void drop(list *l, unsigned at) {
  free(l->items[at]);
  memmove(&l->items[at], &l->items[at + 1], (--l->n - at) * sizeof *l->items);
}

static bool known(const list *l, uint32_t id) {
  for (unsigned i = 0; i < l->n; i++)
    if (l->items[i]->id == id) return true;
  return false;
}

static bool may_answer(const wf_bus *bus, const list *l, unsigned at) {
  return !bus->side.may_answer || bus->side.may_answer(bus->side.user, l->items[at]->address);
}

/* One that is due, any of them; -1. */
static int choose(wf_bus *bus, const list *l) {
  if (!l->n) return -1;
  const unsigned start = bus->options->in_order ? 0 : below(bus, l->n);
  for (unsigned i = 0; i < l->n; i++) {
    const unsigned at = (start + i) % l->n;
    if (l->items[at]->due <= bus->now && may_answer(bus, l, at)) return (int)at;
    if (bus->options->in_order) return -1;
  }
  return -1;
}

static bool fails(wf_bus *bus) {
  return bus->options->errors && below(bus, 100) < bus->options->errors;
}

static bool sample(wf_bus *bus, unsigned l, item *i) {
  return bus->side.read(bus->side.user, l, i->address, i->words * i->bytes, i->data);
}

static bool commit(wf_bus *bus, unsigned l, const item *i, bool failed) {
  bus->stats.write_errors += failed;
  return bus->side.write(bus->side.user, l, i->address, i->words * i->bytes, i->data, i->strobe,
                         failed);
}

/* ---- AXI4 ---- */

static bool burst_right(wf_bus *bus, unsigned l, unsigned addr, unsigned len, unsigned size,
                        unsigned burst, unsigned lock) {
  const uint64_t bytes = UINT64_C(1) << get(bus, l, size), words = get(bus, l, len) + 1,
                 address = get(bus, l, addr);
  if (bytes > bus->bus_bytes) return fail(bus, l, "words larger than the bus");
  if (get(bus, l, burst) != 1 || get(bus, l, lock)) return fail(bus, l, "not a plain INCR burst");
  if (address % bytes) return fail(bus, l, "a burst is not aligned to its words");
  if (address / 4096 != (address + bytes * words - 1) / 4096)
    return fail(bus, l, "a burst crosses 4 KB");
  return true;
}

static bool axi_asks_read(wf_bus *bus, unsigned l) {
  lane_state *t = &bus->lane[l];
  const bool valid = get(bus, l, P_ARVALID),
             ready = !stalled(bus, t, CH_READ, bus->options->stall_ask);
  set(bus, l, P_ARREADY, ready);
  bus->stats.ask_stalls += valid && !ready;
  if (!holds(bus, l, CH_READ, valid, ready, P_ARID, P_ARLOCK)) return false;
  if (!valid || !ready) return true;
  if (!burst_right(bus, l, P_ARADDR, P_ARLEN, P_ARSIZE, P_ARBURST, P_ARLOCK)) return false;
  const uint32_t id = (uint32_t)get(bus, l, P_ARID);
  if (known(&t->reads, id)) return fail(bus, l, "two reads on their way have one ID");
  item *i = push(bus, &t->reads);
  i->id = id;
  i->address = get(bus, l, P_ARADDR);
  i->words = (uint32_t)get(bus, l, P_ARLEN) + 1;
  i->bytes = 1u << get(bus, l, P_ARSIZE);
  i->sampled = below(bus, 2);
  i->due++; /* no earlier than an edge after it was taken */
  bus->stats.reads++;
  return !i->sampled || sample(bus, l, i);
}

static bool axi_reads(wf_bus *bus, unsigned l) {
  lane_state *t = &bus->lane[l];
  const int at =
      stalled(bus, t, CH_ANSWER, bus->options->stall_answer) ? -1 : choose(bus, &t->reads);
  if (!get(bus, l, P_RREADY)) return fail(bus, l, "RREADY is low");
  set(bus, l, P_RVALID, at >= 0);
  garbage(bus, l, P_RID, P_RLAST);
  if (at < 0) return true;
  item *i = t->reads.items[at];
  const bool bad = fails(bus);
  if (!i->done && !i->sampled && !sample(bus, l, i)) return false;
  bus->stats.read_errors += bad;
  bus->stats.passed += at > 0 && i->done == 0;
  bus->stats.mixed += i->done != 0 && t->last_read != i->number;
  t->last_read = i->number;
  set(bus, l, P_RID, i->id);
  if (!bad) {
    uint8_t word[WF_BUS_BYTES];
    memset(word, 0xee, sizeof word);
    memcpy(word + (i->address + i->done * i->bytes) % bus->bus_bytes, i->data + i->done * i->bytes,
           i->bytes);
    set_bytes(bus, l, P_RDATA, word);
  }
  set(bus, l, P_RRESP, !bad ? OKAY : below(bus, 2) ? SLVERR : DECERR);
  set(bus, l, P_RLAST, ++i->done == i->words);
  if (i->done == i->words) drop(&t->reads, (unsigned)at);
  return true;
}

/* An address and the words that belong to it, in order, make a write. */
static void join(wf_bus *bus, lane_state *t) {
  while (t->writes.n && t->data.n && t->data.items[0]->done == t->data.items[0]->words) {
    item *a = t->writes.items[0], *d = t->data.items[0];
    if (a->words != d->words) wf_bench_fail(bus->bench, "WLAST does not come with the last word");
    for (unsigned w = 0; w < a->words && w < d->words; w++) {
      const unsigned lane = (unsigned)((a->address + w * a->bytes) % bus->bus_bytes);
      const uint8_t *from = d->data + w * bus->bus_bytes, *strobe = d->strobe + w * bus->bus_bytes;
      for (unsigned b = 0; b < bus->bus_bytes; b++)
        if (strobe[b] && (b < lane || b >= lane + a->bytes))
          wf_bench_fail(bus->bench, "a strobe lies outside a narrow write");
      memcpy(a->data + w * a->bytes, from + lane, a->bytes);
      memcpy(a->strobe + w * a->bytes, strobe + lane, a->bytes);
    }
    bus->stats.narrow += a->bytes < bus->bus_bytes;
    a->due += bus->now - (a->due < bus->now ? a->due : bus->now) + 1;
    t->ends.items[t->ends.n++] = a;
    memmove(&t->writes.items[0], &t->writes.items[1], --t->writes.n * sizeof a);
    drop(&t->data, 0);
  }
}

static bool axi_asks_write(wf_bus *bus, unsigned l) {
  lane_state *t = &bus->lane[l];
  const bool valid = get(bus, l, P_AWVALID),
             ready = !stalled(bus, t, CH_WRITE, bus->options->stall_ask);
  set(bus, l, P_AWREADY, ready);
  if (!holds(bus, l, CH_WRITE, valid, ready, P_AWID, P_AWLOCK)) return false;
  if (!valid || !ready) return true;
  if (!burst_right(bus, l, P_AWADDR, P_AWLEN, P_AWSIZE, P_AWBURST, P_AWLOCK)) return false;
  const uint32_t id = (uint32_t)get(bus, l, P_AWID);
  if (known(&t->writes, id) || known(&t->ends, id))
    return fail(bus, l, "two writes on their way have one ID");
  item *i = push(bus, &t->writes);
  i->id = id;
  i->address = get(bus, l, P_AWADDR);
  i->words = (uint32_t)get(bus, l, P_AWLEN) + 1;
  i->bytes = 1u << get(bus, l, P_AWSIZE);
  bus->stats.writes++;
  return true;
}

static bool axi_words(wf_bus *bus, unsigned l) {
  lane_state *t = &bus->lane[l];
  const bool valid = get(bus, l, P_WVALID),
             ready = !stalled(bus, t, CH_DATA, bus->options->stall_data);
  set(bus, l, P_WREADY, ready);
  if (!holds(bus, l, CH_DATA, valid, ready, P_WDATA, P_WLAST)) return false;
  if (!valid || !ready) return true;
  item *i = t->data.n ? t->data.items[t->data.n - 1] : NULL;
  if (!i || i->done == i->words) {
    i = push(bus, &t->data);
    i->words = UINT32_MAX; /* until WLAST tells */
  }
  if ((i->done + 1) * bus->bus_bytes > sizeof i->data) return fail(bus, l, "WLAST does not come");
  uint8_t strobes[WF_BUS_BYTES / 8];
  get_bytes(bus, l, P_WDATA, i->data + i->done * bus->bus_bytes);
  get_bytes(bus, l, P_WSTRB, strobes);
  for (unsigned b = 0; b < bus->bus_bytes; b++)
    i->strobe[i->done * bus->bus_bytes + b] = strobes[b / 8] >> b % 8 & 1;
  i->done++;
  if (get(bus, l, P_WLAST)) i->words = i->done;
  return true;
}

static bool axi_acks(wf_bus *bus, unsigned l) {
  lane_state *t = &bus->lane[l];
  const int at = stalled(bus, t, CH_ACK, bus->options->stall_answer) ? -1 : choose(bus, &t->ends);
  if (!get(bus, l, P_BREADY)) return fail(bus, l, "BREADY is low");
  set(bus, l, P_BVALID, at >= 0);
  garbage(bus, l, P_BID, P_BRESP);
  if (at < 0) return true;
  const bool bad = fails(bus);
  set(bus, l, P_BID, t->ends.items[at]->id);
  set(bus, l, P_BRESP, !bad ? OKAY : below(bus, 2) ? SLVERR : DECERR);
  bus->stats.passed += at > 0;
  const bool ok = commit(bus, l, t->ends.items[at], bad);
  drop(&t->ends, (unsigned)at);
  return ok;
}

static bool axi_cycle(wf_bus *bus, unsigned l) {
  if (!axi_reads(bus, l) || !axi_asks_read(bus, l)) return false;
  if (!bus->writes) return true;
  /* What is joined now is answered at the next edge at the earliest. */
  if (!axi_acks(bus, l) || !axi_asks_write(bus, l) || !axi_words(bus, l)) return false;
  join(bus, &bus->lane[l]);
  return !bus->bench->failure[0];
}

/* ---- TileLink-UL ---- */

static bool message_right(wf_bus *bus, unsigned l) {
  const uint64_t bytes = UINT64_C(1) << get(bus, l, P_ASIZE), address = get(bus, l, P_AADDRESS),
                 opcode = get(bus, l, P_AOPCODE);
  uint8_t mask[WF_BUS_BYTES / 8];
  unsigned bits = 0;
  if (bytes > bus->bus_bytes) return fail(bus, l, "a message is larger than the bus");
  if (address % bytes) return fail(bus, l, "a message is not aligned to its size");
  if (opcode != GET && opcode != PUT_FULL && opcode != PUT_PARTIAL)
    return fail(bus, l, "not a message of TL-UL");
  if (get(bus, l, P_APARAM) || get(bus, l, P_ACORRUPT)) return fail(bus, l, "param or corrupt");
  get_bytes(bus, l, P_AMASK, mask);
  const unsigned lane = (unsigned)(address % bus->bus_bytes);
  for (unsigned b = 0; b < bus->bus_bytes; b++) {
    const bool bit = mask[b / 8] >> b % 8 & 1;
    if (bit && (b < lane || b >= lane + bytes)) return fail(bus, l, "a mask outside its message");
    bits += bit;
  }
  if (opcode != PUT_PARTIAL && bits != bytes) return fail(bus, l, "a mask with a hole");
  return true;
}

static bool tl_asks(wf_bus *bus, unsigned l) {
  lane_state *t = &bus->lane[l];
  const bool valid = get(bus, l, P_AVALID),
             ready = !stalled(bus, t, CH_READ, bus->options->stall_ask);
  set(bus, l, P_AREADY, ready);
  bus->stats.ask_stalls += valid && !ready;
  if (!holds(bus, l, CH_READ, valid, ready, P_AOPCODE, P_ACORRUPT)) return false;
  if (!valid || !ready) return true;
  if (!message_right(bus, l)) return false;
  const uint32_t id = (uint32_t)get(bus, l, P_ASOURCE);
  const bool put = get(bus, l, P_AOPCODE) != GET;
  if (known(&t->reads, id) || known(&t->ends, id))
    return fail(bus, l, "two messages on their way have one source");
  item *i = push(bus, put ? &t->ends : &t->reads);
  i->id = id;
  i->address = get(bus, l, P_AADDRESS);
  i->words = 1;
  i->bytes = 1u << get(bus, l, P_ASIZE);
  *(put ? &bus->stats.writes : &bus->stats.reads) += 1;
  if (!put) return !(i->sampled = below(bus, 2)) || sample(bus, l, i);
  uint8_t data[WF_BUS_BYTES], mask[WF_BUS_BYTES / 8];
  const unsigned lane = (unsigned)(i->address % bus->bus_bytes);
  get_bytes(bus, l, P_ADATA, data);
  get_bytes(bus, l, P_AMASK, mask);
  memcpy(i->data, data + lane, i->bytes);
  for (unsigned b = 0; b < i->bytes; b++) i->strobe[b] = mask[(lane + b) / 8] >> (lane + b) % 8 & 1;
  bus->stats.narrow += i->bytes < bus->bus_bytes;
  return true;
}

static bool tl_answers(wf_bus *bus, unsigned l) {
  lane_state *t = &bus->lane[l];
  list *from = below(bus, 2) ? &t->ends : &t->reads;
  int at = -1;
  if (!stalled(bus, t, CH_ANSWER, bus->options->stall_answer)) {
    at = choose(bus, from);
    if (at < 0) at = choose(bus, from = from == &t->ends ? &t->reads : &t->ends);
  }
  if (!get(bus, l, P_DREADY)) return fail(bus, l, "d_ready is low");
  set(bus, l, P_DVALID, at >= 0);
  garbage(bus, l, P_DOPCODE, P_DCORRUPT);
  if (at < 0) return true;
  item *i = from->items[at];
  const bool put = from == &t->ends, bad = fails(bus), denied = bad && (put || below(bus, 2));
  bool ok = true;
  if (!put && !i->sampled) ok = sample(bus, l, i);
  bus->stats.passed += at > 0;
  bus->stats.at_once += i->number == bus->number && t->held[CH_READ] == 0 && i->due == bus->now;
  bus->stats.mixed += !put && t->last_read && i->address / bus->bus_bytes != t->last_read;
  if (!put) t->last_read = i->address / bus->bus_bytes + 1;
  set(bus, l, P_DOPCODE, put ? ACK : ACK_DATA);
  set(bus, l, P_DSOURCE, i->id);
  set(bus, l, P_DDENIED, denied);
  set(bus, l, P_DCORRUPT, bad && !put);
  if (!bad && !put) set_bytes(bus, l, P_DDATA, i->data);
  if (put)
    ok = commit(bus, l, i, bad);
  else
    bus->stats.read_errors += bad;
  drop(from, (unsigned)at);
  return ok;
}

bool wf_bus_cycle(wf_bus *bus, const wf_bus_options *options, uint64_t now) {
  bus->options = options;
  bus->now = now;
  for (unsigned l = 0; l < bus->lanes && !bus->bench->failure[0]; l++)
    if (bus->axi)
      axi_cycle(bus, l);
    else if (tl_asks(bus, l))
      tl_answers(bus, l);
  return !bus->bench->failure[0];
}
