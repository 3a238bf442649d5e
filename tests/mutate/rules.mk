# The flow of seeded faults on a toy, and ten faults of each unit.
MORE_CHECKS += "mutate/judge: BUILD=$(BUILD) tests/mutate/judge.sh" \
  "mutate/sample: $(MAKE) -j2 --no-print-directory mutate-check BUILD=$(BUILD)"
$(BUILD)/tests/mutate/toy: tests/mutate/toy.c $(call archives,model base)
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $(filter %.c %.a,$^) $(LIBS)
check-built: $(BUILD)/verify/mutate/wf_mutate $(BUILD)/tests/mutate/toy
