MORE_CHECKS += "sweep/command: BUILD=$(BUILD) tests/sweep/sweep.sh"
# An sshd of its own on this machine: two hosts for GNU parallel.
MORE_CHECKS += "sweep/ssh: BUILD=$(BUILD) tests/sweep/ssh.sh"
# A real Slurm on this machine: munged, slurmctld, slurmd.
MORE_CHECKS += "sweep/slurm: BUILD=$(BUILD) tests/sweep/slurm.sh"

$(BUILD)/tests/sweep/bench_store: tests/sweep/bench_store.c $(call archives,$(call below,store))
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)
##  make sweep-figures  what a sweep costs, measured here, into docs/sweeps.md: some two minutes
.PHONY: sweep-figures
sweep-figures: build $(BUILD)/tests/sweep/bench_store
	@BUILD=$(BUILD) tests/sweep/figures.sh
