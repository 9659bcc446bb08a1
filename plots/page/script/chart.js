const tickText = (log) => (_, ticks) => ticks.map((tick) =>
  (!log || (tick >= 1e-3 && tick < 1e6) ? brief(tick) : powerOfTen(Math.round(Math.log10(tick)))));
// Powers of ten as far apart as their labels need.
const powersOfTen = (side, space) => (u, _, min, max) => {
  const from = Math.log10(min), to = Math.log10(max), room = (side ? u.height : u.width) - 80;
  const step = [1, 2, 5, 10, 20, 50].find((n) => n / (to - from) * room >= space) ?? 100;
  const first = Math.ceil((from - 1e-9) / step);
  return Array.from({length: Math.max(0, Math.floor((to + 1e-9) / step) - first + 1)}, (_, k) => Number('1e' + (first + k) * step));
};
const wholeSteps = Array.from({length: 30}, (_, k) => [1, 2, 5][k % 3] * 10 ** Math.floor(k / 3));
const chartAxis = ({label, log, whole}, side) => ({
  label, labelSize: 18, labelFont: '12px system-ui, sans-serif', font: '11px system-ui, sans-serif',
  stroke: () => colorOf('quiet'), size: side ? 58 : 36, values: tickText(log), space: side ? 30 : (u, axis, min, max) => (log ? 60 : Math.max(60, 7.5 * brief(Math.ceil(max)).length + 16)),
  ...(whole && !log ? {incrs: wholeSteps} : {}),
  // uPlot’s own steps end at 10³²
  ...(log ? {incrs: [1e300], splits: powersOfTen(side, side ? 30 : 60), filter: (_, ticks) => ticks} : {}),
  grid: {stroke: () => colorOf('grid'), width: 1},
  ticks: {stroke: () => colorOf('grid'), size: 4},
});
const chartScale = ({log}, range) => ({time: false, distr: log ? 3 : 1, ...(range ? {range} : {})});
// Around the data and the marked values.
const yRange = (chart) => (_, min, max) => {
  const all = [min, max, ...chart.marks.map(({y}) => y)].filter(isNumber);
  return all.length ? uPlot.rangeLog(Math.min(...all), Math.max(...all), 10, true) : [min, max];
};

const seriesOf = (one) => ({
  label: one.label, stroke: () => colorOf(one.color), width: one.width ?? 1.5, dash: one.dash,
  fill: one.fill, value: (_, y) => (y === null || y === undefined ? '' : one.text ? one.text(y) : '= ' + brief(y, 4)),
  points: {show: Boolean(one.points), size: 4, fill: () => colorOf(one.color)},
  paths: one.points === 'only' ? () => null : undefined,
});

// Where a label begins, right of a line, else left of it, and inside the plot.
const labelStart = (at, width, gap, {left, right}) =>
  Math.max(left, at + gap + width <= right ? at + gap : Math.min(at - gap, right) - width);

const placeOfMark = (u, {x, y}) => (y !== undefined ? u.valToPos(y, 'y', true) : u.valToPos(x, 'x', true));

function drawMarkLine({ctx, bbox}, mark, at, k) {
  ctx.strokeStyle = colorOf(mark.color || 'quiet');
  ctx.beginPath();
  if (mark.y !== undefined) ctx.moveTo(bbox.left, at), ctx.lineTo(bbox.left + bbox.width, at);
  else ctx.moveTo(at, bbox.top - (mark.label ? (k % rowsOfLabels + 1) * rowOfLabel * (devicePixelRatio || 1) : 0)), ctx.lineTo(at, bbox.top + bbox.height);
  ctx.stroke();
}

// Of a vertical line above the plot, a row for each; of a level on a ground that keeps its letters
// readable over curves and lines.
const rowsOfLabels = 2, rowOfLabel = 15, isNamedAbove = ({x, label}) => x !== undefined && label;
function drawMarkLabel({ctx, bbox}, mark, at, k) {
  if (!mark.label) return;
  const pixels = devicePixelRatio || 1, flat = mark.y !== undefined, width = ctx.measureText(mark.label).width;
  const x = labelStart(flat ? bbox.left : at, width, 5 * pixels, {left: bbox.left, right: bbox.left + bbox.width});
  const above = at - 8 * pixels, row = k % rowsOfLabels + 0.6;
  const y = flat ? (above - 7 * pixels < bbox.top ? at + 9 * pixels : above) : bbox.top - row * rowOfLabel * pixels;
  ctx.fillStyle = colorOf('paper');
  ctx.globalAlpha = 0.9;
  ctx.fillRect(x - 2 * pixels, y - 7 * pixels, width + 4 * pixels, 14 * pixels);
  ctx.globalAlpha = 1;
  ctx.fillStyle = colorOf(mark.color || 'quiet');
  ctx.fillText(mark.label, x, y);
}

function drawMarks(u, marks, draw) {
  const {ctx, bbox} = u, pixels = devicePixelRatio || 1;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
  ctx.clip();
  ctx.font = 11 * pixels + 'px system-ui, sans-serif';
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.lineWidth = pixels;
  ctx.setLineDash([5 * pixels, 4 * pixels]);
  const named = marks.filter(isNamedAbove);
  marks.forEach((mark) => {
    const at = placeOfMark(u, mark), k = named.indexOf(mark);
    if (Number.isFinite(at) && (mark.x === undefined || (at >= bbox.left - 1 && at <= bbox.left + bbox.width + 1))) draw(u, mark, at, k);
  });
  ctx.restore();
}

