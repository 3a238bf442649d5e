MORE_CHECKS += "style/faults: BUILD=$(BUILD) tests/style/faults.sh"
