// Prints a line with the seconds since the start, for programs that take minutes.
const began = performance.now()

export const say = (line: string): void =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`)
