// The proxy of docs/scale-out.md, with the addresses of a test.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHaproxy } from '../../packages/server/test/haproxy.ts'

type Proxied = { readonly port: number; readonly nodes: readonly { readonly url: string }[] }

export async function startProxy({ port, nodes }: Proxied): Promise<{ stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-proxy-'))
  const haproxy = await startHaproxy({ folder, config: configOf({ port, nodes }, join(folder, 'haproxy.sock')) })
  return {
    stop: async () => {
      await haproxy.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configOf({ port, nodes }: Proxied, socket: string): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/scale-out.md'), 'utf8')
  const [, text = ''] = /```haproxy\n(.*?)```/s.exec(page) ?? []
  const written = ['127.0.0.1:7878', '127.0.0.1:7879', '127.0.0.1:7880']
  const config = written.reduce(
    (all, address, index) => replaced(all, address, new URL(nodes[index]?.url ?? '').host),
    text,
  )
  return replaced(
    replaced(config, '127.0.0.1:7800', `127.0.0.1:${port}`),
    'global\n',
    `global\n  stats socket ${socket} level admin\n`,
  )
}

function replaced(text: string, before: string, after: string): string {
  if (!text.includes(before)) throw new Error(`docs/scale-out.md does not have ${before} any more`)
  return text.replace(before, after)
}
