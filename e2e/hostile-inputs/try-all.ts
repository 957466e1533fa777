// Tries hostile inputs one after the other: after each, the platforms must be as sound as before it.
import { show } from './must.ts'
import type { Trial } from './table.ts'
import type { World } from './world.ts'

export type Tried = Trial & {
  /** What was got in place of what must hold. */
  readonly fault: string | undefined
  readonly milliseconds: number
}

export async function tryAll(
  world: World,
  trials: readonly Trial[],
  onTried: (tried: Tried) => void = () => undefined,
): Promise<readonly Tried[]> {
  const all: Tried[] = []
  for (const trial of trials) {
    const begun = performance.now()
    const fault = await faultOf(world, trial)
    const tried = { ...trial, fault, milliseconds: performance.now() - begun }
    all.push(tried)
    onTried(tried)
  }
  return all
}

/** `id: sent …, got …` */
export const sentenceOf = ({ id, value, fault }: Tried): string => `${id}: sent ${show(value)}, ${fault}`

async function faultOf(world: World, trial: Trial): Promise<string | undefined> {
  try {
    await trial.run(world)
    await world.mustBeSound()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : show(error)
  }
}
