// B(s) = Σ cos(s·θ_i) at s = 0, 1, 2, … of frequencies that the tool computed.

// Float64 numbers from base64, little-endian as every processor of a browser is.
const unpackNumbers = (text) => new Float64Array(bytesOf(text));
const turnsOf = (frequencies) => Array.from(frequencies, (theta) => theta / (2 * Math.PI));

// The angle s·θ in [−π, π], of θ in turns.
const angleAt = (s, turn) => {
  const turns = s * turn;
  return 2 * Math.PI * (turns - Math.round(turns));
};

const cosineSum = (() => {
  const block = 256;
  // The error of B(s): three roundings of s·θ, and up to 256 of a rotation. A smaller difference is a tie.
  const errorAt = (pairs, s) => pairs * (2 ** -44 + s * 2 ** -50);

  // One block of distances after another. Each begins at exact angles; within it a rotation by θ
  // adds 2^-52 or so per step.
  function* blocks(turns, last) {
    const stepCos = turns.map((turn) => Math.cos(angleAt(1, turn)));
    const stepSin = turns.map((turn) => Math.sin(angleAt(1, turn)));
    const values = new Float64Array(block);
    for (let first = 0; first <= last; first += block) {
      const count = Math.min(block, last + 1 - first);
      values.fill(0);
      for (let i = 0; i < turns.length; ++i) {
        const angle = angleAt(first, turns[i]), c = stepCos[i], s = stepSin[i];
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

  const at = (turns, s) => turns.reduce((sum, turn) => sum + Math.cos(angleAt(s, turn)), 0);

  // B(s) for s = 0 … last.
  function all(turns, last) {
    const sums = new Float64Array(last + 1);
    for (const {first, values, count} of blocks(turns, last))
      sums.set(values.subarray(0, count), first);
    return sums;
  }

  // The least value of B + still within 0 … last, its place, and the first events.
  function shape(sums, still = 0) {
    const found = {least: Infinity, leastAt: 0, firstNegative: null, firstRise: null};
    for (let s = 0; s < sums.length; ++s) {
      const value = sums[s] + still, error = errorAt(sums[0], s);  // B(0) pairs
      if (value < found.least) found.least = value, found.leastAt = s;
      if (value < -error && found.firstNegative === null) found.firstNegative = s;
      if (s > 0 && sums[s] - sums[s - 1] > 2 * error && found.firstRise === null) found.firstRise = s;
    }
    return found;
  }

  // The first s with B(s) + still < 0, up to last; null if there is none. Yields between
  // blocks, so that a caller can stop it.
  function* firstNegative(turns, still, last) {
    for (const {first, values, count} of blocks(turns, last)) {
      for (let k = 0; k < count; ++k)
        if (values[k] + still < -errorAt(turns.length, first + k)) return first + k;
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

  return {at, all, shape, firstNegative, reduced};
})();
