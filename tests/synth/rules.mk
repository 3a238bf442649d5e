MORE_CHECKS += "synth/flow: BUILD=$(BUILD) SHARED=$(SHARED) tests/synth/flow.sh"
MORE_CHECKS += "synth/latches: BUILD=$(BUILD) SHARED=$(SHARED) tests/synth/latches.sh"
MORE_CHECKS += "synth/activity: BUILD=$(BUILD) tests/synth/activity.sh"
check-built: $(BUILD)/synth/bin/activity
