// Where hostile inputs are sent: platforms that each begin with the first input that needs them, and what must hold after every one.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginDeployments, type Deployments } from './deployments.ts'
import { beginGuarded, type Guarded } from './guarded.ts'
import { must } from './must.ts'

export type World = {
  /** A file that no command may make. */
  readonly canary: string
  /** Allows no private network, and has another organization beside the one that attacks. */
  guarded(): Promise<Guarded>
  /** Deploys commands of a repository from a real git host, to this machine. */
  manual(): Promise<Deployments>
  /** The same over ssh, to a real sshd that lets people in. */
  ssh(): Promise<Deployments>
  /** Deploys containers on a real Docker Engine. */
  docker(): Promise<Deployments>
  /** Every platform answers, no command ran, and the other organization is as it was. */
  mustBeSound(): Promise<void>
  stop(): Promise<void>
}

/** The Docker Engine is asked for by the first input that needs it. */
export function openWorld(dockerHost: () => Promise<string>): World {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-hostile-'))
  const canary = join(folder, 'canary')
  const begun: Promise<Part>[] = []
  const once = <P extends Part>(begin: () => Promise<P>): (() => Promise<P>) => {
    let part: Promise<P> | undefined
    return () => {
      if (part === undefined) {
        part = begin()
        begun.push(part)
      }
      return part
    }
  }
  return {
    canary,
    guarded: once(beginGuarded),
    manual: once(() => beginDeployments('local')),
    ssh: once(() => beginDeployments('ssh')),
    docker: once(async () => beginDeployments('local', await dockerHost())),
    mustBeSound: async () => {
      must(!existsSync(canary), 'a command that made the canary')
      for (const part of begun) await (await part).mustBeSound()
    },
    stop: async () => {
      for (const part of begun) await (await part).stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Part = { mustBeSound(): Promise<void>; stop(): Promise<void> }
