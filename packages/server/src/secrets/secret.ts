/** A value that must not be shown: printed, inspected, interpolated or serialized, it is `[hidden]`. */
import { inspect } from 'node:util'

export class Secret<Value extends string | Uint8Array = string> {
  // Unlike a `private` field, a #private one is invisible to inspection, spreading, cloning and serialization.
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  /** The only access to the value. Call it where the value is used, never where it is passed on. */
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
