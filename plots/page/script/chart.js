const tickText = (log, zero) => (_, ticks) => ticks.map((tick) => (tick === zero ? '0' :
  !log || (tick >= 1e-3 && tick < 1e6) ? brief(tick) : powerOfTen(Math.round(Math.log10(tick)))));
// Powers of ten as far apart as their labels need, and the place of 0.
const powersOfTen = (side, space, zero) => (u, _, min, max) => {
  const from = Math.log10(min), to = Math.log10(max), room = (side ? u.height : u.width) - 80;
  const step = [1, 2, 5, 10, 20, 50].find((n) => n / (to - from) * room >= space) ?? 100;
  const first = Math.ceil((from - 1e-9) / step);
  const powers = Array.from({length: Math.max(0, Math.floor((to + 1e-9) / step) - first + 1)}, (_, k) => Number('1e' + (first + k) * step));
  return zero >= min ? [zero, ...powers] : powers;
};
const wholeSteps = Array.from({length: 30}, (_, k) => [1, 2, 5][k % 3] * 10 ** Math.floor(k / 3));
const chartAxis = ({label, log, whole, zero}, side) => ({
  label, labelSize: 18, labelFont: '12px system-ui, sans-serif', font: '11px system-ui, sans-serif',
  stroke: () => colorOf('quiet'), size: side ? 58 : 36, values: tickText(log, zero), space: side ? 30 : (u, axis, min, max) => (log ? 60 : Math.max(60, 7.5 * brief(Math.ceil(max)).length + 16)),
  ...(whole && !log ? {incrs: wholeSteps} : {}),
  // uPlot’s own steps end at 10³²
  ...(log ? {incrs: [1e300], splits: powersOfTen(side, side ? 30 : 60, zero), filter: (_, ticks) => ticks} : {}),
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

// The left end of a label: right of a line, else left of it, and inside the plot.
const labelStart = (at, width, gap, {left, right}) =>
  Math.max(left, at + gap + width <= right ? at + gap : Math.min(at - gap, right) - width);

const placeOfMark = (u, {x, y}) => (y !== undefined ? u.valToPos(y, 'y', true) : u.valToPos(x, 'x', true));

// Gives names of vertical lines a left end and a row above a plot: right of their line, or left of it
// where they would leave the plot or pass the line of a name left of that; each in the lowest row in
// which no other name and no other line is in its way.
const rowOfName = 15;
function placeNames(lines, gap, plot) {
  let {right} = plot;
  for (const line of [...lines].sort((a, b) => b.at - a.at)) {
    line.left = labelStart(line.at, line.width, gap, {...plot, right});
    if (line.left < line.at) right = line.at;
  }
  const isRight = ({at, left}) => left > at;
  const order = [...lines].sort((a, b) => isRight(a) - isRight(b) || (isRight(a) ? b.at - a.at : a.at - b.at));
  const isNear = (name, left, right, apart) => name.left < right + apart && left < name.left + name.width + apart;
  const isCut = (name, line) => line.row > name.row && isNear(name, line.at, line.at, gap - 0.1);
  const collide = (a, b) => (a.row === b.row && isNear(a, b.left, b.left + b.width, 2 * gap)) || isCut(a, b) || isCut(b, a);
  order.forEach((line, k) => {
    line.row = 0;
    while (line.row < k && order.slice(0, k).some((other) => collide(line, other))) ++line.row;
  });
}

const isNamedAbove = ({x, label}) => x !== undefined && label;
function drawMarkLine({ctx, bbox}, {y, at, row, color = 'quiet'}) {
  ctx.strokeStyle = colorOf(color);
  ctx.beginPath();
  if (y !== undefined) ctx.moveTo(bbox.left, at), ctx.lineTo(bbox.left + bbox.width, at);
  else ctx.moveTo(at, bbox.top - ((row ?? -1) + 1) * rowOfName * (devicePixelRatio || 1)), ctx.lineTo(at, bbox.top + bbox.height);
  ctx.stroke();
}

// A level's label has a background that keeps its letters readable over curves and lines.
function drawMarkLabel({ctx, bbox}, {label, y, at, width, left, row, color = 'quiet'}) {
  if (!label) return;
  const pixels = devicePixelRatio || 1, above = at - 8 * pixels, isLevel = y !== undefined;
  const x = isLevel ? bbox.left + 5 * pixels : left;
  const middle = !isLevel ? bbox.top - (row + 0.6) * rowOfName * pixels : above - 7 * pixels < bbox.top ? at + 9 * pixels : above;
  if (isLevel) {
    ctx.fillStyle = colorOf('paper');
    ctx.globalAlpha = 0.9;
    ctx.fillRect(x - 2 * pixels, middle - 7 * pixels, width + 4 * pixels, 14 * pixels);
    ctx.globalAlpha = 1;
  }
  ctx.fillStyle = colorOf(color);
  ctx.fillText(label, x, middle);
}

function drawMarks(u, marks, draw) {
  const {ctx, bbox} = u, pixels = devicePixelRatio || 1, right = bbox.left + bbox.width;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
  ctx.clip();
  ctx.font = 11 * pixels + 'px system-ui, sans-serif';
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.lineWidth = pixels;
  ctx.setLineDash([5 * pixels, 4 * pixels]);
  const seen = marks.map((mark) => ({...mark, at: placeOfMark(u, mark), width: mark.label ? ctx.measureText(mark.label).width : 0}))
    .filter(({x, at}) => Number.isFinite(at) && (x === undefined || (at >= bbox.left - 1 && at <= right + 1)));
  placeNames(seen.filter(isNamedAbove), 5 * pixels, {left: bbox.left, right});
  seen.forEach((mark) => draw(u, mark));
  ctx.restore();
}

// For a single x, uPlot would show 0 to 100.
const xRange = ({data: [xs]}, from, to) => (xs.length === 1 ? [xs[0] - 0.5, xs[0] + 0.5] : [from, to]);

// The parts of a chart's options that uPlot draws, as wide as its holder.
function plotOptions(chart) {
  const {options, holder} = chart, width = Math.max(240, holder.clientWidth);
  return {
    width, height: 300 - (width < 500 ? 40 : 0), legend: {live: true},
    scales: {x: chartScale(options.x, xRange), y: chartScale(options.y, options.y.range ?? (options.y.log && yRange(chart)))},
    // of labels above the plot, and of half a label of the x axis
    padding: [() => 6 + rowOfName * chart.marks.filter(isNamedAbove).length, 42, null, null],
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
// click to reset; by keyboard, arrows read the points, + zooms and 0
// resets.
//     options: {title, x: {label, log, zero}, y: {label, log}, series: [{label, color, width, dash, points}]}
// zero: the place of 0 on a logarithmic axis.
// update(data, marks) shows other data: [x, y of each series]; marks: [{x or y, label, color}].
class LineChart {
  constructor(place, options) {
    this.options = options;
    this.plot = this.data = this.zoomed = null;
    this.marks = [];
    this.index = 0;
    this.holder = element('div', {class: 'chart', role: 'application', tabindex: 0,
                                  'aria-label': options.title, keydown: (event) => this.key(event)});
    this.readout = element('p', {class: 'unseen', role: 'status'});
    this.reset = element('button', {type: 'button', class: 'reset', hidden: true,
                                    click: () => this.whole()}, 'show all');
    place.append(element('figure', {}, element('figcaption', {}, options.title, this.reset),
                         this.holder, this.readout));
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
  // To `factor` of the visible range, about the point that was read.
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
    this.readout.textContent = options.x.label + ' ' + brief(data[0][index], 6) + ': ' +
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
