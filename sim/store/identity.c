#include "sim/store/identity.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_hash.h"
#include "sim/base/wf_home.h"
#include "sim/base/wf_place.h"
#include "sim/base/wf_text.h"

enum { CHUNK = 1 << 16 };

typedef struct known_file {
  char *path;
  uint64_t hash;
  UT_hash_handle hh;
} known_file;

struct wf_identity {
  uint64_t program;
  known_file *files;
};

/* Eight bytes at a time, the last ones filled up with zeros and their number. */
uint64_t wf_identity_hash(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *at = data;
  for (uint64_t word; bytes; at += 8) {
    const size_t n = bytes < 8 ? bytes : 8;
    word = 0;
    memcpy(&word, at, n);
    hash = (hash ^ word ^ (uint64_t)(8 - n) << 56) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
    bytes -= n;
  }
  return hash;
}

/* ---- the program ---- */

/* Sections that are loaded; notes hold the number of the build. */
static bool hash_sections(uint64_t *hash, const char *file, size_t bytes) {
  Elf64_Ehdr head;
  if (bytes < sizeof head) return false;
  memcpy(&head, file, sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(Elf64_Shdr) ||
      head.e_shoff > bytes || head.e_shnum * sizeof(Elf64_Shdr) > bytes - head.e_shoff)
    return false;
  for (size_t i = 0; i < head.e_shnum; i++) {
    Elf64_Shdr s;
    memcpy(&s, file + head.e_shoff + i * sizeof s, sizeof s);
    if (!(s.sh_flags & SHF_ALLOC) || s.sh_type == SHT_NOTE || s.sh_type == SHT_NOBITS) continue;
    if (s.sh_offset > bytes || s.sh_size > bytes - s.sh_offset) return false;
    *hash = wf_identity_hash(*hash, file + s.sh_offset, s.sh_size);
  }
  return true;
}

/* Mapped, not read: every run with --store does this. */
static bool hash_program(uint64_t *hash, const char *path, wf_error *err) {
  struct stat about;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && fstat(fd, &about) == 0;
  const size_t bytes = ok && about.st_size > 0 ? (size_t)about.st_size : 0;
  void *file = bytes ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
  ok = ok && file != MAP_FAILED;
  if (!ok) wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
  if (fd >= 0) close(fd);
  if (!ok) return false;
  ok = hash_sections(hash, file, bytes) ||
       wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no program of 64 bits", path);
  if (file) munmap(file, bytes);
  return ok;
}

wf_identity *wf_identity_create(const char *program, wf_error *err) {
  wf_identity *identity = wf_calloc(1, sizeof *identity);
  identity->program = WF_IDENTITY_START;
  if (hash_program(&identity->program, program ? program : "/proc/self/exe", err)) return identity;
  free(identity);
  return NULL;
}

void wf_identity_destroy(wf_identity *identity) {
  known_file *file, *next;
  if (!identity) return;
  HASH_ITER(hh, identity->files, file, next) {
    HASH_DEL(identity->files, file);
    free(file->path);
    free(file);
  }
  free(identity);
}

uint64_t wf_identity_program(const wf_identity *identity) {
  return identity->program;
}

/* ---- files ---- */

