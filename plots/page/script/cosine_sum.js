// B(s) = Σ cos(s·θ_i) at s = 0, 1, 2, …, one block of distances after another. Each block begins at
// angles reduced in double-double; within it a rotation by θ adds 2^-52 or so per step.
const cosineSum = (() => {
  const block = 256, errorOfPair = 2 ** -44;  // of B at the block's end; less than that is a tie

  // Calls take(first, values, count) until it returns false, or to `last`.
  function* blocks(turns, last) {
    const pairs = turns.length, tau = 2 * Math.PI;
    const stepCos = new Float64Array(pairs), stepSin = new Float64Array(pairs);
    turns.forEach((turn, i) => {
      const angle = tau * dd.fraction(1, turn);
      stepCos[i] = Math.cos(angle);
      stepSin[i] = Math.sin(angle);
    });
    const values = new Float64Array(block);
    for (let first = 0; first <= last; first += block) {
      const count = Math.min(block, last + 1 - first);
      values.fill(0);
      for (let i = 0; i < pairs; ++i) {
        const angle = tau * dd.fraction(first, turns[i]), c = stepCos[i], s = stepSin[i];
        let x = Math.cos(angle), y = Math.sin(angle);
        for (let k = 0; k < count; ++k) {
          values[k] += x;
          const next = x * c - y * s;
          y = x * s + y * c;
          x = next;
        }
      }
      yield {first, values, count};
    }
  }

  // B(s) for s = 0 … last.
  function all(turns, last) {
    const sums = new Float64Array(last + 1);
    for (const {first, values, count} of blocks(turns, last))
      sums.set(values.subarray(0, count), first);
    return sums;
  }

  // What stands out of B + passing within 0 … last.
  function shape(sums, passing = 0) {
    const found = {least: Infinity, leastAt: 0, firstNegative: null, firstRise: null};
    const error = sums[0] * errorOfPair;  // B(0) pairs
    for (let s = 0; s < sums.length; ++s) {
      const value = sums[s] + passing;
      if (value < found.least) found.least = value, found.leastAt = s;
      if (value < -error && found.firstNegative === null) found.firstNegative = s;
      if (s > 0 && sums[s] - sums[s - 1] > 2 * error && found.firstRise === null) found.firstRise = s;
    }
    return found;
  }

  // The first s with B(s) + passing < 0, up to last; null where there is none. It can be told to
  // give up now and then: yields between blocks.
  function* firstNegative(turns, passing, last) {
    const error = turns.length * errorOfPair;
    for (const {first, values, count} of blocks(turns, last)) {
      for (let k = 0; k < count; ++k)
        if (values[k] + passing < -error) return first + k;
      yield;
    }
    return null;
  }

  // The least and greatest of each of `parts` runs of values from first to last.
  function reduced(values, first, last, parts) {
    const count = last - first + 1;
    const runs = {at: [], least: [], greatest: []};
    for (let p = 0; p < Math.min(parts, count); ++p) {
      const from = first + Math.floor(p * count / Math.min(parts, count));
      const to = first + Math.floor((p + 1) * count / Math.min(parts, count));
      let least = Infinity, greatest = -Infinity;
      for (let s = from; s < to; ++s) {
        if (values[s] < least) least = values[s];
        if (values[s] > greatest) greatest = values[s];
      }
      runs.at.push(from);
      runs.least.push(least);
      runs.greatest.push(greatest);
    }
    return runs;
  }

  return {all, shape, firstNegative, reduced};
})();
