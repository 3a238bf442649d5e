##  make real-gpu       the applications on an NVIDIA GPU, if this machine has one (tools/real-gpu/README.md)
REAL_GPU := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tools/real-gpu/*.c))
$(BUILD)/real-gpu: $(REAL_GPU) $(call archives,$(call from,apps,$(MODULES)))
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -o $@ $^ $(LIBS)
.PHONY: real-gpu
real-gpu: $(BUILD)/real-gpu $(BUILD)/warpfab
	@BUILD=$(BUILD) tools/real-gpu/all
