// SPDX-License-Identifier: MIT
// The module in Chromium, on WebGL 2 and WebGL 1. usage: node tests/web/module_test.mjs FOLDER
// bindings/web/build prints FOLDER. The last line is: passed failed skipped.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {listen, sendFile} from '../../bindings/web/tools/serve.mjs';
import {Chromium, drivers} from './chromium.mjs';
import {countPictures, crash, draws, frames, reads} from './crash.mjs';
import {counter, finishPage, openModule, runAll} from './module.mjs';

const folder = process.argv[2];
const golden = JSON.parse(readFileSync(
    new URL('../../samples/gpt2/model/golden.json', import.meta.url), 'utf8'));

// The page's computations and their expected results; each has the profile's Trigon as `t`.
const tests = {
  'computes what README.md shows': [`
    const w = t.tensor([[1, 2], [3, 4]]);
    const y = t.tensor([1, 2, 3, 4], [2, 2]).matmul(w);
    return [list(await y.data()), await y.shape(), await y.dtype(),
            list(await y.softmax(-1).sum({axis: 1}).data()).map(Math.round)];`,
    [[7, 10, 15, 22], [2, 2], 'float32', [1, 1]]],
  'dtypes come back as they went in': [`
    const kinds = [];
    for (const values of [new Float32Array([1.5]), new Int32Array([-7]), new Uint32Array([7]),
                          new Uint8Array([255])]) {
      const x = t.tensor(values), back = await x.data();
      kinds.push([await x.dtype(), back.constructor === values.constructor, back[0] === values[0]]);
    }
    const flag = t.tensor([true, false]);
    const half = t.tensor([0.5], {dtype: 'float16'});
    return [kinds, await flag.dtype(), list(await flag.data()), await half.dtype(),
            await half.item(), await t.tensor(3).item()];`,
    [[['float32', true, true], ['int32', true, true], ['uint32', true, true],
      ['uint8', true, true]], 'bool', [1, 0], 'float16', 0.5, 3]],
  'a wrong op rejects what depends on it, and nothing else': [`
    const w = t.ones([2, 2]);
    const bad = w.matmul(t.zeros([3, 4])).exp();
    const [, second] = t.split(bad, 2);
    return [await message(bad.data()), await message(second.shape()),
            await message(bad.draw(canvas())),
            await message(w.draw(document.createElement('canvas'))),
            await message(t.tensor([1], [1]).reshape([2]).eval()), list(await w.data())];`,
    Array(3).fill('Error: trigon::matmul: inner sizes differ: a is (2, 2), b is (3, 4); ' +
                  'a.shape[-1] must equal b.shape[-2]').concat([
      'no error', 'Error: trigon::reshape: ', [1, 1, 1, 1]])],
  'what does not reach the library rejects what depends on it': [`
    const none = await message(t.request('call', {name: 'wrong', args: [], out: [-7]}));
    const huge = {byteLength: 2 ** 31};  // more than the Worker has
    const full = await message(t.request('tensor', {out: -8, dtype: 'float32', shape: [2 ** 29],
                                                    bytes: huge}));
    const half = await message(t.einsum('\\ud800', [t.ones([2])]).data());
    const after = [];
    for (const id of [-7, -8]) after.push(await message(t.request('data', {in: [id]})));
    return [after[0] === none, none, after[1] === full, full, half,
            list(await t.ones([1]).data())];`,
    [true, 'Error: trigon: ', true, 'Error: trigon: the Worker has no memory left',
     'Error: trigon: bad text: it holds half of a character, a surrogate without its other half; ' +
       'must be well-formed, as toWellFormed() makes it', [1]]],
  'several results, and as many as the values say': [`
    const sections = t.array_split(t.arange(5), [1, 3]);
    const [rows] = await t.tensor([0, 1, 0, 2]).nonzero();
    const [q, r] = t.divmod(t.arange(4), 2);
    return [await Promise.all(sections.map(async (one) => list(await one.data()))),
            list(await rows.data()), list(await q.data()), list(await r.data())];`,
    [[[0], [1, 2], [3, 4]], [1, 3], [0, 0, 1, 1], [0, 1, 0, 1]]],
  'parts are read and written': [`
    const x = t.arange(6).reshape([2, 3]);
    const y = x.at(0, '1:').set(9);
    return [list(await x.at('...', -1).get().data()), list(await y.data()),
            list(await x.at({start: 1, size: 1}).add(1).data()), list(await x.data())];`,
    [[2, 5], [0, 9, 9, 3, 4, 5], [0, 1, 2, 4, 5, 6], [0, 1, 2, 3, 4, 5]]],
  'draws grey, colours and bytes with the first row above': [`
    const a = canvas(), b = canvas(), c = canvas();
    await t.tensor([[0, 1], [0.2, NaN]]).draw(a);
    await t.tensor(new Uint8Array([255, 0, 0, 0, 0, 255]), [2, 1, 3]).draw(b);
    await t.tensor([1, 1, 1, 0], [1, 1, 4]).draw(c);
    return [pixels(a), pixels(b), pixels(c)];`,
    [[2, 2, [0, 0, 0, 255, 255, 255, 255, 255, 51, 51, 51, 255, 0, 0, 0, 255]],
     [1, 2, [255, 0, 0, 255, 0, 0, 255, 255]], [1, 1, [0, 0, 0, 0]]]],
  'draws several pictures at once, and again': [`
    const a = canvas(), b = canvas();
    const x = t.ones([2, 3]), y = t.zeros([1, 2]);
    await t.draw([{tensor: x, canvas: a}, {tensor: y, canvas: b}]);
    const first = [pixels(a)[0], pixels(a)[2][0], pixels(b)[1], pixels(b)[2][0]];
    await t.draw([{tensor: y, canvas: a}, {tensor: x, canvas: b}]);
    const second = [pixels(a)[0], pixels(a)[2][0], pixels(b)[1], pixels(b)[2][0]];
    const c = canvas();  // drawn alone, then with others, and in reverse
    await x.draw(c);
    await t.draw([{tensor: x, canvas: a}, {tensor: y, canvas: c}]);
    const third = [pixels(c)[0], pixels(c)[2][0]];
    await y.draw(a);
    return [first, second, [...third, pixels(a)[0], pixels(a)[2][0]],
            await message(t.ones([2]).draw(a))];`,
    [[3, 255, 1, 0], [2, 0, 2, 255], [2, 0, 2, 0],
     'Error: trigon::draw: bad shape: the tensor is (2,); must be ' +
      '(height, width), or (height, width, channels) with 1, 3 or 4 channels, and have elements']],
  'a picture is freed when it is shown': [`
    const {close} = ImageBitmap.prototype, sizes = [];
    ImageBitmap.prototype.close = function() { sizes.push(this.width); close.call(this); };
    const x = t.ones([2, 3]), a = canvas(), b = canvas(), wrong = canvas();
    wrong.getContext('webgl');
    await x.draw(a);
    await t.draw([{tensor: x, canvas: a}, {tensor: x, canvas: b}]);
    const refused = await message(x.draw(wrong));
    ImageBitmap.prototype.close = close;
    return [sizes.map((width) => width > 0), refused];`,
    // The first was transferred to its canvas.
    [[false, true, true], 'TypeError: trigon.draw: the canvas has a context of another kind; ']],
  'draws large pictures': [`
    const a = canvas();
    await t.broadcast_to(t.arange(300).remainder(2).astype('float32'), [400, 300]).draw(a);
    const [w, h, data] = pixels(a);
    return [w, h, data.every((value, k) => k % 4 === 3 ? value === 255 :
                                                        value === (k >> 2) % 300 % 2 * 255)];`,
    [300, 400, true]],
  'refuses pictures that no canvas holds': [`
    const a = canvas(), long = t.zeros([20000, 1]), tall = t.zeros([9000, 8]);
    const wide = t.zeros([1, 16384]);
    await wide.draw(a);
    return [a.width, await message(long.draw(a)), await message(long.transpose().draw(a)),
            await message(t.draw([])), await message(t.draw(Array.from({length: 600}, () =>
                ({tensor: tall, canvas: a})))), await message(t.zeros([0, 3]).draw(a))];`,
    [16384, 'Error: trigon::draw: too large: the tensor is (20000, 1); a picture must have at ' +
       'most 16384 rows and columns on this device',
     'Error: trigon::draw: too large: the tensor is (1, 20000); a picture must have at most ' +
       '16384 rows and columns on this device',
     'Error: trigon::draw: no pictures: the list is empty; there must be at least one',
     'Error: trigon::draw: too large: the pictures fill 2048 x 27000 pixels together; must be ' +
       'at most 16384 rows on this device: draw fewer at once',
     'Error: trigon::draw: bad shape: ']],
  'drawing reads no pixels back, and keeps later draws right': [`
    const x = t.ones([64, 64]), a = canvas();
    const read = async () => {
      const before = await t.counters();
      await x.draw(a);
      return (await t.counters()).bytes_read - before.bytes_read;
    };
    const first = await read();  // the range of a canvas's first picture
    return [first <= 32, await read(), list(await x.sum().data())];`, [true, 0, [4096]]],
  'floats beyond black and white are told once': [`
    const u = await Trigon.open({profile: t.profile}), said = [], {warn} = console, a = canvas();
    console.warn = (one) => said.push(one.message, one.stack);
    const told = async (picture, where = canvas()) => {
      const drawn = picture.draw(where);
      picture.dispose();
      await drawn;
      for (let k = 0; k < 3; ++k) await u.counters();
      return said.length;
    };
    const counts = [await told(u.tensor([[0, 1.001], [NaN, -0.001]]), a),
                    await told(u.tensor(new Uint8Array([255, 0]), [1, 2])),
                    await told(u.tensor([[true, false]])), await told(u.tensor([[0, 255]]), a),
                    await told(u.tensor([[NaN, 255], [-1, 9]])),
                    await told(u.tensor([[0, 255]]))];
    console.warn = warn;
    const wrong = await message(u.ones([2]).draw(a));
    u.close();
    return [counts, said[0], /^ +at told /m.test(said[1]), wrong];`,
    [[0, 0, 0, 0, 2, 2],
     'trigon.draw: the picture has floats from -1 to 255; 0 is black and 1 is white, and others ' +
       'are drawn as the nearest of these: write x.divide(255) for values to 255', true,
     'Error: trigon::draw: bad shape: ']],
  'a chain is one draw, though each step has a handle': [`
    const x = await t.ones([64, 64]).eval();
    const before = await t.counters();
    await x.exp().add(1).log().multiply(2).eval();
    return (await t.counters()).draws - before.draws;`, 1],
  'tensors are freed': [`
    const before = (await t.counters()).tensors;
    const x = t.ones([4]);
    const kept = t.scope(() => x.add(1).exp());
    const later = await t.scope(async () => { const a = x.sin(); await a.eval(); return a.cos(); });
    const during = (await t.counters()).tensors - before;
    for (const one of [x, kept, later]) one.dispose();
    later.dispose();
    return [during, (await t.counters()).tensors - before, await message(kept.data())];`,
    [3, 0, 'TypeError: trigon.data: a tensor that was disposed of; make it again']],
  'GPT-2 gives the ids of the golden file': [`
    const gpt2 = await t.gpt2('/model/');
    const texts = [];
    for (const prompt of PROMPTS) {
      const ids = (await gpt2.encode(prompt)).map(({id}) => id);
      for await (const step of gpt2.generate(prompt, {tokens: 64, greedy: true, top: 0})) {
        ids.push(step.id);
      }
      texts.push(ids);
    }
    globalThis.gpt2 = gpt2;
    return texts;`, golden.map(({greedy}) => greedy)],
  'a load that fails leaves nothing behind': [`
    const names = ['config.json', 'vocab.json', 'merges.txt', 'model.safetensors'];
    const files = await Promise.all(names.map(async (name) => {
      const bytes = await (await fetch('/model/' + name)).arrayBuffer();
      return new File([name === names[3] ? bytes.slice(0, 2e6) : bytes], name);
    }));
    const why = await message(t.gpt2(files));
    return [why.includes('data_offsets end past the file'),
            await message(t.request('gpt2.loaded')),
            await message(gpt2.encode('\\ud83d')), (await gpt2.encode('😀')).length > 0];`,
    [true, 'Error: gpt2: no model is being loaded',
     'Error: trigon: bad text: it holds half of a character, a surrogate without its other half; ' +
       'must be well-formed, as toWellFormed() makes it', true]],
  'GPT-2 samples, stops and goes on': [`
    const run = async (prompt, options) => {
      let text = '', last;
      for await (last of gpt2.generate(prompt, options)) text += last.text;
      return [text, last];
    };
    const options = {tokens: 12, temperature: 0.8, topK: 40, topP: 0.9, seed: 5};
    const [once] = await run('KING', options), [again] = await run('KING', options);
    const [, last] = await run('ROMEO:', {tokens: 8, greedy: true});
    const [more] = await run(null, {tokens: 4, greedy: true});
    const [whole] = await run('ROMEO:', {tokens: 12, greedy: true});
    const [half] = await run('ROMEO:', {tokens: 8, greedy: true});
    const [cut] = await run('ROMEO:', {tokens: 30, greedy: true, stop: ['love']});
    const shares = last.top.map(({probability}) => probability);
    return [once === again, half + more === whole, cut.includes('love'), last.done,
            last.top[0].id === last.id, shares.length,
            shares.every((p, k) => !k || p <= shares[k - 1])];`,
    [true, true, false, true, true, 5, true]],
  'a generation ends by break and by a signal': [`
    let count = 0;
    for await (const step of gpt2.generate('A', {tokens: 50})) if (++count === 3) break;
    const controller = new AbortController();
    const {signal} = controller;
    let told = 0;
    const why = await message((async () => {
      for await (const {token} of gpt2.generate('A', {signal})) {
        if (++told === 2) setTimeout(() => controller.abort(new RangeError('enough')));
        if (told > 100) return;
      }
    })());
    const kept = (await gpt2.tokens()).length;  // every token that is made is reported
    const late = new AbortController();
    late.abort();
    const before = await message(gpt2.generate('A', {signal: late.signal}).next());
    return [count, why, kept - told, before.startsWith('AbortError')];`,
    [3, 'RangeError: enough', 1, true]],
  'each token of a text is told, also of one that ends by itself': [`
    let steps = 0, last;
    const prompt = await gpt2.encode('ROMEO:');
    for await (last of gpt2.generate('ROMEO:', {tokens: 30, greedy: true, stop: ['love']})) ++steps;
    return [(await gpt2.tokens()).length - prompt.length - steps, last.done, last.token + 1 ===
            prompt.length + steps];`, [0, true, true]],
  'pictures come in any order': [`
    const sizes = async (pictures) => {
      for await (const step of gpt2.generate('KING', {tokens: 1, pictures}));
      return [pictures.blocks.width, pictures.blocks.height, pictures.attention.height];
    };
    const {layers, heads, width} = gpt2.config;
    const wanted = String([width, layers, layers * heads]);
    return [String(await sizes({blocks: canvas(), attention: canvas()})) === wanted,
            String(await sizes({attention: canvas(), blocks: canvas()})) === wanted,
            await message(gpt2.generate('A', {pictures: {heads: canvas()}}).next())];`,
    [true, true,
     'TypeError: trigon.generate: there is no picture "heads"; there are: attention, blocks']],
  'one picture alone is the same, in a canvas of any kind': [`
    const ask = globalThis.requestAnimationFrame;
    globalThis.requestAnimationFrame = (frame) => frame();
    const flat = canvas(), whole = canvas();
    flat.getContext('2d');
    whole.getContext('bitmaprenderer');
    const found = [];
    for (const one of [canvas(), flat, whole]) {
      let last;
      const options = {tokens: 3, greedy: true, pictures: {attention: one}};
      for await (const step of gpt2.generate('KING', options)) last = step;
      const again = canvas();
      await gpt2.drawAttention(again, {token: last.token - 1});
      found.push(last.drawn, one.width === again.width, one.height === again.height,
                 String(pixels(one)) === String(pixels(again)));
    }
    globalThis.requestAnimationFrame = ask;
    return found;`, Array(12).fill(true)],
  'pictures come with the frames of the page, and with the last token': [`
    const ask = globalThis.requestAnimationFrame;
    // No earlier text still waits for a frame.
    for (let k = 0; k < 3; ++k) await new Promise((resolve) => ask(resolve));
    const drawn = async (request) => {
      globalThis.requestAnimationFrame = request;
      const pictures = {attention: canvas(), blocks: canvas()}, steps = [];
      const options = {tokens: 4, greedy: true, pictures};
      for await (const step of gpt2.generate('KING', options)) steps.push(step);
      const again = canvas();
      await gpt2.drawAttention(again, {token: steps[3].token - 1});
      return [steps.map((one) => one.drawn),
              String(pixels(again)) === String(pixels(pictures.attention))];
    };
    let frames = 0;
    const seen = await drawn((frame) => { ++frames; frame(); });
    const found = [seen, frames, await drawn(() => {})];
    globalThis.requestAnimationFrame = ask;
    for await (const {drawn: none} of gpt2.generate('KING', {tokens: 1})) found.push(none);
    return found;`,
    [[[true, true, true, true], true], 2 * 4, [[true, false, false, true], true], false]],
  'pictures of a token take a few draws more, and make nothing': [`
    const url = new URL('/model/', location).href;
    const {model} = await t.request('gpt2.load', {load: -1, url});
    await t.request('gpt2.begin', {model, prompt: 'KING', pictures: ['attention', 'blocks'],
                                   tokens: 9, greedy: true, top: 3});
    const step = async (shown) => {
      const before = await t.counters();
      const {picture} = await t.request('gpt2.next', {model, shown});
      picture?.bitmap.close();
      const after = await t.counters();
      return Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]]));
    };
    for (const shown of [true, true, true, false]) await step(shown);
    const plain = await step(false), {draws, ...pictured} = await step(true);
    await t.request('gpt2.close', {model});
    return [draws - plain.draws, pictured.bytes_read === plain.bytes_read,
            ['programs_compiled', 'program_formats', 'textures_created', 'framebuffers_created',
             'plans_made', 'plan_cache_hits', 'bytes_uploaded', 'tensors'].map(
                (key) => pictured[key])];`, [12, true, Array(8).fill(0)]],
  'refuses numbers that the library cannot take': [`
    const started = (options) => message(gpt2.generate('A', options).next());
    return [await started({seed: -1}), await started({tokens: Infinity}),
            await started({temperature: NaN}), await message(gpt2.lens({token: 0, top: -1})),
            await message(gpt2.lens({})), await message(gpt2.blocks({token: NaN})),
            await message(gpt2.drawAttention(canvas(), {layer: 0.5, head: 0})),
            await message(t.request('gpt2.lens', {model: 1, token: 0, top: -1}))];`,
    [['generate: seed is -1'], ['generate: tokens is Infinity'],
     ['generate: temperature is NaN', 'a finite number'], ['lens: top is -1'],
     ['lens: token is undefined'], ['blocks: token is NaN'], ['drawAttention: layer is 0.5'],
    ].map(([what, rule = 'a whole number from 0 to 9007199254740991']) =>
        `RangeError: trigon.${what}; must be ${rule}`).concat([
      'Error: gpt2: top is out of range: -1; must be 0 or more'])],
  'reads a list of files at once, since a page may empty it': [`
    const files = [new File(['{}'], 'config.json')];
    const loading = message(t.gpt2(files)), none = await message(t.gpt2([]));
    files.length = 0;
    return [none, (await loading).includes('config.json;')];`,
    ['Error: gpt2: there is no config.json; the folder must hold ', false]],
  'refuses numbers that a simulation cannot take': [`
    const refused = await message(t.gallery('life', {size: NaN}));
    const life = await t.gallery('life', {size: 64, seed: -1});
    const found = [refused, await message(t.gallery('life', {seed: 0.5})),
                   await message(life.frame(canvas(), {steps: -1})),
                   await message(life.frame(canvas(), {steps: 1e4 + 1})),
                   await message(life.brightness()), await message(life.brightness(257))];
    await life.frame(canvas(), {steps: null});
    found.push((await life.brightness(2)).length);
    const scott = await t.gallery('gray_scott', {size: 64});
    for (const wrong of [() => life.set({feed: 1}), () => scott.set({fed: 0.04}),
                         () => scott.set({feed: 1}), () => scott.set({kill: '0.05'}),
                         () => scott.set(0.04), () => scott.frame(), () => life.frame(canvas(), 3),
                         () => scott.pointer(0.5, 0.5), () => t.gallery('life', {n: 64}),
                         () => t.gallery('life', {size: 0}), () => scott.zoom(2, {z: 1})]) {
      found.push(await message((async () => wrong())()));
    }
    scott.set({feed: 0.04, kill: 0.065});
    found.push(scott.parameters.map(({value}) => value));
    await scott.frame(canvas());
    await life.dispose();
    return found;`,
    ['RangeError: trigon.gallery: size is NaN; must be a whole number from 1 to 9007199254740991',
     'RangeError: trigon.gallery: seed is 0.5; must be a whole number',
     'RangeError: trigon.frame: steps is -1; must be a whole number from 0 to 9007199254740991',
     'Error: simulate::Gallery::frame: bad steps: steps is 10001; must be from 0 to 10000',
     'RangeError: trigon.brightness: fields is undefined; must be a whole number from 0 to ' +
         '9007199254740991',
     'Error: simulate::Gallery::brightness: bad fields: fields is 257; must be from 1 to 256', 4,
     'TypeError: trigon.set: no option "feed"; there is none',
     'TypeError: trigon.set: no option "fed"; there is: feed, kill',
     'RangeError: trigon.set: feed is 1; must be a number from 0.01 to 0.08',
     'RangeError: trigon.set: kill is 0.05; must be a number from 0.04 to 0.07',
     'TypeError: trigon.set: the options are 0.04; must be an object with feed, kill',
     'TypeError: trigon.frame: the canvas is missing; ',
     'TypeError: trigon.frame: the options are 3; must be an object with steps',
     'TypeError: trigon.pointer: the options are 0.5; must be an object with x, y, dx, dy',
     'TypeError: trigon.gallery: no option "n"; there is: size, seed',
     'RangeError: trigon.gallery: size is 0; must be a whole number from 1 to 9007199254740991',
     'TypeError: trigon.zoom: no option "z"; there is: x, y', [0.04, 0.065]]],
  'columns of a text past the context begin with its first token': [`
    const prompt = 'my love '.repeat(150), {length} = await gpt2.encode(prompt);
    const {context} = gpt2.config;
    for await (const step of gpt2.generate(prompt, {tokens: 2, greedy: true}));
    const first = length - context / 2, token = length;
    const row = await gpt2.attention({token}), whole = await gpt2.attention({layer: 0, head: 0});
    const sum = list(row.data.subarray(0, row.shape[2])).reduce((a, b) => a + b, 0);
    return [length > context, row.first - first, row.shape[2] - (token + 1 - first),
            whole.first - first, whole.shape[0] - row.shape[2], Math.abs(sum - 1) < 1e-4];`,
    [true, 0, 0, 0, 0, true]],
  'a load that is cancelled ends no other': [`
    const controller = new AbortController();
    const first = message(t.gpt2('/model/', {signal: controller.signal}));
    const second = t.gpt2('/model/');
    controller.abort(new RangeError('enough'));
    const model = await second;
    const late = await message(t.gpt2('/model/', {signal: controller.signal}));
    const found = [await first, late, (await model.encode('KING')).length > 0];
    await model.dispose();
    return found;`, ['RangeError: enough', 'RangeError: enough', true]],
  'pictures and numbers of a text agree': [`
    const a = canvas(), b = canvas();
    let last;
    for await (last of gpt2.generate('ROMEO: my love', {tokens: 6, greedy: true,
                                                        pictures: {attention: a, blocks: b}}));
    const token = last.token - 1;
    const {layers, heads, width} = gpt2.config;
    const row = await gpt2.attention({token}), whole = await gpt2.attention({layer: 3, head: 2});
    const one = await gpt2.attention({layer: 3, head: 2, token});
    const n = token + 1;
    const near = (a, b) => Math.abs(a - b) < 1e-5;
    const same = list(one.data).every((v, k) => near(v, whole.data[token * n + k]) &&
                                                near(v, row.data[(3 * heads + 2) * n + k]));
    const before = pixels(a);
    await gpt2.drawAttention(a, {token});
    const again = pixels(a);
    await gpt2.drawAttention(b, {layer: 1, head: 1});
    const lens = await gpt2.lens({token, top: 2});
    return [before[0] === n && before[1] === layers * heads, row.shape, same,
            String(before[2]) === String(again[2]), pixels(b).slice(0, 2),
            (await gpt2.blocks({token})).shape, lens.length, lens.at(-1)[0].id === last.id];`,
    (result) => {
      assert.equal(result[0], true);
      assert.deepEqual(result[1].slice(0, 2), [6, 6]);
      assert.deepEqual([result[2], result[3]], [true, true]);
      assert.equal(result[4][0], result[4][1]);
      assert.deepEqual(result.slice(5), [[6, 192], 6, true]);
    }],
  'a page goes on after a device was lost': [`
    const lost = t.lost;
    const x = await t.ones([4]).eval();
    await t.loseContext();
    const error = await lost;
    const after = await message(x.exp().data());
    t.close();
    const closed = await message(t.counters());
    const next = globalThis.t = await Trigon.open({profile: t.profile});
    const mine = next.ones([2]);  // its number is that of x
    return [error.name, after, closed, list(await mine.data()),
            await message((async () => mine.add(x))()), await message((async () =>
                next.nonzero(x))()), await message(next.draw([{tensor: x, canvas: canvas()}]))];`,
    (result) => {
      assert.equal(result[0], 'DeviceError');
      assert.match(result[1], /^DeviceError: .*took the WebGL context away/);
      assert.match(result[2], /closed/);
      assert.deepEqual(result[3], [1, 1]);
      assert.deepEqual(result.slice(4), ['add', 'nonzero', 'draw'].map((name) =>
          `TypeError: trigon.${name}: a tensor that belongs to another Trigon; make it with this ` +
              'one'));
    }],
};

