// What engines that run at once must not share: a folder, a bridge and a range of addresses, all named by one number.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holdingLock } from '../machine-lock.ts'

export type EngineSlot = Readonly<{
  folder: string
  bridge: string
  /** The addresses of its bridge and of the networks that it makes. */
  subnet: string
  cgroup: string
}>

const slotCount = 16

/** Slots whose processes were killed are cleared first. */
export function takeSlot(): Promise<EngineSlot> {
  return holdingLock('engine-slots', () => {
    const slots = Array.from({ length: slotCount }, (_, number) => slotOf(number))
    for (const slot of slots.filter(isAbandoned)) clearIfOver(slot)
    const slot = slots.find(isFree)
    if (!slot) throw new Error(`${slotCount} engines for tests run already. Stop some of them and try again.`)
    // Other users may pass through it to the socket, which is for the group `docker`.
    mkdirSync(slot.folder, { mode: 0o711 })
    writeFileSync(join(slot.folder, 'owner'), birthOf(process.pid) ?? '')
    // dockerd reads the machine's own settings where it is given no file.
    writeFileSync(join(slot.folder, 'daemon.json'), '{}')
    makeBridge(slot)
    return slot
  })
}

export function releaseSlot(slot: EngineSlot): Promise<void> {
  return holdingLock('engine-slots', () => clear(slot))
}

/** The addresses are of 198.18.0.0/15, which is kept for tests and never routed: 128 networks of 62 for each engine. */
function slotOf(number: number): EngineSlot {
  const name = `shipway-engine-${number}`
  const [second, third] = [18 + Math.floor(number / 8), (number % 8) * 32]
  return {
    folder: join(tmpdir(), name),
    bridge: `shipway${number}`,
    subnet: `198.${second}.${third}.0/19`,
    cgroup: `/${name}`,
  }
}

/** The bridge may belong to a process with another temporary folder. */
function isFree({ folder, bridge }: EngineSlot): boolean {
  return !existsSync(folder) && !existsSync(`/sys/class/net/${bridge}`)
}

function makeBridge({ bridge, subnet }: EngineSlot): void {
  const address = subnet.replace(/0\/19$/, '1/26')
  execFileSync('ip', ['link', 'add', bridge, 'type', 'bridge'])
  execFileSync('ip', ['address', 'add', address, 'dev', bridge])
  execFileSync('ip', ['link', 'set', bridge, 'up'])
}

function isAbandoned({ folder }: EngineSlot): boolean {
  if (!existsSync(folder)) return false
  const file = join(folder, 'owner')
  const owner = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return owner === '' || birthOf(Number.parseInt(owner, 10)) !== owner
}

/** A process's number and the moment when it started, which together never come back. */
function birthOf(pid: number): string | undefined {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  // The name of the program stands in brackets and may hold spaces; the moment is the twentieth field after it.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return `${pid} ${fields[19]}`
}

/** Right after its owner was killed, the engine may be about to end still; then it is left to the next process. */
function clearIfOver(slot: EngineSlot): void {
  try {
    clear(slot)
  } catch (error) {
    const codes = new Set<unknown>(['EBUSY', 'ENOTEMPTY'])
    if (!(error instanceof Error && 'code' in error && codes.has(error.code))) throw error
  }
}

function clear(slot: EngineSlot): void {
  for (const folder of cgroupFolders(slot.cgroup)) removeTree(folder)
  for (const bridge of bridgesIn(slot.subnet)) execFileSync('ip', ['link', 'delete', bridge])
  rmSync(slot.folder, { recursive: true, force: true })
}

type Link = Readonly<{ ifname?: string; addr_info?: ReadonlyArray<{ local?: string }> }>

function bridgesIn(subnet: string): string[] {
  const [base = '', bits] = subnet.split('/')
  const range = new BlockList()
  range.addSubnet(base, Number(bits))
  const output = execFileSync('ip', ['-json', '-4', 'address', 'show', 'type', 'bridge'], { encoding: 'utf8' })
  const links = JSON.parse(output) as Link[]
  return links.flatMap(({ ifname, addr_info: addresses = [] }) =>
    ifname !== undefined && addresses.some(({ local = '' }) => range.check(local)) ? [ifname] : [],
  )
}

/** One folder in each hierarchy with the first version of cgroups, one in all with the second. */
function cgroupFolders(cgroup: string): string[] {
  const root = '/sys/fs/cgroup'
  const hierarchies = [root, ...readdirSync(root).map((name) => join(root, name))]
  return hierarchies.map((hierarchy) => join(hierarchy, cgroup)).filter(existsSync)
}

/** The files in a cgroup go with its folder and cannot be removed one by one. */
function removeTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(folder, entry.name))
  }
  rmdirSync(folder)
}
