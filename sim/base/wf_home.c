#include "sim/base/wf_home.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_text.h"

/* WF_HOME, and WF_BUILD of a tree that is not installed: sim/base/rules.mk. */
#ifndef WF_BUILD
#define WF_BUILD NULL
#endif

const char *wf_home(void) {
  static char path[PATH_MAX];
  const char *other = getenv("WARPFAB_HOME");
  snprintf(path, sizeof path, "%s/", other && *other ? other : WF_HOME);
  return path;
}

char *wf_home_path(const char *relative) {
  return wf_text("%s%s", wf_home(), relative);
}

const char *wf_home_build(void) {
  static char path[PATH_MAX];
  const char *build = getenv("WARPFAB_BUILD"), *own = WF_BUILD;
  const char *cache = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
  if (build && *build) return build;
  if (own) return own;
  if (cache && *cache == '/')
    snprintf(path, sizeof path, "%s/warpfab", cache);
  else
    snprintf(path, sizeof path, "%s/.cache/warpfab", user && *user ? user : "/tmp");
  return path;
}
