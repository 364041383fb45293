// SPDX-License-Identifier: MIT
// The gallery: simulations drawn frame by frame, which react to a pointer or the keyboard.
import {byId, lazyTable, make, picture, sentenceOf, shader} from './dom.mjs';
import {readExplained, splitShader} from './explained.mjs';
import {choiceOf, fieldsOf, firstOf, simulations, tensorCode} from './simulations.mjs';

const keys = {
  true: 'Keys: arrows move the view, + and − zoom.',
  false: 'Keys: arrows move a spot, the space bar touches the picture there.',
};
const step = 0.04;       // of the picture, for an arrow key
const zoomStep = 1.25;
const measured = 1000;   // ms over which the frame rate is measured
const grid = 8;          // rows and columns of the table of brightness

const count = (n, name) => `${n} ${name}${n > 1 ? 's' : ''}`;
const still = matchMedia('(prefers-reduced-motion: reduce)');

export class GalleryTab {
  #connection;
  #choice = firstOf(simulations[0]);
  #running = null;      // the simulation on the device
  #canvas = null;
  #shown = false;       // whether this tab is open
  #paused = still.matches;
  #opening = 0;         // the number of the simulation that was asked for last
  #loop = 0;            // the number of the loop that may go on
  #once = 0;            // frames to draw though it is paused
  #done = 0;            // steps since anything but time changed the picture
  #draws = 0;           // of the last frame; 0 before the second: the first does more
  #frameCount = 0;
  #frames = [];         // times of the last frames
  #spot = {x: 0.5, y: 0.5};
  #pointers = new Map();  // pressed pointers, by id
  #moved = null;          // {x, y, dx, dy} since the last frame, while pressed
  #keyPressed = false;

  #changed;

