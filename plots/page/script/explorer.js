// Sliders for a Spec, and what follows from it: frequencies, decay of the score, bound of the base.
class Explorer {
  static mostContext = 2 ** 20;
  static mostCosines = 2 ** 27;  // half a second

  constructor(place, data) {
    const given = frequency.specOf(data.spec), asked = data.spec.rope_parameters;
    const length = data.spec.max_position_embeddings;
    this.spec = given || {base: asked.rope_theta, dim: data.spec.rotary_dim, type: 'default', factor: 1, partial: 1,
                          length, context: length, passing: 0, axes: axes.single, keys: {}};
    this.along = '';  // an axis's number, or all of them together
    this.now = null;  // what follows from spec
    this.scan = 0;  // which bases are being searched
    this.section = element('section', {id: 'explorer', 'aria-label': 'Explorer'}, element('h2', {}, 'Explorer'),
        element('p', {class: 'hint'}, 'Frequencies, scores and the bound of the base for any parameters, recomputed here with angles reduced in double-double arithmetic. Where positions have several axes, a distance is along all of them at once, as between tokens of text, or along one.'),
        given ? null : element('p', {class: 'hint'}, `The config's rope_type, ${asked.rope_type}, is not among those below; the sliders start from the default type.`));
    place.append(this.section);
    this.known = explored.named(data.models);
    // whose lists of factors longrope begins with
    this.lists = [this.spec, ...this.known.values()].find(({type}) => type === 'longrope');
    this.numbers = element('div', {class: 'numbers'});
    this.spoken = element('p', {class: 'unseen', role: 'status'});
    this.section.append(this.controls(), this.numbers, this.spoken);
    this.makeFigures();
    this.table = element('details', {class: 'table', toggle: () => this.fillTable()},
                         element('summary', {}, 'Every pair as a table'));
    this.section.append(this.table);
    this.update();
  }

  controls() {
    this.inputs = {
      base: slider('base', {from: 10, to: 1e9, log: true, real: true}),
      dim: slider('rotary dim', {from: 2, to: 512, step: 2}),
      factor: slider('factor', {from: 1, to: 128, log: true, fine: true}),
      partial: slider('share of pairs that turn', {from: 0, to: 1, step: 0.01, fine: true}),
      length: slider('trained length', {from: 16, to: 2 ** 20, log: true}),
      context: slider('context', {from: 16, to: Explorer.mostContext, log: true}),
    };
    for (const [name, input] of Object.entries(this.inputs))
      input.changed = (value) => this.change(name, value);
    const named = (name, select) => element('label', {class: 'slider'}, element('span', {}, name), select);
    const choice = (id, options, change) => element('select', {id, change: (event) => change(event.target.value)},
        ...options.map(([name, says]) => element('option', {value: name}, [name, says].filter(Boolean).join(': '))));
    const said = (table) => Object.entries(table).map(([name, {says}]) => [name, says]);
    this.model = choice('model', [['', '—'], ...[...this.known.keys()].map((name) => [name])], (name) => this.begin(name));
    this.type = choice('type', said(frequency.types).filter(([name]) => name !== 'longrope' || this.lists),
                       (type) => this.change('type', type));
    this.scheme = choice('axes', said(axes.schemes), (scheme) => this.change('axes', axes.fitted(scheme, this.spec.axes.sections, this.spec.dim / 2)));
    this.sections = element('input', {type: 'text', id: 'sections', inputmode: 'numeric', autocomplete: 'off', change: () =>
      this.change('axes', {...this.spec.axes, sections: this.sections.value.split(/\D+/).filter(Boolean).map(Number)})});
    this.way = choice('along', [], (axis) => this.change('along', axis));
    return element('div', {class: 'sliders'}, named('start from model', this.model), named('scaling type', this.type),
                   ...Object.values(this.inputs).map(({place}) => place),
                   named('axes', this.scheme), named('pairs of each axis', this.sections), named('distance along', this.way));
  }

  begin(model) {
    const chosen = this.known.get(model);
    if (!chosen) return;
    Object.assign(this.spec, chosen);
    this.along = '';
    this.update();
  }

