// The ports that a Dockerfile says an image listens on.
import { portsInText } from '../compose/outline-ports.ts'
import { interpolate } from '../compose/source/interpolation.ts'

/** What Docker writes into the image of a stage, or of the last one: a stage has the ports of the stage it begins with. */
export function exposedPorts(dockerfile: string, target: string | null = null): readonly number[] {
  return [...stageOf(dockerfile, target).ports].slice(0, MOST_PORTS)
}

/** Ports in what the image sets and starts, for a Dockerfile without EXPOSE. Good enough for a suggestion only. */
export function mentionedPorts(dockerfile: string, target: string | null = null): readonly number[] {
  const { values, started } = stageOf(dockerfile, target)
  return portsInText(started, [...values])
}

type Stage = {
  readonly ports: ReadonlySet<number>
  readonly values: ReadonlyMap<string, string>
  readonly started: string
}

const NOTHING: Stage = { ports: new Set(), values: new Map(), started: '' }

function stageOf(dockerfile: string, target: string | null): Stage {
  const named = new Map<string, Stage>()
  let name = ''
  let stage = NOTHING
  const text = dockerfile.slice(0, MOST_CHARACTERS).replaceAll(/\\\r?\n/g, ' ')
  for (const line of text.split(/\r?\n/)) {
    const [, instruction = '', words = ''] = /^\s*([A-Za-z]{3,12})\s(.*)/s.exec(line) ?? []
    const rest = words.trimStart()
    if (/^from$/i.test(instruction)) {
      if (target !== null && name === target.toLowerCase()) break
      const [, image = '', as = ''] = /^(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?/i.exec(rest) ?? []
      const before = named.get(image.toLowerCase())
      name = as.toLowerCase()
      stage = before ?? NOTHING
    } else stage = withInstruction(stage, instruction.toUpperCase(), rest.slice(0, LONGEST))
    if (name !== '') named.set(name, stage)
  }
  return (target === null ? undefined : named.get(target.toLowerCase())) ?? stage
}

/** A hundred times as long as usual ones. */
const MOST_CHARACTERS = 256 * 1024
const LONGEST = 2_000
const MOST_PORTS = 50

function withInstruction(stage: Stage, instruction: string, rest: string): Stage {
  if (instruction === 'ENV' || instruction === 'ARG') {
    const pairs = [...rest.matchAll(/([A-Za-z_]\w{0,99})=("[^"]*"|'[^']*'|\S*)/g)].map(
      ([, key = '', value = '']) => [key, value.replaceAll(/^["']|["']$/g, '')] as const,
    )
    const [, key, value] = /^([A-Za-z_]\w{0,99})\s([^=]*)$/.exec(rest) ?? []
    const all = key === undefined || value === undefined ? pairs : [[key, value.trim()] as const]
    return stage.values.size > MOST_PORTS ? stage : { ...stage, values: new Map([...stage.values, ...all]) }
  }
  if (instruction === 'CMD' || instruction === 'ENTRYPOINT') return { ...stage, started: `${stage.started}\n${rest}` }
  if (instruction !== 'EXPOSE' || stage.ports.size > MOST_PORTS) return stage
  return { ...stage, ports: new Set([...stage.ports, ...portsOf(rest, stage)]) }
}

function portsOf(words: string, { values }: Stage): readonly number[] {
  return words
    .split(/\s+/)
    .slice(0, MOST_PORTS)
    .flatMap((word) => {
      const { text } = interpolate(word, (name) => (values.has(name) ? { text: values.get(name) ?? '' } : 'unset'))
      const port = Number(/^([0-9]{1,5})(?:-[0-9]{1,5})?(?:\/tcp)?$/i.exec(text)?.[1])
      return port >= 1 && port <= 65_535 ? [port] : []
    })
}
