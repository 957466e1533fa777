// Predicts what Compose itself would refuse, with positions and advice.
import type { Fault } from '../../fault.ts'
import { type ReadFiles, remarkOn } from '../read-compose-files.ts'
import { faultAt } from '../source/collect-sources.ts'
import { knownValue } from '../source/known-variables.ts'
import { checkConflicts } from './check-conflicts.ts'
import { checkDollars } from './check-dollars.ts'
import { checkExtends, servicesIn } from './check-extends.ts'
import { checkKinds } from './check-kinds.ts'
import { checkReferences } from './check-references.ts'
import { checkValues } from './check-values.ts'

type Read = Pick<ReadFiles, 'sources' | 'document' | 'known' | 'leftOut'>

export function predictRefusals(
  { sources, document, known, leftOut }: Read,
  files: readonly string[],
): readonly Fault[] {
  const servicesOf = servicesIn(sources)
  const written = sources.flatMap((source) =>
    [
      ...checkKinds(source.document),
      ...checkDollars(source.document),
      ...checkValues(source.document, (name) => knownValue(known, name)),
      ...checkExtends(source, servicesOf),
    ].map(({ key, sentence }) => faultAt(source, key, sentence)),
  )
  const isEmpty = sources.length > 0 && sources.every((source) => source.document.services === undefined)
  const none = isEmpty ? [{ key: 'services', sentence: NO_SERVICES }] : []
  const names = leftOut.map(({ name }) => name)
  const resolved = [...none, ...checkReferences(document, names), ...checkConflicts(document)]
  return [...written, ...resolved.map((fault) => remarkOn(sources, files, fault))]
}

const NO_SERVICES = 'The file has no services. Put what is to run under the key services'
