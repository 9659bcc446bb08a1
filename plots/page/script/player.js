// He & Xu's proposal next to base θ: θ̄ = π/(2n)·θ, so that pair 0 makes a quarter turn in n positions
// and no pair is ambiguous. Both turn as the distance grows. The tool computed the frequencies and
// the first failure of each claim.
class Player {
  static hint = 'Every dot is a pair, the innermost pair 0, at its angle for the distance s. ' +
      'A claim holds as long as each step from s − 1 to s advances every pair; ' +
      'drag s, or play, to see where it first fails.';
  static claims = {
    R1: 'sθ mod 2π increases in every pair',
    R2: 'cos sθ decreases in every pair',
    R3: '|cos sθ| decreases in every pair',
  };

  constructor(place, {scaled, configs: [config]}) {
    this.n = scaled.n;
    this.searchedTo = scaled.searched_to;
    this.passing = scaled.passing;
    this.kinds = scaled.kinds.map(({inv_freq, fails}, k) =>
      ({name: ['base θ', 'scaled θ̄'][k], color: ['first', 'second'][k], turns: turnsOf(unpackNumbers(inv_freq)), fails}));
    this.s = 2;
    this.timer = null;
    this.play = element('button', {type: 'button', click: () => this.run(this.timer === null)}, '▶ play');
    this.canvas = element('canvas', {role: 'img'});
    this.readout = element('p', {class: 'readout'});
    this.spoken = element('p', {class: 'unseen', role: 'status'});
    this.rows = element('tbody');
    this.slider = slider('distance s', {from: 0, to: this.last});
    this.slider.changed = (s) => {
      this.s = s;
      this.step();
    };
    const curve = element('div'), circles = element('div', {class: 'circles'}, this.canvas);
    place.append(element('section', {id: 'player', 'aria-label': 'Base θ and scaled θ'},
        element('h2', {}, `Base θ and He & Xu’s scaled θ̄ = πθ / 2n, n = ${grouped(this.n)}`), element('p', {class: 'hint'}, `The frequencies ${config.name === 'as asked' ? config.name : 'of ' + config.name}${config.rope_type === 'default' ? '' : ', without its rope scaling ' + config.rope_type}. ${Player.hint}`),
        element('div', {class: 'sliders'}, this.slider.place), element('div', {class: 'controls'}, this.play), circles, this.readout, this.spoken,
        this.table(), curve));
    this.makeChart(curve);
    new ResizeObserver(() => this.draw()).observe(circles);
    redrawn.add(() => this.draw());
    this.step();
  }

  scoreOf(sum, {turns}) { return (sum + this.passing) / (turns.length + this.passing); }

  // A curve of each kind, or a band from the least to the greatest if distances share a place; for
  // too many distances, some of them.
  makeChart(place) {
    const parts = 900, {last, kinds} = this, isEach = last < parts, isAll = (last + 1) * kinds[0].turns.length <= Explorer.mostCosines;
    const sumsOf = ({turns}) => {
      if (isAll) return cosineSum.reduced(cosineSum.all(turns, last), 0, last, parts);
      const at = Array.from({length: parts}, (_, k) => Math.round(k * last / (parts - 1)));
      return {at, least: at.map((s) => cosineSum.at(turns, s))};
    };
    const sums = kinds.map(sumsOf), ends = isEach || !isAll ? ['least'] : ['least', 'greatest'];
    this.chart = new LineChart(place, {
      title: 'Score of equal tokens, B(s)/B(0)' + (isAll ? '' : `, at ${parts} distances`), x: {label: 'distance s', whole: true}, y: {label: 'B(s)/B(0)'},
      series: kinds.flatMap(({name, color}, k) => ends.map((end) => ({label: name + (ends.length > 1 ? ', ' + end : ''), color, width: k + 1}))),
      bands: ends.length > 1 ? kinds.map((_, k) => [2 * k + 2, 2 * k + 1]) : []});
    this.curves = [sums[0].at, ...kinds.flatMap((kind, k) => ends.map((end) => sums[k][end].map((sum) => this.scoreOf(sum, kind))))];
    this.chart.describe(kinds.map((kind, k) => `${kind.name} least ${brief(this.scoreOf(Math.min(...sums[k].least), kind))}`).join(', '));
  }

  // Where a scaled pair 0 has turned once, and a little more.
  get last() { return 4 * this.n + 2; }

  table() {
    const heads = ['claim', ...this.kinds.map(({name}) => name)];
    return element('div', {class: 'scroll'}, element('table', {class: 'claims'},
        element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {scope: 'col'}, head)))), this.rows));
  }

  step() {
    this.slider.set(this.s);
    this.fillTable();
    this.say();
    this.draw();
    this.chart.update(this.curves, [{x: this.s, label: 's = ' + grouped(this.s), color: 'alarm'}, {x: this.n, label: 'n'}, {y: 0}]);
  }

  failedOf({fails}) {
    return Object.keys(fails).filter((id) => fails[id] && this.s >= fails[id].distance);
  }

  fillTable() {
    const cell = (fail) => {
      if (!fail) return element('td', {'data-first': ''}, 'holds up to s = ' + grouped(this.searchedTo));
      const {distance, pair} = fail, passed = this.s >= distance;
      const until = distance > this.n ? `holds up to n, ` : '';
      return element('td', {class: passed ? 'passed' : '', 'data-first': distance},
                     `${until}first fails at s = ${grouped(distance)}, in pair ${pair}${passed ? ' ✗' : ''}`);
    };
    this.rows.replaceChildren(...Object.entries(Player.claims).map(([id, says]) => element('tr', {'data-reading': id},
        element('th', {scope: 'row'}, id + ': ' + says), ...this.kinds.map(({fails}) => cell(fails[id])))));
  }

  say() {
    const text = this.kinds.map((kind) => kind.name + ' fails ' + (this.failedOf(kind).join(', ') || 'none')).join('; ');
    this.readout.textContent = `s = ${grouped(this.s)}: ${text}`;
    if (this.spoken.textContent !== text) this.spoken.textContent = text;
    this.canvas.setAttribute('aria-label', `Angles of ${this.kinds[0].turns.length} pairs at s = ${grouped(this.s)}. ${text}`);
  }

  draw() {
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
      drawCircle(context, {...kind, s: this.s, failed: this.failedOf(kind).length > 0},
                 {x: side * (stacked ? 0.5 : k + 0.5), y: (stacked ? k * each : 0) + radius + 45, radius}));
  }

  // About 15 s from 0 to the end, whatever n is.
  run(on) {
    cancelAnimationFrame(this.timer);
    this.timer = null;
    this.play.textContent = on ? '❚❚ pause' : '▶ play';
    if (!on) return;
    const started = performance.now(), from = this.s >= this.last ? 0 : this.s;
    const frame = (time) => {
      this.s = Math.min(this.last, Math.floor(from + Math.max(0, time - started) * this.last / 15000));
      this.step();
      if (this.s < this.last) this.timer = requestAnimationFrame(frame);
      else this.run(false);
    };
    this.timer = requestAnimationFrame(frame);
  }
}
