// SPDX-License-Identifier: MIT
// The simulations' properties that need no device. Tests compare sizes, steps and views with
// gallery.cpp and samples/simulate.
import {numberIn} from './link.mjs';

const clamp = (x, [least, most]) => Math.min(most, Math.max(least, x));

// Views follow what the library does with the same movements, so that a link can hold them.
// `zoom`: how many times larger than at first.
const plane = {
  first: {x: -0.7, y: 0, width: 3},
  bounds: {x: [-2, 2], y: [-2, 2], width: [1e-5, 8]},
  // float32 tells the pixels of narrower views no longer from each other.
  within: ({x, y, width}, size) => ({x, y, width: clamp(width, [2 ** -22 * size, 8])}),
  move: ({x, y, width}, {dx, dy}) => ({x: clamp(x - dx * width, [-2, 2]),
                                       y: clamp(y + dy * width, [-2, 2]), width}),
  magnify(view, {factor, x, y}, size) {
    const {width} = plane.within({...view, width: view.width / factor}, size);
    const change = view.width - width;
    return {x: clamp(view.x + (x - 0.5) * change, [-2, 2]),
            y: clamp(view.y - (y - 0.5) * change, [-2, 2]), width};
  },
  zoom: ({width}) => plane.first.width / width,
  open(running, {x, y, width}) {
    const {first} = plane;
    running.zoom(first.width / width);
    running.pointer({x: 0.5, y: 0.5, dx: (first.x - x) / width, dy: (y - first.y) / width});
  },
};
const camera = {
  first: {turn: 0, height: 0.75, distance: 3.4},
  bounds: {turn: [-1e3, 1e3], height: [-1.5, 1.5], distance: [0.5, 12]},
  within: (view) => view,
  move: ({turn, height, distance}, {dx, dy}) =>
      ({turn: turn + 3 * dx, height: clamp(height + 3 * dy, [-1.5, 1.5]), distance}),
  magnify: (view, {factor}) => ({...view, distance: clamp(view.distance / factor, [0.5, 12])}),
  zoom: ({distance}) => camera.first.distance / distance,
  open(running, {turn, height, distance}) {
    const {first} = camera;
    running.pointer({x: 0.5, y: 0.5, dx: (turn - first.turn) / 3, dy: (height - first.height) / 3});
    running.zoom(first.distance / distance);
  },
};

/**
 * `view`: arrows and zoom move it; without one they move a spot at which the space bar touches the
 * picture. `rests`: steps after which the picture stays as it is; 0: never. `size`, `steps`: of a
 * frame, with bounds and the step of their sliders; `zoom`: bounds. `parameters`: numbers that
 * change while it runs.
 */
export const simulations = [
  {name: 'fluid', title: 'Fluid', label: 'Smoke in a box.', view: null, rests: 0,
   size: {first: 160, least: 64, most: 320, step: 32, unit: 'Cells along a side'},
   steps: {first: 1, least: 1, most: 4, step: 1},
   parameters: {buoyancy: {first: 0.05, least: 0, most: 0.2, step: 0.01, label: 'Buoyancy'}},
   touch: 'Drag to stir, and to leave smoke.'},
  {name: 'mandelbrot', title: 'Mandelbrot', label: 'The Mandelbrot set, coloured by how fast ' +
    'points escape.', view: plane, rests: 4000, zoom: [1, 30000],
   size: {first: 400, least: 100, most: 800, step: 100, unit: 'Pixels along a side'},
   steps: {first: 200, least: 50, most: 1000, step: 50},
   parameters: {},
   touch: 'Drag to move; turn the wheel or pinch to zoom.'},
  {name: 'gray_scott', title: 'Gray-Scott', label: 'Two substances react and spread.',
   view: null, rests: 0,
   size: {first: 256, least: 64, most: 512, step: 64, unit: 'Cells along a side'},
   steps: {first: 16, least: 1, most: 64, step: 1},
   parameters: {feed: {first: 0.037, least: 0.01, most: 0.08, step: 0.001, label: 'Feed'},
                kill: {first: 0.06, least: 0.04, most: 0.07, step: 0.001, label: 'Kill'}},
   touch: 'Press to pour in the second substance.'},
  {name: 'life', title: 'Life', label: 'Conway’s game of life.', view: null, rests: 0,
   size: {first: 200, least: 50, most: 400, step: 50, unit: 'Cells along a side'},
   steps: {first: 1, least: 1, most: 8, step: 1},
   parameters: {},
   touch: 'Press to bring cells to life.'},
  {name: 'n_body', title: 'N-body', label: 'Stars of two galaxies that attract each other.',
   view: camera, rests: 0, zoom: [0.3, 6.8],
   size: {first: 512, least: 128, most: 1024, step: 128, unit: 'Stars'},
   steps: {first: 1, least: 1, most: 4, step: 1},
   parameters: {},
   touch: 'Drag to turn the view; turn the wheel or pinch to come nearer.'},
];

/** A choice of a simulation, its numbers and its view, as the first fields of a link. */
export function fieldsOf({one, size, steps, parameters, view}) {
  const fields = one === simulations[0] ? {} : {simulation: one.name};
  if (size !== one.size.first) fields.size = String(size);
  if (steps !== one.steps.first) fields.steps = String(steps);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== one.parameters[name].first) fields[name] = String(value);
  }
  for (const [name, value] of Object.entries(view ?? {})) {
    if (Math.abs(value - one.view.first[name]) < 1e-9) continue;
    fields[name] = String(Number(value.toPrecision(9)));
  }
  return fields;
}

/** The choice at the beginning of a simulation. */
export const firstOf = (one) => ({
  one, size: one.size.first, steps: one.steps.first,
  parameters: Object.fromEntries(
      Object.entries(one.parameters).map(([name, {first}]) => [name, first])),
  view: one.view && {...one.view.first},
});

/** The choice of a link, and the names that it does not understand. */
export function choiceOf(fields) {
  const asked = fields.get('simulation') ?? simulations[0].name;
  const one = simulations.find(({name}) => name === asked);
  if (!one) return {choice: null, wrong: ['simulation']};
  const choice = firstOf(one);
  const wrong = [];
  for (const [name, text] of fields) {
    if (name === 'simulation') continue;
    const isView = one.view !== null && Object.hasOwn(one.view.bounds, name);
    const isParameter = Object.hasOwn(one.parameters, name);
    const [least, most] = isView ? one.view.bounds[name] :
        isParameter ? [one.parameters[name].least, one.parameters[name].most] :
        name === 'size' || name === 'steps' ? [one[name].least, one[name].most] : [0, -1];
    const value = numberIn(text, least, most);
    const isStep = isView || isParameter || (value - least) % one[name]?.step === 0;
    if (value === undefined || !isStep) wrong.push(name);
    else if (isView) choice.view[name] = value;
    else if (isParameter) choice.parameters[name] = value;
    else choice[name] = value;
  }
  if (one.view) choice.view = one.view.within(choice.view, choice.size);
  return {choice, wrong};
}

/** The functions of a simulation in C++ that compute a step and its picture. */
export function tensorCode(source) {
  const found = ['next', 'pressure', 'picture'].map((name) =>
      new RegExp(`^[\\w:]+ \\w+::${name}\\([^]*?^}`, 'm').exec(source)?.[0]);
  return found.filter((one) => one !== undefined).join('\n\n');
}
