/* The constants of a GTX 480, with what each rests on; energy_class.c has other machines'.
 *
 * Technology: 40 nm, about 1 V. CACTI rows exist for 45 and 32 nm; 40 nm lies between them at
 * E45 * (E32 / E45)^(5/13), about 0.80 * E45. "CACTI 7" below: itrs-hp, 350 K, 45 nm row, energy of
 * one access, then the factor.
 *
 * Wires: 240 fJ per bit, mm and transition at 40 nm, 0.9 V, so 121 fJ per random bit and mm
 * (Keckler, Dally et al., "GPUs and the Future of Parallel Computing", IEEE Micro 31(5), 2011,
 * table 1: 256 bits over 10 mm cost 310 pJ).
 *
 * Execution: Lucas et al., "How a Single Chip Causes Massive Power Bills: GPUSimPow", ISPASS 2013,
 * measured about 40 pJ per integer and 75 pJ per floating-point operation and lane on a 40 nm
 * GT240, by varying the number of active lanes.
 *
 * DRAM: currents of a 1 Gb x32 GDDR5 device (VDD 1.5 V, tCK 0.667 ns: IDD0 490, IDD2N 250, IDD3N
 * 450, IDD4R 1080, IDD4W 1160 mA, as DRAMsim3's configuration GDDR5_1Gb_x32 holds them), two
 * devices to a 64-bit channel. Check: streaming costs 11.7 pJ per bit, background aside; AMD's
 * published figure for GDDR5 is 30 W at 320 GB/s, 11.7 pJ per bit. Fits of GPUWattch to a board
 * give about four times as much per read; the lower figure is the one that favours a unit less. */
#include "sim/energy/energy_table.h"

