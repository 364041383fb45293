// SPDX-License-Identifier: MIT
// Trees: tensors inside ordinary values. Arrays, objects, instances of classes and Maps are
// branches; all else, such as numbers and texts, is the same in each copy of a tree.

const prototypes = new WeakMap();  // their numbers
let lastPrototype = 0;

// Instances of different classes are different trees, also where the classes share a name.
function classOf(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return '';
  if (!prototypes.has(prototype)) prototypes.set(prototype, ++lastPrototype);
  return `${prototype.constructor?.name ?? 'object'}#${prototypes.get(prototype)} `;
}

// How a value that is no branch stands in a tree's form.
function textOf(value, name) {
  if (typeof value === 'function') return 'a function';
  if (typeof value?.then === 'function') {
    value.then(undefined, () => {});  // this call reports the fault
    throw new TypeError(`trigon.${name}: a promise stands where a tensor is meant; await it ` +
                        'before the call. Functions of tensors are not async');
  }
  if (Object.is(value, -0)) return '-0';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

const isBranch = (value) => value !== null && typeof value === 'object' &&
    typeof value.then !== 'function' && !ArrayBuffer.isView(value) &&
    !(value instanceof ArrayBuffer) && !(value instanceof Date) && !(value instanceof Set);

/**
 * Takes a tree apart.
 * @param {unknown} tree
 * @param {(value: unknown) => string} leafOf The kind of a leaf, as 'tensor'; '' for all else.
 * @param {string} name Of the function, for errors.
 * @returns {{leaves: object[], form: string, build: (leaves: unknown[]) => unknown}}
 *     `build` makes a copy with other leaves. Trees of one `form` differ only in their leaves.
 */
export function flatten(tree, leafOf, name) {
  const leaves = [], open = new Set();
  let form = '';
  // Each returns a function that makes its part from the next leaves.
  const walk = (value) => {
    const kind = leafOf(value);
    if (kind !== '') {
      leaves.push(value);
      form += kind;
      return (next) => next();
    }
    if (!isBranch(value)) {
      form += textOf(value, name);
      return () => value;
    }
    if (open.has(value)) throw new TypeError(`trigon.${name}: a tree contains itself`);
    open.add(value);
    const make = branch(value);
    open.delete(value);
    return make;
  };
  const list = (values, begin, end, label = () => '') => {
    form += begin;
    const parts = values.map((one, k) => {
      form += (k > 0 ? ', ' : '') + label(k);
      return walk(one);
    });
    form += end;
    return parts;
  };
  const branch = (value) => {
    if (Array.isArray(value)) {
      const parts = list(value, '[', ']');
      return (next) => parts.map((part) => part(next));
    }
    if (value instanceof Map) {
      const keys = [...value.keys()];
      const parts = list([...value.values()], 'Map {', '}', (k) => `${textOf(keys[k], name)}: `);
      return (next) => new Map(parts.map((part, k) => [keys[k], part(next)]));
    }
    const keys = Object.keys(value), prototype = Object.getPrototypeOf(value);
    const parts = list(keys.map((key) => value[key]), `${classOf(value)}{`, '}',
                       (k) => `${keys[k]}: `);
    return (next) => {
      const made = Object.create(prototype);
      parts.forEach((part, k) => { made[keys[k]] = part(next); });
      return made;
    };
  };
  const make = walk(tree);
  return {leaves, form, build: (given) => {
    let at = 0;
    return make(() => given[at++]);
  }};
}

/** All leaves that a value holds, in whatever it is: for freeing. */
export function leavesIn(value, isLeaf) {
  const found = new Set(), seen = new Set(), open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (one === null || (typeof one !== 'object' && typeof one !== 'function') || seen.has(one)) {
      continue;
    }
    seen.add(one);
    const leaf = isLeaf(one);
    if (leaf) found.add(leaf);
    else if (one instanceof Map || one instanceof Set) open.push(...one.values());
    else if (!ArrayBuffer.isView(one)) open.push(...Object.values(one));
  }
  return found;
}
