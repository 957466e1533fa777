// Parses topics, and finds the topics of a change.
import type { LiveTopic } from '@shipway/api/live'
import type { JournalEntry } from '../../store/journal.ts'

export type Topic = {
  readonly name: LiveTopic
  readonly kind: 'organization' | 'project' | 'environment' | 'server' | 'task' | 'log' | 'output'
  /** Of a log, the id of its task; of service logs, that of the environment. */
  readonly id: number
}

/** Of a name that the contract allows. */
export function readTopic(name: LiveTopic): Topic {
  const [kind = '', id, part] = name.split(':')
  return { name, kind: (part ?? kind) as Topic['kind'], id: Number(id) }
}

/** A change is announced to the topic of its record and to that of the record's parent. */
export function topicsOf({
  about,
  id,
  parentId,
}: Pick<JournalEntry, 'about' | 'id' | 'parentId'>): readonly LiveTopic[] {
  switch (about) {
    case 'organization':
      return [`organization:${id}`]
    case 'project':
    case 'server':
      return [`${about}:${id}`, `organization:${parentId}`]
    case 'environment':
      return [`environment:${id}`, `project:${parentId}`]
    case 'task':
      return [`task:${id}`, `environment:${parentId}`]
    case 'step':
      return [`task:${id}`]
    case 'delivery':
      return [`project:${parentId}`]
    case 'user':
      return []
  }
}
