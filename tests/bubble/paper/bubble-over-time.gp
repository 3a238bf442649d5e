# SMs and power over time, BFS in its forms, after figures 32, 33 and 35; usage:
# gnuplot -e "folder='build/paper'" bubble-over-time.gp
set terminal svg size 1300,860 font 'sans,12' noenhanced background '#ffffff'
set output folder.'/bubble-over-time.svg'
forms = 'plain pt-64 full 50'
titles = '"DTBL, no control" "persistent threads" "DTBL, control, samples of 500 cycles" "DTBL, control, samples of 50"'
sms(f) = folder.'/bubble-over-time-'.f.'.dat'
power(f) = folder.'/bubble-power-'.f.'.dat'
last = 0
most = 0
do for [f in forms] {
  stats power(f) using 1:2 nooutput
  last = STATS_max_x > last ? STATS_max_x : last
  most = STATS_max_y > most ? STATS_max_y : most
}
set xrange [0:(last+500)/1000.0]
set multiplot title "BFS (rmat, 8192 vertices): warps of each SM, % of its slots (blue: low clock and voltage), and the GPU's power" font ',15'
set palette defined (-10 '#9db7d5', -5 '#9db7d5', -4.9 '#fff9e6', 1 '#fff3d0', 10 '#fdc877', 40 '#e6550d', 100 '#67000d')
set cbrange [-10:100]
set style fill solid 1 noborder
unset key
row = 0
do for [f in forms] {
  set title word(titles, row+1) offset 0,-0.7
  set size 0.5,0.45
  set origin 0.5*(row % 2),0.47-0.47*(row/2)
  ox = 0.06+0.5*(row % 2); oy = 0.62-0.47*(row/2)
  set lmargin at screen ox
  set rmargin at screen ox+0.37
  set bmargin at screen oy
  set tmargin at screen oy+0.29
  set yrange [-0.5:12.5]
  set ytics 0,3,12
  set ylabel 'SM'
  set xlabel ''
  set format x ''
  set grid noxtics noytics
  if (row % 2) { set colorbox user origin screen 0.945,oy size screen 0.012,0.29 } else { unset colorbox }
  set cbtics ('low V' -7, 0, 20, 40, 60, 80, 100)
  plot sms(f) using (0):3:($1/1000.0):($2/1000.0):($3-0.5):($3+0.5):4 with boxxyerror lc palette
  unset title
  unset colorbox
  set bmargin at screen oy-0.1
  set tmargin at screen oy-0.01
  set yrange [60:most*1.05]
  set ytics 60,40
  set ylabel 'W'
  set xlabel 'kcycles' offset 0,0.5
  set format x '%g'
  set grid y lc '#dddddd'
  plot power(f) using ($1/1000.0):2 with steps lc '#333333' lw 1.2
  row = row+1
}
unset multiplot
