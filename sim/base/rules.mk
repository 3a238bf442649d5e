# Where the program finds the RTL and its model builder, whatever folder it is started from.
$(BUILD)/obj/sim/base/wf_home.o: CFLAGS_ALL += -DWF_HOME='"$(CURDIR)"' -DWF_BUILD='"$(BUILD)"'
