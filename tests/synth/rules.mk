MORE_CHECKS += "synth/flow: BUILD=$(BUILD) SHARED=$(SHARED) tests/synth/flow.sh"
