// inv_freq of a Spec in double-double, by the formulas of src/rope/spec. A Spec here is
//     {base, dim, type, factor, partial, length, context, passing, axes, keys}
// partial: the share of the pairs that proportional turns; length: positions of training, that is
// max_position_embeddings where the type scales by it and original_max_position_embeddings where the
// config keeps one; passing: pairs that do not rotate; axes: a map of axes.js, which may be left
// out; keys: what else the config says.
const frequency = (() => {
  const betas = (keys) => [keys.beta_fast || 32, keys.beta_slow || 1];

  const powers = (spec, base = spec.base) => {
    const logarithm = dd.log(base), all = [];
    const map = spec.axes ?? axes.single, pairs = spec.dim / 2;
    axes.check(map, pairs);
    for (let j = 0; j < pairs; ++j) {
      const [index, width] = axes.stepOf(map, pairs, j);
      all.push(dd.exp(dd.divide(dd.multiply(logarithm, 2 * index), width)));
    }
    return all;
  };
  const unscaled = (spec, base) => powers(spec, base).map((power) => dd.divide(1, power));

  const stretched = (spec, stretch) => {
    if (spec.dim < 4) throw new Error(spec.type + ' divides by dim − 2 and needs at least 4');
    const exponent = dd.divide(spec.dim, spec.dim - 2);
    return unscaled(spec, dd.multiply(spec.base, dd.power(stretch, exponent)));
  };

  const turnRamp = (spec, low, high) =>
    unscaled(spec).map((theta) => {
      const turns = dd.divide(dd.multiply(theta, spec.length), dd.twoPi);
      if (dd.less(high, turns)) return theta;
      if (dd.less(turns, low)) return dd.divide(theta, spec.factor);
      const smooth = low === high ? dd.of(0) : dd.divide(dd.subtract(turns, low), high - low);
      return dd.add(dd.divide(dd.multiply(dd.subtract(1, smooth), theta), spec.factor),
                    dd.multiply(smooth, theta));
    });

  const correction = (spec, turns) =>
    dd.divide(dd.multiply(dd.log(dd.divide(spec.length, dd.multiply(dd.twoPi, turns))), spec.dim),
              dd.multiply(dd.log(spec.base), 2));

  const yarn = (spec) => {
    if (!(spec.base > 1)) throw new Error('yarn needs a base of more than 1');
    const [fast, slow] = betas(spec.keys);
    let low = correction(spec, fast), high = correction(spec, slow);
    if (spec.keys.truncate !== false) {
      low = dd.of(Math.floor(low.hi));
      high = dd.of(Math.ceil(high.hi));
    }
    if (low.hi < 0) low = dd.of(0);
    if (high.hi > spec.dim - 1) high = dd.of(spec.dim - 1);
    let width = dd.subtract(high, low);
    if (width.hi === 0) width = dd.of(0.001);
    const kept = spec.keys.ext_factor ?? 1;
    return unscaled(spec).map((theta, i) => {
      let r = dd.divide(dd.subtract(i, low), width);
      r = r.hi < 0 ? dd.of(0) : r.hi > 1 ? dd.of(1) : r;
      const extrapolated = dd.multiply(dd.subtract(1, r), kept);
      return dd.add(dd.multiply(dd.divide(theta, spec.factor), dd.subtract(1, extrapolated)),
                    dd.multiply(theta, extrapolated));
    });
  };

  const ntkMixed = (spec) => {
    const b = spec.keys.mixed_b ?? 1;
    return unscaled(spec).map((theta, i) => {
      const part = dd.power(dd.divide(i + 1, spec.dim / 2), b);
      return dd.divide(theta, dd.power(spec.factor, part));
    });
  };

  const dynamic = (spec) => {
    const n = Math.max(spec.context, spec.length);
    return stretched(spec, dd.subtract(dd.divide(dd.multiply(dd.of(spec.factor), n), spec.length),
                                       spec.factor - 1));
  };

  // alpha: 1 up to the length, 3 up to twice that, 7 up to four times, …
  const qwenNtk = (spec) => {
    let power = 2;
    for (let reach = spec.length; reach < spec.context; reach *= 2) power *= 2;
    return stretched(spec, power - 1);
  };

  const longrope = (spec) => {
    const factors = spec.context > spec.length ? spec.keys.long_factor : spec.keys.short_factor;
    if (factors?.length !== spec.dim / 2) throw new Error(`longrope needs a factor for each of ${spec.dim / 2} pairs`);
    return powers(spec).map((power, i) => dd.divide(1, dd.multiply(power, factors[i])));
  };

  const proportional = (spec) => {
    const turning = Math.floor(spec.partial * spec.dim / 2);
    return unscaled(spec).map((theta, i) => (i < turning ? dd.divide(theta, spec.factor) : dd.of(0)));
  };

  const resonance = (spec) =>
    unscaled(spec).map((theta) => dd.divide(dd.twoPi, dd.nearest(dd.divide(dd.twoPi, theta))));

  const heXu = (spec) => {
    const quarter = dd.divide(dd.twoPi, 4 * spec.length);
    return unscaled(spec).map((theta) => dd.multiply(quarter, theta));
  };

  // Each with what it is, and which of factor, length and partial it uses.
  const types = {
    default: {says: 'base^(−2i/d)', plan: (spec) => unscaled(spec), uses: []},
    linear: {
      says: 'θ / factor, position interpolation',
      plan: (spec) => unscaled(spec).map((theta) => dd.divide(theta, spec.factor)),
      uses: ['factor'],
    },
    ntk: {
      says: 'base · factor^(d/(d−2))',
      plan: (spec) => stretched(spec, spec.factor),
      uses: ['factor'],
    },
    ntk_mixed: {says: 'θ_i / factor^((i+1)/(d/2))', plan: ntkMixed, uses: ['factor']},
    dynamic: {
      says: 'NTK by the context in use',
      plan: dynamic,
      uses: ['factor', 'length'],
    },
    yarn: {says: 'a ramp over the pairs', plan: yarn, uses: ['factor', 'length']},
    yarn_paper: {
      says: 'a ramp over the turns, as in the paper',
      plan: (spec) => turnRamp(spec, ...betas(spec.keys).reverse()),
      uses: ['factor', 'length'],
    },
    llama3: {
      says: 'a ramp over the turns, Llama 3.1',
      plan: (spec) => turnRamp(spec, spec.keys.low_freq_factor ?? 1, spec.keys.high_freq_factor ?? 4),
      uses: ['factor', 'length'],
    },
    longrope: {
      says: 'θ_i / its own factor, one list to the trained length and one beyond',
      plan: longrope,
      uses: ['length'],
    },
    proportional: {says: 'the first pairs turn by θ / factor, the rest stand still', plan: proportional, uses: ['factor', 'partial']},
    he_xu: {says: 'π/(2n) · base^(−2i/d)', plan: heXu, uses: ['length']},
    resonance: {says: 'wavelengths rounded to whole positions', plan: resonance, uses: []},
    qwen_ntk: {says: 'NTK in steps of the context in use, Qwen-7B', plan: qwenNtk, uses: ['length']},
  };

  // What the tool's JSON calls a spec, as sliders hold it; null where they cannot.
  const specOf = (json) => {
    const keys = json.rope_parameters, type = keys.rope_type;
    if (!(type in types)) return null;
    const original = keys.original_max_position_embeddings;
    return {
      base: keys.rope_theta, dim: json.rotary_dim, type, factor: keys.factor ?? 1,
      partial: keys.partial_rotary_factor ?? 1, axes: {scheme: json.axes ?? 'single', sections: json.mrope_section ?? []},
      length: ['he_xu', 'dynamic', 'qwen_ntk'].includes(type) || !original ? json.max_position_embeddings : original,
      context: json.seq_len ?? json.max_position_embeddings, passing: (json.head_dim - json.rotary_dim) / 2, keys,
    };
  };

  // Pairs whose angle is 0 whatever the distance; proportional covers the whole head.
  const passing = (spec) => (spec.type === 'proportional' ? 0 : spec.passing ?? 0);
  const plan = (spec) => types[spec.type].plan(spec);
  const turns = (thetas) => thetas.map((theta) => dd.divide(theta, dd.twoPi));
  return {types, specOf, passing, plan, unscaled, turns};
})();
