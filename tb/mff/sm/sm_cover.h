/* Functional bins of mff_sm. */
#ifndef SM_COVER_H
#define SM_COVER_H

#include "tb/mff/sm/sm_ref.h"

#define SM_BINS(X)                                                                                 \
  X(gather), X(scatter), X(empty), X(lanes_all), X(lanes_one), X(size_32), X(words_1024),          \
      X(rows_1), X(rows_2), X(rows_3), X(rows_4), X(rows_5), X(rows_6), X(all_entries_out),        \
      X(slice_with_its_share), X(slice_left_out), X(beat_waits), X(beats_with_a_gap),              \
      X(beats_while_rows_leave), X(flit_waits), X(rests_before_the_crossbar), X(reply_waits),      \
      X(flit_of_1), X(flit_of_2), X(flit_of_3), X(flit_of_4), X(flit_of_5), X(flit_of_one_lane),   \
      X(flit_of_five_lanes), X(look_up_twice), X(look_up_three_times), X(write_twice),             \
      X(write_five_times), X(address_wraps), X(done_before_words), X(done_after_words),            \
      X(refused), X(replies_of_one_command_in_a_row), X(two_gathers_of_a_warp), X(gathers_end)

#define SM_BIN_(name) SM_BIN_##name
typedef enum sm_bin { SM_BINS(SM_BIN_), SM_BIN_COUNT } sm_bin;

/* What was taken at an edge, of a model in the state before it; NULL: nothing. */
void sm_cover_instruction(uint64_t *bin, const sm_instruction *i);
void sm_cover_header(uint64_t *bin, const sm_ref *r, uint32_t rows, uint32_t slice);
void sm_cover_reply(uint64_t *bin, const sm_ref *r, const mff_rsp *rsp);
#endif
