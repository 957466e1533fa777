// What a visitor gets at a host name without an environment.
import { expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { stageApp } from '../../test/stage/stage-app.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')

const app = stageApp(source)

const askForPage = async (host: string, headers: Readonly<Record<string, string>> = {}) =>
  app.app.inject({ url: '/basket', headers: { host, ...headers } })

test('a visitor who follows an outdated link gets a page that reveals nothing of the platform', async () => {
  for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*']) {
    const answer = await askForPage('gone.shop.example', { accept })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
    })
    expect(answer.body).toContain('There is nothing at this address')
    expect(answer.body).not.toMatch(/shipway|example|basket/i)
  }
})

test('a program that asks for JSON gets JSON', async () => {
  const answer = await askForPage('gone.shop.example', { accept: 'application/json' })
  expect(answer.statusCode).toBe(421)
  expect(answer.json()).toMatchObject({ code: 'misdirected_request' })
})

test.each(['192.168.1.5:7878', '[fd00::7]:7878', 'harbor:7878'])('the page says how %s is served', async (host) => {
  const answer = await askForPage(host)
  expect(answer.statusCode).toBe(404)
  expect(answer.body).toContain('SHIPWAY_BASE_URL')
})