  /** @param {() => void} changed Called when its link is another one. */
  constructor(connection, changed) {
    this.#connection = connection;
    this.#changed = changed;
    connection.onReady(() => this.#restart());
    connection.onLost(() => {
      this.#running = null;
      this.#say('The device was taken away; the simulation begins again when you go on.', true);
    });
    for (const one of simulations) {
      const input = make('input', {type: 'radio', name: 'simulation', value: one.name,
                                   checked: one === this.#choice.one});
      input.addEventListener('change', () => this.#choose(firstOf(one)));
      byId('simulations').append(make('label', {}, input, one.title));
    }
    byId('pause').addEventListener('click', () => this.#pause(!this.#paused));
    byId('reset').addEventListener('click', () => this.#reset());
    this.#listenToFields();
    byId('show-glsl').addEventListener('click', () => this.#toggleShaders());
    this.#refreshNumbers = lazyTable(byId('simulation-numbers'), () => this.#numbers());
    document.addEventListener('visibilitychange', () => this.#go());
    still.addEventListener('change', () => { if (still.matches) this.#pause(true); });
    this.#listen(byId('screen'));
    this.#describe();
    this.#pause(this.#paused);
  }
  #refreshNumbers;

  show(shown) {
    this.#shown = shown;
    if (shown && !this.#running && this.#connection.t) this.#restart();
    else this.#go();
  }
  fail() { this.#say('Simulations need WebGL, which is missing; see the top of the page.', true); }

  get title() { return `${this.#choice.one.title} – Gallery`; }
  get fields() { return fieldsOf(this.#choice); }

  /** Opens the simulation and view of a link. @returns {string[]} the names that are wrong */
  restore(fields) {
    const {choice, wrong} = choiceOf(fields);
    if (!choice) return wrong;
    document.querySelector(`#simulations [value="${choice.one.name}"]`).checked = true;
    this.#choose(choice);
    return wrong;
  }

  #say(text, bad = false) {
    byId('simulation-message').textContent = text;
    byId('simulation-message').classList.toggle('bad', bad);
  }

  #describe() {
    const {title, label, view, touch} = this.#choice.one;
    byId('simulation-title').textContent = title;
    byId('simulation-label').textContent = label;
    byId('simulation-keys').textContent = `${touch} ${keys[view !== null]}`;
    byId('screen-pointer').hidden = true;
    this.#canvas = picture(`${title}: ${label}`);
    byId('screen-picture').replaceChildren(this.#canvas);
    byId('save').disabled = true;
    this.#describeFields();
    const moves = [['←', 'Left', 'ArrowLeft'], ['↑', 'Up', 'ArrowUp'],
                   ['↓', 'Down', 'ArrowDown'], ['→', 'Right', 'ArrowRight'],
                   ...(view ? [['−', 'Zoom out', '-'], ['+', 'Zoom in', '+']] :
                              [['●', 'Touch here', ' ']])];
    byId('moves').hidden = false;
    byId('moves').replaceChildren(...moves.map(([sign, label, key]) => {
      const button = make('button', {type: 'button', 'aria-label': label}, sign);
      button.addEventListener('click', () => this.#press(key));
      return button;
    }));
  }

  #choose(choice) {
    this.#choice = choice;
    this.#describe();
    this.#restart();
    this.#changed();
  }

  // ---- Its numbers

  #describeFields() {
    const {one, size, steps} = this.#choice;
    for (const [name, value] of [['size', size], ['steps', steps]]) {
      const {least, most, step} = one[name];
      Object.assign(byId(`simulation-${name}`), {min: least, max: most, step, value});
    }
    byId('size-unit').textContent = one.size.unit;
    byId('parameters').replaceChildren(...Object.entries(one.parameters).map(
        ([name, {label, least, most, step}]) => {
          const value = this.#choice.parameters[name], id = `parameter-${name}`;
          const shown = make('output', {for: id}, String(value));
          const slider = make('input', {id, type: 'range', min: least, max: most, step, value});
          slider.addEventListener('input', () => {
            shown.textContent = slider.value;
            this.#choice.parameters[name] = Number(slider.value);
            this.#set();
            this.#changed();
          });
          return make('div', {class: 'field'}, make('label', {for: id}, `${label} `, shown),
                      slider);
        }));
    byId('zoom-field').hidden = one.view === null;
    if (one.view) {
      const [least, most] = one.zoom.map(Math.log2);
      Object.assign(byId('simulation-zoom'), {min: least, max: most, step: 'any'});
    }
    this.#showFields();
  }

  #showFields() {
    const {one, view, steps} = this.#choice;
    byId('size-value').textContent = byId('simulation-size').value;
    byId('steps-value').textContent = steps;
    if (!view) return;
    byId('simulation-zoom').value = Math.log2(one.view.zoom(view));
    byId('zoom-value').textContent = `${Number(one.view.zoom(view).toPrecision(3))} ×`;
  }

  #listenToFields() {
    const choice = () => this.#choice;
    byId('simulation-size').addEventListener('input', () => this.#showFields());
    byId('simulation-size').addEventListener('change', ({target}) =>
        this.#choose({...choice(), size: Number(target.value)}));
    byId('simulation-steps').addEventListener('input', ({target}) => {
      choice().steps = Number(target.value);
      this.#showFields();
      this.#changed();
    });
    byId('simulation-zoom').addEventListener('input', ({target}) =>
        this.#zoom(2 ** target.value / choice().one.view.zoom(choice().view), 0.5, 0.5));
    byId('full').hidden = !document.fullscreenEnabled;
    byId('full').addEventListener('click', () => byId('screen').requestFullscreen().catch(
        (error) => this.#say(`There is no full screen: ${error.message}`, true)));
    byId('save').addEventListener('click', () => this.#canvas.toBlob((blob) => {
      const address = URL.createObjectURL(blob);
      make('a', {href: address, download: `${choice().one.name}.png`}).click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    }));
  }

  #set() { this.#running?.set(this.#choice.parameters); }

  async #showCode() {
    const {one} = this.#choice;
    const code = byId('simulation-code');
    try {
      const answer = await fetch(`simulate/${one.name}.cpp`);
      const text = answer.ok ? tensorCode(await answer.text()) : '';
      if (one !== this.#choice.one) return;
      code.textContent = text;
    } catch {
      code.textContent = '';
    }
    byId('code-card').hidden = code.textContent === '';
  }

  // ---- Frames

  async #restart() {
    const mine = ++this.#opening;
    this.#running?.dispose();
    this.#running = null;
    this.#frames = [];
    this.#frameCount = this.#draws = 0;
    const {t} = this.#connection;
    if (!t || !this.#shown) return;
    this.#showCode();
    this.#say('Compiling its shaders …');
    for (const id of ['frames-second', 'frame-draws', 'frame-size']) byId(id).textContent = '–';
    try {
      const {one, size, view} = this.#choice;
      const running = await t.gallery(one.name, {size});
      if (mine !== this.#opening) return running.dispose();
      this.#running = running;
      byId('screen').style.aspectRatio = `${running.width} / ${running.height}`;
      byId('frame-size').textContent = `${running.width} × ${running.height}`;
      if (view) one.view.open(running, view);
      this.#set();
      this.#begin();
      if (!byId('simulation-glsl').hidden) this.#showShaders();
    } catch (error) {
      if (mine === this.#opening && this.#connection.t) this.#say(sentenceOf(error), true);
    }
  }

  #pause(paused) {
    this.#paused = paused;
    byId('pause').textContent = paused ? 'Play' : 'Pause';
    this.#frames = [];
    // There may be no next frame to report it.
    if (paused || this.#rests) byId('frames-second').textContent = paused ? 'paused' : 'at rest';
    if (paused) this.#refreshNumbers();
    this.#go();
  }

  #reset() {
    const {one} = this.#choice;
    if (one.view) this.#choice.view = {...one.view.first};
    this.#showFields();
    this.#changed();
    if (!this.#running) return this.#restart();
    this.#running.reset();
    this.#begin();
  }

  // The picture begins to change.
  #begin() {
    this.#done = 0;
    this.#once = 1;
    this.#go();
  }

  get #rests() {
    const {rests} = this.#choice.one;
    return rests > 0 && this.#done >= rests;
  }

  get #wanted() {
    return this.#shown && !document.hidden && this.#running &&
        (this.#once > 0 || !(this.#paused || this.#rests));
  }

  // Starts drawing, and ends the running loop, if any.
  #go() {
    const mine = ++this.#loop;
    const tick = async () => {
      if (mine !== this.#loop || !this.#wanted) return;
      if (await this.#frame()) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  async #frame() {
    const running = this.#running;
    this.#once = Math.max(0, this.#once - 1);
    if (this.#moved) {
      running.pointer(this.#moved);
      Object.assign(this.#moved, {dx: 0, dy: 0});
      if (this.#pointers.size === 0 && !this.#keyPressed) this.#moved = null;
    }
    try {
      // While it is paused, only the pointer changes the picture.
      const {steps} = this.#choice;
      const {draws} = await running.frame(this.#canvas, {steps});
      if (running !== this.#running) return false;
      this.#done += steps;
      if (++this.#frameCount > 1) this.#draws = draws;
      if (this.#frameCount === 2 && !byId('simulation-glsl').hidden) this.#showShaders();
      byId('save').disabled = false;
      this.#say('');
      this.#measure(draws);
      return true;
    } catch (error) {
      if (running === this.#running) {
        this.#running = null;
        this.#say(sentenceOf(error), true);
      }
      return false;
    }
  }

  #measure(draws) {
    const now = performance.now();
    const frames = this.#frames;
    frames.push(now);
    while (now - frames[0] > measured) frames.shift();
    byId('frame-draws').textContent = String(draws);
    const time = now - frames[0];
    byId('frames-second').textContent = this.#paused ? 'paused' : this.#rests ? 'at rest' :
        time > 0 ? ((frames.length - 1) / time * 1000).toFixed(1) : '–';
  }

  // ---- Pointers and keys

  #touch(x, y, dx = 0, dy = 0) {
    const moved = this.#moved ??= {x, y, dx: 0, dy: 0};
    Object.assign(moved, {x, y, dx: moved.dx + dx, dy: moved.dy + dy});
    const {one} = this.#choice;
    this.#look(one.view?.move(this.#choice.view, {dx, dy}));
  }

  // Another view, or a touch. A loop that goes on shows it.
  #look(view) {
    const waits = this.#paused || this.#rests;
    this.#done = 0;
    this.#once = 1;
    if (waits) this.#go();
    if (!view) return;
    this.#choice.view = view;
    this.#showFields();
    this.#changed();
  }

  #zoom(factor, x, y) {
    const {one, size, view} = this.#choice;
    this.#running?.zoom(factor, {x, y});
    this.#look(one.view?.magnify(view, {factor, x, y}, size));
  }

  // The position of an event in the picture, from 0 to 1.
  #placeOf({clientX, clientY}) {
    const box = byId('screen-picture').getBoundingClientRect();
    const side = (value) => Math.min(1, Math.max(0, value));
    return {x: side((clientX - box.left) / box.width), y: side((clientY - box.top) / box.height)};
  }

  #listen(screen) {
    screen.addEventListener('pointerdown', (event) => {
      screen.setPointerCapture(event.pointerId);
      const place = this.#placeOf(event);
      this.#pointers.set(event.pointerId, place);
      byId('screen-pointer').hidden = true;
      if (this.#pointers.size === 1) this.#touch(place.x, place.y);
    });
    screen.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel']) {
      screen.addEventListener(name, (event) => this.#pointers.delete(event.pointerId));
    }
    screen.addEventListener('wheel', (event) => {
      if (!this.#choice.one.view) return;
      event.preventDefault();
      const {x, y} = this.#placeOf(event);
      const pixels = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
      this.#zoom(Math.exp(-Math.max(-200, Math.min(200, pixels)) * 0.002), x, y);
    }, {passive: false});
    screen.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (this.#press(event.key)) event.preventDefault();
      if (event.key === ' ') this.#keyPressed = true;
    });
    screen.addEventListener('keyup', ({key}) => { if (key === ' ') this.#keyPressed = false; });
    screen.addEventListener('blur', () => { this.#keyPressed = false; });
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
    const {x, y} = this.#placeOf(event);
    this.#pointers.set(event.pointerId, {x, y});
    if (others.length === 0) return this.#touch(x, y, x - before.x, y - before.y);
    // Two fingers: their distance zooms.
    const [, other] = others[0];
    const far = (a) => Math.max(0.01, Math.hypot(a.x - other.x, a.y - other.y));
    this.#zoom(far({x, y}) / far(before), (x + other.x) / 2, (y + other.y) / 2);
  }

  /** Handles a key; false if it has no effect. */
  #press(key) {
    const move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[key];
    const {view} = this.#choice.one;
    if (view && move) {
      this.#touch(0.5, 0.5, -step * move[0], -step * move[1]);
    } else if (view && (key === '+' || key === '=' || key === '-')) {
      this.#zoom(key === '-' ? 1 / zoomStep : zoomStep, 0.5, 0.5);
    } else if (!view && (move || key === ' ')) {
      this.#moveSpot(move ?? [0, 0], key === ' ');
    } else {
      return false;
    }
    return true;
  }

  #moveSpot([right, down], pressed) {
    const {x, y} = this.#spot;
    const to = (value) => Math.min(1, Math.max(0, value));
    this.#spot = {x: to(x + step * right), y: to(y + step * down)};
    const spot = byId('screen-pointer');
    spot.hidden = false;
    spot.style.left = `${100 * this.#spot.x}%`;
    spot.style.top = `${100 * this.#spot.y}%`;
    if (pressed || this.#keyPressed) {
      this.#touch(this.#spot.x, this.#spot.y, this.#spot.x - x, this.#spot.y - y);
    }
  }

  // ---- Explanations

  #toggleShaders() {
    const open = byId('simulation-glsl').hidden;
    byId('simulation-glsl').hidden = !open;
    byId('show-glsl').setAttribute('aria-expanded', String(open));
    byId('show-glsl').textContent = open ? 'Hide its GLSL' : 'Show its GLSL';
    if (open) this.#showShaders();
  }

  async #showShaders() {
    const into = byId('simulation-glsl');
    try {
      if (!this.#running) throw new Error('The simulation does not run, so there is no GLSL.');
      const {plan, draws} = readExplained(await this.#running.explain());
      // The plan has the simulation's first number of steps, which a frame need not have.
      const {one, steps} = this.#choice;
      const more = steps === one.steps.first ? this.#draws - draws.length : 0;
      const showing = more > 0 ? `${count(more, 'more draw')} of each frame ` +
          `${more > 1 ? 'show' : 'shows'} the picture in the page.` : '';
      into.replaceChildren(
          make('p', {class: 'quiet'}, `The plan of a frame: ${plan} by its estimate. ${showing}`),
          ...draws.map(({number, ops, glsl}) => make('details', {open: draws.length === 1},
              make('summary', {}, `Draw ${number}: ${ops}`), shader(splitShader(glsl)))));
    } catch (error) {
      into.replaceChildren(make('p', {class: 'bad'}, sentenceOf(error)));
    }
  }

  // Computed by the Worker: the page's thread would wait for pixels that it reads.
  async #numbers() {
    if (!this.#running) throw new Error('There is no picture yet.');
    const values = await this.#running.brightness(grid);
    const columns = Array.from({length: grid}, (_, k) => k);
    return {caption: 'Brightness in percent, by rows from the top',
            head: ['Part', ...columns.map(String)],
            rows: columns.map((row) => [`row ${row}`, ...columns.map(
                (column) => Math.round(100 * values[row * grid + column]))])};
  }
}
