# What coverage and mutation left of a unit, as sections of docs/results/UNIT.md.
RESULTS_BIN := $(BUILD)/verify/results/wf_results
$(RESULTS_BIN): verify/results/main.c $(call archives,base)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)
