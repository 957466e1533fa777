/** A value that must not be shown: it prints, inspects, interpolates and serialises as `[hidden]`. */
import { inspect } from 'node:util'

export class Secret<Value extends string | Uint8Array = string> {
  // A #private field is invisible to inspection, spreading, cloning and serialising; a `private` one is not.
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  /** The only way to the value. Call it where the value is used, never where it is passed on. */
  reveal(): Value {
    return this.#value
  }

  toString(): string {
    return hidden
  }

  toJSON(): string {
    return hidden
  }

  [inspect.custom](): string {
    return hidden
  }
}

const hidden = '[hidden]'
