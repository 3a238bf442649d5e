#include "sim/cli/wave_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_temporary.h"
#include "sim/base/wf_text.h"

enum { LEAST_BYTES = 1 << 20 }; /* of free space: less than the names of a unit's signals take */

static bool has_room(int fd, const char *path, wf_error *err) {
  const int error = posix_fallocate(fd, 0, LEAST_BYTES);
  return (error != ENOSPC && error != EDQUOT && error != EFBIG) ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no room for a wave: %s", path, strerror(error));
}

bool wf_wave_file_open(wf_wave_file *w, const char *path, wf_error *err) {
  *w = (wf_wave_file){.noted = -1};
  const int fd = wf_target_open(&w->target, path, err);
  if (fd < 0) return false;
  if (!w->target.temporary || !has_room(fd, path, err)) {
    if (!w->target.temporary)
      wf_fail(err, WF_EXIT_BAD_INPUT, "--wave %s: a wave needs a regular file", path);
    wf_target_abandon(&w->target, fd);
    return false;
  }
  close(fd);
  w->hierarchy = wf_text("%s.hier", w->target.temporary);
  w->noted = wf_temporary_note(w->hierarchy, false);
  return true;
}

static void forget(wf_wave_file *w) {
  wf_temporary_remove(w->noted);
  wf_temporary_forget(w->noted);
  free(w->hierarchy);
  *w = (wf_wave_file){.noted = -1};
}

bool wf_wave_file_commit(wf_wave_file *w, wf_error *err) {
  const int fd = open(w->target.temporary, O_RDWR | O_CLOEXEC);
  const bool ok = wf_target_commit(&w->target, fd, fd < 0 ? errno : 0, err);
  forget(w);
  return ok;
}

void wf_wave_file_abandon(wf_wave_file *w) {
  if (!w->hierarchy) return;
  wf_target_abandon(&w->target, -1);
  forget(w);
}
