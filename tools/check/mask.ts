// Blanks comments and the contents of strings, so that a rule reads code only; every offset and line stays the same.

type Frame = 'code' | 'template'

export function maskSource(text: string): string {
  const masked = text.split('')
  const frames: Frame[] = ['code']
  const braces: number[] = [0]
  let position = 0
  let lastSignificant = ''

  const blank = (from: number, to: number): void => {
    for (let at = from; at < to; at++) if (masked[at] !== '\n') masked[at] = ' '
  }

  while (position < text.length) {
    const rest = text.slice(position, position + 2)
    const character = text.charAt(position)
    if (frames.at(-1) === 'template') {
      const end = endOfTemplateText(text, position)
      blank(position, end)
      position = text.startsWith('${', end) ? end + 2 : end + 1
      if (text.charAt(end) === '`') frames.pop()
      else {
        frames.push('code')
        braces.push(0)
      }
      lastSignificant = text.charAt(end) === '`' ? '`' : '{'
      continue
    }
    const end = endOfQuiet(text, position, lastSignificant)
    if (end !== undefined) {
      const isComment = rest === '//' || rest === '/*'
      const isClosed = text.charAt(end - 1) === character
      blank(isComment ? position : position + 1, isComment || !isClosed ? end : end - 1)
      if (!isComment) lastSignificant = '"'
      position = end
      continue
    }
    if (character === '`') frames.push('template')
    if (character === '{') braces.push((braces.pop() ?? 0) + 1)
    if (character === '}') {
      const depth = braces.pop() ?? 0
      if (depth === 0 && frames.length > 1) frames.pop()
      else braces.push(depth - 1)
    }
    if (character.trim() !== '') lastSignificant = /\w/.test(character) ? lastWord(text, position) : character
    position++
  }
  return masked.join('')
}

/** Where the comment, string or regular expression that begins here ends; undefined when none begins here. */
function endOfQuiet(text: string, start: number, lastSignificant: string): number | undefined {
  const character = text.charAt(start)
  if (text.startsWith('//', start)) return positive(text.indexOf('\n', start), text.length)
  if (text.startsWith('/*', start)) return positive(text.indexOf('*/', start + 2) + 2, text.length, 2)
  if (character === "'" || character === '"') return endOfLiteral(text, start, character)
  if (character === '/' && mayBeginExpression(lastSignificant)) return endOfLiteral(text, start, '/')
  return undefined
}

function positive(position: number, otherwise: number, least = 0): number {
  return position < least ? otherwise : position
}

/** A literal on one line; one that is not closed (an apostrophe in the text of a page) ends with its line. */
function endOfLiteral(text: string, start: number, quote: string): number {
  let inClass = false
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (character === '\n') return at
    else if (quote === '/' && character === '[') inClass = true
    else if (quote === '/' && character === ']') inClass = false
    else if (character === quote && !inClass) return at + 1
  }
  return text.length
}

function endOfTemplateText(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++
    else if (text.charAt(at) === '`' || text.startsWith('${', at)) return at
  }
  return text.length
}

/** A slash divides after a value and opens a regular expression anywhere else. */
function mayBeginExpression(lastSignificant: string): boolean {
  if (/^\w/.test(lastSignificant))
    return ['return', 'typeof', 'case', 'in', 'of', 'await', 'yield'].includes(lastSignificant)
  return ![')', ']', '}', '"', '`', '<'].includes(lastSignificant)
}

function lastWord(text: string, end: number): string {
  let start = end
  while (start > 0 && /\w/.test(text.charAt(start - 1))) start--
  return text.slice(start, end + 1)
}
