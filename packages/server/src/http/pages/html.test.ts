import { expect, test } from 'vitest'
import { Html, html } from './html.ts'

test.each([
  ['<script>alert(1)</script>', '&#60;script&#62;alert(1)&#60;/script&#62;'],
  ['" onmouseover="alert(1)', '&#34; onmouseover=&#34;alert(1)'],
  ["' autofocus onfocus='alert(1)", '&#39; autofocus onfocus=&#39;alert(1)'],
  ['&lt;', '&#38;lt;'],
])('the text %j cannot leave its place', (text, escaped) => {
  expect(html`<p title="${text}">${text}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`)
})

test('HTML inside HTML stays as it is, a list is joined, nothing is nothing', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
  expect(html`<ul>${items}</ul>${undefined}${new Html('<hr>')}${7}`.text).toBe(
    '<ul><li>a</li><li>&#60;b&#62;</li></ul><hr>7',
  )
})
