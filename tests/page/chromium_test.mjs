// The page in Chromium: it renders, says nothing to the console, asks the network for nothing, shows
// the report's numbers, and works by keyboard.
// usage: chromium_test.mjs ROPE_CHECK SOURCE_FOLDER
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {found, openTab, start} from './browser.mjs';
import {islandOf, json, read, root, run, scratch, test} from './check.mjs';

const program = found();
if (!program) {
  console.log('skipped: there is no chromium; on Debian, apt-get install chromium');
  process.exit(77);
}
const at = scratch(), browser = await start(program);
const golden = `${root}/tests/golden/hf_half/llama_d128_b1e4_default.npz`;
const url = (name) => 'file://' + at(name);

run('explain', '-q', '-o', at('page.html'));
run('verify', '--dim', '128', '--pipeline', 'bf16-angles', '--context', '131072', '-q', '-o', at('report.html'));
run('compare', golden, '--base', '500000', '-q', '-o', at('dump.html'));

const isQuiet = (tab, name) => {
  assert.deepEqual(tab.messages, []);
  assert.deepEqual(tab.requests.filter((one) => one !== 'data:,'), [url(name)]);
};
const until = async (tab, expression) => {
  for (let turn = 0; turn < 200; ++turn) {
    if (await tab.value(expression)) return;
    await tab.value('new Promise((resolve) => setTimeout(resolve, 50))');
  }
  assert.fail('never: ' + expression);
};
async function opened(name, options) {
  const tab = await openTab(browser, options);
  await tab.open(url(name));
  await until(tab, `document.querySelector('#player [data-reading]')`);  // the last to be made
  return tab;
}
// All that an input started has been drawn.
const settled = (tab) => tab.value('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 50))))');
const number = (tab, name) => tab.value(`Number(document.querySelector('[data-name="${name}"]').dataset.value)`);

