/* f16, bf16, tf32 as doubles. */
#ifndef WF_PTX_HALF_H
#define WF_PTX_HALF_H

#include "sim/ptx/code.h"

typedef enum ptx_half { PTX_HALF_F16, PTX_HALF_BF16, PTX_HALF_TF32 } ptx_half;

/* code.op2 of arithmetic and conversion. */
enum { PTX_HALF_RELU = 1, PTX_HALF_NAN = 2, PTX_HALF_XORSIGN = 4 };

double ptx_half_value(ptx_half kind, uint32_t bits);
uint32_t ptx_half_bits(ptx_half kind, double x, ptx_rounding rounding);
double ptx_sum_to_odd(double a, double b);

#endif
