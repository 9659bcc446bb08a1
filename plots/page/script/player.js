// He & Xu's proposal beside base θ: θ̄ = π/(2n)·θ, so that pair 0 makes a quarter turn in n positions
// and no pair is ambiguous. Both turn as the distance grows, until what is claimed of them first
// fails.
class Player {
  static hint = 'Every dot is a pair, the innermost pair 0, at its angle for the distance s. ' +
      'A claim holds as long as each step from s − 1 to s advances every pair; ' +
      'drag s, or play, to see where it first fails.';

  constructor(place, data) {
    const given = frequency.specOf(data.spec);
    this.spec = {base: given?.base ?? 10000, dim: Math.min(512, given?.dim ?? 128), n: 512, s: 2};
    this.timer = null;
    this.play = element('button', {type: 'button', click: () => this.run(this.timer === null)}, '▶ play');
    this.canvas = element('canvas', {role: 'img'});
    this.said = element('p', {class: 'readout'});
    this.spoken = element('p', {class: 'unseen', role: 'status'});
    this.rows = element('tbody');
    const curve = element('div'), circles = element('div', {class: 'circles'}, this.canvas);
    place.append(element('section', {id: 'player', 'aria-label': 'Base θ and scaled θ'},
        element('h2', {}, 'Base θ and He & Xu’s scaled θ̄ = πθ / 2n'), element('p', {class: 'hint'}, Player.hint),
        this.controls(), element('div', {class: 'controls'}, this.play), circles, this.said, this.spoken, this.table(), curve));
    this.chart = new LineChart(curve, {
      title: 'Score of equal tokens, B(s)/B(0)', x: {label: 'distance s'}, y: {label: 'B(s)/B(0)'},
      series: [{label: 'base θ', color: 'second', width: 1}, {label: 'scaled θ̄', color: 'first', width: 2}]});
    new ResizeObserver(() => this.draw()).observe(circles);
    redrawn.add(() => this.draw());
    this.plan();
  }

  // Where a scaled pair 0 has turned once, and a little more.
  get last() { return 4 * this.spec.n + 2; }

  controls() {
    this.inputs = {
      n: slider('context n', {from: 16, to: 65536, log: true}),
      s: slider('distance s', {from: 0, to: this.last}),
      base: slider('base of θ', {from: 10, to: 1e9, log: true, real: true}),
      dim: slider('dimension', {from: 2, to: 512, step: 2}),
    };
    for (const [name, input] of Object.entries(this.inputs))
      input.changed = (value) => {
        this.spec[name] = value;
        this.spec.s = Math.min(this.spec.s, this.last);
        if (name === 's') this.step();
        else this.plan();
      };
    return element('div', {class: 'sliders'}, ...Object.values(this.inputs).map(({place}) => place));
  }

  table() {
    const heads = ['claim', 'base θ first fails at', 'scaled θ̄ first fails at'];
    return element('div', {class: 'scroll'}, element('table', {class: 'claims'},
        element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {scope: 'col'}, head)))), this.rows));
  }

  // The two kinds of θ, where each reading first fails, and their scores.
  plan() {
    const {base, dim, n} = this.spec, {last} = this;
    this.kinds = [['base θ', 'default'], ['scaled θ̄', 'he_xu']].map(([name, type]) => {
      const turns = frequency.turns(frequency.plan({base, dim, type, length: n, factor: 1, keys: {}}));
      const first = Object.keys(monotonicity.readings).map((reading) => [reading, monotonicity.first(turns, reading)]);
      return {name, turns, first: Object.fromEntries(first), sums: cosineSum.all(turns, last)};
    });
    this.inputs.s.limit(last);
    const parts = Math.min(last + 1, 900);
    const at = Array.from({length: parts}, (_, k) => Math.round(k * last / (parts - 1)));
    this.curves = [at, ...this.kinds.map(({sums}) => at.map((s) => sums[s] / sums[0]))];
    this.step();
  }

  step() {
    const {s, n} = this.spec;
    for (const [name, input] of Object.entries(this.inputs)) input.set(this.spec[name]);
    this.fillTable();
    this.say();
    this.draw();
    this.chart.update(this.curves, [{x: s, label: 's = ' + grouped(s), color: 'alarm'}, {x: n, label: 'n'}, {y: 0}]);
  }

  failedOf({first}) {
    return Object.keys(first).filter((reading) => this.spec.s >= first[reading].distance);
  }

  fillTable() {
    const {s, n} = this.spec;
    const cell = ({distance, pair}) => {
      const passed = s >= distance;
      return element('td', {class: passed ? 'passed' : '', 'data-first': distance},
          `s = ${grouped(distance)}, pair ${pair}${distance > n ? ' (holds to n)' : ''}${passed ? ' ✗' : ''}`);
    };
    const row = ([reading, {says}]) => element('tr', {'data-reading': reading},
        element('th', {scope: 'row'}, reading + ': ' + says), ...this.kinds.map(({first}) => cell(first[reading])));
    this.rows.replaceChildren(...Object.entries(monotonicity.readings).map(row));
  }

  say() {
    const {s, dim} = this.spec;
    const text = this.kinds.map((kind) => kind.name + ' has failed ' + (this.failedOf(kind).join(', ') || 'none')).join('; ');
    this.said.textContent = `s = ${grouped(s)}: ${text}`;
    if (this.spoken.textContent !== text) this.spoken.textContent = text;
    this.canvas.setAttribute('aria-label', `Angles of ${dim / 2} pairs at s = ${grouped(s)}. ${text}`);
  }

  draw() {
    if (!this.kinds) return;
    const {canvas} = this, width = Math.max(280, canvas.parentElement.clientWidth), stacked = width < 560;
    const side = stacked ? width : width / 2, radius = Math.min(170, side / 2 - 40), each = 2 * radius + 70;
    const height = each * (stacked ? 2 : 1), pixels = devicePixelRatio || 1;
    canvas.width = Math.round(width * pixels);
    canvas.height = Math.round(height * pixels);
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
    const context = canvas.getContext('2d');
    context.scale(pixels, pixels);
    this.kinds.forEach((kind, k) =>
      drawCircle(context, {...kind, s: this.spec.s, failed: this.failedOf(kind).length > 0},
                 {x: side * (stacked ? 0.5 : k + 0.5), y: (stacked ? k * each : 0) + radius + 45, radius}));
  }

  // About 15 s from 0 to the end, whatever n is.
  run(on) {
    cancelAnimationFrame(this.timer);
    this.timer = null;
    this.play.textContent = on ? '❚❚ pause' : '▶ play';
    if (!on) return;
    const started = performance.now(), from = this.spec.s >= this.last ? 0 : this.spec.s;
    const frame = (time) => {
      this.spec.s = Math.min(this.last, Math.floor(from + Math.max(0, time - started) * this.last / 15000));
      this.step();
      if (this.spec.s < this.last) this.timer = requestAnimationFrame(frame);
      else this.run(false);
    };
    this.timer = requestAnimationFrame(frame);
  }
}
