// SPDX-License-Identifier: MIT
// Decides which tensors are freed at the end of each Trigon.scope().

export class Scopes {
  #free;
  #tensorsIn;
  #running = [];        // scopes whose function has not returned or awaited yet, the innermost last
  #of = new WeakMap();  // by tensor: its scope

  /** `tensorsIn` finds all that a function's result holds. */
  constructor(free, tensorsIn) {
    this.#free = free;
    this.#tensorsIn = tensorsIn;
  }

  /** A new tensor belongs to the running scope, or else to that of one of its operands. */
  add(tensor, operands) {
    let scope = this.#running.at(-1);
    for (const one of operands) {
      if (scope) break;
      scope = this.#of.get(one);
    }
    if (!scope || scope.ended) return;
    scope.tensors.add(tensor);
    this.#of.set(tensor, scope);
  }

  /** Whether the tensor was not disposed of before. */
  remove(tensor) {
    if (tensor.disposed) return false;
    tensor.disposed = true;
    this.#of.get(tensor)?.tensors.delete(tensor);
    return true;
  }

  run(fn) {
    const scope = {tensors: new Set(), outer: this.#running.at(-1), ended: false};
    this.#running.push(scope);
    let result;
    try {
      result = fn();
    } catch (error) {
      this.#end(scope, undefined);
      throw error;
    } finally {
      this.#running.splice(this.#running.indexOf(scope), 1);
    }
    if (typeof result?.then !== 'function') return this.#end(scope, result);
    return result.then((value) => this.#end(scope, value), (error) => {
      this.#end(scope, undefined);
      throw error;
    });
  }

  #end(scope, result) {
    scope.ended = true;
    const returned = this.#tensorsIn(result);
    const outer = scope.outer?.ended ? undefined : scope.outer;
    for (const tensor of scope.tensors) {
      if (!returned.has(tensor)) {
        tensor.disposed = true;
        this.#free(tensor);
      } else if (outer) {
        outer.tensors.add(tensor);
        this.#of.set(tensor, outer);
      } else {
        this.#of.delete(tensor);
      }
    }
    scope.tensors.clear();
    return result;
  }
}
