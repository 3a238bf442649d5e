# Figures of the DTBL paper from build/paper/dtbl-*.dat; usage: gnuplot -e "folder='build/paper'" dtbl.gp. What has no value is "-".
set terminal svg size 1500,1500 font 'sans,12' noenhanced background '#ffffff'
set output folder.'/dtbl.svg'
set datafile missing '-'
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set grid y lc '#dddddd'
set xtics rotate by -45 font ',9'
set key outside right top font ',9'
file(n) = folder.'/dtbl-'.n.'.dat'
set multiplot layout 4,2 title 'Dynamic thread block launch (DTBL, DTBLI: blocks placed by the RTL; -inf: by the GPU''s own dispatcher)' font ',15'

set yrange [0:*]
set title 'Figure 16: active threads of a warp, %'
plot for [i=2:4] file('16') using i:xtic(1) title columnheader(i)
set title 'Figure 17: DRAM efficiency'
plot for [i=2:4] file('17') using i:xtic(1) title columnheader(i)
set title 'Figure 18: SMX occupancy, %'
plot for [i=2:8] file('18') using i:xtic(1) title columnheader(i)
set title 'Figure 19: waiting, kcycles from asking for parameters to the first block'
plot for [i=2:5] file('19') using (column(i)/1000):xtic(1) title columnheader(i)
set title 'Figure 20: bytes of launches that wait, at most, KB'
plot for [i=2:5] file('20') using (column(i)/1024):xtic(1) title columnheader(i)
set title 'Figure 21: speedup over the flat form'
plot for [i=2:9] file('21') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Energy over the flat form''s'
plot for [i=2:5] file('21-energy') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Figure 22: groups that find a kernel to join, of all'
set yrange [0:1.05]
plot for [i=2:3] file('22') using i:xtic(1) title columnheader(i)
unset multiplot
