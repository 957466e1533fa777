// Events about changed records. An event names the record; listeners read the record itself.
import { z } from 'zod'

const Id = z.int()
const How = z.enum(['created', 'updated', 'deleted'])
/** A deleted record cannot be looked up, so its event names the organization. */
const record = <About extends string>(about: About) =>
  z.object({ about: z.literal(about), id: Id, how: How, organizationId: Id.optional() })

/**
 * Parsed when it comes from another process. The first events are about what pages show. Parts of a record use the event of that
 * record: members and invitations that of their organization, certificates, variables and waiting pull requests that of their project or
 * environment, sign-ins and tokens that of their user. Records that show parts of another one get events when that one changes
 * (`store/implied-events.ts`). The audit log has no events.
 */
export const ChangeEvent = z.discriminatedUnion('about', [
  record('organization'),
  record('project'),
  record('environment'),
  record('server'),
  record('task'),
  /** Of the task with that id. */
  z.object({ about: z.literal('step'), id: Id, position: z.int(), how: How }),
  z.object({ about: z.literal('output'), id: Id }),
  /** Name, roles, sign-ins or tokens of a user. */
  record('user'),
  /** A delivery that has its outcome; pages do not show it before. */
  z.object({ about: z.literal('delivery'), id: Id, projectId: Id }),
  // Events below are for the platform itself; pages do not show them.
  /** A task was queued or has ended, or there is something to report to a git host. */
  z.object({ about: z.literal('queue') }),
  /** There is a mail to send. */
  z.object({ about: z.literal('mail') }),
  /** The task with that id was asked to stop. */
  z.object({ about: z.literal('cancel'), id: Id }),
  /** Routes or basic authentication changed. */
  z.object({ about: z.literal('routes') }),
  /** A slot of the project may have become free. */
  z.object({ about: z.literal('slots'), id: Id }),
  /** ssh certificates of that organization's members were revoked. */
  z.object({ about: z.literal('revocations'), id: Id }),
  /** The address of a server changed, or the server was deleted. */
  z.object({ about: z.literal('connection'), id: Id }),
  /** Events of another process may have been lost. */
  z.object({ about: z.literal('missed') }),
])
export type ChangeEvent = z.infer<typeof ChangeEvent>

const NOTED = ['organization', 'project', 'environment', 'server', 'task', 'step', 'delivery', 'user'] as const

/** Events that the journal stores: everything that a page can show. Not output, which readers follow by its offset. */
export type JournaledEvent = Extract<ChangeEvent, { about: (typeof NOTED)[number] }>

export const isJournaled = (event: ChangeEvent): event is JournaledEvent => NOTED.some((about) => about === event.about)

/** Collects each event once; "created" followed by "updated" stays "created". */
export function collectEvents(): { add(event: ChangeEvent): void; all(): readonly ChangeEvent[] } {
  const byThing = new Map<string, ChangeEvent>()
  return {
    add: (event) => {
      const key = JSON.stringify({ ...event, how: undefined, organizationId: undefined })
      const earlier = byThing.get(key)
      const isKnown =
        earlier && 'how' in earlier && 'how' in event && earlier.how !== 'updated' && event.how === 'updated'
      if (!isKnown) byThing.set(key, event)
    },
    all: () => [...byThing.values()],
  }
}