// Around a single x, for which uPlot has 0 to 100.
const xRange = ({data: [xs]}, from, to) => (xs.length === 1 ? [xs[0] - 0.5, xs[0] + 0.5] : [from, to]);

// What uPlot draws of a chart's options, as wide as its holder.
function plotOptions(chart) {
  const {options, holder} = chart, width = Math.max(240, holder.clientWidth);
  return {
    width, height: 300 - (width < 500 ? 40 : 0), legend: {live: true},
    scales: {x: chartScale(options.x, xRange), y: chartScale(options.y, options.y.range ?? (options.y.log && yRange(chart)))},
    // of labels above the plot, and of half a label of the x axis
    padding: [() => 6 + rowOfLabel * Math.min(rowsOfLabels, chart.marks.filter(isNamedAbove).length), 42, null, null],
    axes: [chartAxis(options.x, 0), chartAxis(options.y, 1)],
    series: [{label: options.x.label, value: (_, x) => (x === null || x === undefined ? '' : '= ' + brief(x, 6))},
             ...options.series.map(seriesOf)],
    bands: (options.bands ?? []).map((series) => ({series, fill: () => colorOf('band')})),
    cursor: {drag: {x: true, y: false, uni: 20}, points: {size: 6}},
    hooks: {
      drawAxes: [(u) => drawMarks(u, chart.marks, drawMarkLine)],  // below the series
      draw: [(u) => drawMarks(u, chart.marks, drawMarkLabel)],
      setSelect: [(u) => {
        if (u.select.width < 6) return;
        chart.zoom(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
      }],
    },
  };
}

// Lines over an axis by uPlot, in the page's colours, as wide as there is room. Drag to zoom, double
// click to see all again; by keyboard, arrows read the points, + zooms and 0
// shows all.
//     options: {title, x: {label, log}, y: {label, log}, series: [{label, color, width, dash, points}]}
// update(data, marks) shows other data: [x, y of each series]; marks: [{x or y, label, color}].
class LineChart {
  constructor(place, options) {
    this.options = options;
    this.plot = this.data = this.zoomed = null;
    this.marks = [];
    this.index = 0;
    this.holder = element('div', {class: 'chart', role: 'application', tabindex: 0,
                                  'aria-label': options.title, keydown: (event) => this.key(event)});
    this.said = element('p', {class: 'unseen', role: 'status'});
    this.reset = element('button', {type: 'button', class: 'reset', hidden: true,
                                    click: () => this.whole()}, 'show all');
    place.append(element('figure', {}, element('figcaption', {}, options.title, this.reset),
                         this.holder, this.said));
    new ResizeObserver(() => this.fit()).observe(this.holder);
    redrawn.add(() => this.draw());
  }

  // Other series from the next update on, and bands, each between two of them.
  have(series, bands = []) {
    if (JSON.stringify(series) === JSON.stringify(this.options.series)) return;
    Object.assign(this.options, {series, bands});
    this.plot?.destroy();
    this.plot = null;
  }
  update(data, marks = []) {
    this.data = data;
    this.marks = marks;
    if (this.plot) this.plot.setData(data);
    else this.draw();
  }
  describe(text) { this.holder.setAttribute('aria-label', this.options.title + ': ' + text); }
  unzoom() {
    this.zoomed = null;
    this.reset.hidden = true;
  }

  draw() {
    if (!this.data) return;
    if (this.plot) this.plot.destroy();
    this.plot = new uPlot(plotOptions(this), this.data, this.holder);
    this.plot.over.addEventListener('dblclick', () => this.whole());
  }
  fit() {
    const {plot} = this, width = Math.max(240, this.holder.clientWidth);
    if (plot && Math.abs(plot.width - width) > 1) plot.setSize({width, height: plot.height});
  }

  zoom(from, to) {
    this.zoomed = [from, to];
    this.reset.hidden = false;
    if (this.options.zoomed) this.options.zoomed(from, to);
  }
  whole() {
    if (this.zoomed === null) return;
    this.unzoom();
    if (this.options.zoomed) this.options.zoomed(null, null);
    else this.plot.setData(this.data);
  }
  // To `factor` of what is seen, about the point that was read.
  zoomBy(factor) {
    const {min, max} = this.plot.scales.x, log = this.options.x.log;
    const [low, high, center] = [min, max, this.data[0][this.index]].map((x) => (log ? Math.log(x) : x));
    const [from, to] = [low, high].map((end) => center + (end - center) * factor).map((x) => (log ? Math.exp(x) : x));
    this.plot.setScale('x', {min: from, max: to});
    this.zoom(from, to);
  }

  read(to) {
    const {plot, data, options} = this;
    const index = this.index = Math.min(data[0].length - 1, Math.max(0, to));
    plot.setCursor({left: plot.valToPos(data[0][index], 'x'), top: plot.over.clientHeight / 2});
    this.said.textContent = options.x.label + ' ' + brief(data[0][index], 6) + ': ' +
        options.series.map((one, k) => one.label + ' ' + (brief(data[k + 1][index], 6) || 'none')).join(', ');
  }
  key(event) {
    const step = event.shiftKey ? 10 : 1;
    if (!this.plot) return;
    if (event.key === 'ArrowRight') this.read(this.index + step);
    else if (event.key === 'ArrowLeft') this.read(this.index - step);
    else if (event.key === 'Home') this.read(0);
    else if (event.key === 'End') this.read(Infinity);
    else if (event.key === '+') this.zoomBy(0.5);
    else if (event.key === '0') this.whole();
    else return;
    event.preventDefault();
  }
}
