# Sizes of the MFF unit from build/paper/mff-sizes.dat; usage: gnuplot -e "folder='build/paper'" mff-sizes.gp
set terminal svg size 900,600 font 'sans,13' background '#ffffff'
set output folder.'/mff-sizes.svg'
data = folder.'/mff-sizes-area.dat'
set title 'MFF unit: what its tables buy (PageRank; tag entries / work registers)'
set xlabel 'area of logic and RAM, mm^2'
set ylabel 'speedup over the plain kernel'
set grid lc '#dddddd'
set key top left
set offsets graph 0.08, graph 0.12, graph 0.08, graph 0.05
plot data using 1:($4 > 0 ? $2 : NaN) skip 1 smooth unique with lines lw 2 lc '#4477aa' title 'Pareto front', \
     data using 1:2 skip 1 with points pt 7 ps 0.8 lc '#aa3377' notitle, \
     data using 1:2:3 skip 1 with labels offset 0,0.8 font ',10' notitle
