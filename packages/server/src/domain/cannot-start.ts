// The error of a server that refuses to start: its message is for the operator and says what to do, no stack needed.
export class CannotStart extends Error {
  override readonly name: string = 'CannotStart'
}
