// Characters that hide or reorder text are escaped, as by the tool's printable().
const printable = (text) =>
  String(text).replace(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (sign) => '\\u' + sign.charCodeAt(0).toString(16).padStart(4, '0'));

// An element of text and other elements: no text is ever read as markup.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== undefined) made.setAttribute(name, printable(value));
  }
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== '')
      made.append(child instanceof Node ? child : printable(child));
  return made;
}

// Terms and their descriptions, in typeset numbers, without those that are empty.
function termList(entries) {
  const list = element('dl');
  for (const [term, ...descriptions] of entries) {
    if (descriptions.every((one) => one === undefined || one === null || one === '')) continue;
    list.append(element('dt', {}, term), element('dd', {}, ...descriptions.map((one) => (typeof one === 'string' ? typeset(one) : one))));
  }
  return list;
}

// The current value of a colour of the style sheet, for canvases.
const colorOf = (() => {
  let probe;
  return (name) => {
    if (!probe) {
      probe = element('span', {hidden: true});
      document.body.append(probe);
    }
    probe.className = 'color-' + name;
    return getComputedStyle(probe).color;
  };
})();

// Elements to draw again when their place or the colours change.
const redrawn = (() => {
  const all = new Set();
  const draw = () => all.forEach((one) => one());
  return {add: (one) => all.add(one), draw};
})();

// Elements that are drawn after the text is on the screen.
const afterwards = (() => {
  const waiting = [];
  return {
    add: (one) => waiting.push(one),
    begin: () => requestAnimationFrame(() => setTimeout(() => waiting.forEach((one) => one()), 0)),
  };
})();
