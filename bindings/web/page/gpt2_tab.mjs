// SPDX-License-Identifier: MIT
// GPT-2: writes a text and shows the model's intermediate values.
import {byId, make, nextFrame, percent, sentenceOf, visible} from './dom.mjs';
import {PicturesView} from './pictures_view.mjs';
import {SamplingForm} from './sampling_form.mjs';
import {spelled} from './spelling.mjs';
import {Speaker, TextView} from './text_view.mjs';
import {listenForWeights} from './weights_form.mjs';

const top = 8;           // likeliest tokens shown
const measured = 16;     // tokens over which the speed is measured
const bundled = 'model/';

/**
 * How a token was chosen, beside the likeliest ones: those are the model's, before temperature,
 * top-k and top-p.
 */
export function originOf({id, top: likeliest, isPrompt}) {
  const place = likeliest.findIndex((one) => one.id === id);
  if (isPrompt) {
    return place < 0 ? 'is part of what you typed; the model would rather go on with these:' :
                       'is part of what you typed, and one of these:';
  }
  if (place === 0) return 'is the likeliest by the model:';
  if (place > 0) return `was sampled; it is number ${place + 1} by the model:`;
  return `was sampled from less likely ones; the model’s ${likeliest.length} likeliest were:`;
}

export class Gpt2Tab {
  #connection;
  #model = null;
  #source = {from: bundled, name: 'the bundled model'};
  #loading = null;   // an AbortController
  #running = false;
  #stopping = false;
  #ended = null;     // a promise that resolves when the current text ends
  #asking = 0;       // the number of the last text asked for
  #begun = '';       // the text to go on with after the device was lost
  #times = [];
  #draws = 0;        // of the last token
  #drawn = -1;       // the token in the live pictures
  #frame;            // an animation frame is asked for
  #isGreeting = false;
  #asked = -1;       // the token whose likeliest ones are shown
  #view;
  #pictures;
  #speaker = new Speaker(byId('spoken'));

