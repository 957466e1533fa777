// What a node of a Swarm for tests reports to its managers, by the program that the set-up installs.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { usageProgram } from '../../src/remote/set-up/server-set-up.ts'
import type { SwarmNode } from './swarm.ts'

/** It answers when this resolves. */
export async function reportUsage(node: SwarmNode): Promise<{ stop(): Promise<void> }> {
  const program = join(node.folder, 'swarm-usage')
  writeFileSync(program, usageProgram())
  chmodSync(program, 0o755)
  const [enter = '', ...words] = node.inItsNetwork()
  const listen = `TCP4-LISTEN:5444,bind=${node.address},reuseaddr,fork`
  const listener = spawn(enter, [...words, 'socat', '-d', '-d', '-U', listen, `EXEC:${program}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((ready, failed) => {
    listener.stderr.on('data', (text: Buffer) => {
      if (text.includes('listening on')) ready()
    })
    listener.once('exit', () => failed(new Error('socat did not start')))
  })
  return { stop: () => end(listener) }
}

async function end(listener: ChildProcess): Promise<void> {
  if (listener.exitCode !== null || listener.signalCode !== null) return
  const ended = once(listener, 'exit')
  listener.kill('SIGTERM')
  await ended
}
