/* Text made as printf does. */
#ifndef WF_TEXT_H
#define WF_TEXT_H

/* The caller frees it. */
char *wf_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
