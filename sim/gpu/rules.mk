# The built-in configurations are part of the program (.incbin in configs.c).
$(BUILD)/obj/sim/gpu/configs.o: $(wildcard sim/gpu/configs/*.ini)
