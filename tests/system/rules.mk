# Tests of the command line as a user sees it.
MORE_CHECKS += "system/contract: BUILD=$(BUILD) tests/system/contract.sh"
MORE_CHECKS += "system/contract_gpu: tests/system/contract_gpu.sh"
MORE_CHECKS += "system/contract_prices: tests/system/contract_prices.sh"
MORE_CHECKS += "system/defaults: tests/system/defaults.sh"
MORE_CHECKS += "system/proven: tests/system/proven.sh"
MORE_CHECKS += "energy/recorded: tests/energy/recorded.sh"
MORE_CHECKS += "energy/transfers: BUILD=$(BUILD) tests/energy/transfers.sh"
MORE_CHECKS += "system/contract_faults: BUILD=$(BUILD) tests/system/contract_faults.sh"
MORE_CHECKS += "system/pages_run: BUILD=$(BUILD) tests/system/pages_run.sh"
MORE_CHECKS += "system/figures: scripts/figures check"
MORE_CHECKS += "system/bad_input: BUILD=$(BUILD) tests/system/bad_input.sh"
MORE_CHECKS += "system/own_kernel: BUILD=$(BUILD) tests/system/own_kernel.sh"
MORE_CHECKS += "system/recorded: BUILD=$(BUILD) tests/system/recorded.sh"
MORE_CHECKS += "system/together: BUILD=$(BUILD) tests/system/together.sh"
MORE_CHECKS += "system/whole: BUILD=$(BUILD) tests/system/whole.sh"
##  make test-whole     units that keep something of every SM or slice, in an A100, H100 and RTX 4090, whole
.PHONY: test-whole
test-whole: all
	MACHINES="a100 h100 rtx4090" WARPFAB_QUICK=1 BUILD=$(BUILD) tests/system/whole.sh
CAMPAIGN += "system/recorded-rules: RECORDED_ASSERTIONS=3 BUILD=$(BUILD) tests/system/recorded.sh"
CAMPAIGN += "system/whole-machines: $(MAKE) --no-print-directory BUILD=$(BUILD) SHARED=$(SHARED) test-whole"
CAMPAIGN += "system/together-sets: SETS=all BUILD=$(BUILD) tests/system/together.sh"
##  make test-together-today     all 32 sets of five units beside each other in an eighth of an A100
.PHONY: test-together-today
test-together-today: all
	SETS=five MACHINE="--config a100 --set scale=1/8" WARPFAB_QUICK=1 BUILD=$(BUILD) \
	  tests/system/together.sh
CAMPAIGN += "system/together-today: $(MAKE) --no-print-directory BUILD=$(BUILD) SHARED=$(SHARED) test-together-today"
MORE_CHECKS += "rtl/lint: $(MAKE) --no-print-directory BUILD=$(BUILD) lint"
MORE_CHECKS += "system/gate: BUILD=$(BUILD) tests/system/gate.sh"
MORE_CHECKS += "system/house: BUILD=$(BUILD) tests/system/house.sh"
MORE_CHECKS += "system/sample: BUILD=$(BUILD) tests/system/sample.sh"
MORE_CHECKS += "system/trace: BUILD=$(BUILD) SHARED=$(SHARED) tests/system/trace.sh"

##  make test-trace-long     a trace of 1 GB (system/trace takes 40 MB) in bounded memory; some 2 minutes
.PHONY: test-trace-long
test-trace-long: all
	BUILD=$(BUILD) SHARED=$(SHARED) TRACE_MB=1000 tests/system/trace.sh
CAMPAIGN += "system/trace-long: $(MAKE) --no-print-directory BUILD=$(BUILD) SHARED=$(SHARED) test-trace-long"
CAMPAIGN += "system/house: HOUSE=full BUILD=$(BUILD) SHARED=$(abspath $(SHARED)) tests/system/house.sh"
MORE_CHECKS += "system/lossless: BUILD=$(BUILD) tests/system/lossless.sh"
MORE_CHECKS += "system/machines: BUILD=$(BUILD) tests/system/machines.sh"
MORE_CHECKS += "system/progress: BUILD=$(BUILD) tests/system/progress.sh"
MORE_CHECKS += "system/report: BUILD=$(BUILD) tests/system/report.sh"
