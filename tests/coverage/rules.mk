# The judge of coverage, on made-up counts; and that what is bound into the units still finds its names.
MORE_CHECKS += "coverage/judge: BUILD=$(BUILD) tests/coverage/judge.sh" "coverage/binds: tests/coverage/binds.sh"
check-built: $(BUILD)/verify/coverage/wf_coverage
