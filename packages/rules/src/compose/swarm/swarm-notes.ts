// What a Swarm does otherwise than one machine, and is harmless.
import type { Note } from '../adapt/note.ts'
import type { ComposeModel, ComposeService } from '../model.ts'
import { isSet, objectOf } from '../policy/policy-rules.ts'
import { within } from '../policy/refusal.ts'
import { isNetworked } from './networked-volumes.ts'
import { isLongStop, isShortPause } from './times.ts'

/** Of a model whose mounts are in their places. */
export const swarmNotes = (model: ComposeModel): readonly Note[] =>
  [...model.services.values()].flatMap((service) => notesOn(service, model))

function notesOn({ name, mounts, replicas, definition }: ComposeService, { volumes }: ComposeModel): readonly Note[] {
  const key = within('services', name)
  const own = mounts.filter(({ type, source }) => type === 'volume' && source !== null)
  const isOnNode = own.some(({ source }) => !isNetworked(volumes.get(source ?? '')))
  const isAlone = own.some(({ isReadOnly }) => !isReadOnly)
  const hasInterval = isSet(objectOf(definition.healthcheck).start_interval)
  const pause = objectOf(objectOf(definition.deploy).restart_policy).delay
  return [
    ...(isOnNode ? [{ key: `${key}.volumes`, sentence: `${key}: runs on the node that has its volumes` }] : []),
    ...(isAlone && replicas > 1
      ? [{ key, sentence: `${key}: runs once and not ${replicas} times, since it writes to a volume` }]
      : []),
    ...(hasInterval
      ? [
          {
            key: `${key}.healthcheck`,
            sentence: `${key}: start_interval is left out. The first check comes after interval`,
          },
        ]
      : []),
    ...(isLongStop(definition.stop_grace_period)
      ? [
          {
            key: `${key}.stop_grace_period`,
            sentence: `${key}: stop_grace_period is 5 minutes, the longest on a Swarm`,
          },
        ]
      : []),
    ...(isShortPause(pause)
      ? [
          {
            key: `${key}.deploy.restart_policy.delay`,
            sentence: `${key}: restart_policy.delay is 1 second, the shortest`,
          },
        ]
      : []),
  ]
}
