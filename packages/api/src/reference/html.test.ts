import { expect, test } from 'vitest'
import { escapeHtml } from './html.ts'

test('text can close neither an element nor an attribute', () => {
  expect(escapeHtml(`<b title="a" lang='b'> & é`)).toBe('&lt;b title=&quot;a&quot; lang=&#39;b&#39;&gt; &amp; é')
})
