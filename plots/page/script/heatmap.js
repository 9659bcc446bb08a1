// A canvas of cells: error over position and pair. Hover or arrow keys read a cell, a click or Enter
// keeps it; drag to zoom, double click or 0 to see all.
//     lines: {position, label} of limits; ring: {position, pair}; keep(found, pairs, positions)
// takes the values of a chosen cell
class Heatmap {
  static everything = {left: 0, right: 1, bottom: 0, top: 1};
  static hint = 'Point at a cell, or focus the figure and use the arrow keys; Enter or a click keeps it.';

  constructor(place, cells, {label, lines, ring, keep}) {
    this.cells = cells;
    this.keep = keep;
    this.scene = {cells, lines, ring, colors: mapDrawing.colorsOf(cells), view: Heatmap.everything,
                  size: {width: 0, height: 360}, cursor: null, box: null};
    this.canvas = element('canvas', {tabindex: 0, role: 'application', 'aria-label': label,
                                     keydown: (event) => this.key(event)});
    this.readout = element('p', {class: 'readout', role: 'status'}, Heatmap.hint);
    const button = (text, name, act) =>
      element('button', {type: 'button', 'aria-label': name, title: name, click: act}, text);
    place.append(element('div', {class: 'heatmap'}, this.canvas),
                 element('div', {class: 'controls'},
                         button('+', 'zoom in', () => this.zoomBy(0.5)),
                         button('−', 'zoom out', () => this.zoomBy(2)),
                         button('show all', 'show all positions and pairs', () => this.show(Heatmap.everything))),
                 this.readout);
    this.listen();
    new ResizeObserver(() => {
      if (this.canvas.parentElement.clientWidth !== this.scene.size.width) this.draw();
    }).observe(this.canvas.parentElement);
    redrawn.add(() => this.draw());
    this.draw();
  }

  draw() {
    const {canvas, scene} = this, pixels = devicePixelRatio || 1;
    scene.size.width = Math.max(280, canvas.parentElement.clientWidth);
    canvas.width = Math.round(scene.size.width * pixels);
    canvas.height = Math.round(scene.size.height * pixels);
    canvas.style.width = scene.size.width + 'px';
    canvas.style.height = scene.size.height + 'px';
    const context = canvas.getContext('2d');
    context.scale(pixels, pixels);
    mapDrawing.draw(context, scene);
  }

  show(view) {
    this.scene.view = view;
    this.draw();
  }

  // To `factor` of the visible range, about the cursor.
  zoomBy(factor) {
    const {view, cursor} = this.scene, {cells} = this;
    const within = (center, low, high) => {
      const length = Math.min(1, Math.max(0.002, (high - low) * factor));
      const from = Math.min(1 - length, Math.max(0, center - length / 2));
      return [from, from + length];
    };
    const [left, right] = within(cursor ? cells.edge(cursor.column) : (view.left + view.right) / 2, view.left, view.right);
    const [bottom, top] = within(cursor ? (cursor.row + 0.5) / cells.rows : (view.bottom + view.top) / 2, view.bottom, view.top);
    this.show({left, right, bottom, top});
  }

  // Reads a cell, aloud if a key led to it.
  point(cell, spoken) {
    const {cells, readout} = this, found = cells.at(cell.row, cell.column);
    readout.setAttribute('aria-live', spoken ? 'polite' : 'off');
    readout.textContent = cells.pairsText(cell.row) + ', ' + cells.rangeText(cell.column) + ': ' +
        (found ? `largest error ${errorText(found.error)} at position ${positionText(found.position)} (${found.component})`
               : 'no row of the subject');
    this.scene.cursor = cell;
    this.draw();
  }

  choose() {
    const {row, column} = this.scene.cursor, {cells} = this;
    this.keep(cells.at(row, column), cells.pairsText(row), cells.rangeText(column));
  }

  placeOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  }
  cellAt(place) {
    const share = mapDrawing.frameOf(this.scene).shareAt(place), {cells} = this;
    return {column: cells.columnAt(share.x), row: Math.min(cells.rows - 1, Math.floor(share.y * cells.rows))};
  }

  listen() {
    const {canvas, scene} = this;
    let from = null;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button === 0) from = this.placeOf(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      const to = this.placeOf(event);
      if (from && (scene.box || Math.hypot(to.x - from.x, to.y - from.y) > 6))
        scene.box = [from.x, from.y, to.x - from.x, to.y - from.y];
      this.point(this.cellAt(to), false);
    });
    canvas.addEventListener('pointerup', (event) => {
      const to = this.placeOf(event), start = from, dragged = scene.box;
      from = scene.box = null;
      this.point(this.cellAt(to), false);
      if (!dragged) return this.choose();
      const frame = mapDrawing.frameOf(scene), a = frame.shareAt(start), b = frame.shareAt(to);
      const left = Math.min(a.x, b.x), bottom = Math.min(a.y, b.y);
      this.show({left, right: Math.max(a.x, b.x, left + 0.002), bottom, top: Math.max(a.y, b.y, bottom + 0.01)});
    });
    canvas.addEventListener('pointerleave', () => { from = scene.box = null; });
    canvas.addEventListener('dblclick', () => this.show(Heatmap.everything));
  }

  key(event) {
    const {cells, scene: {cursor}} = this, step = event.shiftKey ? 10 : 1;
    const moves = {ArrowLeft: [0, -step], ArrowRight: [0, step], ArrowUp: [step, 0], ArrowDown: [-step, 0],
                   Home: [0, -cells.columns], End: [0, cells.columns]};
    const within = (value, count) => Math.min(count - 1, Math.max(0, value));
    if (event.key in moves) {
      const [up, right] = moves[event.key];
      this.point(cursor ? {row: within(cursor.row + up, cells.rows), column: within(cursor.column + right, cells.columns)}
                        : {row: 0, column: 0}, true);
    } else if (event.key === '+' || event.key === '-') this.zoomBy(event.key === '+' ? 0.5 : 2);
    else if (event.key === '0') this.show(Heatmap.everything);
    else if ((event.key === 'Enter' || event.key === ' ') && cursor) this.choose();
    else return;
    event.preventDefault();
  }
}
