// The constant scripts of the edge, as commands. What differs goes by words and by standard input.
import { readFileSync } from 'node:fs'
import type { Command } from '../../commands/command.ts'

type Sizes = { readonly version: number; readonly routesBytes: number; readonly bytes: number }

export const applyCommand = (folder: string, { version, routesBytes, bytes }: Sizes): Command =>
  shell(applyScript, folder, ...[version, routesBytes, bytes].map(String))

export const streamsCommand = (folder: string, ports: readonly number[]): Command =>
  shell(streamsScript, folder, ...ports.map(String))

export const trafficCommand = (folder: string): Command => shell(trafficScript, folder)

const applyScript = `${script('edge')}\n${script('apply')}`
const streamsScript = `${script('edge')}\n${script('streams')}`
const trafficScript = `${script('edge')}\n${script('traffic')}`

function shell(text: string, ...words: string[]): Command {
  return ['sh', '-c', text, 'shipway-edge', ...words]
}

/** Without the comments: they are for readers of the files, not for the process lists of servers. */
function script(name: string): string {
  return readFileSync(new URL(`scripts/${name}.sh`, import.meta.url), 'utf8').replaceAll(/^ *#.*\n/gm, '')
}
