/* Included before everything else in a model library: Verilator prints through this function. */
#ifndef WF_SHIM_PRINT_H
#define WF_SHIM_PRINT_H

#ifdef __cplusplus
extern "C"
#endif
    int
    wf_shim_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define VL_PRINTF wf_shim_printf

#endif
