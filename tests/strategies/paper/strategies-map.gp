# Which strategy wins, from build/paper/strategies-{cells,rows,columns}.dat; usage: gnuplot -e "folder='build/paper'" strategies-map.gp
file(n) = folder.'/strategies-'.n.'.dat'
rows = int(system('wc -l < '.file('rows')))
columns = int(system('tail -1 '.file('columns')))
set terminal svg size 90 + 62 * (columns + 1), 190 + 56 * rows font 'sans,10' noenhanced background '#ffffff'
set output folder.'/strategies-map.svg'
set title "Fastest strategy by graph (gtx480), and its speed over the fastest without a unit\n" \
  ."'dp': an application whose threads may launch work" font ',13'
set palette defined (-1 '#c0504d', 0 '#ffffff', 1 '#4f9d5d')
set cbrange [-1:1]
unset colorbox
unset key
set tics scale 0
set xrange [-0.5:columns + 0.5]
set yrange [rows - 0.5:-0.5]
set xtics rotate by -40
bound(x) = x > 1 ? 1 : x < -1 ? -1 : x
plot file('cells') using 1:2:(0.5):(0.5):(bound(log($3) / log(2))) with boxxyerror fs solid 1 border lc '#999999' lc palette, \
     file('cells') using 1:2:4 with labels font ',9', \
     file('rows') using (0):1:ytic(2) with dots lc 'white', \
     file('columns') using 1:(0):xtic(2) with dots lc 'white'
