# Cycles per kernel from build/paper/trace-kernels.dat; usage: gnuplot -e "folder='build/paper'" trace.gp
set terminal svg size 640,600 font 'sans,13' background '#ffffff'
set output folder.'/trace.svg'
data = folder.'/trace-kernels.dat'
set title 'Kernels of a traced BFS: cycles without launches'
set xlabel 'Accel-Sim, SM86\_RTX3070'
set ylabel 'warpfab, --config rtx3070'
set logscale xy
set grid lc '#dddddd'
set key top left
set size ratio -1
plot [200:12000][200:12000] x with lines lc '#aaaaaa' title 'equal', data using 2:3 skip 1 with points pt 7 ps 0.8 lc '#aa3377' title 'kernels'
