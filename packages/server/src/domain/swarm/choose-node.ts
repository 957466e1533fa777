// Chooses the node that gets the volumes of a service, when nothing has any of them yet.
import type { SwarmNode, SwarmTask } from './swarm-view.ts'

/** The one with the fewest tasks of those that may have it. Undefined where none may. */
export function chooseNode(
  nodes: readonly SwarmNode[],
  tasks: readonly SwarmTask[],
  constraints: readonly string[],
): SwarmNode | undefined {
  const able = nodes.filter(
    (node) =>
      node.state === 'ready' && node.availability === 'active' && constraints.every((text) => satisfies(node, text)),
  )
  const busy = (node: SwarmNode): number =>
    tasks.filter(({ nodeId, desired }) => nodeId === node.id && desired === 'running').length
  return able.toSorted((a, b) => busy(a) - busy(b) || (a.name < b.name ? -1 : 1))[0]
}

/** A constraint of another kind is left to the Swarm, which says when no node is suitable. */
export function satisfies(node: SwarmNode, constraint: string): boolean {
  const [, key = '', operator, value = ''] = /^([^=!]*)(==|!=)(.*)$/s.exec(constraint) ?? []
  const own = factOf(node, key.trim())
  return own === undefined || (own.toLowerCase() === value.trim().toLowerCase()) === (operator === '==')
}

function factOf({ id, name, role, labels, processor }: SwarmNode, key: string): string | undefined {
  if (key === 'node.id') return id
  if (key === 'node.hostname') return name
  if (key === 'node.role') return role
  if (key === 'node.platform.arch') return processor
  return key.startsWith('node.labels.') ? (labels[key.slice('node.labels.'.length)] ?? '') : undefined
}
