/* Checks a stream of DRAM commands against every timing rule, from the rules alone: it keeps the
 * clocks of past commands and compares differences, and shares nothing with the scheduler. */
#ifndef WF_TEST_DRAM_CHECKER_H
#define WF_TEST_DRAM_CHECKER_H

#include <inttypes.h>

#include "sim/mem/mem_trace.h"
#include "tests/mem/harness.h"

typedef struct checker_bank {
  bool open;
  uint32_t row;
  int64_t act, pre, read, write; /* clocks of the last of each; far in the past at first */
} checker_bank;

typedef struct checker {
  wf_mem_config c;
  unsigned burst;
  checker_bank bank[96][32];
  int64_t act[96], read[96], write[96], refresh[96], command[96][2], acts[96][4];
  int64_t group_column[96][32], group_write[96][32], data_end[96];
  uint64_t commands, together, count[5], act_count[96];
  int64_t column_after[2]; /* the least clocks from an activate to a read, to a write */
} checker;

static inline checker *checker_new(const wf_mem_config *c) {
  checker *k = calloc(1, sizeof *k);
  const int64_t past = -1000000;
  k->c = *c;
  k->burst = c->dram_burst_beats / c->dram_beats_per_clock;
  k->column_after[0] = k->column_after[1] = -past;
  for (unsigned ch = 0; ch < 96; ch++) {
    k->act[ch] = k->read[ch] = k->write[ch] = k->refresh[ch] = past;
    k->command[ch][0] = k->command[ch][1] = k->data_end[ch] = past;
    for (unsigned i = 0; i < 4; i++) k->acts[ch][i] = past;
    for (unsigned b = 0; b < 32; b++) {
      k->bank[ch][b] = (checker_bank){false, 0, past, past, past, past};
      k->group_column[ch][b] = k->group_write[ch][b] = past;
    }
  }
  return k;
}

#define APART(name, earlier, least)                                                                \
  do {                                                                                             \
    if (now - (earlier) < (int64_t)(least))                                                        \
      fail_msg("channel %u bank %u clock %" PRId64 ": " name " needs %d clocks, got %" PRId64, ch, \
               bank, now, (int)(least), now - (earlier));                                          \
  } while (0)

static inline void check_column(checker *k, unsigned ch, unsigned bank, int64_t now, bool write) {
  const wf_mem_config *c = &k->c;
  checker_bank *b = &k->bank[ch][bank];
  unsigned group = bank % c->dram_bank_groups;
  APART("tRCD", b->act, write && c->tRCDW ? c->tRCDW : c->tRCD);
  if (now - b->act < k->column_after[write]) k->column_after[write] = now - b->act;
  APART("tCCDS, read", k->read[ch], write ? 0 : c->tCCDS);
  APART("tCCDS, write", k->write[ch], write ? c->tCCDS : 0);
  APART("tCCDL", k->group_column[ch][group], c->tCCDL);
  if (write)
    APART("tRTW", k->read[ch], c->tRTW);
  else {
    APART("tWTR", k->write[ch], c->tWL + k->burst + c->tWTR);
    if (c->tWTRL) APART("tWTRL", k->group_write[ch][group], c->tWL + k->burst + c->tWTRL);
  }
  int64_t data = now + (write ? c->tWL : c->tCL);
  if (data < k->data_end[ch])
    fail_msg("channel %u clock %" PRId64 ": two bursts on the bus", ch, now);
  k->data_end[ch] = data + k->burst;
  k->group_column[ch][group] = now;
  if (write)
    k->write[ch] = b->write = k->group_write[ch][group] = now;
  else
    k->read[ch] = b->read = now;
}

/* A wf_dram_trace. */
static inline void check_command(void *user, unsigned ch, uint64_t clock, wf_dram_command command,
                                 unsigned bank, uint32_t row, unsigned column) {
  checker *k = user;
  const wf_mem_config *c = &k->c;
  checker_bank *b = &k->bank[ch][bank];
  int64_t now = (int64_t)clock;
  k->commands++;
  k->count[command]++;
  const bool own = c->dram_row_bus && (command == WF_DRAM_READ || command == WF_DRAM_WRITE);
  APART("the command bus", k->command[ch][own], 1);
  k->together += own && k->command[ch][0] == now;
  k->command[ch][own] = now;
  switch (command) {
  case WF_DRAM_ACT:
    if (b->open) fail_msg("channel %u bank %u: ACT of an open bank", ch, bank);
    APART("tRP", b->pre, c->tRP);
    APART("tRC", b->act, c->tRC);
    APART("tRRD", k->act[ch], c->tRRD);
    APART("tRFC", k->refresh[ch], c->tRFC);
    b->open = true;
    b->row = row;
    APART("tFAW", k->acts[ch][k->act_count[ch] % 4], c->tFAW);
    k->acts[ch][k->act_count[ch]++ % 4] = now;
    b->act = k->act[ch] = now;
    break;
  case WF_DRAM_PRE:
    if (!b->open) fail_msg("channel %u bank %u: PRE of a closed bank", ch, bank);
    APART("tRAS", b->act, c->tRAS);
    APART("tRTP", b->read, c->tRTP);
    APART("tWR", b->write, c->tWL + k->burst + c->tWR);
    b->open = false;
    b->pre = now;
    break;
  case WF_DRAM_REFRESH:
    for (unsigned i = 0; i < c->dram_banks; i++) {
      if (k->bank[ch][i].open) fail_msg("channel %u: refresh with bank %u open", ch, i);
      APART("tRP before refresh", k->bank[ch][i].pre, c->tRP);
    }
    APART("tRFC", k->refresh[ch], c->tRFC);
    k->refresh[ch] = now;
    break;
  default:
    if (!b->open || b->row != row)
      fail_msg("channel %u bank %u: column command to row %u, open is %u", ch, bank, row, b->row);
    if (column >= c->dram_row_bytes / (c->dram_bus_bytes * c->dram_burst_beats))
      fail_msg("column %u outside the row", column);
    check_column(k, ch, bank, now, command == WF_DRAM_WRITE);
  }
}

#endif
