# Latency by working set from build/paper/machines-latency.dat; usage: gnuplot -e "folder='build/paper'" machines.gp
set terminal svg size 640,420 font 'sans,13' background '#ffffff'
set output folder.'/machines.svg'
data = folder.'/machines-latency.dat'
set title 'Cycles of a lone load by size of the chain; circles: measured on the card'
set xlabel 'KB'
set ylabel 'cycles'
set logscale x 2
set xrange [8:524288]
set yrange [0:900]
set grid lc '#dddddd'
set key top left
$measured << EOD
16 36 38 36
1024 211 219 276
262144 572 834 632
EOD
plot data using 1:2 skip 1 with linespoints lc '#4477aa' title 'a100', \
  data using 1:3 skip 1 with linespoints lc '#aa3377' title 'h100', \
  data using 1:4 skip 1 with linespoints lc '#228833' title 'rtx4090', \
  data using 1:5 skip 1 with linespoints lc '#bbbbbb' title 'rtx3070', \
  $measured using 1:2 with points pt 6 ps 1.5 lc '#4477aa' notitle, \
  $measured using 1:3 with points pt 6 ps 1.5 lc '#aa3377' notitle, \
  $measured using 1:4 with points pt 6 ps 1.5 lc '#228833' notitle
