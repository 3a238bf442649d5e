/* Machines of the 2020s: the table's constants on another node, and what they have of their own.
 *
 * On the die. Keckler, Dally et al. 2011, table 1, give 40 nm beside 10 nm at 0.75 V: a DFMA 50 and
 * 8.7 pJ, 64 bits of an 8 KB SRAM 14 and 2.4 pJ, 256 bits over 10 mm 310 and 200 pJ: 0.174, 0.171,
 * 0.645. What they called 10 nm is what TSMC sells as 7. Lanes: AccelWattch's 18.9 pJ of a V100
 * (12 nm), of which TSMC leaves 0.40 from 16FF+ to N7 at the same speed, are 7.6 pJ: 0.101. 4N is
 * 0.65 of N7 (TSMC: N5 takes 30 % less power at the same speed, N4 some per cent less again), wires
 * 0.87 (voltage squared). Samsung's 8N is taken as 1.3 times N7: an estimate.
 *
 * Lengths. An SM's side is sqrt(share of the die / SMs); operands cross three eighths of a
 * scheduler's quarter (4 mm of SM and 1.5 mm of wire at 40 nm), shared memory's data a quarter of
 * the SM's side, flits a third of the die's edge.
 *
 * DRAM. HBM2: O'Connor et al., "Fine-Grained DRAM", MICRO 2017: an activate of 1 KB 909 pJ, 1.51
 * and 1.17 pJ a bit inside, 0.80 at the pins. HBM3 has 1.1 for 1.2 V inside, 0.4 V at the pins
 * (JESD238). GDDR6 and GDDR6X: Micron's 7.5 and 7.25 pJ a bit, shared as GDDR5's.
 *
 * Leakage, clocks, board: estimates; together a fifth to a quarter of the card's power, more than
 * the card reads when idle with slow clocks. */
#include "sim/energy/energy_table.h"

#define ESTIMATE "estimate: clocks and leakage together a fifth to a quarter of the card's power"
#define UNITS                                                                                      \
  {WF_EN_UNIT_PJ, 0.13,                                                                            \
   "median of the units' logic in ASAP7 to NanGate 45 nm: docs/results/prices.md"},                \
  {                                                                                                \
    WF_EN_UNIT_WATTS, 0.13, "estimate: as unit_pj; no model of RAM's leakage at this node"         \
  }

