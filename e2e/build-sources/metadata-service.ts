// A metadata service as clouds have it, at 169.254.169.254, in a network namespace of its own behind the server.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type MetadataService = { stop(): Promise<void> }

/** `inItsNetwork`: words that run a command in the network of the server. */
export async function startMetadataService(inItsNetwork: readonly string[]): Promise<MetadataService> {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-metadata-'))
  writeFileSync(join(folder, 'index.html'), 'credentials\n')
  // It says when its network is there, and serves when it is told that the other end is.
  const serve =
    'ip link set lo up; ip address add 169.254.169.254/32 dev lo; echo ready; read -r _; exec busybox httpd -f -p 80 -h "$1"'
  const child = spawn('unshare', ['--net', '--', 'sh', '-c', serve, 'sh', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(createInterface({ input: child.stdout }), 'line')
  const link = `md${process.pid}`
  const inside = ['nsenter', `--net=/proc/${child.pid}/ns/net`, '--']
  const [, net = ''] = inItsNetwork
  const server = net.replace('--net=', '')
  const run = (...words: readonly string[]): unknown => execFileSync(words[0] ?? '', words.slice(1))
  run('ip', 'link', 'add', `${link}a`, 'type', 'veth', 'peer', 'name', `${link}b`)
  run('ip', 'link', 'set', `${link}a`, 'netns', /\d+/.exec(server)?.[0] ?? '')
  run('ip', 'link', 'set', `${link}b`, 'netns', String(child.pid))
  run(...inItsNetwork, 'ip', 'address', 'add', '192.0.2.1/30', 'dev', `${link}a`)
  run(...inItsNetwork, 'ip', 'link', 'set', `${link}a`, 'up')
  run(...inItsNetwork, 'ip', 'route', 'add', '169.254.169.254/32', 'via', '192.0.2.2')
  run(...inside, 'ip', 'address', 'add', '192.0.2.2/30', 'dev', `${link}b`)
  run(...inside, 'ip', 'link', 'set', `${link}b`, 'up')
  child.stdin.end('\n')
  run(
    ...inItsNetwork,
    'curl',
    '--silent',
    '--retry',
    '20',
    '--retry-connrefused',
    '--retry-delay',
    '1',
    'http://169.254.169.254/',
  )
  return {
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
