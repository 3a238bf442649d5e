# Figures of TELEPORT from build/paper/teleport-*.dat; usage: gnuplot -e "folder='build/paper'" teleport.gp. What has no value is "-".
set terminal svg size 1500,1900 font 'sans,12' noenhanced background '#ffffff'
set output folder.'/teleport.svg'
set datafile missing '-'
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set grid y lc '#dddddd'
set xtics rotate by -45 font ',9'
set key outside right top font ',9'
file(n) = folder.'/teleport-'.n.'.dat'
set multiplot layout 5,2 title 'TELEPORT: thread blocks'' data preloaded into shared memory (RTL of controller and buffers)' font ',15'

set yrange [0:*]
set title 'Figure 7.1: time and statements over the baseline''s'
plot for [i=2:3] file('figure-7.1') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Table 7.3: statements, hand-written over TELEPORT'
plot for [i=4:5] file('table-7.3') using i:xtic(1) title columnheader(i)
set title 'Figure 7.3: arrays and reads of global memory'
set xtics font ',7'
plot for [i=3:4] file('figure-7.3') using i:xtic(1) title columnheader(i)
set title 'Figure 7.4: reads by class and cause, %'
set style histogram rowstacked
set yrange [0:100]
plot for [i=2:7] file('figure-7.4') using i:xtic(1) title columnheader(i)
set style histogram clustered gap 1
set xtics font ',9'
set yrange [0:*]
set title 'Figure 7.5: speedup of TELEPORT'
plot for [i=2:5] file('figure-7.5') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Dynamic instructions, hand-written over TELEPORT'
plot file('figure-7.5') using 7:xtic(1) notitle, 1 with lines lc 'black' notitle
set title 'Figure 7.6: DRAM accesses, thousands'
plot for [i=2:5] file('figure-7.6') using i:xtic(1) title columnheader(i)
set title 'Figure 7.7: DRAM accesses by row changes'
plot for [i=2:5] file('figure-7.7') using i:xtic(1) title columnheader(i)
set title 'Section 7.5.3, hardware: speedup over the baseline'
plot for [i=2:8] file('section-7.5.3-hardware') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Section 7.5.3, software: speedup over the baseline'
plot for [i=2:4] file('section-7.5.3-software') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
unset multiplot
