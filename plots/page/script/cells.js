// The cells of position and pair: the largest error of each, its place, and the subject's and
// the exact value there.
function unpackCells(json) {
  const view = new DataView(bytesOf(json.places)), count = json.rows * json.columns;
  const float64 = (part, k) => view.getFloat64(8 * (part * count + k), true);
  const nowhere = 0xffffffff, sine = 0x80000000;
  const worst = new Float64Array(count);  // −1 without a position, infinite after NaN
  const at = (k) => {
    const place = view.getUint32(24 * count + 4 * k, true);
    if (place === nowhere) return null;
    const got = float64(1, k), want = float64(2, k), error = Math.abs(got - want);
    return {position: float64(0, k), pair: place & ~sine, component: place & sine ? 'sin' : 'cos',
            got, want, error: Number.isNaN(error) ? Infinity : error};
  };
  for (let k = 0; k < count; ++k) worst[k] = at(k)?.error ?? -1;
  const index = (row, column) => row * json.columns + column;

  // Along the axis, from 0 to 1: the start of a column, and the place of a position, which is the middle
  // of its column if it has one.
  const {scale, first, last, edges} = json;
  const along = (position) => {
    const within = Math.min(Math.max(position, first), last);
    return scale === 'log' ? Math.log(within / first) / Math.log(last / first)
                           : (within - first) / (last - first);
  };
  const edge = (column) => (scale === 'listed' ? column / json.columns : along(edges[column]));
  const shareOf = (position) => {
    const column = columnOf(position);
    const isAlone = scale === 'listed' || edges[column + 1] - edges[column] <= 1;
    return isAlone ? (edge(column) + edge(column + 1)) / 2 : along(position);
  };
  // The place of a line at a position.
  const beginOf = (position) => (scale === 'listed' ? edge(columnOf(position)) : along(position));
  const positionAt = (share) =>
    scale === 'log' ? first * (last / first) ** share : first + share * (last - first);
  // The last column that begins at or before a place; `begins` gives the start of each.
  function lastColumn(beginOf, place) {
    let low = 0, high = json.columns - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (beginOf(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  const columnOf = (position) => lastColumn((column) => edges[column], position);
  const columnAt = (share) => lastColumn(edge, share);
  const rangeText = (column) => {
    const from = edges[column], to = edges[column + 1] - 1;
    return scale === 'listed' || to <= from ? 'position ' + positionText(from)
                                            : 'positions ' + positionText(from) + ' to ' + positionText(to);
  };
  const pairsText = (row) => {
    const from = row * json.pairs_per_row, to = Math.min(from + json.pairs_per_row, json.pairs) - 1;
    return from === to ? 'pair ' + from : 'pairs ' + from + ' to ' + to;
  };
  return {...json, worst, at: (row, column) => at(index(row, column)), index, shareOf, beginOf, edge, columnAt,
          columnOf, positionAt, rangeText, pairsText,
          rowOf: (pair) => Math.floor(pair / json.pairs_per_row)};
}
