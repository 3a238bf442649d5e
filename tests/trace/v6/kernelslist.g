MemcpyHtoD,0x00007e1000000000,2048
kernel-1.traceg
