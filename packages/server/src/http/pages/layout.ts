// The frame of the plain pages: one stylesheet in the page, one script from this site, nothing from elsewhere.
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { Html, html } from './html.ts'

export type HtmlPage = { readonly title: string; readonly content: Html; readonly status?: number }

export function sendPage(reply: FastifyReply, { title, content, status = 200 }: HtmlPage): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Shipway</title>
${new Html(`<style>${STYLE}</style>`)}
<script src="/page-script.js" defer></script>
</head>
<body>
<header><a href="/">Shipway</a></header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return reply
    .code(status)
    .headers({ 'content-security-policy': POLICY, 'referrer-policy': 'same-origin' })
    .type('text/html; charset=utf-8')
    .send(page.text)
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --line: #6b7480; --mark: #0b57d0; --on-mark: #fff; --bad: #a3171c }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --paper: #16181b; --line: #8b949e; --mark: #8ab4f8; --on-mark: #10131a; --bad: #ff9c96 }
}
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
header, main { max-width: 30rem; margin: 0 auto; padding: 1rem }
header a { font-weight: 700; text-decoration: none; color: inherit }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
a { color: var(--mark) }
label { display: block; font-weight: 600; margin-top: 1rem }
.hint { margin: 0; font-size: .875rem }
input { width: 100%; font: inherit; color: inherit; background: transparent; padding: .5rem .625rem; border: 1px solid var(--line); border-radius: .375rem }
input[aria-invalid=true] { border: 2px solid var(--bad) }
.code { font-family: ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase }
button { font: inherit; font-weight: 600; margin: 1.25rem .5rem 0 0; padding: .5rem 1rem; border: 1px solid var(--mark); border-radius: .375rem; background: var(--mark); color: var(--on-mark); cursor: pointer }
button.quiet { background: transparent; color: var(--mark) }
button[disabled] { opacity: .6; cursor: default }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px }
.error { margin: .25rem 0 0; color: var(--bad); font-weight: 600 }
form > .error, .notice { margin: 1rem 0 0; padding: .5rem .75rem; border-left: .25rem solid currentcolor }
dt { font-weight: 600; margin-top: .75rem } dd { margin: 0 }
dd ul { margin: 0; padding-left: 1.25rem }
[hidden] { display: none }
`

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
