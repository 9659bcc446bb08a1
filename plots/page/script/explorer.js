// Frequencies, decay of the score and bound of the base: of the config, of built-in models, and of
// the config with another value of one parameter. The tool computed every frequency.
class Explorer {
  static mostContext = 2 ** 20;
  static mostCosines = 2 ** 27;  // half a second

  constructor(place, data) {
    const unpacked = (one) => ({...one, axes: Math.max(...one.axis) + 1, inv_freq: unpackNumbers(one.inv_freq), unscaled: unpackNumbers(one.unscaled)});
    this.configs = data.configs.map(unpacked);
    this.variations = data.variations.map((one) => ({...one, inv_freq: unpackNumbers(one.inv_freq), at: one.values.indexOf(one.own)}));
    this.along = '';  // an axis's number, or all of them together
    this.scan = 0;  // which bases are being searched
    this.cut = element('p', {class: 'hint'});
    this.numbers = element('div', {class: 'numbers'});
    this.spoken = element('p', {class: 'unseen', role: 'status'});
    this.section = element('section', {id: 'explorer', 'aria-label': 'Explorer'}, element('h2', {}, 'Explorer'),
        element('p', {class: 'hint'}, 'Wavelengths, scores of equal tokens and the bound of the base. A slider changes one parameter of the first config; the others stay as they are. B(s) = Σ cos sθᵢ, + 1 for each pair that does not rotate, is the score of q = k = 1, without the attention factor.'),
        this.controls(), this.cut, this.numbers, this.spoken);
    place.append(this.section);
    this.makeFigures();
    this.table = element('details', {class: 'table', toggle: () => this.fillTable()},
                         element('summary', {}, 'Every pair as a table'));
    this.section.append(this.table);
    this.begin(0);
  }

  controls() {
    this.sliders = this.variations.map((one) => choiceSlider(one.name, one));
    this.sliders.forEach((each, k) => { each.changed = (index) => this.change(() => this.vary(k, index)); });
    this.context = slider('context', {from: 16, to: Explorer.mostContext, log: true});
    this.context.changed = (value) => this.change(() => { this.length = value; });
    const named = (name, select) => element('label', {class: 'slider'}, element('span', {}, name), select);
    this.config = element('select', {id: 'config', change: () => this.begin(this.config.selectedIndex)},
                          ...this.configs.map(({name}, k) => element('option', {value: k}, name)));
    this.way = element('select', {id: 'along', change: () => this.change(() => { this.along = this.way.value; })});
    return element('div', {class: 'sliders'}, named('config', this.config), ...this.sliders.map(({place}) => place),
                   this.context.place, named('distance along', this.way));
  }

  // With the config as it is.
  begin(index) {
    this.now = this.configs[index];
    this.length = this.now.context;
    this.varied = null;
    this.along = '';
    this.way.replaceChildren(element('option', {value: ''}, 'all axes at once'),
        ...Array.from({length: this.now.axes}, (_, axis) => element('option', {value: axis}, `axis ${axis} only`)));
    this.way.parentElement.hidden = this.now.axes < 2;
    this.sliders.forEach((each, k) => {
      each.set(this.variations[k].at);
      each.use(index === 0);
    });
    this.update();
  }

  vary(k, index) {
    this.varied = {k, index};
    this.sliders.forEach((each, other) => each.set(other === k ? index : this.variations[other].at));
  }

  frequencies() {
    if (!this.varied) return this.now.inv_freq;
    const {inv_freq} = this.variations[this.varied.k], pairs = this.now.inv_freq.length;
    return inv_freq.subarray(this.varied.index * pairs, (this.varied.index + 1) * pairs);
  }

  valueOf(name) {
    const {name: changed, values} = this.variations[this.varied?.k] ?? {};
    return changed === name ? values[this.varied.index] : this.now[name];
  }

