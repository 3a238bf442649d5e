/* wfgen: what sim/model/build-model asks about a unit and has written for it.
 *   wfgen plan UNIT CONFIG [OVERRIDES]                        one "key value" per line
 *   wfgen emit UNIT CONFIG OVERRIDES VARIANT XML FOLDER       FOLDER/model_tables.h
 * UNIT: a name or a FILE.ini. Exit code 2 with one message on standard error for anything wrong. */
#include "sim/model/gen/wfgen.h"

#include <stdio.h>
#include <string.h>

static void print_paths(const char *key, const char *flag, const char *folder,
                        const wfgen_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    const char *item = list->items[i];
    if (item[0] == '/')
      printf("%s %s%s\n", key, flag, item);
    else
      printf("%s %s%s/%s\n", key, flag, folder, item);
  }
}

static void plan(const wfgen_unit *unit) {
  printf("ini %s\nbench %s\nunit %s\nname %s-%s\ntop %s\nclock %s\n", unit->ini, unit->bench,
         unit->name, unit->name, unit->config, unit->top, unit->clock);
  for (size_t i = 0; i < unit->setting_count; i++)
    printf("arg -G%s=%s\n", unit->settings[i].name, unit->settings[i].value);
  printf("arg -I%s\n", unit->folder);
  print_paths("arg", "-I", unit->folder, &unit->includes);
  print_paths("arg", "-I", unit->folder, &unit->libraries);
  print_paths("source", "", unit->folder, &unit->sources);
}

static int run(int argc, char **argv, wf_error *err) {
  wfgen_unit unit = {0};
  wfgen_top top = {0};
  bool ok = false;
  if (argc >= 4 && argc <= 5 && strcmp(argv[1], "plan") == 0) {
    ok = wfgen_unit_read(&unit, argv[2], argv[3], argc == 5 ? argv[4] : NULL, err);
    if (ok) plan(&unit);
  } else if (argc == 8 && strcmp(argv[1], "emit") == 0) {
    ok = wfgen_unit_read(&unit, argv[2], argv[3], argv[4], err) &&
         wfgen_top_read(&top, argv[6], &unit, err) &&
         wfgen_emit(&unit, &top, argv[5], argv[7], err);
  } else {
    wf_fail(err, WF_EXIT_BAD_INPUT,
            "usage: wfgen plan UNIT CONFIG [OVERRIDES] | "
            "wfgen emit UNIT CONFIG OVERRIDES VARIANT XML FOLDER");
  }
  wfgen_top_free(&top);
  wfgen_unit_free(&unit);
  return ok ? 0 : WF_EXIT_BAD_INPUT;
}

int main(int argc, char **argv) {
  wf_error err = {0};
  int code = run(argc, argv, &err);
  if (code) fprintf(stderr, "%s\n", err.text);
  return code;
}