  #isLinked = false;  // a link waits until the tab is shown
  #shown = false;
  #isCompiled = false;  // whether the model has written
  #changed;
  #form = new SamplingForm({
    onWrite: (prompt) => this.#write(prompt), onRefused: (why) => this.#state(why, true),
  });

  /** @param {() => void} changed Called when its link is another one. */
  constructor(connection, changed) {
    this.#connection = connection;
    this.#changed = changed;
    this.#view = new TextView(byId('text'), {
      onChoose: (k) => this.#chosen(k), onPreview: (k) => this.#showChoices(k),
    });
    this.#pictures = new PicturesView(this.#view);
    connection.onReady(() => this.#need());
    connection.onLost(() => this.#lost());
    byId('stop').addEventListener('click', () => { this.#stopping = true; });
    byId('go-on').addEventListener('click', () => this.#goOn());
    byId('cancel').addEventListener('click', () => this.#loading?.abort());
    listenForWeights(byId('panel-gpt2'), (from, name) => this.#load({from, name}, false),
                     (wrong) => this.#sayWeights(`${wrong} ${this.#kept()}`, true));
  }

  title = 'GPT-2';

  show(shown) {
    this.#shown = shown;
    if (shown) this.#need();
    if (shown && this.#isLinked && this.#model) this.#greet(true);
    // A text that the page has started itself ends when the tab is left.
    else if (!shown && this.#isGreeting) this.#stopping = true;
  }

  get fields() { return this.#form.fields; }

  /** Fills the form from a link, and writes. @returns {string[]} the names that are wrong */
  restore(fields) {
    const wrong = this.#form.restore(fields);
    // Another tab may still be shown.
    this.#isLinked = !this.#shown;
    if (this.#model && this.#shown) this.#greet(true);
    return wrong;
  }

  // The model is only fetched where it is seen.
  #need() {
    const {t} = this.#connection;
    if (t && this.#shown && !this.#model && !this.#loading) this.#load(this.#source, true);
  }
  fail() {
    this.#state('The model needs WebGL, which is missing; see the top of the page.', true);
  }

  #state(text, bad = false) {
    byId('model-state').textContent = text;
    byId('model-state').classList.toggle('bad', bad);
  }

  #sayWeights(text, bad = false) {
    byId('weights').open = true;
    byId('weights-message').textContent = text;
    byId('weights-message').classList.toggle('bad', bad);
    // A file can be dropped while the message is out of view.
    if (bad) byId('weights-message').scrollIntoView({block: 'nearest'});
  }

  #kept() { return this.#model ? `The page goes on with ${this.#source.name}.` : ''; }

  #buttons() {
    byId('write').disabled = !this.#model;
    byId('stop').disabled = !this.#running;
    byId('go-on').disabled = !this.#model || this.#running || this.#view.tokens.length === 0;
    byId('cancel').hidden = this.#loading === null;
    for (const id of ['model-progress', 'model-loaded']) byId(id).hidden = this.#loading === null;
  }

  // ---- The model

  // Loads weights; the present ones stay until the new ones are there.
  async #load(source, isStart) {
    const {t} = this.#connection;
    if (!t) return this.#sayWeights('Weights need WebGL, which is not there.', true);
    this.#loading?.abort();
    const mine = this.#loading = new AbortController();
    const bar = byId('model-progress');
    bar.removeAttribute('value');
    byId('model-loaded').textContent = '';
    this.#buttons();
    this.#state(`Fetching ${source.name} …`);
    try {
      const model = await t.gpt2(source.from, {
        signal: mine.signal,
        onProgress: ({loaded, total}) => {
          if (mine !== this.#loading || !(total > 0)) return;
          bar.value = loaded / total;
          const millions = (bytes) => (bytes / 1e6).toFixed(1);
          // Not part of the text that is read aloud, since it changes with each tensor.
          byId('model-loaded').textContent = `${millions(loaded)} of ${millions(total)} MB`;
        },
      });
      if (mine !== this.#loading) return model.dispose();
      await this.#use(model, source, isStart);
    } catch (error) {
      if (mine !== this.#loading || this.#connection.t !== t) return;
      this.#refuse(error, source, mine.signal.aborted);
    } finally {
      if (mine === this.#loading) this.#loading = null;
      this.#buttons();
    }
  }

  async #use(model, source, isStart) {
    this.#stopping = true;
    this.#model?.dispose().catch(() => {});
    this.#model = model;
    this.#source = source;
    this.#pictures.model = model;
    this.#isCompiled = false;
    const {layers, heads, width, context} = model.config;
    this.#state(`${layers} layers of ${heads} heads, ${width} channels, ${context} tokens at once`);
    if (isStart) return this.#greet();
    this.#clear();
    this.#begun = '';
    this.#showChoices(-1);
    this.#sayWeights(`Loaded: ${source.name}.`);
  }

  // The page writes a first text itself, unless the user prefers reduced motion.
  async #greet(isAgain = false) {
    this.#isLinked = false;
    const isQuiet = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (isQuiet || (this.#view.tokens.length > 0 && !isAgain) || !this.#shown) return;
    this.#stopping = true;
    const mine = ++this.#asking;
    await this.#ended;
    if (mine !== this.#asking || !this.#model) return;
    this.#isGreeting = true;
    await this.#run(this.#form.prompt || 'ROMEO:', false);
    this.#isGreeting = false;
  }

  #refuse(error, {name}, cancelled) {
    if (this.#model) this.#state(`The page goes on with ${this.#source.name}.`);
    else this.#state('There is no model; choose weights below.', !cancelled);
    if (cancelled) return this.#sayWeights(`Cancelled. ${this.#kept()}`);
    this.#sayWeights(`Loading ${name} failed. ${this.#kept()} Trigon says: ${error.message}`, true);
  }

  #lost() {
    this.#loading?.abort();
    this.#loading = null;
    this.#model = null;
    this.#begun = this.#view.text;
    this.#pictures.model = null;
    this.#state('The device was taken away; the text stays, and can go on.');
    this.#buttons();
  }

  // ---- Writing

  async #write(prompt) {
    if (!this.#model) return;
    if (prompt === '') {
      byId('prompt').focus();
      return this.#state('Type how the text begins, at least one character.', true);
    }
    this.#changed();
    this.#begun = '';
    this.#stopping = true;
    const mine = ++this.#asking;
    await this.#ended;
    if (mine === this.#asking && this.#model) await this.#run(prompt);
  }

  async #goOn() {
    if (!this.#model || this.#running || !this.#form.check()) return;
    const begun = this.#begun;
    this.#begun = '';
    await this.#run(begun === '' ? null : begun);
  }

  // Continues a prompt, or the last text if it is null.
  #run(prompt, isSpoken = true) {
    this.#ended = this.#continue(prompt, isSpoken);
    return this.#ended;
  }

  async #continue(prompt, isSpoken) {
    const model = this.#model;
    this.#running = true;
    this.#stopping = false;
    this.#times = [];
    this.#drawn = -1;
    this.#buttons();
    this.#speaker.begin();
    try {
      if (prompt !== null) await this.#begin(model, prompt);
      else this.#state('Writing …');
      for await (const step of model.generate(
          prompt, {...this.#form.options, top, pictures: this.#pictures.live})) {
        this.#firstStep();
        this.#step(step);
        if (isSpoken) this.#speaker.add(step.text);
        if (this.#stopping || model !== this.#model) break;
      }
      if (model === this.#model) this.#state(this.#stopping ? 'Stopped.' : 'Written.');
    } catch (error) {
      if (model === this.#model && this.#connection.t) this.#state(sentenceOf(error), true);
    } finally {
      this.#running = false;
      if (this.#frame !== undefined) {
        cancelAnimationFrame(this.#frame);
        this.#told();
      }
      this.#speaker.finish();
      this.#buttons();
      const {chosen, tokens} = this.#view;
      if (model === this.#model) this.#pictures.show(chosen >= 0 ? chosen : tokens.length - 1);
    }
  }

  #clear() {
    this.#view.clear();
    byId('text-earlier').hidden = true;
  }

  async #begin(model, prompt) {
    this.#state(this.#isCompiled ? 'Writing …' :
        'Compiling the shaders; the first token takes some seconds …');
    const tokens = await spelled(await model.encode(prompt), prompt, nextFrame);
    this.#clear();
    this.#showChoices(-1);
    const leftOut = await this.#view.addPrompt(tokens);
    byId('text-earlier').hidden = leftOut === 0;
    byId('text-earlier').textContent = `${leftOut} tokens come before; they are not shown.`;
  }

  #firstStep() {
    if (this.#isCompiled) return;
    this.#isCompiled = true;
    this.#state('Writing …');
  }

  #step({text, id, top: likeliest, draws, drawn}) {
    this.#view.add({id, text, top: likeliest ?? null, isPrompt: false});
    if (drawn) this.#drawn = this.#view.tokens.length - 1;
    const times = this.#times;
    times.push(performance.now());
    if (times.length > measured) times.shift();
    this.#draws = draws;
    // Tokens may come faster than frames.
    this.#frame ??= requestAnimationFrame(() => this.#told());
  }

  // Shows the choices and pictures of the newest token.
  #told() {
    this.#frame = undefined;
    const last = this.#view.tokens.length - 1;
    if (last < 0) return;
    this.#view.follow();
    if (this.#view.chosen < 0) this.#showChoices(-1);
    if (this.#model && this.#drawn >= 0) this.#pictures.follow(this.#drawn);
    const times = this.#times;
    const speed = times.length < 2 ? '–' :
        (1000 * (times.length - 1) / (times.at(-1) - times[0])).toFixed(1);
    byId('text-stats').textContent =
        `${last + 1} tokens · ${speed} tokens a second · ${this.#draws} draws a token`;
  }

  // ---- The likeliest tokens

  #chosen(k) {
    this.#showChoices(k);
    this.#view.tint();
    this.#pictures.show(k >= 0 ? k : this.#view.tokens.length - 1);
  }

  // Those of token k; -1: the chosen one, or the newest.
  async #showChoices(k) {
    const {tokens, chosen} = this.#view;
    if (k < 0) k = chosen >= 0 ? chosen : tokens.length - 1;
    this.#asked = k;
    const token = tokens[k];
    const note = byId('choice-note');
    byId('choices').hidden = !token?.top;
    if (!token) {
      note.textContent = 'The likeliest tokens appear here as the text comes.';
    } else if (token.top) {
      note.textContent = `Token ${k}, “${visible(token.text)}”, ${originOf(token)}`;
      this.#fillChoices(token);
    } else {
      note.textContent = k === 0 ? `“${visible(token.text)}” begins the text.` :
                                   `“${visible(token.text)}” is part of what you typed.`;
      if (k > 0) await this.#askChoices(k, token);
    }
  }

  // Asks for the model's choices in place of a word of the prompt.
  async #askChoices(k, token) {
    const model = this.#model;
    if (!model || this.#running) return;
    try {
      const layers = await model.lens({token: k - 1, top});
      token.top = layers.at(-1);
    } catch {
      return;  // the note above suffices
    }
    if (this.#asked === k && this.#view.tokens[k] === token) this.#showChoices(k);
  }

  #fillChoices({id, top: likeliest}) {
    const largest = likeliest[0]?.probability || 1;
    byId('choices').tBodies[0].replaceChildren(...likeliest.map(({id: one, text, probability}) => {
      const fill = make('span', {style: `width: ${(100 * probability / largest).toFixed(1)}%`});
      return make('tr', {class: one === id ? 'taken' : null},
          make('th', {scope: 'row'}, visible(text)),
          make('td', {}, make('span', {class: 'bar'}, make('span', {'aria-hidden': 'true'}, fill),
                              make('span', {}, percent(probability)))));
    }));
  }
}
