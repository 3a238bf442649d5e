# Figures of prefetching into spare registers from build/paper/spref-*.dat; usage: gnuplot -e "folder='build/paper'" spref.gp
set terminal svg size 1500,1900 font 'sans,12' noenhanced background '#ffffff'
set output folder.'/spref.svg'
set datafile missing '-'
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set grid y lc '#dddddd'
set xtics rotate by -30 font ',9'
set key outside right top font ',9'
file(n) = folder.'/spref-'.n.'.dat'
set multiplot layout 5,2 title 'Prefetching into spare registers: IPC over the baseline''s' font ',15'

set yrange [0.65:*]
set title 'Figure 10: H-BFS, H-SSSP, H-MST'
plot for [i=2:10] file('10') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Figure 11: LS-BFS, LS-SSSP, LS-MST'
plot for [i=2:10] file('11') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Figure 12: STCON'
plot for [i=2:10] file('12') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set title 'Table 7: harmonic means by kernel'
plot for [i=2:9] file('7') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set yrange [0:*]
set title 'Figure 13: H-BFS on R4_2e20, waits with SPREF1 over the baseline''s, by launch'
plot for [i=2:3] file('13') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set yrange [0.8:*]
set title 'Figure 14: H-BFS on R4_2e20, by launch'
plot for [i=2:3] file('14') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
set yrange [0:*]
set title 'Figure 15: LS-BFS, wait for the head, cycles'
plot for [i=2:5] file('15') using i:xtic(1) title columnheader(i)
set title 'Figure 16: LS-BFS, warps by prefetch distance, by the rule'
set style histogram rowstacked
plot for [i=2:4] file('16') using i:xtic(1) title columnheader(i)
set style histogram clustered gap 1
set yrange [0.8:*]
set title 'As many spare registers as the paper''s kernels have'
plot for [i in '3 4 6 7'] file('room') using int(i):xtic(1) title columnheader(int(i)), 1 with lines lc 'black' notitle
set title 'H-BFS on R4_2e20 by spare registers'
plot for [i=2:4] file('spare') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
unset multiplot
