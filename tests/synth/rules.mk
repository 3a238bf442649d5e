MORE_CHECKS += "synth/flow: BUILD=$(BUILD) SHARED=$(SHARED) tests/synth/flow.sh"
MORE_CHECKS += "synth/latches: BUILD=$(BUILD) SHARED=$(SHARED) tests/synth/latches.sh"
MORE_CHECKS += "synth/activity: BUILD=$(BUILD) tests/synth/activity.sh"
MORE_CHECKS += "synth/by_event: BUILD=$(BUILD) tests/synth/by_event.sh"
check-built: $(addprefix $(BUILD)/synth/bin/,activity recorded synth_table)
