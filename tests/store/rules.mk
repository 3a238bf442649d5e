MORE_CHECKS += "store/command: BUILD=$(BUILD) tests/store/store.sh"

# An experiment of its own, whose runs are kept in a store (tests/papers).
$(BUILD)/tests/papers/keep_program: tests/store/keep.c $(PAPER_SHARED) $(call archives,$(call below,report))
	@mkdir -p $(@D)
	$(call say,TEST)
	$(Q)$(CC) $(CFLAGS_ALL) -rdynamic -o $@ $(filter %.c %.a,$^) $(LIBS)
check-built: $(BUILD)/tests/papers/keep_program