const wf_energy_class_row wf_energy_classes[WF_ENERGY_CLASSES] = {
    [WF_ENERGY_GTX480] = {"40 nm", 1, 1, 1, {1, 1, 1}, "the table", {{0}}},
    [WF_ENERGY_RTX3070] =
        {"8N",
         0.131,
         0.226,
         0.222,
         {0.65 * 0.25, 0.65 * 0.50, 0.65 * 0.83},
         "GA104: 392 mm2, 48 SMs on half of it",
         {{WF_EN_DRAM_ACTIVATE, 2700,
           "0.23 pJ a bit of 12 nJ of GDDR5, by 7.5 of 11.7 pJ a bit and half of the row"},
          {WF_EN_DRAM_READ_BYTE, 25.2, "GDDR6: 7.5 pJ a bit (Micron), shared as GDDR5"},
          {WF_EN_DRAM_WRITE_BYTE, 28.4, "as dram_read_byte"},
          {WF_EN_DRAM_IO_BYTE, 15.6, "as dram_read_byte"},
          {WF_EN_DRAM_PHY_BYTE, 15.4, "as dram_read_byte"},
          {WF_EN_SM_STATIC, 0.35, ESTIMATE},
          {WF_EN_SM_CLOCK, 0.25, ESTIMATE},
          {WF_EN_UNCORE_STATIC, 8, ESTIMATE},
          {WF_EN_BOARD, 15, ESTIMATE},
          {WF_EN_DRAM_BACKGROUND, 0.2, "estimate: 0.4 W a device of two channels"},
          UNITS}},
    [WF_ENERGY_A100] =
        {"N7",
         0.101,
         0.174,
         0.171,
         {0.645 * 0.245, 0.645 * 0.49, 0.645 * 1.20},
         "GA100: 826 mm2, 128 SMs on 0.6 of it",
         {{WF_EN_DRAM_ACTIVATE, 909, "Fine-Grained DRAM 2017: HBM2, 1 KB"},
          {WF_EN_DRAM_READ_BYTE, 21.4, "Fine-Grained DRAM 2017: 2.68 pJ a bit inside"},
          {WF_EN_DRAM_WRITE_BYTE, 21.4, "as dram_read_byte"},
          {WF_EN_DRAM_IO_BYTE, 6.4, "Fine-Grained DRAM 2017: 0.80 pJ a bit at the pins"},
          {WF_EN_DRAM_PHY_BYTE, 4.0, "estimate: 0.5 pJ a bit in the GPU"},
          {WF_EN_SM_STATIC, 0.25, ESTIMATE},
          {WF_EN_SM_CLOCK, 0.20, ESTIMATE},
          {WF_EN_UNCORE_STATIC, 15, ESTIMATE},
          {WF_EN_BOARD, 20, ESTIMATE},
          {WF_EN_DRAM_BACKGROUND, 0.125, "estimate: 2 W a stack of 16 pseudo-channels"},
          UNITS}},
    [WF_ENERGY_H100] =
        {"4N",
         0.0657,
         0.113,
         0.111,
         {0.56 * 0.22, 0.56 * 0.44, 0.56 * 1.19},
         "GH100: 814 mm2, 144 SMs on 0.55 of it",
         {{WF_EN_DRAM_ACTIVATE, 764, "HBM2 at 1.1 V in place of 1.2: 0.84 of 909 pJ"},
          {WF_EN_DRAM_READ_BYTE, 18.0, "HBM2 at 1.1 V in place of 1.2: 0.84 of 2.68 pJ a bit"},
          {WF_EN_DRAM_WRITE_BYTE, 18.0, "as dram_read_byte"},
          {WF_EN_DRAM_IO_BYTE, 2.1, "HBM2's 0.80 pJ a bit by 0.4 V in place of 1.2: 0.27"},
          {WF_EN_DRAM_PHY_BYTE, 4.0, "estimate: 0.5 pJ a bit in the GPU"},
          {WF_EN_SM_STATIC, 0.35, ESTIMATE},
          {WF_EN_SM_CLOCK, 0.20, ESTIMATE},
          {WF_EN_UNCORE_STATIC, 25, ESTIMATE},
          {WF_EN_BOARD, 25, ESTIMATE},
          {WF_EN_DRAM_BACKGROUND, 0.15, "estimate: 2.4 W a stack of 16 channels"},
          UNITS}},
    [WF_ENERGY_RTX4090] =
        {"4N",
         0.0657,
         0.113,
         0.111,
         {0.56 * 0.18, 0.56 * 0.36, 0.56 * 1.03},
         "AD102: 609 mm2, 144 SMs on half of it",
         {{WF_EN_DRAM_ACTIVATE, 2600, "as rtx3070, by 7.25 of 7.5 pJ a bit"},
          {WF_EN_DRAM_READ_BYTE, 24.4, "GDDR6X: 7.25 pJ a bit (Micron), shared as GDDR5"},
          {WF_EN_DRAM_WRITE_BYTE, 27.4, "as dram_read_byte"},
          {WF_EN_DRAM_IO_BYTE, 15.1, "as dram_read_byte"},
          {WF_EN_DRAM_PHY_BYTE, 14.9, "as dram_read_byte"},
          {WF_EN_SM_STATIC, 0.20, ESTIMATE},
          {WF_EN_SM_CLOCK, 0.18, ESTIMATE},
          {WF_EN_UNCORE_STATIC, 12, ESTIMATE},
          {WF_EN_BOARD, 20, ESTIMATE},
          {WF_EN_DRAM_BACKGROUND, 0.25, "estimate: 0.5 W a device of two channels"},
          UNITS}},
};
