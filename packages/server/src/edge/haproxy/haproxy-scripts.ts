// Commands that talk to HAProxy, from constant scripts. Everything variable is passed as arguments and on standard input.
import type { Command } from '../../commands/command.ts'
import { loadScript, shell } from '../../commands/script.ts'

type Sizes = { readonly version: number; readonly routesBytes: number; readonly bytes: number }

export const applyCommand = (folder: string, { version, routesBytes, bytes }: Sizes): Command =>
  shell(applyScript, NAME, folder, ...[version, routesBytes, bytes].map(String))

type UpstreamList = {
  readonly version: number
  readonly bytes: number
  readonly groups: { readonly first: number; readonly last: number }
  readonly joining: readonly number[]
}

export const balanceCommand = (folder: string, { version, bytes, groups, joining }: UpstreamList): Command =>
  shell(balanceScript, NAME, folder, ...[version, bytes, groups.first, groups.last, ...joining].map(String))

export const streamsCommand = (folder: string, ports: readonly number[]): Command =>
  shell(streamsScript, NAME, folder, ...ports.map(String))

type Visit = { readonly domain: string; readonly seconds: number; readonly name: string }

export const visitCommand = (folder: string, { domain, seconds, name }: Visit): Command =>
  shell(visitScript, NAME, folder, domain, String(seconds), name)

export const upstreamsCommand = (folder: string): Command => shell(upstreamsScript, NAME, folder)

export const trafficCommand = (folder: string): Command => shell(trafficScript, NAME, folder)

const NAME = 'shipway-edge'
const applyScript = loadScript(import.meta.url, 'edge', 'apply')
const balanceScript = loadScript(import.meta.url, 'edge', 'balance')
const streamsScript = loadScript(import.meta.url, 'edge', 'streams')
const upstreamsScript = loadScript(import.meta.url, 'edge', 'upstreams')
const visitScript = loadScript(import.meta.url, 'edge', 'visit')
const trafficScript = loadScript(import.meta.url, 'edge', 'traffic')
