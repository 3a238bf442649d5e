/* The constants, with what each rests on.
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
#include "sim/energy/energy.h"

const wf_energy_row wf_energy_table[WF_EN_CONSTANTS] = {
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
         "16 KB, CACTI 7 12.7 pJ each x 0.80; buffers, scoreboard, selection 45 pJ"},
    [WF_EN_REGISTER_READ] =
        {"register_read", "pJ", 258.0,
         "32 banks of 4 KB, CACTI 7 RAM 1024 x 32b 2.54 pJ x 0.89: 72 pJ; operand "
         "network 1024 bits x 1.5 mm x 121 fJ: 186 pJ"},
    [WF_EN_REGISTER_WRITE] = {"register_write", "pJ", 278.0,
                              "as register_read with CACTI 7 write 3.15 pJ x 0.89 x 32 = 92 pJ"},
    [WF_EN_SHARED_ACCESS] =
        {"shared_access", "pJ", 170.0,
         "32 banks of 2 KB, CACTI 7 between 256 x 32b (1.17 pJ) and 1024 x 32b "
         "(2.54 pJ), x 0.83: 46 pJ; crossbar 1024 bits x 1 mm x 121 fJ: 124 pJ"},
    [WF_EN_L1_TAG] = {"l1_tag", "pJ", 3.0, "4 ways x CACTI 7 RAM 32 x 40b 0.62 pJ, comparators"},
    [WF_EN_L1_READ] = {"l1_read", "pJ", 165.0,
                       "4 beats of 32 B, CACTI 7 L1 16KB 4-way sequential 12.7 pJ x 0.80: 41 pJ; "
                       "crossbar as shared_access: 124 pJ"},
    [WF_EN_L1_FILL] = {"l1_fill", "pJ", 123.0,
                       "4 beats of 32 B, CACTI 7 L1 16KB write 38.9 pJ x 0.79"},
    [WF_EN_L2_TAG] = {"l2_tag", "pJ", 10.0,
                      "8 ways x CACTI 7 RAM 256 x 32b 1.17 pJ, in 128 KB slice"},
    [WF_EN_L2_READ] =
        {"l2_read", "pJ", 70.0,
         "32 B of a 128 KB slice: CACTI 7 16KB 12.7, 32KB 24.2 pJ, so 88 pJ at 128 KB, "
         "x 0.80; AccelWattch has 54.6 pJ"},
    [WF_EN_L2_WRITE] =
        {"l2_write", "pJ", 70.0,
         "CACTI 7 write 38.9 at 16 KB, 47.0 pJ at 32 KB, so 69 at 128 KB; AccelWattch 65.4 pJ"},
    [WF_EN_NOC_FLIT] =
        {"noc_flit", "pJ", 272.0,
         "256 bits x 8 mm (a third of the 23 mm die's edge) x 121 fJ: 248 pJ; written and "
         "read at both ends, CACTI 7 RAM 32 x 32B 6.9 and 8.2 pJ x 0.80"},
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
    [WF_EN_UNIT_LOOKUP] = {"unit_lookup", "pJ", 14.1,
                           "CACTI 7 CAM 256 x 26b search 18.4 pJ x 0.77"},
    [WF_EN_UNIT_NODE] =
        {"unit_node", "pJ", 12.2,
         "CACTI 7 RAM 2048 x 32b read 4.66, write 4.06 pJ x 0.79; word of the line, RAM "
         "20 x 128B as 16 B 3.28 pJ x 0.80; reply register 2.7 pJ"},
    [WF_EN_UNIT_LINE] = {"unit_line", "pJ", 45.0,
                         "CACTI 7 RAM 20 x 128B as 160 x 16B write 7.0 pJ x 8 x 0.80"},
    [WF_EN_UNIT_COMMAND] =
        {"unit_command", "pJ", 180.0,
         "32 lanes written and read, CACTI 7 RAM 1024 x 32b 3.15 + 2.54 pJ x 0.89 x 32 "
         "plus header"},
    [WF_EN_APCM_REQUEST] =
        {"apcm_request", "pJ", 55.7,
         "make synth UNIT=apcm, NanGate 45 nm: logic 54.0, RAM 1.7, a tenth of the nets toggling"},
    [WF_EN_DTBL_EDGE] = {"dtbl_edge", "pJ", 243.4,
                         "make synth UNIT=dtbl, NanGate 45 nm: logic 220.7, RAM 22.7, a tenth of "
                         "the nets toggling"},
    [WF_EN_TELEPORT_EDGE] = {"teleport_edge", "pJ", 108.4,
                             "make synth UNIT=teleport_buffer CONFIG=bare, NanGate 45 nm: logic "
                             "and clock pins, a tenth of the nets toggling"},
    [WF_EN_TELEPORT_OP] =
        {"teleport_op", "pJ", 37.9,
         "make synth UNIT=teleport_buffer CONFIG=bare: tags and waits, half of the accesses write"},
    [WF_EN_TELEPORT_CONTROLLER] =
        {"teleport_controller", "pJ", 45.5,
         "make synth UNIT=teleport_controller CONFIG=bare: logic 41.7, table 3.8"},
    [WF_EN_SPREF_INSTRUCTION] =
        {"spref_instruction", "pJ", 59.4,
         "make synth UNIT=spref CONFIG=bare, NanGate 45 nm, a tenth of the nets toggling"},
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
    [WF_EN_UNIT_STATIC] =
        {"unit_static", "W", 0.2,
         "CACTI 7 leakage at 45 nm, 6 slices: 2 RAMs of 8 KB 8.8 mW, CAM 3.2 mW, lines "
         "3.0 mW: 0.14 W; clock of the same order as a CAM's search: 0.06 W"},
    [WF_EN_APCM_STATIC] = {"apcm_static", "W", 0.0012,
                           "make synth UNIT=apcm, NanGate 45 nm: leakage"},
    [WF_EN_SPREF_STATIC] = {"spref_static", "W", 0.0025,
                            "make synth UNIT=spref CONFIG=bare, NanGate 45 nm: leakage"},
    [WF_EN_DTBL_STATIC] = {"dtbl_static", "W", 0.033,
                           "make synth UNIT=dtbl, NanGate 45 nm: leakage"},
    [WF_EN_TELEPORT_STATIC] = {"teleport_static", "W", 0.0047,
                               "make synth UNIT=teleport_buffer CONFIG=bare, NanGate 45 nm: "
                               "leakage 4.5 mW, and a fifteenth of the controller's 2.7"},
};
