/* The built-in configuration files, ended by an entry without a name. */
#ifndef WF_GPU_CONFIGS_H
#define WF_GPU_CONFIGS_H

typedef struct wf_builtin_config {
  const char *name, *text, *summary;
} wf_builtin_config;

extern const wf_builtin_config wf_builtin_configs[];

#endif
