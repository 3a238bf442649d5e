# CUDA programs call the runtime's functions by name, and nothing else here does: all of the archive is linked.
$(BUILD)/warpfab: LINK_WHOLE := $(BUILD)/lib/cuda.a
