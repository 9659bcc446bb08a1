// The cells of position and pair: the largest error of each, where it is, what the subject has
// there and what is exact.
function unpackCells(json) {
  const binary = atob(json.places), bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; ++k) bytes[k] = binary.charCodeAt(k);
  const view = new DataView(bytes.buffer), count = json.rows * json.columns;
  const float64 = (part, k) => view.getFloat64(8 * (part * count + k), true);
  const nowhere = 0xffffffff, sine = 0x80000000;
  const worst = new Float64Array(count);  // −1 where there is no position, infinite after NaN
  const at = (k) => {
    const place = view.getUint32(24 * count + 4 * k, true);
    if (place === nowhere) return null;
    const got = float64(1, k), want = float64(2, k), error = Math.abs(got - want);
    return {position: float64(0, k), pair: place & ~sine, component: place & sine ? 'sin' : 'cos',
            got, want, error: Number.isNaN(error) ? Infinity : error};
  };
  for (let k = 0; k < count; ++k) worst[k] = at(k)?.error ?? -1;
  const index = (row, column) => row * json.columns + column;

  // Along the axis, from 0 to 1.
  const {scale, first, last, edges} = json;
  const shareOf = (position) => {
    const size = Math.abs(position);
    if (scale === 'listed') return (columnOf(size) + 0.5) / json.columns;
    const within = Math.min(Math.max(size, first), last);
    return scale === 'log' ? Math.log(within / first) / Math.log(last / first)
                           : (within - first) / (last - first);
  };
  const edge = (column) => (scale === 'listed' ? column / json.columns : shareOf(edges[column]));
  const positionAt = (share) =>
    scale === 'log' ? first * (last / first) ** share : first + share * (last - first);
  function columnOf(size) {
    let low = 0, high = json.columns - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (edges[middle] <= size) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  const columnAt = (share) => {
    if (scale === 'listed') return Math.min(json.columns - 1, Math.floor(share * json.columns));
    let low = 0, high = json.columns - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (edge(middle) <= share) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const rangeText = (column) => {
    const from = edges[column], to = edges[column + 1] - 1;
    return scale === 'listed' || to <= from ? 'position ' + positionText(from)
                                            : 'positions ' + positionText(from) + ' to ' + positionText(to);
  };
  const pairsText = (row) => {
    const from = row * json.pairs_per_row, to = Math.min(from + json.pairs_per_row, json.pairs) - 1;
    return from === to ? 'pair ' + from : 'pairs ' + from + ' to ' + to;
  };
  return {...json, worst, at: (row, column) => at(index(row, column)), index, shareOf, edge, columnAt,
          columnOf, positionAt, rangeText, pairsText,
          rowOf: (pair) => Math.floor(pair / json.pairs_per_row)};
}
