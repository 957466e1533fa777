// Drops every packet from and to a port of this machine, as a broken network does: without an error.
import { execFileSync, spawnSync } from 'node:child_process'
import { undoLater } from '../../packages/server/test/undo.ts'

/** Whether the firewall of this machine may be changed: as root, outside of most containers. */
export const mayDropPackets: boolean =
  spawnSync('iptables', ['-w', '-n', '-L', 'INPUT'], { stdio: 'ignore' }).status === 0

/** Gives what ends it; that also happens when this process is gone. */
export function dropPackets(port: number): () => Promise<void> {
  const end = undoLater(
    'for side in --dport --sport; do iptables -w -D INPUT -i lo -p tcp "$side" "$1" -j DROP; done',
    [String(port)],
  )
  for (const side of ['--dport', '--sport']) {
    execFileSync('iptables', ['-w', '-I', 'INPUT', '-i', 'lo', '-p', 'tcp', side, String(port), '-j', 'DROP'])
  }
  return end
}
