// Substitutes variables as Compose does: `$NAME`, `${NAME}`, `${NAME:-other}`, `${NAME:?why}`, `${NAME:+other}`.

/** `unknown`: it is set, but its value is not known here. `perhaps`: not even known whether it is set. */
export type Value = { readonly text: string } | 'unknown' | 'perhaps' | 'unset'

export type Use = {
  readonly name: string
  /** `${NAME}`, `${NAME:-default}`, `${NAME:?required}`, `${NAME:+alternative}`. */
  readonly form: 'plain' | 'default' | 'required' | 'alternative'
}

export type Interpolated = {
  readonly text: string
  /** False if it contains an unknown value, or would be endless. */
  readonly isKnown: boolean
  readonly uses: readonly Use[]
}

export function interpolate(text: string, lookUp: (name: string) => Value): Interpolated {
  if (!text.includes('$')) return { text, isKnown: true, uses: [] }
  return parts(text, lookUp, 0)
}

/** Each level is parsed again for the level around it, so the depth is limited. */
const MOST_NESTED = 10

/** As long as a file. A text can repeat a long value in every other character. */
const LONGEST = 1024 * 1024

function parts(text: string, lookUp: (name: string) => Value, depth: number): Interpolated {
  let result = ''
  let isKnown = true
  const uses: Use[] = []
  let at = 0
  const closed = closingBraces(text)
  for (let dollar = text.indexOf('$'); dollar >= 0; dollar = text.indexOf('$', at)) {
    result += text.slice(at, dollar)
    const found = substitutionAt(text, dollar, closed)
    at = found.end
    if (found.type === 'text') {
      result += found.text
      continue
    }
    const put = valueFor(found, lookUp, depth)
    const isTooLong = result.length + put.text.length > LONGEST
    isKnown &&= put.isKnown && !isTooLong
    if (!isTooLong) result += put.text
    uses.push(...put.uses)
  }
  return { text: result + text.slice(at), isKnown, uses }
}

type Substitution = { readonly name: string; readonly operator: string; readonly rest: string }
type Interpolation = { readonly end: number } & (
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'variable' } & Substitution)
)

function substitutionAt(text: string, dollar: number, closed: ReadonlyMap<number, number>): Interpolation {
  if (text[dollar + 1] === '$') return { type: 'text', text: '$', end: dollar + 2 }
  const isBraced = text[dollar + 1] === '{'
  const start = isBraced ? dollar + 2 : dollar + 1
  const [name = ''] = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text.slice(start, start + LONGEST_NAME)) ?? []
  const after = start + name.length
  const plain: Interpolation = { type: 'text', text: '$', end: dollar + 1 }
  if (name === '') return plain
  if (!isBraced) return { type: 'variable', name, operator: '', rest: '', end: after }
  const end = closed.get(dollar)
  if (end === undefined) return plain
  const [, operator = '', rest = ''] = /^(:?[-?+])?([\s\S]*)$/.exec(text.slice(after, end)) ?? []
  // Compose refuses anything else there.
  return operator === '' && rest !== '' ? plain : { type: 'variable', name, operator, rest, end: end + 1 }
}

const LONGEST_NAME = 300

/** The closing brace of each `${`. One pass, since a text can consist of openings only. */
function closingBraces(text: string): ReadonlyMap<number, number> {
  const closed = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '$' && text[at + 1] === '$') at++
    else if (text[at] === '$' && text[at + 1] === '{') open.push(at)
    else if (text[at] === '}') {
      const start = open.pop()
      if (start !== undefined) closed.set(start, at)
    }
  }
  return closed
}

function valueFor(
  { name, operator, rest }: Substitution,
  lookUp: (name: string) => Value,
  depth: number,
): Interpolated {
  const value = lookUp(name)
  const form = FORMS[operator.at(-1) ?? ''] ?? 'plain'
  const own = { name, form }
  // A variable that may be set counts as unset if the file has a default or an alternative.
  const isUnset = value === 'unset' || (value === 'perhaps' && (form === 'default' || form === 'alternative'))
  if (value === 'unknown' || (value === 'perhaps' && !isUnset)) return { text: '', isKnown: false, uses: [own] }
  const text = typeof value === 'object' ? value.text : ''
  const isThere = !isUnset && (text !== '' || !operator.startsWith(':'))
  const given = { text, isKnown: true, uses: [own] }
  if (depth >= MOST_NESTED || (form === 'default') === isThere || form === 'plain' || form === 'required') {
    return form === 'alternative' ? { ...given, text: '' } : given
  }
  const other = parts(rest, lookUp, depth + 1)
  return { ...other, uses: [own, ...other.uses] }
}

const FORMS: Readonly<Record<string, Use['form']>> = { '-': 'default', '?': 'required', '+': 'alternative' }
