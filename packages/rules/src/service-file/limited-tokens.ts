/** Tokenizes a YAML file and checks its limits before any document is composed. */
import { CST, Lexer, Parser } from 'yaml'

export type Finding = { readonly offset: number; readonly sentence: string }
type Tokens = { readonly tokens: readonly CST.Token[]; readonly findings: readonly Finding[] }

export function limitedTokens(text: string): Tokens {
  const tokens = tokensOf(text)
  if (!tokens) return { tokens: [], findings: [{ offset: 0, sentence: TOO_MANY }] }
  return { tokens, findings: [...beyondLimits(tokens), ...furtherDocuments(tokens)] }
}

/** Limits the time: only a file of pure punctuation has more. */
const MAX_LEXEMES = 30_000
const MAX_DEPTH = 32
const TOO_MANY = 'The file has too many entries; move long scripts into files of their own'
const TOO_DEEP = `The file is nested deeper than ${MAX_DEPTH} levels`
const REFUSED = new Map<CST.Token['type'], string>([
  ['alias', 'Aliases are not allowed; write the value out'],
  ['anchor', 'Anchors are not allowed; write the value out where it is needed'],
  ['tag', 'Tags are not allowed; write the plain value'],
  ['directive', 'Directives are not allowed; the file is read as YAML 1.2'],
])
const MERGE_KEY = 'Merge keys are not allowed; write the keys out'

/** Whether a text has more lexemes than that; known before parsing. */
export function hasMoreLexemes(text: string, most: number): boolean {
  let count = 0
  for (const lexeme of new Lexer().lex(text)) {
    count += weightOf(lexeme)
    if (count > most) return true
  }
  return false
}

/** The library's own parsing loop, with a limit. */
function tokensOf(text: string): CST.Token[] | undefined {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let count = 0
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    count += weightOf(lexeme)
    if (count > MAX_LEXEMES) return undefined
  }
  return [...tokens, ...parser.end()]
}

/** Each escape in a quoted text can be a separate error. */
const weightOf = (lexeme: string): number => (lexeme.startsWith('"') ? lexeme.split('\\').length : 1)

/** Iterative, so that no depth exhausts the stack. */
function beyondLimits(tokens: readonly CST.Token[]): Finding[] {
  const findings: Finding[] = []
  const open = tokens.map((token) => ({ token, depth: 0 }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next
    if (depth > MAX_DEPTH) {
      findings.push({ offset: token.offset, sentence: TOO_DEEP })
      continue
    }
    const sentence = REFUSED.get(token.type)
    if (sentence) findings.push({ offset: token.offset, sentence })
    findings.push(...mergeKeysOf(token))
    const inside = CST.isCollection(token) ? depth + 1 : depth
    for (const child of childrenOf(token)) open.push({ token: child, depth: inside })
  }
  return findings
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [...token.start, token.value] : token.start
  if (token.type === 'block-scalar') return token.props
  if (!CST.isCollection(token)) return []
  return itemsOf(token).flatMap(({ start, key, sep, value }) =>
    [...start, key, ...(sep ?? []), value].filter((child) => child !== undefined && child !== null),
  )
}

/** Quoted, `<<` is a key like any other. */
function mergeKeysOf(token: CST.Token): Finding[] {
  if (!CST.isCollection(token)) return []
  return itemsOf(token).flatMap(({ key }) =>
    key?.type === 'scalar' && key.source === '<<' ? [{ offset: key.offset, sentence: MERGE_KEY }] : [],
  )
}

/** The widest of the three item types. */
function itemsOf(token: CST.BlockMap | CST.BlockSequence | CST.FlowCollection): readonly CST.CollectionItem[] {
  return token.items
}

function furtherDocuments(tokens: readonly CST.Token[]): Finding[] {
  const [, second] = tokens.filter(({ type }) => type === 'document')
  return second ? [{ offset: second.offset, sentence: 'The file must hold one document; take out what follows' }] : []
}
