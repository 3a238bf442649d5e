/* Where the project's own files are: RTL, the builder of its models, headers for kernels. Either
 * the tree that the program was built in, or where `make install` has put them. */
#ifndef WF_HOME_H
#define WF_HOME_H

/* Path of the folder that has rtl/ and sim/model/, with a slash at its end: WARPFAB_HOME, else what
 * the program was built for. */
const char *wf_home(void);
/* Path of a file below it, to be freed. */
char *wf_home_path(const char *relative);
/* The folder that models of RTL are built in: WARPFAB_BUILD, else the tree's own; of an installed
 * program XDG_CACHE_HOME/warpfab, or ~/.cache/warpfab. */
const char *wf_home_build(void);

#endif
