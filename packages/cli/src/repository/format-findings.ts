// Formats findings: in paragraphs on a terminal, elsewhere one line each, which editors understand.
import type { Recipe } from '@shipway/api/values/recipe'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import type { RuntimeName } from '@shipway/api/values/runtime'
import { plainLines, plainText } from '../terminal/sanitize.ts'
import type { Paint, Sink } from '../terminal/sink.ts'
import { wrap } from '../terminal/wrap.ts'

export type Finding = {
  /** `fault` fails a deployment; `note` is a change by the platform; `later` is decided at deployment. */
  readonly kind: 'fault' | 'note' | 'later'
  readonly file: string
  readonly line: number
  readonly column: number
  readonly sentence: string
}

export function formatFindings(findings: readonly Finding[], out: Pick<Sink, 'size' | 'paint'>): string[] {
  const size = out.size()
  return KINDS.flatMap((kind) => {
    const of = inOrder(findings.filter((finding) => finding.kind === kind))
    if (of.length === 0) return []
    if (!size)
      return of.map((finding) => `${locationOf(finding)}: ${WORDS[kind]}${plainLines(finding.sentence).trimEnd()}`)
    const columns = Math.min(100, size.columns)
    return [
      ...(TITLES[kind] === '' ? [] : [TITLES[kind]]),
      ...of.flatMap((finding) => [headOf(finding, out.paint), ...indented(finding.sentence, columns)]),
      '',
    ]
  })
}

export function formatVerdict(
  findings: readonly Finding[],
  { recipe, runtime, paint }: { readonly recipe: Recipe; readonly runtime: RuntimeName; readonly paint: Paint },
): string {
  const count = findings.filter(({ kind }) => kind === 'fault').length
  const where = runsContainers[recipe] ? PLACES[runtime] : ''
  if (count === 0) return `No problems found for the ${recipe} recipe${where}.`
  const problems = count === 1 ? '1 problem' : `${count} problems`
  return paint.failed(`${problems}: a deployment with the ${recipe} recipe${where} would fail.`)
}

const PLACES: Readonly<Record<RuntimeName, string>> = { compose: '', swarm: ' on a Docker Swarm' }

const KINDS = ['fault', 'note', 'later'] as const
const WORDS = { fault: '', note: 'note: ', later: 'decided at deployment: ' } as const
const TITLES = { fault: '', note: 'What the platform does:', later: 'Decided at deployment:' } as const

const locationOf = ({ file, line, column }: Finding): string => `${plainText(file)}:${line}:${column}`

const headOf = (finding: Finding, paint: Paint): string =>
  finding.kind === 'fault' ? paint.failed(`  ✗ ${locationOf(finding)}`) : `  · ${locationOf(finding)}`

/** The first line is wrapped; the others may be something to paste and stay as they are. */
function indented(sentence: string, columns: number): string[] {
  const [first = '', ...others] = plainLines(sentence).trimEnd().split('\n')
  return [...wrap(first, columns - 4), ...others].map((line) => (line === '' ? '' : `    ${line}`))
}

/** By file, in the order of discovery, then by position. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const files = [...new Set(findings.map(({ file }) => file))]
  return findings.toSorted(
    (one, other) =>
      files.indexOf(one.file) - files.indexOf(other.file) || one.line - other.line || one.column - other.column,
  )
}
