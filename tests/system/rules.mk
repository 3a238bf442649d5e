# Tests of the command line as a user sees it.
MORE_CHECKS += "system/bad_input: BUILD=$(BUILD) tests/system/bad_input.sh"
