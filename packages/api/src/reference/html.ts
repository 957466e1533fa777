// HTML from templates: whatever is put in is escaped, unless it came from such a template itself.

export type Html = { readonly html: string }
type Part = string | number | Html | undefined | readonly (string | Html)[]

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, index) => text + written(parts[index])).join('') }
}

/** A sentence of the contract, in which backticks mark code. */
export const prose = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

/** Puts something between the parts of a list. */
export const joined = (parts: readonly Html[], between: string): Html[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [html`${between}`, part]))

function written(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map(written).join('')
}

/** For the text of an element and for the value of an attribute, in either quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
