# Recordings and scripts in three engines, about a minute and a half when the netlist must be made; refusals.
MORE_CHECKS += "replay/agree: BUILD=$(BUILD) tests/replay/agree.sh" "replay/refused: BUILD=$(BUILD) tests/replay/refused.sh"