try {
  await test('every page renders without a message or a request, at two widths in both schemes', async () => {
    for (const name of ['page.html', 'report.html', 'dump.html'])
      for (const [width, scheme] of [[1200, 'light'], [380, 'dark']]) {
        const tab = await opened(name, {width, scheme});
        await until(tab, `document.querySelectorAll('#bound canvas').length === 1`);
        assert(await tab.value('document.documentElement.scrollWidth <= innerWidth'), `${name} at ${width} is too wide`);
        const drawn = await tab.value(`[...document.querySelectorAll('canvas')].every((canvas) => {
          const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size > 3;
        })`);
        assert(drawn, `${name}: an empty figure`);
        isQuiet(tab, name);
      }
  });

  await test('each finding shows what the report has', async () => {
    const tab = await opened('report.html');
    const {report} = JSON.parse(islandOf(read(at('report.html')))).subjects[0];
    for (const finding of report.findings) {
      const shown = await tab.value(`document.querySelector('[data-check="${finding.check}"]').textContent`);
      const verdict = {holds: '✓ passed', violated: '✗ failed', not_applicable: '– n/a'}[finding.verdict];
      assert(shown.startsWith(verdict), finding.check);
      for (const value of [String(finding.observed), finding.note, finding.statement, String(finding.worst?.got ?? finding.step?.after ?? '')])
        assert(shown.includes(value), `${finding.check}: ${value}`);
    }
  });

  await test('a click on the map shows what the table has and what is exact', async () => {
    const tab = await opened('report.html');
    const box = await tab.value(`(() => { const c = document.querySelector('.heatmap canvas'); c.scrollIntoView({block: 'center'}); const {x, y, width, height} = c.getBoundingClientRect(); return {x, y, width, height}; })()`);
    await tab.click(box.x + box.width * 0.9 - 30, box.y + box.height / 2);
    const shown = await tab.value(`Object.fromEntries([...document.querySelectorAll('.kept dt')].map((term) => [term.textContent, term.nextSibling.textContent]))`);
    assert.equal(Math.abs(Number(shown.got) - Number(shown.want)), Number(shown.error));
    assert(Number(shown.error) > 1e-3);
    const where = await tab.value(`document.querySelector('.kept b').textContent`);
    const [, pair, position] = /pair (\d+) at position ([\d,]+)/.exec(where);
    const theta = 10000 ** (-2 * pair / 128), angle = theta * Number(position.replaceAll(',', ''));
    assert(Math.abs(Math[shown.component](angle) - Number(shown.want)) < 1e-6, where);
  });

  await test('the map is read by arrow keys, and Enter keeps a cell', async () => {
    const tab = await opened('report.html');
    await tab.value(`document.querySelector('.heatmap canvas').focus()`);
    await tab.press('End', 35);
    await tab.press('End', 35);
    await tab.press('ArrowUp', 38);
    assert.match(await tab.value(`document.querySelector('.readout[role=status]').textContent`), /^pair 1, position/);
    await tab.press('Enter', 13, '\r');
    assert.match(await tab.value(`document.querySelector('.kept b').textContent`), /^pair 1 at position/);
  });

  await test('sliders by keyboard recompute what the tool finds', async () => {
    const tab = await opened('page.html');
    const before = await number(tab, 'least B(s)');
    await tab.value(`document.getElementById('base').focus()`);
    for (let press = 0; press < 5; ++press) await tab.press('ArrowRight', 39);
    await settled(tab);
    assert.notEqual(await number(tab, 'least B(s)'), before);
    const base = await tab.value(`Number(document.querySelector('#base + input').value)`);
    assert(base > 10000);
    const {base: want} = json('base-bound', '--dim', '128', '--context', '2048', '--base', String(base));
    assert(Math.abs(await number(tab, 'least B(s)') - want.minimum.value) <= 64e-9);
    assert.equal(await number(tab, 'least B(s) at'), want.minimum.position);
    isQuiet(tab, 'page.html');
  });

  await test('lists of factors, pairs that stand still and several axes by keyboard recompute what the tool finds', async () => {
    const tab = await opened('page.html');
    const choose = async (id, value) => {
      await tab.value(`document.getElementById('${id}').focus()`);
      for (const [key, code] of [['Home', 36], ...Array(20).fill(['ArrowDown', 40])]) {
        await tab.press(key, code);
        if (await tab.value(`document.getElementById('${id}').value`) === value) break;
      }
      assert.equal(await tab.value(`document.getElementById('${id}').value`), value);
      await settled(tab);
    };
    const type = async (id, text) => {
      await tab.value(`document.getElementById('${id}').select()`);
      await tab.send('Input.insertText', {text});
      await tab.press('Enter', 13, '\r');
      await settled(tab);
    };
    const isLikeBound = async (...words) => {
      const {base: want} = json('base-bound', '--base', '10000', ...words);
      assert(Math.abs(await number(tab, 'least B(s)') - want.minimum.value) <= 48e-9, words.join(' '));
      assert.equal(await number(tab, 'least B(s) at'), want.minimum.position);
      const shown = await tab.value(`document.querySelector('[data-name="base holds to the context"]').textContent`);
      assert.equal(shown, want.holds ? 'yes' : 'no');
    };
    const isLikeClaim = async (...words) => {
      const [finding] = json('verify', '--context', '8', '--only', 'score-decay', '--require', 'score-decay', ...words).findings;
      const context = await tab.value(`Number(document.querySelector('#context + input').value)`);
      const within = (s) => (s === null || s > context ? 'never' : String(s).replace(/\B(?=(\d{3})+$)/g, ','));
      for (const [name, s] of [['B(s) first rises at', finding.first_rise], ['B(s) first below 0 at', finding.first_negative]])
        assert.equal(await tab.value(`document.querySelector('[data-name="${name}"]').textContent`), within(s), `${words.join(' ')}: ${name}`);
    };

    await choose('axes', 'axial');
    await isLikeClaim('--dim', '128', "--rope", "axes=axial");
    await choose('axes', 'sectioned');
    assert.equal(await tab.value(`document.getElementById('sections').value`), '16, 24, 24');
    await isLikeBound('--dim', '128', '--context', '2048');
    await type('sections', '20 22 22');
    await choose('along', '1');  // 42 pairs of time and width stand still
    const thetas = Array.from({length: 22}, (_, i) => 10000 ** (-2 * (20 + i) / 128));
    const sum = (s) => 42 + thetas.reduce((all, theta) => all + Math.cos(s * theta), 0);
    const least = Math.min(...Array.from({length: 2049}, (_, s) => sum(s)));
    assert(Math.abs(await number(tab, 'least B(s)') - least) <= 64e-9);
    await type('sections', '20, 20, 20');
    assert.match(await tab.value(`document.querySelector('#explorer [role=alert]').textContent`), /must add up to 64 pairs/);
    await choose('axes', 'single');
    assert(await tab.value(`document.getElementById('sections').disabled && document.getElementById('along').disabled`));

    await choose('type', 'longrope');
    assert.equal(await tab.value(`document.getElementById('rotary-dim').disabled`), true);
    await isLikeBound('--model', 'phi-3.5-mini', "--rope", "seq_len=131072", '--context', '131072');
    await choose('type', 'proportional');
    await tab.value(`document.getElementById('share-of-pairs-that-turn').focus()`);
    for (let press = 0; press < 30; ++press) await tab.press('ArrowLeft', 37);
    await settled(tab);
    await isLikeBound('--dim', '96', "--rope", "rope_type=proportional,partial_rotary_factor=0.7", '--context', '131072');
    isQuiet(tab, 'page.html');
  });

  await test('models of every rope type and axis map are begun at', async () => {
    const tab = await opened('page.html');
    for (const model of ['phi-3.5-mini', 'qwen2-vl-7b', 'internlm2.5-20b', 'glm-4-9b']) {
      await tab.value(`(() => { const one = document.getElementById('model'); one.value = '${model}'; one.dispatchEvent(new Event('change')); })()`);
      await settled(tab);
      assert.equal(await tab.value(`document.getElementById('model').value`), model);
      assert.equal(await tab.value(`document.querySelectorAll('#explorer [role=alert]').length`), 0, model);
    }
    const offered = await tab.value(`[...document.getElementById('model').options].map((one) => one.value).slice(1)`);
    const {models} = JSON.parse(islandOf(read(at('page.html'))));
    assert.equal(new Set(offered).size, models.length, 'every one, and by a name of its own');
    assert(offered.includes('gemma-3-4b, base 10,000') && offered.includes('gemma-3-4b, base 1,000,000'));
    isQuiet(tab, 'page.html');
  });

  await test('the player finds by keyboard where the tool says that claims first fail', async () => {
    const tab = await opened('page.html');
    await tab.value(`document.getElementById('context-n').focus()`);
    for (let press = 0; press < 3; ++press) await tab.press('ArrowRight', 39);
    await settled(tab);
    const n = await tab.value(`Number(document.querySelector('#context-n + input').value)`);
    assert(n > 512);
    const shown = await tab.value(`[...document.querySelectorAll('#player [data-reading]')].map((row) => [row.dataset.reading,
        ...[...row.querySelectorAll('td')].map((cell) => Number(cell.dataset.first))])`);
    assert.equal(shown.length, 3);
    for (const [k, type] of [[1, 'default'], [2, 'he_xu']]) {
      const {findings} = json('verify', '--dim', '128', '--max-position', String(n), '--rope', `rope_type=${type}`, '--context', '8',
                              ...shown.flatMap(([reading]) => ['--only', 'c3-' + reading]), '--require', 'c3-R1');
      for (const row of shown)
        assert.equal(row[k], findings.find((one) => one.check === 'c3-' + row[0]).first_violation, `${type} ${row[0]}`);
    }
    // dragged past it, base θ has failed R3 at s = 3, and the scaled form nothing
    await tab.value(`document.getElementById('distance-s').focus()`);
    const spoken = () => tab.value(`document.querySelector('#player [role=status]').textContent`);
    assert.equal(await spoken(), 'base θ has failed none; scaled θ̄ has failed none');
    await tab.press('ArrowRight', 39);
    await settled(tab);
    assert.equal(await spoken(), 'base θ has failed R3; scaled θ̄ has failed none');
    isQuiet(tab, 'page.html');
  });

  await test('a line is read, zoomed and shown whole again by keyboard', async () => {
    const tab = await opened('report.html');
    await tab.value(`document.querySelector('#decay .chart').focus()`);
    const said = () => tab.value(`document.querySelector('#decay [role=status]').textContent`);
    const isWhole = () => tab.value(`document.querySelector('#decay .reset').hidden`);
    await tab.press('ArrowRight', 39);
    assert.match(await said(), /^distance s 1: least 62\.09/);
    await tab.press('+', 187, '+');
    assert.equal(await isWhole(), false);
    await tab.press('0', 48, '0');
    assert.equal(await isWhole(), true);
    isQuiet(tab, 'report.html');
  });

  await test('whatever takes the focus has a name', async () => {
    for (const name of ['report.html', 'dump.html']) {
      const tab = await opened(name);
      const {nodes} = await tab.send('Accessibility.getFullAXTree');
      const takesFocus = (node) => node.properties?.some((one) => one.name === 'focusable' && one.value.value) && node.role.value !== 'RootWebArea';
      const focusable = nodes.filter((node) => !node.ignored && takesFocus(node));
      assert(focusable.length > 30, name);
      assert.deepEqual(focusable.filter((node) => !node.name?.value).map((node) => node.role.value), []);
      assert.deepEqual(await tab.value(`[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1])).filter((level, k, all) => level > (all[k - 1] ?? 0) + 1)`), []);
    }
  });

  await test('text stands out from its ground in both schemes', async () => {
    for (const scheme of ['light', 'dark']) {
      const tab = await opened('report.html', {scheme});
      const ratios = await tab.value(`(() => {
        const light = (color) => {
          const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const paper = light(getComputedStyle(document.body).backgroundColor);
        return ['ink', 'quiet', 'first', 'second', 'third', 'alarm'].map((name) => {
          const ink = light(colorOf(name));
          return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
        });
      })()`);
      assert.equal(ratios.length, 6);
      assert(ratios.every((ratio) => ratio >= 4.5), `${scheme}: ${ratios}`);
    }
  });

  await test('print is light, with every finding open, and the screen is as it was after it', async () => {
    const tab = await opened('report.html', {scheme: 'dark'});
    const state = () => tab.value(`[getComputedStyle(document.body).backgroundColor, document.querySelectorAll('details.finding:not([open])').length > 0, document.querySelector('.heatmap canvas').width <= 700]`);
    const before = await state();
    assert.deepEqual(before.slice(1), [true, false]);
    await tab.send('Emulation.setEmulatedMedia', {media: 'print', features: [{name: 'prefers-color-scheme', value: 'dark'}]});
    await tab.value(`dispatchEvent(new Event('beforeprint'))`);
    assert.deepEqual(await state(), ['rgb(255, 255, 255)', false, true]);
    await tab.value(`dispatchEvent(new Event('afterprint'))`);
    await tab.send('Emulation.setEmulatedMedia', {media: '', features: [{name: 'prefers-color-scheme', value: 'dark'}]});
    assert.deepEqual(await state(), before);
    const {data} = await tab.send('Page.printToPDF', {printBackground: true});
    assert(Buffer.from(data, 'base64').subarray(0, 5).equals(Buffer.from('%PDF-')));
    isQuiet(tab, 'report.html');
  });

  await test('a hostile key and name stay text', async () => {
    const hostile = '</script><img src=x onerror="document.title=1"><b>';
    writeFileSync(at('<img src=x onerror=alert(1)>.json'), JSON.stringify({head_dim: 16, rope_scaling: {rope_type: 'linear', factor: 2, [hostile]: 1}}));
    run('verify', '--config', at('<img src=x onerror=alert(1)>.json'), '--context', '64', '-q', '-o', at('hostile.html'));
    const tab = await opened('hostile.html');
    assert.equal(await tab.value(`document.querySelectorAll('img, main b b').length`), 0);
    assert((await tab.value('document.body.innerText')).includes('<img src=x'));
    isQuiet(tab, 'hostile.html');
  });
} finally {
  await browser.close();
}
