# Figure 23 of the DTBL paper from build/paper/dtbl-*.dat; usage: gnuplot -e "folder='build/paper'" dtbl-table.gp. What has no value is "-".
set terminal svg size 1500,500 font 'sans,12' noenhanced background '#ffffff'
set output folder.'/dtbl-table.svg'
set datafile missing '-'
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set grid y lc '#dddddd'
set xtics rotate by -45 font ',9'
set key outside right top font ',9'
file(n) = folder.'/dtbl-'.n.'.dat'
set multiplot layout 1,2 title 'Dynamic thread block launch: the table of groups' font ',15'

set title 'Figure 23: performance over that with 1024 entries'
set yrange [0:*]
plot for [i=2:7] file('table-23') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Groups that find a free entry, by entries'
set yrange [0:1.05]
plot for [i=2:7] file('table-hits') using i:xtic(1) title columnheader(i)
unset multiplot
