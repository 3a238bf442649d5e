#include "sim/base/wf_place.h"

#include <glob.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

static void set(char *to, size_t bytes, const char *from) {
  const size_t n = strnlen(from, bytes - 1);
  memcpy(to, from, n);
  to[n] = 0;
}

typedef struct reader {
  wf_place *place;
  const char *root;
} reader;

static int on_key(void *context, const char *section, const char *key, const char *value) {
  reader *r = context;
  if (strcmp(section, "unit") != 0) return 1;
  if (strcmp(key, "name") == 0) set(r->place->name, sizeof r->place->name, value);
  if (strcmp(key, "library") == 0) set(r->place->library, sizeof r->place->library, value);
  if (strcmp(key, "bench") == 0)
    snprintf(r->place->bench, sizeof r->place->bench, "%s%s", r->root, value);
  return 1;
}

static void read_place(wf_place *p, const char *root, const char *ini) {
  *p = (wf_place){0};
  set(p->ini, sizeof p->ini, ini);
  set(p->folder, sizeof p->folder, ini);
  char *slash = strrchr(p->folder, '/');
  const char *file = slash ? slash + 1 : ini;
  set(p->name, sizeof p->name, file);
  if (strrchr(p->name, '.')) *strrchr(p->name, '.') = 0;
  if (slash)
    *slash = 0;
  else
    set(p->folder, sizeof p->folder, ".");
  if (strcmp(p->name, "unit") == 0)
    set(p->name, sizeof p->name, strrchr(p->folder, '/') ? strrchr(p->folder, '/') + 1 : p->folder);
  reader r = {p, root};
  ini_parse(ini, on_key, &r);
  if (!p->bench[0]) snprintf(p->bench, sizeof p->bench, "%stb/%s", root, p->name);
}

bool wf_place_find(const char *root, const char *name, wf_place *place, wf_error *err) {
  const size_t n = strlen(name);
  char text[WF_PLACE_BYTES], names[700] = "";
  if (n > 4 && strcmp(name + n - 4, ".ini") == 0) {
    read_place(place, root, name);
    return true;
  }
  if (strcmp(name, "common") == 0) {
    *place = (wf_place){.name = "common"};
    snprintf(place->folder, sizeof place->folder, "%srtl/common", root);
    snprintf(place->bench, sizeof place->bench, "%stb/common", root);
    return true;
  }
  snprintf(text, sizeof text, "%srtl/*/*.ini", root);
  glob_t found = {0};
  bool here = false;
  if (glob(text, 0, NULL, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc && !here; i++) {
      read_place(place, root, found.gl_pathv[i]);
      here = strcmp(place->name, name) == 0;
      const size_t used = strlen(names);
      snprintf(names + used, sizeof names - used, " %s", place->name);
    }
  globfree(&found);
  return here || wf_fail(err, WF_EXIT_BAD_INPUT,
                         "%s: no unit or top module of that name in rtl/*/*.ini; there are:%s",
                         name, names);
}
