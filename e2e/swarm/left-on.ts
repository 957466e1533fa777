// What environments have left on the nodes of a Swarm.
import type { Machine } from '../../packages/server/test/docker/machine-of-node.ts'

/** A line for each thing that has a label or a name of the platform. */
export async function leftOn(machines: readonly Machine[]): Promise<readonly string[]> {
  const lists = await Promise.all(machines.map((machine) => listOn(machine)))
  return lists.flat()
}

async function listOn({ node, run }: Machine): Promise<readonly string[]> {
  const labelled = ['--filter', 'label=shipway.environment']
  const asked: readonly (readonly [string, ...string[]])[] = [
    ['container', 'ps', '--all', '--quiet', ...labelled],
    ['network', 'network', 'ls', '--format', '{{.Name}}', ...labelled],
    ['volume', 'volume', 'ls', '--quiet', ...labelled],
    ...(node.role === 'manager'
      ? ([
          ['service', 'service', 'ls', '--format', '{{.Name}}', ...labelled],
          ['secret', 'secret', 'ls', '--format', '{{.Name}}', ...labelled],
          ['config', 'config', 'ls', '--format', '{{.Name}}', ...labelled],
          ['image', 'image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', ...labelled],
        ] as const)
      : []),
  ]
  const found = await Promise.all(
    asked.map(async ([kind, ...words]) => {
      const lines = (await node.docker(...words)).split('\n').filter(Boolean)
      return lines.map((line) => `${node.name}: ${kind} ${line}`)
    }),
  )
  if (node.role !== 'manager') return found.flat()
  const kept = await run(`cd /home/shipway-deploy/.shipway/*/ 2>/dev/null || exit 0
    ls -d environments/* registry/data/docker/registry/v2/repositories/* 2>/dev/null || :`)
  return [
    ...found.flat(),
    ...kept
      .split('\n')
      .filter(Boolean)
      .map((path) => `${node.name}: file ${path}`),
  ]
}
