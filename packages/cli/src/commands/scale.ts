// `shipway scale`: how many containers services of an environment on a Swarm have.
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { report } from '../report.ts'
import { findTarget } from '../target/find-environment.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'

export const scale = command({
  words: [
    { name: '[service=number...]', description: 'services with their number, or default; none: show the numbers' },
  ],
  flags: TARGET_FLAGS,
  notes: 'For environments on a Docker Swarm. Needs no deployment; default is the number of the compose file.',
  examples: [
    ['shipway scale web=5 -e staging', 'Five containers of web, at once and from now on'],
    ['shipway scale web=default -e staging', 'The number of the compose file, with the next deployment'],
    ['shipway scale -e staging', 'Show the numbers'],
  ],
  run: async (ctx, { words, flags }) => {
    const services = Object.fromEntries(words.filter((word) => word !== undefined).map(readWord))
    const target = await findTarget(ctx, flags)
    const client = await ctx.client()
    const params = { id: target.environment.id }
    const isShown = Object.keys(services).length === 0
    const scaled = isShown
      ? await client.getScale({ params })
      : await client.updateScale({ params, body: { services } })
    report(ctx, scaled, () => {
      const rows = scaled.services.map(({ name, replicas }) => [plainText(name), String(replicas ?? 'default')])
      return rows.length === 0
        ? ['Nothing is deployed yet, so there is nothing to scale']
        : tableLines({ head: ['SERVICE', 'CONTAINERS'], rows }, ctx.out.size()?.columns)
    })
    return EXIT.done
  },
})

function readWord(word: string): readonly [string, number | null] {
  const [, name, count] = /^([^=]+)=([1-9][0-9]{0,3}|default)$/.exec(word) ?? []
  if (name === undefined || count === undefined)
    throw UsageError(`${plainText(word)} is not understood. Write a service and its number: web=5, or web=default`)
  return [name, count === 'default' ? null : Number(count)]
}
