/* Draws the pictures over time with uPlot where their SVG stands, so that one can point at values
   and take a closer look. Printed, and without scripts, the SVG is what is there. */
(function () {
  "use strict";
  var drawn = [], dashes = [[], [7, 4], [2, 3]];

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  /* Steps: a value holds from the begin of its interval to its end. */
  function points(data) {
    var x = [0].concat(data.end);
    return [x].concat(data.lines.map(function (l) {
      return l.values.concat(l.values.slice(-1));
    }));
  }

  function mark_kernels(begins) {
    return function (u) {
      var c = u.ctx;
      c.save();
      c.strokeStyle = colour("--soft");
      c.globalAlpha = 0.5;
      c.lineWidth = 1;
      begins.forEach(function (at) {
        var x = Math.round(u.valToPos(at, "x", true)) + 0.5;
        if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
        c.beginPath();
        c.moveTo(x, u.bbox.top);
        c.lineTo(x, u.bbox.top + u.bbox.height);
        c.stroke();
      });
      c.restore();
    };
  }

  function axis(more) {
    return Object.assign({stroke: colour("--fg"), grid: {stroke: colour("--line"), width: 1},
                          ticks: {stroke: colour("--line"), width: 1}}, more);
  }

  function short_number(v) {
    return v == null ? "-" : v.toLocaleString("en", {maximumSignificantDigits: 4});
  }

  function width_of(figure) {
    return Math.max(240, Math.floor(figure.getBoundingClientRect().width));
  }

  function options(figure, data) {
    var many = function (u, values) {
      return values.map(function (v) { return v.toLocaleString("en"); });
    };
    return {
      width: width_of(figure), height: 240,
      scales: {x: {time: false, range: [0, data.end[data.end.length - 1]]},
               y: {range: [0, data.top]}},
      axes: [axis({values: many, space: 80}), axis({values: many, size: 62})],
      legend: {markers: {dash: function (u, i) { return ["solid", "dashed", "dotted"][i - 1]; }}},
      cursor: {sync: {key: figure.id.split("-")[0], setSeries: false}, drag: {x: true, y: false}},
      series: [{label: "cycle", value: function (u, v) { return short_number(v); }}].concat(
          data.lines.map(function (l, i) {
            return {label: l.name, stroke: colour("--s" + i), width: 1.5, dash: dashes[i],
                    points: {show: false}, paths: uPlot.paths.stepped({align: 1}),
                    value: function (u, v) { return short_number(v) + " " + data.unit; }};
          })),
      hooks: {draw: [mark_kernels(data.begins)]}
    };
  }

  /* What the mouse does in the legend, and with the picture, the keyboard does too. */
  function use_keys(figure, u) {
    var over = u.root.querySelector(".u-over");
    over.tabIndex = 0;
    over.setAttribute("role", "img");
    over.setAttribute("aria-label", figure.querySelector("desc").textContent);
    over.addEventListener("keydown", function (e) {
      var n = u.data[0].length, way = {ArrowLeft: -1, ArrowRight: 1}[e.key];
      if (!way) return;
      e.preventDefault();
      var at = u.cursor.idx == null ? (way > 0 ? 0 : n - 1)
                                    : Math.min(n - 1, Math.max(0, u.cursor.idx + way));
      u.setCursor({left: u.valToPos(u.data[0][at], "x"), top: 0});
    });
    u.root.querySelectorAll(".u-legend .u-series th").forEach(function (th, i) {
      if (!i) return;
      th.tabIndex = 0;
      th.setAttribute("role", "button");
      th.addEventListener("keydown", function (e) {
        if (e.key !== "Enter" && e.key !== " ") return;
        e.preventDefault();
        th.click();
      });
    });
  }

  function draw(figure) {
    var data = JSON.parse(figure.querySelector("script").textContent);
    var box = document.createElement("div");
    box.className = "live";
    figure.appendChild(box);
    var u = new uPlot(options(figure, data), points(data), box);
    use_keys(figure, u);
    figure.classList.add("drawn");
    return {figure: figure, plot: u, box: box};
  }

  function draw_all() {
    drawn.forEach(function (d) { d.plot.destroy(); d.box.remove(); });
    drawn = Array.from(document.querySelectorAll("figure.series")).map(draw);
    window.warpfabPlots = drawn;
  }

  draw_all();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw_all);
  addEventListener("resize", function () {
    drawn.forEach(function (d) { d.plot.setSize({width: width_of(d.figure), height: 240}); });
  });
})();
