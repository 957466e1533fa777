// A mail as plain text and as HTML, from the same parts. The HTML loads nothing, and a link shows its target.
import { escapeHtml } from '@shipway/api/reference/html'
import type { Secret } from '../secrets/secret.ts'
import type { Mail } from './mailer.ts'

/** `words` holds user text only as `defang` returns it. */
type MailPart =
  | { readonly words: string }
  | { readonly facts: readonly (readonly [name: string, value: string])[] }
  /** Made of the base address of the settings, never of anything that a request says. */
  | { readonly before: string; readonly link: Secret | string }

type Content = { readonly to: string; readonly subject: string; readonly parts: readonly MailPart[] }

export function composeMail({ to, subject, parts }: Content): Mail {
  return {
    to,
    subject,
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: page(subject, parts.map(htmlOf).join('\n')),
  }
}

function textOf(part: MailPart): string {
  if ('words' in part) return part.words
  if ('facts' in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  return `${part.before}\n${addressOf(part.link)}`
}

function htmlOf(part: MailPart): string {
  if ('words' in part) return paragraph(escapeHtml(part.words))
  if ('facts' in part) {
    const lines = part.facts.map(([name, value]) => `${escapeHtml(name)}: <b>${escapeHtml(value)}</b>`)
    return paragraph(lines.join('<br>'))
  }
  const address = escapeHtml(addressOf(part.link))
  return `${paragraph(escapeHtml(part.before))}\n${paragraph(`<a href="${address}">${address}</a>`)}`
}

const paragraph = (html: string): string => `<p style="margin:0 0 16px;overflow-wrap:anywhere">${html}</p>`

const addressOf = (link: Secret | string): string => (typeof link === 'string' ? link : link.reveal())

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;font:15px/1.5 system-ui,sans-serif">
<div style="max-width:560px">
${body}
<p style="margin:24px 0 0;font-size:13px;opacity:.7">Sent by Shipway.</p>
</div>
</body>
</html>
`
