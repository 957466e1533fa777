// The shells on the connection to a server.
import { setTimeout as delay } from 'node:timers/promises'
import { shellLine } from '../../commands/command.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { newWord, openPersistentShell } from '../persistent-shell/persistent-shell.ts'
import { createShellPool, isShell, type OpenResult, type ShellPool } from '../persistent-shell/shell-pool.ts'
import type { SharedConnection } from './shared-connection.ts'
import { noSession } from './ssh-failure.ts'
import { destination } from './ssh-options.ts'

/** How long to retry while sshd refuses a session: it does when git uses many, and just after a connection has ended. */
const REFUSAL_TIMEOUT_MS = 15_000

export function createSshShells(server: ServerAddress, connection: SharedConnection): ShellPool {
  const { takeFree, open, ...pool } = createShellPool({ open: () => openSession(server, connection) })
  return {
    ...pool,
    take: async () => {
      for (let deadline: number | undefined; ; await delay(100)) {
        const kept = await takeFree()
        // Using a connection keeps it open.
        if (kept) await connection.ensure()
        const taken = kept?.isOpen() ? kept : await open()
        if (taken !== 'none') return taken
        deadline ??= performance.now() + REFUSAL_TIMEOUT_MS
        if (performance.now() > deadline) throw noSession(server)
      }
    },
  }
}

/** `none`: there was no shared connection, or sshd allowed no session. */
async function openSession(server: ServerAddress, connection: SharedConnection): Promise<OpenResult | 'none'> {
  await connection.ensure()
  const none = `${newWord()}-none`
  const words = [...connection.ssh(), ...withoutConnection(none), ...destination(server)] as const
  const opened = await openPersistentShell({ around: (shell) => [...words, shellLine(shell)] })
  if (isShell(opened)) return opened
  if (opened.stderr.includes(none)) return 'none'
  return isExitOfSsh(opened.exitCode) ? 'lost' : opened
}

/** ssh itself exits with 255; codes above 128 mean that it was stopped because it did not answer. */
const isExitOfSsh = (exitCode: number): boolean => exitCode === 255 || exitCode > 128

/**
 * Options that prevent ssh from connecting itself: commands use the shared connection or none. Descriptor 3 keeps the pipe to ssh open
 * until the word is written, since ssh kills this command as soon as the pipe closes.
 */
const withoutConnection = (word: string): string[] => [
  '-o',
  'ControlMaster=no',
  '-o',
  `ProxyCommand=echo ${word} 3>&1 >&2`,
]
