BENCH_PROGRAMS += tb/mff/wave.c
##  make wave-mff        waveform of one gather: build/mff-gather.fst, and the page's picture of it
.PHONY: wave-mff
wave-mff: $(BUILD)/tb/mff/wave
	@WARPFAB_BUILD=$(BUILD) $< $(BUILD)/mff-gather.fst rtl/mff_unit/gather.svg
