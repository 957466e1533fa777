// What is told once records have changed: which one to look at, never what it says. The records say that.
import { z } from 'zod'

const Id = z.int()
const How = z.enum(['created', 'updated', 'deleted'])
/** One that is gone is found no more, so its news says whose it was. */
const record = <About extends string>(about: About) =>
  z.object({ about: z.literal(about), id: Id, how: How, organizationId: Id.optional() })

/**
 * Parsed where it comes from another process. First what a page can show. What is no record of its own is told of by the record that it
 * belongs to: members and invitations by their organization, certificates, variables and waiting pull requests by their project or
 * environment, sign-ins and tokens by their user. What an answer shows of another record is told of by whoever changes that one
 * (`store/implied-events.ts`). The audit log is not told of.
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
  /** Somebody's name, roles, sign-ins or tokens. */
  record('user'),
  /** One that has its outcome; until then it is nobody's business. */
  z.object({ about: z.literal('delivery'), id: Id, projectId: Id }),
  // What only the platform itself goes by.
  /** A task waits or has ended, or a git host is to be told something. */
  z.object({ about: z.literal('queue') }),
  /** There is a mail to send. */
  z.object({ about: z.literal('mail') }),
  /** Somebody wants the task with that id to end. */
  z.object({ about: z.literal('cancel'), id: Id }),
  /** Where names lead, and what an edge asks of visitors. */
  z.object({ about: z.literal('routes') }),
  /** A project has room for one more environment, perhaps. */
  z.object({ about: z.literal('slots'), id: Id }),
  /** Certificates of the people of the organization with that id were revoked. */
  z.object({ about: z.literal('revocations'), id: Id }),
  /** How a server is reached, or that it is gone. */
  z.object({ about: z.literal('connection'), id: Id }),
  /** News of another process may have got lost. */
  z.object({ about: z.literal('missed') }),
])
export type ChangeEvent = z.infer<typeof ChangeEvent>

const NOTED = ['organization', 'project', 'environment', 'server', 'task', 'step', 'delivery', 'user'] as const

/** What is written down with the change itself: what a page can show, and who may see it. Output is not, it goes by its offset. */
export type JournaledEvent = Extract<ChangeEvent, { about: (typeof NOTED)[number] }>

export const isJournaled = (event: ChangeEvent): event is JournaledEvent => NOTED.some((about) => about === event.about)

/** The same thing is told once: of one that was made and then changed, that it was made. */
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
