// Whether a container that commands can enter may run on the manager in use: Docker lets no manager into a container of another node.
import { satisfies } from './choose-node.ts'
import type { SwarmNode, SwarmService } from './swarm-view.ts'

export type HoldPurpose = 'terminal' | 'files'

type Hold = {
  readonly purpose: HoldPurpose
  readonly service: Pick<SwarmService, 'service' | 'node'>
  /** As the Swarm has them. */
  readonly constraints: readonly string[]
}

/** Why no container like those of the service may run on the node; undefined where one may, as far as this knows its constraints. */
export function whyNoHold(
  nodes: readonly SwarmNode[],
  ownNodeId: string,
  { purpose, service: { service, node: volumeNode }, constraints }: Hold,
): string | undefined {
  const node = nodes.find(({ id }) => id === ownNodeId)
  const reason = (): string | undefined => {
    if (!node) return 'which its Swarm does not know'
    if (node.state !== 'ready') return `which is ${node.state}`
    if (node.availability !== 'active') return `which takes no containers: its availability is ${node.availability}`
    if (volumeNode !== '' && volumeNode !== node.id)
      return `and the volumes of ${service} are on ${nodes.find(({ id }) => id === volumeNode)?.name ?? 'another node'}`
    const unmet = constraints.find((constraint) => !satisfies(node, constraint))
    return unmet === undefined ? undefined : `where ${service} may not run: its placement is ${unmet}`
  }
  const why = reason()
  if (why === undefined) return undefined
  return `${NEEDS[purpose]} needs a container on ${node?.name ?? 'the manager'}, the manager in use, ${why}. ${ADVICE[purpose]}`
}

const NEEDS: Readonly<Record<HoldPurpose, string>> = {
  terminal: 'A terminal or piped input',
  files: 'An action that keeps files',
}

const ADVICE: Readonly<Record<HoldPurpose, string>> = {
  terminal: 'Run the command with --detach, which works on every node',
  files: 'Without artifacts it runs on every node: let it send its files somewhere',
}
