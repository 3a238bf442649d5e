# SMX occupancy over time, one application in its forms; usage: gnuplot -e "folder='build/paper'" dtbl-occupancy.gp
set terminal svg size 1300,800 font 'sans,12' noenhanced background '#ffffff'
set output folder.'/dtbl-occupancy.svg'
set style fill solid 0.85 noborder
set key outside right top font ',9'
set grid y lc '#dddddd'
set ylabel 'warp slots, %'
file(f) = folder.'/dtbl-occupancy-'.f.'.dat'
columns(f) = int(system("head -1 ".file(f)." | wc -w"))
last = 0
do for [f in 'flat CDP DTBL'] {
  stats file(f) using 1 skip 1 nooutput
  last = STATS_max > last ? STATS_max : last
}
set xrange [0:last/1000.0]
set yrange [0:100] # after stats, which heeds it
set multiplot layout 3,1 title 'SMX occupancy by kernel over time: bfs_dp' font ',15'
do for [f in 'flat CDP DTBL'] {
  set title f
  n = columns(f)
  set xlabel (f eq 'DTBL' ? 'kcycles' : '')
  plot for [i=n:2:-1] file(f) skip 1 using ($1/1000.0):(sum [c=2:i] column(c)) with filledcurves x1 lc i-1 title word(system("head -1 ".file(f)), i)
}
unset multiplot