  makeFigures() {
    const figure = (id, options) => {
      const place = element('div', {id});
      this.section.append(place);
      return new LineChart(place, options);
    };
    this.spectrum = figure('spectrum', {
      title: 'Positions to a full turn, by pair', x: {label: 'pair i', whole: true}, y: {label: 'wavelength', log: true}, series: []});
    this.decay = figure('decay', {
      title: 'Score of equal tokens over their distance', x: {label: 'distance s', whole: true}, y: {label: 'B(s)'},
      series: [], zoomed: (from, to) => this.drawDecay(from, to)});
    this.bound = figure('bound', {
      title: 'The first distance with B(s) < 0, by base', x: {label: 'base', log: true}, y: {label: 'distance s', log: true},
      series: [{label: 'first s with B(s) < 0', color: 'second', points: true}, {label: 'none to the context', color: 'third', points: 'only'}]});
  }

  // However many changes come, one update for each frame.
  change(one) {
    one();
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.update();
    });
  }

  // The pairs that a distance rotates, and the number of others, which add 1 to B(s): those that pass through
  // and, along one axis, those of the other axes.
  moved(frequencies) {
    const turns = turnsOf(frequencies), {axis, passing} = this.now;
    const turning = this.along === '' ? turns : turns.filter((_, i) => axis[i] === Number(this.along));
    return {turns, turning, still: passing + turns.length - turning.length};
  }

  update() {
    const mine = ++this.scan, pairs = this.now.inv_freq.length;
    const most = Math.min(Explorer.mostContext, Math.floor(Explorer.mostCosines / pairs));
    this.length = Math.min(this.length, most);
    this.cut.textContent = this.now.context <= most ? '' : `The config’s ${grouped(this.now.context)} positions are cut to ${grouped(most)} here.`;
    this.context.set(this.length);
    const {turns, turning, still} = this.moved(this.frequencies());
    const sums = cosineSum.all(turning, this.length);
    this.found = {turns, still, sums, shape: cosineSum.shape(sums, still),
                  incomplete: turns.filter((turn) => turn * this.length < 1).length,
                  longest: 1 / Math.min(...turns.filter((turn) => turn > 0))};
    this.decay.unzoom();
    this.drawSpectrum();
    this.drawDecay(null, null);
    this.showNumbers();
    this.fillTable();
    this.searchBases(mine);
  }

  drawSpectrum() {
    const {turns, incomplete} = this.found, {axis, axes, rope_type, seq_len, unscaled} = this.now;
    const wavelength = (turn) => (turn > 0 ? 1 / turn : null), colors = ['second', 'third', 'quiet', 'ink'];
    const isScaled = rope_type !== 'default' || this.varied !== null;
    const name = (k) => (axes > 1 ? 'axis ' + k : this.varied ? this.variations[this.varied.k].name + ' ' + brief(this.variations[this.varied.k].values[this.varied.index], 6)
                         : isScaled ? rope_type + (seq_len ? ', seq_len ' + grouped(seq_len) : '') : 'as asked');
    this.spectrum.have([...(isScaled ? [{label: this.varied ? 'unscaled, as asked' : 'unscaled', color: 'first', dash: [5, 4]}] : []),
        ...Array.from({length: axes}, (_, k) => ({label: name(k), color: colors[k], points: axes > 1 ? 'only' : true}))]);
    this.spectrum.update([turns.map((_, i) => i), ...(isScaled ? [turnsOf(unscaled).map(wavelength)] : []),
                          ...Array.from({length: axes}, (_, k) => turns.map((turn, i) => (axis[i] === k ? wavelength(turn) : null)))],
                         [{y: this.length, label: 'context ' + grouped(this.length), color: 'alarm'}]);
    this.spectrum.describe(`${incomplete} of ${turns.length} pairs never complete a turn within ${grouped(this.length)}`);
  }

  drawDecay(from, to) {
    const {sums, shape, still} = this.found, last = sums.length - 1;
    const first = Math.min(last - 1, Math.max(0, Math.floor(from ?? 0)));
    const end = Math.max(first + 1, Math.min(last, Math.ceil(to ?? last)));
    const parts = 3000, isEach = end - first < parts;  // every distance is drawn
    const {at, least, greatest} = cosineSum.reduced(sums, first, end, parts);
    const marks = [{y: 0}];
    if (shape.firstNegative !== null)
      marks.push({x: shape.firstNegative, label: 'first below 0 at ' + grouped(shape.firstNegative), color: 'alarm'});
    const all = (values) => values.map((value) => value + still);
    this.decay.have(isEach ? [{label: 'B(s)', color: 'second', width: 1}]
                           : [{label: 'least', color: 'second', width: 1}, {label: 'greatest', color: 'third', width: 1}], isEach ? [] : [[2, 1]]);
    this.decay.update(isEach ? [at, all(least)] : [at, all(least), all(greatest)], marks);
    this.decay.describe(`least ${brief(shape.least)} at distance ${grouped(shape.leastAt)}`);
  }

  showNumbers() {
    const {shape, incomplete, turns, longest} = this.found, still = turns.filter((turn) => turn === 0).length;
    const distance = (s) => (s === null ? 'none to ' + grouped(this.length) : grouped(s));
    const number = (name, value, text) => element('div', {class: 'number'},
        element('span', {class: 'value', 'data-name': name, 'data-value': exact(value)}, text ?? brief(value, 4)),
        element('span', {class: 'name'}, name));
    this.numbers.replaceChildren(
      number('pairs that never complete a turn in the context', incomplete, incomplete + ' of ' + turns.length),
      ...(still ? [number('pairs that do not rotate', still)] : []),
      number('longest wavelength', longest),
      number('B(s) first rises at', shape.firstRise, distance(shape.firstRise)),
      number('B(s) first below 0 at', shape.firstNegative, distance(shape.firstNegative)),
      number('least B(s)', shape.least), number('least B(s) at', shape.leastAt));
    clearTimeout(this.speech);  // is spoken once the sliders rest
    this.speech = setTimeout(() => {
      this.spoken.textContent = `least B(s) ${brief(shape.least)}, first below 0: ${distance(shape.firstNegative)}, ${incomplete} pairs never complete a turn`;
    }, 700);
  }

  fillTable() {
    const {table, found, now} = this;
    if (!table.open || !found) return;
    const row = (cell, values, attributes) => element('tr', {}, ...values.map((value) => element(cell, attributes, value)));
    const several = now.axes > 1;
    const rows = Array.from(this.frequencies(), (theta, i) =>
      row('td', [String(i), ...(several ? [String(now.axis[i])] : []), brief(theta, 6), theta > 0 ? brief(1 / found.turns[i], 6) : 'does not rotate',
                 brief(this.length * found.turns[i], 4)], {}));
    table.replaceChildren(table.firstChild, element('div', {class: 'scroll', tabindex: 0}, element('table', {},
      element('thead', {}, row('th', ['pair', ...(several ? ['axis'] : []), 'inv_freq', 'wavelength', 'turns in context'], {scope: 'col'})),
      element('tbody', {}, ...rows))));
  }

  // Base by base in slices of 12 ms, until something changes.
  searchBases(mine) {
    const k = this.variations.findIndex(({name}) => name === 'rope_theta'), isShown = this.now === this.configs[0] && k >= 0;
    document.getElementById('bound').hidden = true;  // until it is drawn
    if (!isShown) return;
    const {values, inv_freq} = this.variations[k], pairs = this.now.inv_freq.length, first = [];
    let search = null;
    const slice = () => {
      if (mine !== this.scan) return;
      for (const until = performance.now() + 12; performance.now() < until && first.length < values.length;) {
        if (!search) {
          const at = first.length * pairs, {turning, still} = this.moved(inv_freq.subarray(at, at + pairs));
          search = cosineSum.firstNegative(turning, still, this.length);
        }
        const {value, done} = search.next();
        if (!done) continue;
        first.push(value);
        search = null;
      }
      if (first.length === values.length) this.drawBound(values, first);
      else setTimeout(slice, 0);
    };
    setTimeout(slice, 120);
  }

  drawBound(bases, first) {
    const base = this.valueOf('rope_theta');
    document.getElementById('bound').hidden = false;
    this.bound.update([bases, first, first.map((s) => (s === null ? this.length : null))],
                      [{x: base, label: 'base ' + brief(base, 6), color: 'alarm'}, {y: this.length, label: 'context'}]);
    this.bound.describe(`${first.filter((s) => s === null).length} of ${bases.length} bases keep B(s) ≥ 0 in the context; marked is ${brief(base, 6)}`);
  }
}
