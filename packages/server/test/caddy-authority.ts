// Debian's Caddy as a certificate authority that speaks ACME, for tests. It asks port 80 of a name, so it runs in a network of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { isOnThePath } from '../../../tools/real-parts/programs.ts'
import { until } from './steps.ts'

export const hasCaddy = isOnThePath('caddy')

type CaddyAuthority = {
  readonly directory: string
  /** PEM file of its root. */
  readonly rootFile: string
  readonly root: string
  start(): Promise<void>
  stop(): Promise<void>
}

/** Certificates are valid for twelve hours. What it remembers lies in the folder. */
export async function startCaddyAuthority(folder: string, port: number): Promise<CaddyAuthority> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, caddyfile(folder, port))
  const rootFile = join(folder, 'pki/authorities/test/root.crt')
  let running: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const caddy = spawn('setpriv', ['--pdeathsig=KILL', '--', 'caddy', 'run', '--config', file], {
      stdio: 'ignore',
      // Caddy writes into the home of the user who runs it unless a folder is set.
      env: { PATH: '/usr/bin:/bin', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    })
    running = caddy
    await until(async () => caddy.exitCode !== null || (existsSync(rootFile) && (await answers(port))))
    if (caddy.exitCode !== null) throw new Error(`Caddy did not start (exit code ${caddy.exitCode})`)
  }
  await start()
  return {
    directory: `https://localhost:${port}/acme/test/directory`,
    rootFile,
    root: readFileSync(rootFile, 'utf8'),
    start,
    stop: async () => {
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
    },
  }
}

/** Port 80 is the edge's, so Caddy must not redirect there. */
const caddyfile = (folder: string, port: number): string => `{
  admin off
  skip_install_trust
  auto_https disable_redirects
  storage file_system ${folder}
  pki {
    ca test {
      name "Test authority"
    }
  }
}
https://localhost:${port} {
  tls {
    issuer internal {
      ca test
    }
  }
  acme_server {
    ca test
  }
}
`

/** Also once it has ordered a certificate for itself. */
async function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const request = get(
    { host: 'localhost', port, path: '/acme/test/directory', rejectUnauthorized: false, agent: false },
    (answer) => answer.resume().once('end', () => resolve(answer.statusCode === 200)),
  )
  request.once('error', () => resolve(false))
  return promise
}
