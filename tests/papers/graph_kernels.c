#include "tests/papers/graph_kernels.h"

const graph_kernel graph_kernels[KERNELS] = {{"H-BFS", "hbfs"},
                                             {"H-SSSP", "hsssp"},
                                             {"H-MST", "hmst"},
                                             {"LS-BFS", "lsbfs" SPLIT},
                                             {"LS-SSSP", "lssssp" SPLIT},
                                             {"LS-MST", "lsmst"},
                                             {"CLR", "gclr"},
                                             {"MIS", "gmis"},
                                             {"BFS-DD", "gbfs --set app.strategy=queue"},
                                             {"BFS-WC", "gbfs --set app.strategy=warp"}};

const graph_input graph_inputs[INPUTS] = {[GRAPH_1M] = {"Graph1M", "random:n=15625,edges=93750"},
                                          [RMAT_20] = {"RMAT20", "rmat:scale=14,edges=129062"},
                                          [R4_2E20] = {"R4_2e20", "random:n=16384,degree=4"}};
