// The map of errors as a picture: cells over position and pair, limits, the worst cell, axes and the
// scale of colours.
//     scene: {cells, colors, view, size, lines, ring, cursor, box}
// view is the visible range of both axes, each from 0 to 1; box a rectangle that is being dragged.
const mapDrawing = (() => {
  // Nuñez, Anderton and Renslow, PLOS ONE 13(7) e0199239, every ninth color of cividis.
  const cividis = ['00224e', '123570', '3b496c', '575d6d', '707173', '8a8678', 'a59c74', 'c3b369',
                   'e1cc55', 'fee838'];
  const parts = cividis.map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)));
  const shades = Array.from({length: 256}, (_, k) => {
    const place = k / 255 * (parts.length - 1);
    const below = Math.min(Math.floor(place), parts.length - 2), part = place - below;
    const mixed = parts[below].map((low, c) => low + part * (parts[below + 1][c] - low));
    return `rgb(${mixed.map(Math.round)})`;
  });
  const margin = {left: 52, right: 84, top: 22, bottom: 40};

  // To float32's last unit, or to float64's.
  function colorsOf(cells) {
    const low = cells.worst.some((error) => error > 1e-8) ? -8 : -16;
    const shadeOf = (error) => {
      const share = (Math.log10(error) - low) / -low;
      return shades[Math.round(255 * Math.min(1, Math.max(0, share)))];
    };
    return {low, of: (error) => (Number.isFinite(error) ? shadeOf(error) : 'crimson')};
  }

  // The place of the axes, and conversions between shares of them and places.
  function frameOf({cells, view, size, lines}) {
    const x = margin.left, y = margin.top + rowOfName * lines.length;
    const width = size.width - margin.left - margin.right;
    const height = size.height - y - margin.bottom;
    const clamp = (value) => Math.min(1, Math.max(0, value));
    const frame = {
      x, y, width, height,
      xOf: (share) => x + (share - view.left) / (view.right - view.left) * width,
      yOf: (share) => y + (view.top - share) / (view.top - view.bottom) * height,
      shareAt: (point) => ({
        x: view.left + clamp((point.x - x) / width) * (view.right - view.left),
        y: view.top - clamp((point.y - y) / height) * (view.top - view.bottom),
      }),
    };
    // in whole pixels of the device: neighbours would show a seam
    const pixels = globalThis.devicePixelRatio || 1, whole = (at) => Math.round(at * pixels) / pixels;
    frame.rect = (left, top, right, bottom) => {
      const x = whole(left), y = whole(top);
      return [x, y, Math.max(1 / pixels, whole(right) - x), Math.max(1 / pixels, whole(bottom) - y)];
    };
    frame.boxOf = (row, column) =>
      frame.rect(frame.xOf(cells.edge(column)), frame.yOf((row + 1) / cells.rows),
                 frame.xOf(cells.edge(column + 1)), frame.yOf(row / cells.rows));
    return frame;
  }

  function drawCells(context, {cells, colors, view}, frame) {
    for (let column = 0; column < cells.columns; ++column) {
      if (cells.edge(column) > view.right) break;
      for (let row = 0; row < cells.rows; ++row) {
        const error = cells.worst[cells.index(row, column)];
        if (error < 0) continue;
        context.fillStyle = colors.of(error);
        context.fillRect(...frame.boxOf(row, column));
      }
    }
  }

  // White on black: to be seen on every colour.
  function stroked(context, width, trace) {
    for (const [extra, color] of [[2, 'rgba(0, 0, 0, 0.65)'], [0, 'white']]) {
      context.lineWidth = width + extra;
      context.strokeStyle = color;
      context.beginPath();
      trace();
      context.stroke();
    }
  }

  // Left of the start of a column, which may be the only one that differs.
  function drawLine(context, {at}, frame) {
    const x = Math.max(frame.x, at - 1.75);
    context.setLineDash([6, 4]);
    stroked(context, 1.5, () => {
      context.moveTo(x, frame.y);
      context.lineTo(x, frame.y + frame.height);
    });
    context.setLineDash([]);
  }

  function drawName(context, {at, left, row, label}, frame) {
    context.textAlign = 'left';
    context.fillText(label, left, frame.y - rowOfName * row - 4);
    context.fillRect(at - 1, frame.y - rowOfName * (row + 1), 1, rowOfName * (row + 1));
  }

  const placeOfRing = ({cells, ring}, frame) => ({
    x: frame.xOf(cells.shareOf(ring.position)), y: frame.yOf((cells.rowOf(ring.pair) + 0.5) / cells.rows)});

  function drawRing(context, scene, frame) {
    if (!scene.ring) return;
    const {x, y} = placeOfRing(scene, frame);
    const isSeen = x >= frame.x - 1 && x <= frame.x + frame.width + 1 && y >= frame.y &&
                   y <= frame.y + frame.height;
    if (isSeen) stroked(context, 2, () => context.arc(x, y, 7, 0, 7));
  }

  function drawDragged(context, box) {
    context.fillStyle = 'rgba(255, 255, 255, 0.25)';
    context.fillRect(...box);
    stroked(context, 1, () => context.rect(...box));
  }

  // [share, text] of positions: powers of two, or round steps.
  function positionTicks({cells, view}) {
    if (cells.scale === 'listed')
      return cells.edges.slice(0, -1).map((edge, k) => [(k + 0.5) / cells.columns, positionText(edge)]);
    const from = cells.positionAt(view.left), to = cells.positionAt(view.right), all = [];
    if (cells.scale === 'log' && to / from > 8) {
      if (from < 1) all.push([cells.shareOf(0), '0']);
      for (let power = 1; power <= to; power *= 2)
        if (power >= from) all.push([cells.shareOf(power), positionText(power)]);
      return all;
    }
    const raw = (to - from) / 6, unit = 10 ** Math.floor(Math.log10(raw));
    const step = Math.max(1, [1, 2, 5, 10].find((n) => n * unit >= raw) * unit);
    for (let at = Math.ceil(from / step) * step; at <= to; at += step)
      all.push([cells.shareOf(at), positionText(Math.round(at))]);
    return all;
  }

  function drawPositions(context, scene, frame) {
    const bottom = frame.y + frame.height, {view, size} = scene;
    context.textAlign = 'center';
    let free = -Infinity;
    for (const [share, text] of positionTicks(scene)) {
      const x = frame.xOf(share), half = context.measureText(text).width / 2;
      if (share < view.left - 1e-9 || share > view.right + 1e-9 || x - half < free) continue;
      context.fillText(text, x, bottom + 16);
      context.fillRect(x, bottom, 1, 4);
      free = x + half + 10;
    }
    context.fillText('position', frame.x + frame.width / 2, size.height - 6);
  }

  function drawPairs(context, {cells, view}, frame) {
    const span = (view.top - view.bottom) * cells.pairs;
    const step = Math.max(1, 2 ** Math.ceil(Math.log2(span / 10)));
    const first = Math.ceil(view.bottom * cells.pairs / step) * step;
    context.textAlign = 'right';
    for (let pair = first; pair < view.top * cells.pairs; pair += step) {
      const y = frame.yOf((pair / cells.pairs_per_row + 0.5) / cells.rows);
      if (y > frame.y && y < frame.y + frame.height)
        context.fillText(String(pair), frame.x - 6, y + 4);
    }
    context.textAlign = 'left';
    context.fillText('pair i', 8, frame.y - 8);
  }

  function drawColors(context, {cells, colors: {low, of}}, {x, y, width, height, rect}) {
    const left = x + width + 16;
    shades.forEach((shade, k) => {
      context.fillStyle = shade;
      context.fillRect(...rect(left, y + height * (1 - (k + 1) / 256), left + 12, y + height * (1 - k / 256)));
    });
    if (cells.worst.includes(Infinity)) {
      context.fillStyle = of(Infinity);
      context.fillRect(...rect(left, y + height + 24, left + 12, y + height + 36));
      context.fillStyle = colorOf('quiet');
      context.textAlign = 'left';
      context.fillText('nan, inf', left + 17, y + height + 34);
    }
    context.fillStyle = colorOf('quiet');
    context.textAlign = 'left';
    context.fillText('|error|', left - 8, y - 8);
    for (let power = low; power <= 0; power += low < -8 ? 4 : 2)
      context.fillText((power === 0 ? '≥ ' : power === low ? '≤ ' : '') + powerOfTen(power), left + 17, y + height * power / low + 4);
  }

  function draw(context, scene) {
    const frame = frameOf(scene), {cells, lines, cursor, box} = scene;
    context.font = '11.5px system-ui, sans-serif';
    context.fillStyle = colorOf('quiet');
    drawPositions(context, scene, frame);
    drawPairs(context, scene, frame);
    drawColors(context, scene, frame);
    context.save();
    context.beginPath();
    context.rect(frame.x, frame.y, frame.width, frame.height);
    context.clip();
    drawCells(context, scene, frame);
    const seen = lines.map(({position, label}) => ({at: frame.xOf(cells.beginOf(position)), label, width: context.measureText(label).width}))
      .filter(({at}) => at >= frame.x - 1 && at <= frame.x + frame.width);
    placeNames(seen, 4, {left: frame.x, right: frame.x + frame.width});
    for (const line of seen) drawLine(context, line, frame);
    if (cursor) stroked(context, 2, () => context.rect(...frame.boxOf(cursor.row, cursor.column)));
    if (box) drawDragged(context, box);
    context.restore();
    context.fillStyle = colorOf('quiet');
    for (const line of seen) drawName(context, line, frame);
    drawRing(context, scene, frame);
  }
  return {colorsOf, frameOf, draw};
})();
