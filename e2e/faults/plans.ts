// Which faults strike where: every point once in turn, and for how many tasks at it by a seed.
import type { FaultName } from './faults.ts'
import type { Point, WorldPoints } from './points.ts'
import type { Strike } from './round.ts'

/** What one platform on the embedded database has to bear; each is over at once. */
const ANYWHERE: readonly FaultName[] = [
  'kill -9 of the platform',
  'kill -9 of the platform with the loss of its copy of the repository',
  'SIGTERM of the platform',
  'cut of the connections',
  'restart of sshd',
  'cancel of tasks',
  'cancel of tasks and kill -9 of the platform',
]

/** What makes a difference while commands of the repository run. */
const DURING_COMMANDS: readonly FaultName[] = [
  'kill of commands on the server',
  'restart of the server',
  'kill -9 of the platform',
  'cut of the connections',
  'cancel of tasks',
]

/** Strikes of one round in the order of the program, at every fourth point from a place that the seed chooses. */
export function quickPlan({ deployment, commands }: WorldPoints, seed: number, tasks: number): readonly Strike[] {
  return everyNth(4, deployment, { commands, seed, tasks })
}

/** The same for a removal. */
export function removalPlan({ removal, commands }: WorldPoints, seed: number, tasks: number): readonly Strike[] {
  return everyNth(3, removal, { commands, seed, tasks })
}

type Chosen = { readonly commands: readonly string[]; readonly seed: number; readonly tasks: number }

function everyNth(count: number, points: readonly Point[], { commands, seed, tasks }: Chosen): readonly Strike[] {
  const random = randomFrom(seed)
  const from = Math.floor(random() * count)
  return points
    .filter((_, index) => index % count === from)
    .map((point) =>
      strike(point, pick(commands.includes(point.step) ? DURING_COMMANDS : ANYWHERE, random), random() * tasks),
    )
}

/** kill -9 at every point of the program, for as long as there is something left to kill. */
export function killPlan({ deployment }: WorldPoints, seed: number, tasks: number): readonly Strike[] {
  const random = randomFrom(seed)
  return deployment.map((point) => strike(point, 'kill -9 of the platform', random() * tasks))
}

/** One of those that last longer than a lease or a keep-alive. */
export function slowPlan(
  { deployment }: WorldPoints,
  fault: FaultName,
  { seed, tasks }: { readonly seed: number; readonly tasks: number },
): readonly Strike[] {
  const random = randomFrom(seed)
  return [strike(pick(deployment.slice(0, -4), random), fault, random() * tasks)]
}

/** Some tasks fail by themselves on the way, so not all of them come to every point. */
const strike = (point: Point, fault: FaultName, by: number): Strike => ({
  ...point,
  fault,
  by: 1 + Math.floor(by * 0.7),
})

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from')
  return item
}

/** The same numbers for the same seed (mulberry32), so that a round can be had again. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
