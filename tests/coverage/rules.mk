# The judge of coverage, on made-up counts.
MORE_CHECKS += "coverage/judge: BUILD=$(BUILD) tests/coverage/judge.sh"
check-built: $(BUILD)/tb/coverage/wf_coverage
