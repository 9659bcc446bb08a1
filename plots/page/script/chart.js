// Lines over an axis by uPlot, in the page's colours, as wide as there is room. Drag to zoom, double
// click to see all again; by keyboard, arrows read the points, + zooms and 0
// shows all.
//     options: {title, x: {label, log}, y: {label, log}, series: [{label, color, width, dash, points}]}
// update(data, marks) shows other data: [x, y of each series]; marks: [{x or y, label, color}].
function lineChart(place, options) {
  const height = 300;
  const holder = element('div', {class: 'chart', role: 'application', tabindex: 0, 'aria-label': options.title, keydown: (event) => key(event)});
  const said = element('p', {class: 'unseen', role: 'status'});
  const reset = element('button', {type: 'button', class: 'reset', hidden: true,
                                   click: () => { whole(); }}, 'show all');
  place.append(element('figure', {},
                       element('figcaption', {}, options.title, reset), holder, said));
  let plot = null, data = null, marks = [], zoomed = null, index = 0;

  const tickText = (log) => (_, ticks) => ticks.map((tick) => {
    if (tick === null) return '';
    if (!log) return brief(tick);
    if (!isPower(tick)) return '';
    return tick >= 1e-3 && tick < 1e6 ? brief(tick) : '1e' + Math.round(Math.log10(tick));
  });
  const isPower = (tick) => tick !== null && Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9;
  const powersAlone = (_, ticks) => ticks.map((tick) => (isPower(tick) ? tick : null));
  const axis = ({label, log}, side) => ({
    label, labelSize: 18, labelFont: '12px system-ui, sans-serif', font: '11px system-ui, sans-serif',
    stroke: () => colorOf('quiet'), size: side ? 58 : 36, values: tickText(log), space: side ? 30 : 60,
    grid: {stroke: () => colorOf('grid'), width: 1, ...(log ? {filter: powersAlone} : {})},
    ticks: {stroke: () => colorOf('grid'), size: 4, ...(log ? {filter: powersAlone} : {})},
  });
  const scale = ({log}, range) => ({time: false, distr: log ? 3 : 1, ...(range ? {range} : {})});

  function drawMarks(u) {
    const {ctx, bbox} = u, pixels = devicePixelRatio || 1;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.font = 11 * pixels + 'px system-ui, sans-serif';
    ctx.lineWidth = pixels;
    ctx.setLineDash([5 * pixels, 4 * pixels]);
    marks.forEach((mark, k) => {
      const flat = mark.y !== undefined;
      const at = u.valToPos(flat ? mark.y : mark.x, flat ? 'y' : 'x', true);
      if (!Number.isFinite(at)) return;
      ctx.strokeStyle = ctx.fillStyle = colorOf(mark.color || 'quiet');
      ctx.beginPath();
      if (flat) ctx.moveTo(bbox.left, at), ctx.lineTo(bbox.left + bbox.width, at);
      else ctx.moveTo(at, bbox.top), ctx.lineTo(at, bbox.top + bbox.height);
      ctx.stroke();
      if (!mark.label) return;
      const right = flat || at > bbox.left + bbox.width * 0.7;
      ctx.textAlign = right ? 'right' : 'left';
      const gap = 5 * pixels;
      ctx.fillText(mark.label, flat ? bbox.left + bbox.width - gap : at + (right ? -gap : gap),
                   flat ? at - 8 * pixels : bbox.top + (13 + 15 * k) * pixels);
    });
    ctx.restore();
  }

  function make() {
    const width = Math.max(240, holder.clientWidth);
    const series = options.series.map((one) => ({
      label: one.label, stroke: () => colorOf(one.color), width: one.width ?? 1.5, dash: one.dash,
      fill: one.fill, value: (_, y) => (y === null || y === undefined ? '–' : brief(y, 6)),
      points: {show: Boolean(one.points), size: 4, fill: () => colorOf(one.color)},
      paths: one.points === 'only' ? () => null : undefined,
    }));
    const built = new uPlot({
      width, height: height - (width < 500 ? 40 : 0), legend: {live: true},
      scales: {x: scale(options.x, (_, from, to) => [from, from === to ? to + 1 : to]), y: scale(options.y, options.y.range)},
      axes: [axis(options.x, 0), axis(options.y, 1)],
      series: [{label: options.x.label, value: (_, x) => (x === null || x === undefined ? '–' : brief(x, 6))}, ...series],
      bands: options.band ? [{series: options.band, fill: () => colorOf('band')}] : undefined,
      cursor: {drag: {x: true, y: false, uni: 20}, points: {size: 6}},
      hooks: {
        draw: [drawMarks],
        setSelect: [(u) => {
          if (u.select.width < 6) return;
          zoom(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
        }],
      },
    }, data, holder);
    built.over.addEventListener('dblclick', whole);
    return built;
  }
  function zoom(from, to) {
    zoomed = [from, to];
    reset.hidden = false;
    if (options.zoomed) options.zoomed(from, to);
  }
  function whole() {
    if (zoomed === null) return;
    zoomed = null;
    reset.hidden = true;
    if (options.zoomed) options.zoomed(null, null);
    else plot.setData(data);
  }
  function read(to) {
    index = Math.min(data[0].length - 1, Math.max(0, to));
    plot.setCursor({left: plot.valToPos(data[0][index], 'x'), top: plot.over.clientHeight / 2});
    said.textContent = options.x.label + ' ' + brief(data[0][index], 6) + ': ' +
        options.series.map((one, k) => one.label + ' ' + (brief(data[k + 1][index], 6) || 'none')).join(', ');
  }
  // To `factor` of what is seen, about the point that was read.
  function zoomBy(factor) {
    const {min, max} = plot.scales.x, log = options.x.log;
    const [low, high, center] = [min, max, data[0][index]].map((x) => (log ? Math.log(x) : x));
    const [from, to] = [low, high].map((end) => center + (end - center) * factor).map((x) => (log ? Math.exp(x) : x));
    plot.setScale('x', {min: from, max: to});
    zoom(from, to);
  }
  function key(event) {
    const step = event.shiftKey ? 10 : 1;
    if (!plot) return;
    if (event.key === 'ArrowRight') read(index + step);
    else if (event.key === 'ArrowLeft') read(index - step);
    else if (event.key === 'Home') read(0);
    else if (event.key === 'End') read(Infinity);
    else if (event.key === '+') zoomBy(0.5);
    else if (event.key === '0') whole();
    else return;
    event.preventDefault();
  }
  function draw() {
    if (!data) return;
    if (plot) plot.destroy();
    plot = make();
  }
  new ResizeObserver(() => {
    if (plot && Math.abs(plot.width - Math.max(240, holder.clientWidth)) > 1)
      plot.setSize({width: Math.max(240, holder.clientWidth), height: plot.height});
  }).observe(holder);
  redrawn.add(draw);
  return {
    update(newData, newMarks = []) {
      data = newData;
      marks = newMarks;
      if (plot) plot.setData(data);
      else draw();
    },
    describe: (text) => holder.setAttribute('aria-label', options.title + ': ' + text),
    unzoom() {
      zoomed = null;
      reset.hidden = true;
    },
  };
}
