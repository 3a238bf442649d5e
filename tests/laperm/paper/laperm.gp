# Figures of LaPerm from build/paper/laperm-*.dat; usage: gnuplot -e "folder='build/paper'" laperm.gp. What has no value is "-".
set terminal svg size 1500,1100 font 'sans,12' noenhanced background '#ffffff'
set output folder.'/laperm.svg'
set datafile missing '-'
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set grid y lc '#dddddd'
set xtics rotate by -45 font ',9'
set key outside right top font ',9'
file(n) = folder.'/laperm-'.n.'.dat'
set multiplot layout 3,1 title 'Locality-aware scheduling (LaPerm): kernels (CDP) and groups (DTBL), four policies of the unit' font ',15'

set title 'Figure 31: performance over rr'
set yrange [0:*]
plot for [i=2:7] file('31') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Figure 30: hits in the L1, %'
plot for [i=2:9] file('30') using i:xtic(1) title columnheader(i)
set title 'Figure 29: hits in the L2, %'
plot for [i=2:9] file('29') using i:xtic(1) title columnheader(i)
unset multiplot
