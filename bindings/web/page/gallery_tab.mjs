// SPDX-License-Identifier: MIT
// The gallery: simulations drawn frame by frame, which react to a pointer or the keyboard.
import {byId, lazyTable, make, picture, sentenceOf, shader} from './dom.mjs';
import {readExplained, splitShader} from './explained.mjs';

// The simulations' properties that need no device. `view`: arrows and zoom move the view; otherwise
// they move a spot at which the space bar touches the picture.
const simulations = [
  {name: 'fluid', title: 'Fluid', label: 'Smoke in a box.', view: false,
   touch: 'Drag to stir, and to leave smoke.'},
  {name: 'mandelbrot', title: 'Mandelbrot', label: 'The Mandelbrot set, coloured by how fast ' +
    'points escape.', view: true, touch: 'Drag to move; turn the wheel or pinch to zoom.'},
  {name: 'gray_scott', title: 'Gray-Scott', label: 'Two substances react and spread.',
   view: false, touch: 'Press to pour in the second substance.'},
  {name: 'life', title: 'Life', label: 'Conway’s game of life.', view: false,
   touch: 'Press to bring cells to life.'},
  {name: 'n_body', title: 'N-body', label: 'Stars of two galaxies that attract each other.',
   view: true, touch: 'Drag to turn the view; turn the wheel or pinch to come nearer.'},
];
const keys = {
  true: 'Keys: arrows move the view, + and − zoom.',
  false: 'Keys: arrows move a spot, the space bar touches the picture there.',
};
const step = 0.04;       // of the picture, for an arrow key
const zoomStep = 1.25;
const measured = 1000;   // ms over which the frame rate is measured
const grid = 8;          // rows and columns of the table of brightness

const still = matchMedia('(prefers-reduced-motion: reduce)');

export class GalleryTab {
  #connection;
  #chosen = simulations[0];
  #running = null;      // the simulation on the device
  #canvas = null;
  #shown = false;       // whether this tab is open
  #paused = still.matches;
  #opening = 0;         // the number of the simulation that was asked for last
  #loop = 0;            // the number of the loop that may go on
  #once = 0;            // frames to draw though it is paused
  #frames = [];         // times of the last frames
  #spot = {x: 0.5, y: 0.5};
  #pointers = new Map();  // pressed pointers, by id
  #moved = null;          // {x, y, dx, dy} since the last frame, while pressed
  #keyPressed = false;

  constructor(connection) {
    this.#connection = connection;
    connection.onReady(() => this.#restart());
    connection.onLost(() => {
      this.#running = null;
      this.#say('The device was taken away; the simulation begins anew when you go on.', true);
    });
    for (const one of simulations) {
      const input = make('input', {type: 'radio', name: 'simulation', value: one.name,
                                   checked: one === this.#chosen});
      input.addEventListener('change', () => this.#choose(one));
      byId('simulations').append(make('label', {}, input, one.title));
    }
    byId('pause').addEventListener('click', () => this.#pause(!this.#paused));
    byId('reset').addEventListener('click', () => this.#reset());
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

  #say(text, bad = false) {
    byId('simulation-message').textContent = text;
    byId('simulation-message').classList.toggle('bad', bad);
  }

  #describe() {
    const {title, label, view, touch} = this.#chosen;
    byId('simulation-title').textContent = title;
    byId('simulation-label').textContent = label;
    byId('simulation-keys').textContent = `${touch} ${keys[view]}`;
    byId('screen-pointer').hidden = true;
    this.#canvas = picture(`${title}: ${label}`);
    byId('screen-picture').replaceChildren(this.#canvas);
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

  #choose(one) {
    this.#chosen = one;
    this.#describe();
    this.#restart();
  }

  // ---- Frames

  async #restart() {
    const mine = ++this.#opening;
    this.#running?.dispose();
    this.#running = null;
    this.#frames = [];
    const {t} = this.#connection;
    if (!t || !this.#shown) return;
    this.#say('Compiling its shaders …');
    for (const id of ['frames-second', 'frame-draws', 'frame-size']) byId(id).textContent = '–';
    try {
      const running = await t.gallery(this.#chosen.name);
      if (mine !== this.#opening) return running.dispose();
      this.#running = running;
      byId('screen').style.aspectRatio = `${running.width} / ${running.height}`;
      byId('frame-size').textContent = `${running.width} × ${running.height}`;
      this.#once = 1;
      this.#go();
      if (!byId('simulation-glsl').hidden) this.#showShaders();
    } catch (error) {
      if (mine === this.#opening && this.#connection.t) this.#say(sentenceOf(error), true);
    }
  }

  #pause(paused) {
    this.#paused = paused;
    byId('pause').textContent = paused ? 'Play' : 'Pause';
    this.#frames = [];
    if (paused) {
      byId('frames-second').textContent = 'paused';  // there may be no next frame to report it
      this.#refreshNumbers();
    }
    this.#go();
  }

  #reset() {
    if (!this.#running) return this.#restart();
    this.#running.reset();
    this.#once = 1;
    this.#go();
  }

  get #wanted() {
    return this.#shown && !document.hidden && this.#running && (!this.#paused || this.#once > 0);
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
      const {draws} = await running.frame(this.#canvas, {});
      if (running !== this.#running) return false;
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
    byId('frames-second').textContent = this.#paused ? 'paused' :
        time > 0 ? ((frames.length - 1) / time * 1000).toFixed(1) : '–';
  }

  // ---- Pointers and keys

  #touch(x, y, dx = 0, dy = 0) {
    const moved = this.#moved ??= {x, y, dx: 0, dy: 0};
    Object.assign(moved, {x, y, dx: moved.dx + dx, dy: moved.dy + dy});
    if (!this.#paused) return;
    this.#once = 1;
    this.#go();
  }

  #zoom(factor, x, y) {
    this.#running?.zoom(factor, {x, y});
    this.#once = 1;
    if (this.#paused) this.#go();
  }

  // The position of an event in the picture, from 0 to 1.
  #placeOf({clientX, clientY}) {
    const box = byId('screen').getBoundingClientRect();
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
      if (!this.#chosen.view) return;
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
    const {view} = this.#chosen;
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
      into.replaceChildren(
          make('p', {class: 'quiet'}, `The next frame: ${plan}.`),
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