  makeFigures() {
    const figure = (id, options) => {
      const place = element('div', {id});
      this.section.append(place);
      return new LineChart(place, options);
    };
    this.spectrum = figure('spectrum', {
      title: 'Positions to a full turn, by pair', x: {label: 'pair i'}, y: {label: 'wavelength', log: true},
      series: [{label: 'unscaled', color: 'second', dash: [5, 4]}, {label: 'scaled', color: 'first', points: true}]});
    this.decay = figure('decay', {
      title: 'Score of equal tokens over their distance, B(s) = Σ cos sθᵢ', x: {label: 'distance s'}, y: {label: 'B(s)'},
      series: [{label: 'least', color: 'first', width: 1}, {label: 'greatest', color: 'first', width: 1}], band: [2, 1],
      zoomed: (from, to) => this.drawDecay(from, to)});
    this.bound = figure('bound', {
      title: 'The first distance with B(s) < 0, by base', x: {label: 'base', log: true}, y: {label: 'distance s', log: true},
      series: [{label: 'first s with B(s) < 0', color: 'first', points: true}, {label: 'holds to the context', color: 'third', points: 'only'}]});
  }

  // However many changes come, one update for each frame.
  change(name, value) {
    const {spec} = this;
    if (name === 'along') this.along = value;
    else spec[name] = value;
    if (name === 'axes') this.along = '';
    if (name === 'type' && value === 'longrope' && spec.keys.short_factor?.length !== spec.dim / 2)
      Object.assign(spec, {keys: this.lists.keys, dim: this.lists.dim, length: this.lists.length, context: this.lists.context});
    if (name === 'dim' || name === 'type') spec.axes = axes.fitted(spec.axes.scheme, spec.axes.sections, spec.dim / 2);
    if (name !== 'along') this.model.value = '';
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.update();
    });
  }

  update() {
    const {spec, inputs} = this, {uses} = frequency.types[spec.type], mine = ++this.scan;
    spec.context = Math.min(spec.context, Explorer.mostContext, Math.floor(2 * Explorer.mostCosines / spec.dim));
    for (const [name, input] of Object.entries(inputs)) input.set(spec[name]);
    this.type.value = spec.type;
    for (const name of ['factor', 'partial', 'length']) inputs[name].use(uses.includes(name));
    inputs.dim.use(spec.type !== 'longrope');  // whose lists are as long as there are pairs
    this.showAxes();
    try {
      this.now = explored.of(spec, this.along);
    } catch (error) {
      this.numbers.replaceChildren(element('p', {class: 'problem', role: 'alert'}, error.message));
      return;
    }
    this.decay.unzoom();
    this.drawSpectrum();
    this.drawDecay(null, null);
    this.showNumbers();
    this.fillTable();
    this.searchBases(mine);
  }

  showAxes() {
    const {scheme, sections} = this.spec.axes, {names, shares} = axes.schemes[scheme];
    this.scheme.value = scheme;
    this.sections.value = sections.join(', ');
    this.sections.disabled = !shares;
    this.way.replaceChildren(element('option', {value: ''}, names.length > 1 ? 'all axes at once' : names[0]),
        ...(names.length > 1 ? names.map((name, axis) => element('option', {value: axis}, name + ' alone')) : []));
    this.way.value = this.along;
    this.way.disabled = names.length < 2;
  }

  drawSpectrum() {
    const {spec, now: {turns, axisOf, neverTurn}} = this, wavelength = (turn) => (turn.hi > 0 ? 1 / turn.hi : null);
    const unscaled = frequency.turns(frequency.unscaled(spec)), {names} = axes.schemes[spec.axes.scheme];
    const colors = ['first', 'third', 'second', 'alarm'];
    this.spectrum.have([{label: 'unscaled', color: names.length > 1 ? 'quiet' : 'second', dash: [5, 4]},
        ...names.map((name, axis) => ({label: names.length > 1 ? name : 'scaled', color: colors[axis], points: names.length > 1 ? 'only' : true}))]);
    this.spectrum.update([turns.map((_, i) => i), unscaled.map(wavelength),
                          ...names.map((_, axis) => turns.map((turn, i) => (axisOf[i] === axis ? wavelength(turn) : null)))],
                         [{y: spec.context, label: 'context ' + grouped(spec.context), color: 'alarm'}]);
    this.spectrum.describe(`${neverTurn} of ${turns.length} pairs never complete a turn within ${grouped(spec.context)}`);
  }

  drawDecay(from, to) {
    const {sums, shape, still} = this.now, last = sums.length - 1;
    const first = Math.min(last - 1, Math.max(0, Math.floor(from ?? 0)));
    const end = Math.max(first + 1, Math.min(last, Math.ceil(to ?? last)));
    const {at, least, greatest} = cosineSum.reduced(sums, first, end, 3000);
    const marks = [{y: 0}];
    if (shape.firstNegative !== null)
      marks.push({x: shape.firstNegative, label: 'first below 0 at ' + grouped(shape.firstNegative), color: 'alarm'});
    const all = (values) => values.map((value) => value + still);
    this.decay.update([at, all(least), all(greatest)], marks);
    this.decay.describe(`least ${brief(shape.least)} at distance ${grouped(shape.leastAt)}`);
  }

  showNumbers() {
    const {shape, neverTurn, turns, longest} = this.now, distance = (s) => (s === null ? 'never' : grouped(s));
    const number = (name, value, text) => element('div', {class: 'number'},
        element('span', {class: 'value', 'data-name': name, 'data-value': exact(value)}, text ?? brief(value, 6)),
        element('span', {class: 'name'}, name));
    this.numbers.replaceChildren(
      number('pairs that never turn', neverTurn, neverTurn + ' of ' + turns.length),
      number('longest wavelength', longest),
      number('B(s) first rises at', shape.firstRise, distance(shape.firstRise)),
      number('B(s) first below 0 at', shape.firstNegative, distance(shape.firstNegative)),
      number('least B(s)', shape.least), number('least B(s) at', shape.leastAt),
      number('base holds to the context', shape.firstNegative === null, shape.firstNegative === null ? 'yes' : 'no'));
    clearTimeout(this.speech);  // is spoken once the sliders rest
    this.speech = setTimeout(() => {
      this.spoken.textContent = `least B(s) ${brief(shape.least)}, first below 0: ${distance(shape.firstNegative)}, ${neverTurn} pairs never turn`;
    }, 700);
  }

  fillTable() {
    const {table, now, spec} = this;
    if (!table.open || !now) return;
    const row = (cell, values, attributes) => element('tr', {}, ...values.map((value) => element(cell, attributes, value)));
    const {names} = axes.schemes[spec.axes.scheme], several = names.length > 1;
    const rows = now.thetas.map((theta, i) =>
      row('td', [String(i), ...(several ? [names[now.axisOf[i]]] : []), exact(theta.hi), theta.hi > 0 ? exact(1 / now.turns[i].hi) : 'none',
                 brief(spec.context * now.turns[i].hi, 6)], {}));
    table.replaceChildren(table.firstChild, element('div', {class: 'scroll', tabindex: 0}, element('table', {},
      element('thead', {}, row('th', ['pair', ...(several ? ['axis'] : []), 'inv_freq', 'wavelength', 'turns in context'], {scope: 'col'})),
      element('tbody', {}, ...rows))));
  }

  // Base by base in slices of 12 ms, until the sliders move.
  searchBases(mine) {
    const count = 97, bases = Array.from({length: count}, (_, k) => 10 ** (1 + 8 * k / (count - 1)));
    const {along} = this, spec = {...this.spec}, {context} = spec, first = [];
    let search = null;
    const slice = () => {
      if (mine !== this.scan) return;
      for (const until = performance.now() + 12; performance.now() < until && first.length < count;) {
        if (!search) {
          const {turning, still} = explored.moved(spec, frequency.plan({...spec, base: bases[first.length]}), along);
          search = cosineSum.firstNegative(turning, still, context);
        }
        const {value, done} = search.next();
        if (!done) continue;
        first.push(value);
        search = null;
      }
      if (first.length === count) this.drawBound(bases, first);
      else setTimeout(slice, 0);
    };
    setTimeout(slice, 120);
  }

  drawBound(bases, first) {
    const {base, context} = this.spec;
    this.bound.update([bases, first, first.map((s) => (s === null ? context : null))],
                      [{x: base, label: 'base ' + brief(base), color: 'alarm'}, {y: context, label: 'context'}]);
    this.bound.describe(`${first.filter((s) => s === null).length} of ${bases.length} bases hold to the context`);
  }
}
