// SPDX-License-Identifier: MIT
// Trees: tensors inside ordinary values. Arrays, objects, instances of classes and Maps are
// branches; all else, such as numbers and texts, is the same in each copy of a tree.

const numbers = new WeakMap();  // of prototypes, functions and objects that are no branches
let lastNumber = 0;

function numbered(name, value) {
  if (!numbers.has(value)) numbers.set(value, ++lastNumber);
  return `${name}#${numbers.get(value)}`;
}

const nameOf = (prototype) => prototype?.constructor?.name || 'object';

// Instances of different classes are different trees, also where the classes share a name.
function classOf(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return '';
  return `${numbered(nameOf(prototype), prototype)} `;
}

// How a value that is no branch stands in a tree's form. Functions and objects stand for themselves.
function textOf(value, name) {
  if (typeof value?.then === 'function') {
    value.then(undefined, () => {});  // this call reports the fault
    throw new TypeError(`trigon.${name}: a promise stands where a tensor is meant; await it ` +
                        'before the call. Functions of tensors are not async');
  }
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return numbered('function', value);
  if (value !== null && typeof value === 'object') {
    return numbered(nameOf(Object.getPrototypeOf(value)), value);
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

// An instance without fields of its own, such as a Date, is no branch.
function isBranch(value) {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value) || value instanceof Map) return true;
  if (typeof value.then === 'function' || ArrayBuffer.isView(value)) return false;
  return classOf(value) === '' || Object.keys(value).length > 0;
}

const keyText = (key) => /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);

/**
 * Lists the leaves of a tree.
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
    if (value instanceof Set && [...value].some((one) => leafOf(one) !== '')) {
      throw new TypeError(`trigon.${name}: a Set holds tensors; put them into an array`);
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
                       (k) => `${keyText(keys[k])}: `);
    return (next) => {
      const made = Object.create(prototype);
      parts.forEach((part, k) => Object.defineProperty(made, keys[k], {
        value: part(next), configurable: true, enumerable: true, writable: true,
      }));
      return made;
    };
  };
  const make = walk(tree);
  return {leaves, form, build: (given) => {
    let at = 0;
    return make(() => given[at++]);
  }};
}

function partsOf(one) {
  if (one instanceof Map || one instanceof Set) return one.values();
  if (ArrayBuffer.isView(one)) return [];
  try {
    return Object.values(one);
  } catch {  // a getter threw: it holds nothing to free
    return [];
  }
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
    else for (const inner of partsOf(one)) open.push(inner);
  }
  return found;
}
