// Parts that are plain programs on the PATH.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { RealPart } from './part.ts'

export const programs: readonly RealPart[] = [
  program('git', { packages: ['git'], withoutIt: 'the tests with repositories' }),
  program('ssh-keygen', {
    packages: ['openssh-client'],
    withoutIt: 'the tests that compare our keys with those of OpenSSH',
  }),
  program('sshd', { packages: ['openssh-server'], withoutIt: 'the tests that reach servers over ssh' }),
  program('sudo', { packages: ['sudo'], withoutIt: 'the tests that run commands as users of environments' }),
  program('haproxy', { packages: ['haproxy'], withoutIt: 'the tests of the edge on servers' }),
  program('nginx', { packages: ['nginx-light'], withoutIt: 'the tests of proxies inside an environment' }),
  program('socat', { packages: ['socat'], withoutIt: 'the tests that speak to the socket of HAProxy' }),
  program('curl', { packages: ['curl'], withoutIt: 'the tests that call a deployed service from its server' }),
  program('tmux', { packages: ['tmux'], withoutIt: 'the tests of one-off commands in tmux' }),
  program('caddy', { packages: ['caddy'], withoutIt: 'the tests that order certificates' }),
  program('ip', { packages: ['iproute2'], withoutIt: 'the tests in a network of their own' }),
  program('unshare', { packages: ['util-linux'], withoutIt: 'the tests in a network of their own' }),
  program('chromium-headless-shell', {
    packages: ['chromium-headless-shell'],
    withoutIt: 'the tests of the dashboard (unless a whole Chromium is here)',
  }),
  program('docker-registry', { packages: ['docker-registry'], withoutIt: 'the tests of registries on a Swarm' }),
  program('busybox', { packages: ['busybox-static'], withoutIt: 'the tests that deploy with Docker' }),
]

function program(name: string, part: Pick<RealPart, 'packages' | 'withoutIt'>): RealPart {
  return { name, isPresent: () => isOnThePath(name), ...part }
}

/** It takes root to have a network of one's own. */
export const hasOwnNetwork =
  process.platform === 'linux' && process.getuid?.() === 0 && isOnThePath('unshare') && isOnThePath('ip')

/** Programs of administrators count too, although the PATH of other users often leaves their folders out. */
export function isOnThePath(program: string): boolean {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