const wf_energy_constant_row wf_energy_table[WF_EN_CONSTANTS] = {
    [WF_EN_LANE_INT] = {"lane_int", "pJ", 40.0,
                        "GPUSimPow 2013: integer operation, measured at 40 nm"},
    [WF_EN_LANE_IMUL] = {"lane_imul", "pJ", 75.0,
                         "Fermi multiplies integers in the floating-point pipeline: as lane_fp32"},
    [WF_EN_LANE_IDIV] = {"lane_idiv", "pJ", 800.0,
                         "a sequence of some 20 integer operations on Fermi: 20 x lane_int"},
    [WF_EN_LANE_FP32] = {"lane_fp32", "pJ", 75.0,
                         "GPUSimPow 2013: floating-point operation, measured at 40 nm"},
    [WF_EN_LANE_FP64] = {"lane_fp64", "pJ", 125.0,
                         "lane_fp32 plus 50 pJ, the DFMA of Keckler et al. 2011 at 40 nm"},
    [WF_EN_LANE_SFU] = {"lane_sfu", "pJ", 154.0,
                        "AccelWattch's energies per access: SFU 38.7 to FPU 18.9 pJ, x lane_fp32"},
    [WF_EN_LANE_MEMORY] = {"lane_memory", "pJ", 20.0,
                           "estimate: an address addition, half of lane_int (no result written)"},
    [WF_EN_ISSUE] =
        {"issue", "pJ", 390.0,
         "AccelWattch: pipeline 324 pJ per warp instruction; instruction cache 2 x 32 B of "
         "16 KB, CACTI 7 12.7 pJ each x 0.80; buffers, scoreboard, selection 45 pJ",
         .ram = 20},
    [WF_EN_REGISTER_READ] =
        {"register_read", "pJ", 258.0,
         "32 banks of 4 KB, CACTI 7 RAM 1024 x 32b 2.54 pJ x 0.89: 72 pJ; operand "
         "network 1024 bits x 1.5 mm x 121 fJ: 186 pJ",
         .ram = 72, .wire = 186},
    [WF_EN_REGISTER_WRITE] = {"register_write", "pJ", 278.0,
                              "as register_read with CACTI 7 write 3.15 pJ x 0.89 x 32 = 92 pJ",
                              .ram = 92, .wire = 186},
    [WF_EN_SHARED_ACCESS] = {"shared_access", "pJ", 170.0,
                             "32 banks of 2 KB, CACTI 7 between 256 x 32b (1.17 pJ) and 1024 x 32b "
                             "(2.54 pJ), x 0.83: 46 pJ; crossbar 1024 bits x 1 mm x 121 fJ: 124 pJ",
                             .ram = 46, .wire = 124, .wires = WF_EN_SM},
    [WF_EN_L1_TAG] = {"l1_tag", "pJ", 3.0, "4 ways x CACTI 7 RAM 32 x 40b 0.62 pJ, comparators",
                      .ram = 2.5},
    [WF_EN_L1_READ] = {"l1_read", "pJ", 165.0,
                       "4 beats of 32 B, CACTI 7 L1 16KB 4-way sequential 12.7 pJ x 0.80: 41 pJ; "
                       "crossbar as shared_access: 124 pJ",
                       .ram = 41, .wire = 124, .wires = WF_EN_SM},
    [WF_EN_L1_FILL] = {"l1_fill", "pJ", 123.0,
                       "4 beats of 32 B, CACTI 7 L1 16KB write 38.9 pJ x 0.79", .ram = 123},
    [WF_EN_L2_TAG] = {"l2_tag", "pJ", 10.0,
                      "8 ways x CACTI 7 RAM 256 x 32b 1.17 pJ, in 128 KB slice", .ram = 10},
    [WF_EN_L2_READ] =
        {"l2_read", "pJ", 70.0,
         "32 B of a 128 KB slice: CACTI 7 16KB 12.7, 32KB 24.2 pJ, so 88 pJ at 128 KB, "
         "x 0.80; AccelWattch has 54.6 pJ",
         .ram = 70},
    [WF_EN_L2_WRITE] =
        {"l2_write", "pJ", 70.0,
         "CACTI 7 write 38.9 at 16 KB, 47.0 pJ at 32 KB, so 69 at 128 KB; AccelWattch 65.4 pJ",
         .ram = 70},
    [WF_EN_NOC_FLIT] =
        {"noc_flit", "pJ", 272.0,
         "256 bits x 8 mm (a third of the 23 mm die's edge) x 121 fJ: 248 pJ; written and "
         "read at both ends, CACTI 7 RAM 32 x 32B 6.9 and 8.2 pJ x 0.80",
         .ram = 24, .wire = 248, .wires = WF_EN_DIE},
    [WF_EN_DRAM_ACTIVATE] =
        {"dram_activate", "pJ", 12000.0,
         "(IDD0 490 - (IDD3N 450 x 42 + IDD2N 250 x 18) / 60 mA) x 1.5 V x tRC 40 ns "
         "= 6 nJ a device, 2 devices"},
    [WF_EN_DRAM_READ_BYTE] = {"dram_read_byte", "pJ", 39.4,
                              "(IDD4R 1080 - IDD3N 450 mA) x 1.5 V over 24 GB/s a device"},
    [WF_EN_DRAM_WRITE_BYTE] = {"dram_write_byte", "pJ", 44.4,
                               "(IDD4W 1160 - IDD3N 450 mA) x 1.5 V over 24 GB/s a device"},
    [WF_EN_DRAM_IO_BYTE] =
        {"dram_io_byte", "pJ", 24.3,
         "POD15, 40 ohm driver and 60 ohm termination (JESD212): 22.5 mW a pin held "
         "low, low half of the time, at 3.7 Gb/s: 3.04 pJ a bit"},
    [WF_EN_DRAM_PHY_BYTE] =
        {"dram_phy_byte", "pJ", 24.0,
         "what is left to 11.7 pJ a bit (AMD: GDDR5 30 W at 320 GB/s): 3.0 pJ a bit"},
    [WF_EN_SM_STATIC] =
        {"sm_static", "W", 3.2,
         "15 SMs: 48 of the 80 W static power that GPUSimPow finds for a GTX 580, shared "
         "by area with the uncore"},
    [WF_EN_SM_CLOCK] = {"sm_clock", "W", 1.59,
                        "GPUWattch's GTX 480 configuration: idle core power"},
    [WF_EN_UNCORE_STATIC] = {"uncore_static", "W", 32.0, "the rest of the 80 W; see sm_static"},
    [WF_EN_BOARD] = {"board", "W", 11.0, "GPUWattch's GTX 480 configuration: constant power"},
    [WF_EN_DRAM_BACKGROUND] = {"dram_background", "W", 0.83,
                               "IDD3N 450 mA x 1.5 V x 924 / 1500 MHz, 2 devices"},
    [WF_EN_LOW_VOLTS] =
        {"low_volts", "ratio", 0.55,
         "GPUWattch's lowest P-state: 100 MHz, 0.55 of 1 V, 45 nm predictive model"},
    [WF_EN_LOW_LEAK] = {"low_leak", "ratio", 0.55,
                        "leakage in proportion to voltage, the least favourable of three: 0.30 is "
                        "its square, 0.16 with DIBL of 0.12 and 100 mV a decade"},
    [WF_EN_UNIT_PJ] = {"unit_pj", "ratio", 1.0, "a unit's own synthesis is in a library of 45 nm"},
    [WF_EN_UNIT_WATTS] = {"unit_watts", "ratio", 1.0, "the same of what it leaks"},
};
