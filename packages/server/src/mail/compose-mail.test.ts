import { expect, test } from 'vitest'
import { Secret } from '../secrets/secret.ts'
import { composeMail } from './compose-mail.ts'

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></head><a href="https://evil.example">x</a>',
  '&lt;b&gt;',
]

test.each(HOSTILE)('%s is text in the HTML, wherever it stands', (text) => {
  const parts = [
    { words: text },
    { facts: [[text, text]] as const },
    { before: text, link: `https://ship.example.com/${text}` },
  ]
  const { html } = composeMail({ to: 'a@b.example', subject: text, parts })
  const tags = new Set([...html.matchAll(/<\/?([a-z!]+)/g)].map(([, tag]) => tag))
  expect([...tags].toSorted()).toEqual(
    ['!doctype', 'a', 'b', 'body', 'br', 'div', 'head', 'html', 'meta', 'p', 'title'].filter((tag) => tag !== 'br'),
  )
  expect(html.match(/<a /g)).toHaveLength(1)
})

test('the HTML loads nothing, and its link says where it leads', () => {
  const link = new Secret('https://ship.example.com/invitation#token=shw_invite_x')
  const { html, text } = composeMail({ to: 'a@b.example', subject: 'x', parts: [{ before: 'Open this:', link }] })
  expect(html).not.toMatch(/\b(src|background|url\(|@import|srcset)\b/)
  expect(html).toContain(`<a href="${link.reveal()}">${link.reveal()}</a>`)
  expect(text).toBe(`Open this:\n${link.reveal()}\n`)
})
