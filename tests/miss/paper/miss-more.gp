# Speed by what may be on its way, usage: gnuplot -e "folder='build/paper'" miss-more.gp
set terminal svg size 1300,560 font 'sans,12' noenhanced background '#ffffff'
set output folder.'/miss-more.svg'
set style data histograms
set style fill solid 0.85 noborder
set key outside right top font ',9'
set grid y lc '#dddddd'
set yrange [0:*]
set ylabel 'speed over 384 MSHRs of 48 requests'
file = folder.'/miss-more.dat'
plot for [c=2:14] file using c:xtic(1) title columnheader(c)
