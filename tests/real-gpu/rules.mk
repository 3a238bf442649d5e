# The modelled GPU as a driver: its names are its own (-Bsymbolic), as the tool has others of the same.
$(BUILD)/tests/real-gpu/libfabric_cuda.so: tests/real-gpu/fabric_driver.c $(call archives,$(call from,gpu,$(MODULES)))
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS_ALL) -shared -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -o $@ $^ $(LIBS)
.PHONY: test-real-gpu
test-real-gpu: build $(BUILD)/real-gpu $(BUILD)/tests/real-gpu/libfabric_cuda.so
	@tests/real-gpu/real_gpu.sh
MORE_CHECKS += "real-gpu/tool: $(MAKE) --no-print-directory test-real-gpu"
