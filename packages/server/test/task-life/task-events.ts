// What can happen to the tasks of a project, and how often it is made up.
import fc from 'fast-check'

/** `lease` counts back from the lease that was handed out last, so that old ones are used as well. */
export type TaskEvent =
  | { readonly what: 'start' | 'push' | 'delete environment'; readonly environment: number }
  | { readonly what: 'delete project' | 'every lease is released' }
  | { readonly what: 'take'; readonly worker: 'A' | 'B' }
  | { readonly what: 'renew'; readonly lease: number }
  | { readonly what: 'release'; readonly lease: number }
  | { readonly what: 'expire'; readonly lease: number }
  | { readonly what: 'begin step' | 'end step'; readonly lease: number; readonly position: number }
  | { readonly what: 'append'; readonly lease: number; readonly bytes: number }
  | { readonly what: 'finish'; readonly lease: number; readonly status: 'succeeded' | 'failed' | 'canceled' }
  | { readonly what: 'cancel'; readonly task: number }

const environment = fc.nat(1)
const lease = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(3) })
const position = fc.integer({ min: 1, max: 2 })

export const taskEvent: fc.Arbitrary<TaskEvent> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('start' as const), environment }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('push' as const), environment }) },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('take' as const), worker: fc.constantFrom('A', 'B') }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom('renew', 'release', 'expire', 'expire'), lease }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('begin step', 'end step'), lease, position }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('append' as const), lease, bytes: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('finish' as const),
      lease,
      status: fc.constantFrom('succeeded', 'failed', 'canceled'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('cancel' as const), task: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('delete environment' as const), environment }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('delete project', 'every lease is released') }) },
)

export const sentenceOf = ({ what, ...rest }: TaskEvent): string => [what, ...Object.entries(rest).flat()].join(' ')
