MORE_CHECKS += "replay/pictures: BUILD=$(BUILD) sim/replay/pictures check"
