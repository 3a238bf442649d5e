# Where the program finds the RTL and its model builder, whatever folder it is started from.
$(BUILD)/obj/sim/units/rtl_set.o $(BUILD)/obj/sim/units/rtl_parameters.o: CFLAGS_ALL += -DWF_ROOT='"$(CURDIR)"' -DWF_BUILD='"$(BUILD)"'
