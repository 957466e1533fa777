// HTML as a value: whatever is put into the template is escaped, unless it is HTML already.
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type HtmlPart = string | number | Html | readonly Html[] | undefined

export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((string, index) => string + textOf(parts[index])).join(''))
}

function textOf(part: HtmlPart): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string' || typeof part === 'number') {
    return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  }
  return part.map(({ text }) => text).join('')
}
