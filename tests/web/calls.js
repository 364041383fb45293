// SPDX-License-Identifier: MIT
// Counts the calls that a WebGL context gets, as tests/support/null_gl.hpp counts those of a native
// one. A call that sets the present state is redundant.
'use strict';

/** Counts all calls of context `gl` from now on. The result's `made` and `redundant`: by name. */
function countCalls(gl) {
  const counted = {made: {}, redundant: {}};
  const values = new Map([['unit', gl.getParameter(gl.ACTIVE_TEXTURE)]]);  // by state
  // The state that a call sets, and its value.
  const state = {
    activeTexture: (unit) => [['unit'], unit],
    bindTexture: (kind, texture) => [['texture', values.get('unit'), kind], texture],
    useProgram: (program) => [['program'], program],
    bindFramebuffer: (_, framebuffer) => [['framebuffer'], framebuffer],
    bindVertexArray: (array) => [['vertex array'], array],
    bindBuffer: (kind, buffer) => [['buffer', kind], buffer],
    viewport: (...rectangle) => [['viewport'], rectangle],
    enable: (what) => [['enabled', what], true],
    disable: (what) => [['enabled', what], false],
    pixelStorei: (name, value) => [['stored', name], value],
  };
  const locations = new Map();  // numbers of the locations of uniforms, which are objects
  const numbered = (object) => {
    if (!locations.has(object)) locations.set(object, locations.size);
    return locations.get(object);
  };
  const same = (a, b) => a === b || (Array.isArray(a) && Array.isArray(b) &&
                                     a.length === b.length && a.every((one, k) => one === b[k]));
  const note = (name, [key, value]) => {
    const place = key.join();
    if (values.has(place) && same(values.get(place), value)) {
      counted.redundant[name] = (counted.redundant[name] ?? 0) + 1;
    }
    values.set(place, value);
  };
  for (const name in gl) {
    const call = gl[name];
    if (typeof call !== 'function') continue;
    gl[name] = function(...given) {
      counted.made[name] = (counted.made[name] ?? 0) + 1;
      if (name in state) note(name, state[name](...given));
      // Emscripten passes numbers, an array, or its whole memory with a position and a count.
      if (/^uniform[1-4]/.test(name)) {
        const [location, first, from = 0, count] = given;
        const list = typeof first === 'number' ? given.slice(1)
            : Array.from(first.slice(from, count ? from + count : undefined));
        note(name, [['uniform', numbered(location)], list]);
      }
      return call.apply(gl, given);
    };
  }
  return counted;
}
