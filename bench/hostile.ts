// The list of hostile inputs: `npm run hostile` tries all of them on real platforms, `npm run hostile -- branch-optinj-002 domains` those of
// these ids and surfaces. Exits with 1 if one does not hold.

import { trials } from '../e2e/hostile-inputs/catalogue.ts'
import { notTried, provenElsewhere } from '../e2e/hostile-inputs/proven-elsewhere.ts'
import { sentenceOf, type Tried, tryAll } from '../e2e/hostile-inputs/try-all.ts'
import { openWorld } from '../e2e/hostile-inputs/world.ts'
import { startEngine } from '../packages/server/test/docker/docker-engine.ts'

const words = process.argv.slice(2)
const surfaces = [...new Set(trials.map(({ surface }) => surface))]
const isNamed = (id: string): boolean => words.some((word) => id === word || id.startsWith(`${word}-`))
const chosen = trials.filter(({ id, surface }) => words.length === 0 || isNamed(id) || words.includes(surface))
if (chosen.length === 0) {
  console.error(`No input is named ${words.join(', ')}. Surfaces: ${surfaces.join(', ')}`)
  process.exit(2)
}

let engine: ReturnType<typeof startEngine> | undefined
const world = openWorld(async () => {
  engine ??= startEngine()
  return (await engine).host
})
try {
  const tried = await tryAll(world, chosen, (one) => {
    if (one.fault !== undefined) console.log(`  ${sentenceOf(one)}`)
  })
  report(tried)
} finally {
  await world.stop()
  await (await engine)?.stop()
}

function report(tried: readonly Tried[]): void {
  console.log('')
  for (const surface of surfaces) {
    const here = tried.filter((one) => one.surface === surface)
    if (here.length === 0) continue
    const held = here.filter(({ fault }) => fault === undefined).length
    const seconds = here.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000
    console.log(`${surface.padEnd(45)} ${held} of ${here.length} held, ${seconds.toFixed(1)} s`)
  }
  const wrong = tried.filter(({ fault }) => fault !== undefined)
  if (wrong.length > 0) process.exitCode = 1
  if (words.length === 0) reportOthers()
  console.log(`${tried.length - wrong.length} of ${tried.length} hostile inputs held`)
}

function reportOthers(): void {
  const proofs = Map.groupBy(provenElsewhere, ([, { file }]) => file)
  for (const [file, rows] of proofs) console.log(`proven by ${file}: ${rows.map(([id]) => id).join(' ')}`)
  const reasons = Map.groupBy(notTried, ([, reason]) => reason)
  for (const [reason, rows] of reasons) console.log(`not tried: ${rows.map(([id]) => id).join(' ')} (${reason})`)
}
