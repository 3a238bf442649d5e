# Vectorised square roots and roundings need no errno and no trap order; the executor reads neither.
$(BUILD)/obj/sim/ptx/%.o: CFLAGS_ALL += -fno-math-errno -fno-trapping-math
# Here the host's rounding mode is changed: nothing may be folded or moved across that.
$(BUILD)/obj/sim/ptx/exec_round.o: CFLAGS_ALL += -frounding-math -ftrapping-math
