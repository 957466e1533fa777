// Renders a Markdown file: its HTML, its headings, and its text by section for the search.
import MarkdownIt, { type Token } from 'markdown-it'
import { resolveLink } from './resolve-link.ts'

export type Heading = { readonly id: string; readonly level: number; readonly text: string }

/** What stands below one heading. Text before the first heading has none. */
type Section = { readonly heading: Heading | null; readonly text: string }

export type Rendered = {
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
  /** Files of the repository that the page links to or shows. */
  readonly files: readonly string[]
}

export function renderMarkdown(source: string, file: string): Rendered {
  // HTML in a file would be shown as text: nothing but Markdown reaches the site.
  const markdown = new MarkdownIt({ html: false })
  const tokens = markdown.parse(source, {})
  const files: string[] = []
  const follow = (token: Token, attribute: 'href' | 'src'): void => {
    const link = resolveLink(String(token.attrGet(attribute) ?? ''), file)
    token.attrSet(attribute, link.address)
    if (link.type === 'file') files.push(link.file)
    if (attribute === 'src') token.attrSet('loading', 'lazy')
  }
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_open') follow(token, 'href')
    if (token.type === 'image') follow(token, 'src')
  }
  const headings = nameHeadings(tokens)
  const sections = sectionsOf(tokens, headings)
  return { html: scrollTables(markdown.renderer.render(tokens, markdown.options, {})), headings, sections, files }
}

/** Anchors as git hosts make them, so that a link works in both places. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

function nameHeadings(tokens: readonly Token[]): readonly Heading[] {
  const used = new Map<string, number>()
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return []
    const text = textOf(tokens[index + 1])
    const anchor = anchorOf(text)
    const times = used.get(anchor) ?? 0
    used.set(anchor, times + 1)
    const id = times === 0 ? anchor : `${anchor}-${times}`
    token.attrSet('id', id)
    return [{ id, level: Number(token.tag.slice(1)), text }]
  })
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): readonly Section[] {
  const sections: { heading: Heading | null; text: string }[] = [{ heading: null, text: '' }]
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') sections.push({ heading: headings[sections.length - 1] ?? null, text: '' })
    const isHeading = tokens[index - 1]?.type === 'heading_open'
    const section = sections.at(-1)
    if (section && !isHeading && (token.type === 'inline' || token.type === 'fence'))
      section.text += `${textOf(token)} `
  }
  return sections.filter(({ heading, text }) => heading !== null || text !== '')
}

function textOf(token: Token | undefined): string {
  if (token?.type === 'fence') return token.content
  return (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : type === 'image' ? '' : content))
    .join('')
}

/** A wide table scrolls by itself, not with the page. */
const scrollTables = (html: string): string =>
  html.replaceAll('<table>', '<div class="wide" tabindex="0"><table>').replaceAll('</table>', '</table></div>')
