// Undoes what would outlive the tests, such as a stopped process or a rule of the firewall, also when they are killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs the constant script with these words when it is asked to, or when this process is gone: its input ends then, however it
 * went. In a group of its own, so that Ctrl-C does not reach it.
 */
export function undoLater(script: string, words: readonly string[]): () => Promise<void> {
  const keeper = spawn('sh', ['-c', `cat >/dev/null; ${script}`, 'undo', ...words], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const ended = once(keeper, 'exit')
  return async () => {
    keeper.stdin.end()
    await ended
  }
}
