// Pairs as dots on a circle, each at its angle s·θ_i, pair 0 innermost and with a hand.
function drawCircle(context, {name, color, turns, s, failed}, {x, y, radius}) {
  const text = (words, font, color, right, down) => {
    context.font = font + ' system-ui, sans-serif';
    context.fillStyle = colorOf(color);
    context.textAlign = 'center';
    context.fillText(words, x + right, y + down);
  };
  const reach = radius + 16;
  text(name, '600 13px', 'ink', 0, -radius - 28);
  text('0', '11px', 'quiet', reach, 4);
  text('π/2', '11px', 'quiet', 0, -radius - 6);
  text('π', '11px', 'quiet', -reach, 4);
  text('3π/2', '11px', 'quiet', 0, radius + 14);

  context.strokeStyle = colorOf('line');
  context.lineWidth = 1;
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.moveTo(x - radius, y);
  context.lineTo(x + radius, y);
  context.moveTo(x, y - radius);
  context.lineTo(x, y + radius);
  context.stroke();

  const placeOf = (i) => {
    const angle = angleAt(s, turns[i]);
    const far = radius * (0.3 + 0.7 * i / Math.max(1, turns.length - 1));
    return [x + far * Math.cos(angle), y - far * Math.sin(angle)];
  };
  const dot = (i, size) => {
    context.beginPath();
    context.arc(...placeOf(i), size, 0, 7);
    context.fill();
  };
  context.fillStyle = colorOf(color);
  context.globalAlpha = 0.75;
  for (let i = turns.length - 1; i > 0; --i) dot(i, 3);
  context.globalAlpha = 1;
  context.fillStyle = context.strokeStyle = colorOf(failed ? 'alarm' : 'third');
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(...placeOf(0));
  context.stroke();
  dot(0, 6);
}
