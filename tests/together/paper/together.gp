# Speed by unit and machine from build/paper/together-speed.dat; usage: gnuplot -e "folder='build/paper'" together.gp
set terminal svg size 820,420 font 'sans,13' background '#ffffff'
set output folder.'/together.svg'
data = folder.'/together-speed.dat'
set title 'Best software with the unit over best software without, mean of five tasks'
set ylabel 'times as fast'
set yrange [0.9:*]
set grid y lc '#dddddd'
set style data histograms
set style histogram clustered gap 1
set style fill solid
set key outside top center horizontal
set xtics nomirror
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc '#000000' front
plot data using 2:xtic(1) skip 1 lc '#bbbbbb' title "its paper's", \
  data using 3 skip 1 lc '#ccbb44' title 'rtx3070', \
  data using 4 skip 1 lc '#4477aa' title 'a100', \
  data using 5 skip 1 lc '#aa3377' title 'h100', \
  data using 6 skip 1 lc '#228833' title 'rtx4090'
