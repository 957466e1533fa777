// Every command and flag that the guide names exists in this release.
import { expect, test } from 'vitest'
import { catalogue } from './catalogue.ts'
import { type Flags, flagName, GLOBAL_FLAGS } from './command.ts'
import { type CommandEntry, isGroup } from './command-entry.ts'
import { findCommand } from './find-command.ts'
import { parseArguments } from './parse-arguments.ts'
import { skillText } from './skill-text.ts'

/** Lines such as `shipway vars list|set` are one for each word. */
function namedCommands(text: string): string[] {
  const inText = [...text.matchAll(/`(shipway [^`]+)`/g)].map(([, line = '']) => line)
  const inBlock = [...text.matchAll(/^(shipway .*?) {2}#/gm)].map(([, line = '']) => line)
  return [...inText, ...inBlock].flatMap((line) => {
    const [, before = '', choices] = /^(shipway \S+ )(\S+\|\S+)$/.exec(line) ?? []
    return choices === undefined ? [line] : choices.split('|').map((choice) => `${before}${choice}`)
  })
}

/** As a shell splits them, up to the next program. */
const wordsOf = (line: string): string[] =>
  (line.split(/ [|>&]/, 1)[0]?.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).slice(1)

test('each command that it names exists, with these flags', async () => {
  const lines = namedCommands(await skillText())
  expect(lines.length).toBeGreaterThan(catalogue.length)
  for (const line of lines) {
    const { entry, rest, path } = findCommand(wordsOf(line))
    if (!entry || isGroup(entry)) throw new Error(`${line} is no command`)
    const command = await entry.load()
    const given = rest.filter((word) => word !== '--help')
    // A bare name stands for the command; with more words, they must fit.
    if (given.length > 0) expect(() => parseArguments(command, given, path), line).not.toThrow()
  }
})

test('each flag in it belongs to a command', async () => {
  const all = await Promise.all(
    catalogue.flatMap((entry) => (isGroup(entry) ? entry.commands : [entry])).map(({ load }) => load()),
  )
  const known = new Set(['--help', ...[GLOBAL_FLAGS, ...all.map(({ flags }) => flags)].flatMap(namesOf)])
  const named = [...(await skillText()).matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((flag) => !known.has(flag))).toEqual([])
})

const namesOf = (flags: Flags): string[] => Object.keys(flags).map(flagName)

test('a command that a release adds is in it, and the loop begins with up once that exists', async () => {
  const names = catalogue.map(({ name }) => name)
  const text = await skillText()
  for (const name of names) expect(text).toContain(`\`shipway ${name}`)
  const added = ['up', 'down', 'run'].filter((name) => !names.includes(name)).map(entryOf)
  const later = await skillText([...catalogue, ...added])
  for (const name of ['up', 'down', 'run']) expect(later).toContain(`- \`shipway ${name}\`: `)
  expect(later).toMatch(/^2\. `shipway up` /m)
})

const entryOf = (name: string): CommandEntry => ({
  name,
  summary: `What ${name} does`,
  load: async () => ({ flags: {}, examples: [[`shipway ${name}`, 'An example']], run: async () => undefined }),
})
