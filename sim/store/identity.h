/* What makes two runs the same: the program, the RTL of the units, the arguments, and what stands
 * in the files that these name. */
#ifndef WF_STORE_IDENTITY_H
#define WF_STORE_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

#define WF_IDENTITY_START UINT64_C(0xcbf29ce484222325)
/* Continues a hash; on a little-endian host, the same on each. */
uint64_t wf_identity_hash(uint64_t hash, const void *data, size_t bytes);

/* Hashes of a program and of files, each read once. */
typedef struct wf_identity wf_identity;

/* program: its file; NULL: this one. Of it counts what is loaded into memory, so that comments and
 * lines of its sources do not. NULL and *err if it cannot be read. */
wf_identity *wf_identity_create(const char *program, wf_error *err);
void wf_identity_destroy(wf_identity *identity); /* NULL is fine */
uint64_t wf_identity_program(const wf_identity *identity);

/* Of the units that the arguments name: their folders' Verilog, what descriptions say of models,
 * and what units share; 0 without any. */
uint64_t wf_identity_rtl(wf_identity *identity, char *const *words, size_t n);
/* Of a run with these arguments: names of files are words, or stand behind a word's last '='; of a
 * folder count its files' names and sizes. */
uint64_t wf_identity_key(wf_identity *identity, char *const *words, size_t n);

/* Does the option of this name (without "--") say where output goes, or how it is shown, and
 * nothing of the run? *value: it takes one. */
bool wf_identity_is_output(const char *option, bool *value);
/* The words of `arguments`, separated by blanks, without outputs: in *words, whose elements and
 * itself are the caller's to free. */
size_t wf_identity_words(const char *arguments, char ***words);
void wf_identity_words_free(char **words, size_t n);
/* One text of them, quoted where a shell needs it; the caller frees it. */
char *wf_identity_text(char *const *words, size_t n);

#endif