static uint64_t contents(const char *path) {
  static char chunk[CHUNK];
  uint64_t hash = WF_IDENTITY_START;
  FILE *file = fopen(path, "rb");
  for (size_t n; file && (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
    hash = wf_identity_hash(hash, chunk, n);
  if (file) fclose(file);
  return hash;
}

/* Traces are folders, and large: the names and sizes of what is in them. */
static uint64_t listing(const char *path) {
  uint64_t sum = WF_IDENTITY_START;
  DIR *folder = opendir(path);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    struct stat about;
    char *file = wf_text("%s/%s", path, entry->d_name);
    if (stat(file, &about) == 0 && S_ISREG(about.st_mode)) {
      const uint64_t size = (uint64_t)about.st_size;
      const uint64_t name =
          wf_identity_hash(WF_IDENTITY_START, entry->d_name, strlen(entry->d_name));
      sum += wf_identity_hash(name, &size, sizeof size); /* in any order */
    }
    free(file);
  }
  if (folder) closedir(folder);
  return sum;
}

/* False: there is nothing of this name. */
static bool hash_file(wf_identity *identity, const char *path, uint64_t *hash) {
  known_file *file;
  struct stat about;
  HASH_FIND_STR(identity->files, path, file);
  if (!file) {
    if (!*path || stat(path, &about) != 0) return false;
    if (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) return false;
    file = wf_calloc(1, sizeof *file);
    file->path = wf_strdup(path);
    file->hash = S_ISDIR(about.st_mode) ? listing(path) : contents(path);
    HASH_ADD_KEYPTR(hh, identity->files, file->path, strlen(file->path), file);
  }
  *hash = wf_identity_hash(*hash, &file->hash, sizeof file->hash);
  return true;
}

/* ---- RTL ---- */

static void hash_matches(wf_identity *identity, uint64_t *hash, const char *folder,
                         const char *ending) {
  glob_t files = {0};
  char *pattern = wf_text("%s/*.%s", folder, ending);
  if (glob(pattern, 0, NULL, &files) == 0)
    for (size_t i = 0; i < files.gl_pathc; i++) hash_file(identity, files.gl_pathv[i], hash);
  globfree(&files);
  free(pattern);
}

/* Of a unit's description what its model is made of; how it is tested, proven, priced and replayed
 * moves no run. */
static uint64_t description(const char *path) {
  static const char *const parts[] = {"[unit]", "[counters]", "[config "};
  uint64_t hash = WF_IDENTITY_START;
  FILE *file = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  bool counts = false;
  for (ssize_t n; file && (n = getline(&line, &room, file)) > 0;) {
    if (*line == '[') counts = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
      counts |= !strncmp(line, parts[i], strlen(parts[i]));
    if (counts && *line != ';' && *line != '\n') hash = wf_identity_hash(hash, line, (size_t)n);
  }
  free(line);
  if (file) fclose(file);
  return hash;
}

static void hash_descriptions(uint64_t *hash, const char *folder) {
  glob_t files = {0};
  char *pattern = wf_text("%s/*.ini", folder);
  if (glob(pattern, 0, NULL, &files) == 0)
    for (size_t i = 0; i < files.gl_pathc; i++) {
      const uint64_t of_file = description(files.gl_pathv[i]);
      *hash = wf_identity_hash(*hash, &of_file, sizeof of_file);
    }
  globfree(&files);
  free(pattern);
}

/* name: a unit's, or "common" */
static void hash_folder(wf_identity *identity, uint64_t *hash, const char *name) {
  wf_place place;
  if (!wf_place_find(wf_home(), name, &place, NULL)) return;
  hash_matches(identity, hash, place.folder, "v");
  hash_matches(identity, hash, place.folder, "vh");
  hash_descriptions(hash, place.folder);
}

/* list: "mff,apcm:mode=bypass" */
static void hash_units(wf_identity *identity, uint64_t *hash, const char *list) {
  char *copy = wf_strdup(list), *rest = copy;
  for (char *name; (name = strsep(&rest, ","));) {
    name[strcspn(name, ":")] = '\0';
    hash_folder(identity, hash, name);
  }
  free(copy);
}

uint64_t wf_identity_rtl(wf_identity *identity, char *const *words, size_t n) {
  uint64_t hash = WF_IDENTITY_START;
  bool any = false;
  for (size_t i = 0; i + 1 < n; i++) {
    if (strcmp(words[i], "--unit") != 0) continue;
    hash_units(identity, &hash, words[i + 1]);
    any = true;
  }
  if (!any) return 0;
  hash_folder(identity, &hash, "common");
  return hash;
}

/* ---- runs ---- */

uint64_t wf_identity_key(wf_identity *identity, char *const *words, size_t n) {
  const uint64_t rtl = wf_identity_rtl(identity, words, n);
  uint64_t hash = wf_identity_hash(identity->program, &rtl, sizeof rtl);
  for (size_t i = 0; i < n; i++) {
    const char *equals = strrchr(words[i], '='), *colon = strchr(words[i], ':');
    hash = wf_identity_hash(hash, words[i], strlen(words[i]) + 1);
    hash_file(identity, words[i], &hash);
    if (equals) hash_file(identity, equals + 1, &hash);
    if (colon) hash_file(identity, colon + 1, &hash); /* --param file:PATH */
  }
  return hash;
}

bool wf_identity_is_output(const char *option, bool *value) {
  static const char *const outputs[] = {"json",      "store",       "timeline", "wave",
                                        "wave-unit", "wave-window", "record",   "record-unit",
                                        "dump",      "record-limit"};
  *value = true;
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (!strcmp(option, outputs[i])) return true;
  *value = false;
  return !strcmp(option, "progress");
}

size_t wf_identity_words(const char *arguments, char ***words) {
  char *copy = wf_strdup(arguments), *rest = copy, *word;
  size_t n = 0;
  bool value = false;
  *words = wf_calloc(strlen(arguments) / 2 + 1, sizeof **words);
  while ((word = strtok_r(rest, " ", &rest))) {
    if (value)
      value = false; /* of an output */
    else if (strncmp(word, "--", 2) != 0 || !wf_identity_is_output(word + 2, &value))
      (*words)[n++] = wf_strdup(word);
  }
  free(copy);
  return n;
}

void wf_identity_words_free(char **words, size_t n) {
  for (size_t i = 0; i < n; i++) free(words[i]);
  free(words);
}

/* As a shell takes it. */
static char *quoted(const char *word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:=,@%";
  if (*word && !word[strspn(word, plain)]) return wf_strdup(word);
  char *text = wf_calloc(4 * strlen(word) + 3, 1), *at = text;
  *at++ = '\'';
  for (; *word; word++)
    if (*word == '\'')
      at = stpcpy(at, "'\\''");
    else
      *at++ = *word;
  *at = '\'';
  return text;
}

char *wf_identity_text(char *const *words, size_t n) {
  char *text = wf_strdup("");
  size_t bytes = 0;
  for (size_t i = 0; i < n; i++) {
    char *word = quoted(words[i]);
    text = wf_realloc(text, bytes + strlen(word) + 2, 1);
    bytes += (size_t)sprintf(text + bytes, "%s%s", i ? " " : "", word);
    free(word);
  }
  return text;
}
