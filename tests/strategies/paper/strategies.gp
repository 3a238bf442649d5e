# Strategies beside the thesis from build/paper/strategies-*.dat; usage: gnuplot -e "folder='build/paper'" strategies.gp
set terminal svg size 1300,850 font 'sans,12' noenhanced background '#ffffff'
set output folder.'/strategies.svg'
set datafile missing '-'
file(n) = folder.'/strategies-'.n.'.dat'
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 border -1
set grid y lc '#dddddd'
set multiplot layout 2,1 title 'Strategies of graph programs, an edge at a time, on k40c' font ',15'
set title 'Speed over the thread form (table 17, figures 55 to 74)'
set ylabel 'x'
set logscale y
set yrange [0.03:10]
set xtics rotate by -30 font ',10'
set key outside right top
plot for [i=2:5] file('17') using i:xtic(1) title columnheader(i), \
     file('17') using 0:6 skip 1 with points pt 9 ps 1.3 lc 'black' title 'thesis: warp', 1 with lines lc 'black' notitle
set title 'The same where the host takes 5 us for each kernel (a card does)'
plot for [i=2:7] file('host') using i:xtic(1) title columnheader(i), 1 with lines lc 'black' notitle
unset multiplot