const checks = counter(), {check} = checks;

// Shows the Worker's memory, which the library keeps to itself.
const spy = `${countPictures}
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const make = WebAssembly[name];
    WebAssembly[name] = async (...given) => {
      const made = await make.apply(WebAssembly, given);
      globalThis.wasmMemory = Object.values(made.instance.exports).find(
          (one) => one instanceof WebAssembly.Memory);
      return made;
    };
  }`;
const server = await listen(async (path, request, response) => {
  const file = join(folder, path);
  if (path !== '/spy.mjs' && path !== '/worker.mjs') return sendFile(file, request, response);
  response.setHeader('Content-Type', 'text/javascript');
  response.end(path === '/spy.mjs' ? spy : "import './spy.mjs';\n" + readFileSync(file, 'utf8'));
});
const browser = await Chromium.start({environment: {GALLIVM_PERF: 'nopt'}});
// Any document of the module's origin suffices.
const page = await openModule(browser, server.address('model/merges.txt'));
for (const profile of ['webgl2', 'webgl1']) {
  const opened = await page.evaluate(`(async () => {
    globalThis.t = await Trigon.open({profile: '${profile}'});
    return [t.renderer, t.profile];
  })()`);
  await check(`${profile}: opens`, () => {
    assert.match(opened[0], drivers.llvmpipe.renderer);
    assert.equal(opened[1], profile);
  });
  await runAll(check, page, profile, tests,
               {names: {PROMPTS: golden.map(({prompt}) => prompt)}});
  await check(`${profile}: values that were read are freed`, async () => {
    const worker = browser.sessions.findLast(({type}) => type === 'worker');
    const memory = () => worker.evaluate('wasmMemory.buffer.byteLength');
    const size = 2 ** 23;  // elements
    await page.evaluate(`(async () => {
      globalThis.large = await t.zeros([${size}]).eval();
      await large.data();
    })()`);
    const before = await memory();
    assert.ok(before > 4 * size, `${before}`);
    assert.equal(await page.evaluate('large.data().then(({length}) => length)'), size);
    assert.equal(await memory(), before);
  });
  await check(`${profile}: an error of WebGL that comes late ends the device`, async () => {
    const once = `(async () => {
      globalThis.x ??= t.tensor([1, 2]);
      const y = x.add(1);
      const text = (await y.data()).join();
      y.dispose();  // the next call makes nothing new
      return text;
    })()`;
    for (let k = 0; k < 4; ++k) assert.equal(await page.evaluate(once), '2,3');
    const worker = browser.sessions.findLast(({type}) => type === 'worker');
    await worker.evaluate(`{
      const own = (globalThis.${profile === 'webgl2' ? 'WebGL2' : 'WebGL'}RenderingContext).prototype;
      const {getError} = own;
      own.getError = function() {
        own.getError = getError;
        return this.OUT_OF_MEMORY;
      };
    }`);
    const late = /^DeviceError: trigon::Device: a draw or an upload failed, .*\n  hint: open a new/;
    const fails = `${once}.then(String, (error) => \`\${error.name}: \${error.message}\`)`;
    assert.equal(await page.evaluate(fails),
                 'DeviceError: trigon::gl: glReadPixels: GL_OUT_OF_MEMORY');
    assert.match(await page.evaluate('t.lost.then(({name, message}) => `${name}: ${message}`)'),
                 late);
    assert.match(await page.evaluate(fails), late);
    await page.evaluate('delete globalThis.x');
  });
  await page.evaluate('t.close()');
}
for (const [profile, what, work] of [
  ['webgl2', 'read is wrong', reads], ['webgl1', 'read is wrong', reads],
  ['webgl2', 'picture is empty', draws], ['webgl1', 'picture is empty', draws],
  ['webgl2', 'frame is empty', frames],
]) {
  await check(`${profile}: no ${what} when the GPU process crashes`,
              () => crash(server, profile, work));
}
await finishPage(checks, browser, page, server);
