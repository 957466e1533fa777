// What visitors get from applications that do not know their name, as the frameworks send it.
import { expect, test } from 'vitest'
import { visitorWarning } from './visitor-warning.ts'

const vite =
  'Blocked request. This host ("shop.example.com") is not allowed.\n' +
  'To allow this host, add "shop.example.com" to `server.allowedHosts` in vite.config.js.'

test.each([
  [400, '<title>DisallowedHost at /</title>', 'ALLOWED_HOSTS'],
  [400, '<!doctype html><h1>Bad Request (400)</h1>', 'Django'],
  [403, vite, 'server.allowedHosts'],
  [403, 'Invalid Host header', 'devServer.allowedHosts'],
  [200, 'Invalid Host header', 'devServer.allowedHosts'],
  [403, 'Blocked hosts: shop.example.com', 'config.hosts'],
  [400, 'Bad request', 'ALLOWED_HOSTS of Django'],
  [421, '', 'SERVICE_DOMAIN'],
  [500, 'Oops', 'shipway logs'],
  [503, '', 'though the health check passed'],
])('%s with %j is a warning', (status, text, words) => {
  const warning = visitorWarning('shop.example.com', { status, text })
  expect(warning).toContain(`shop.example.com answers with ${status}`)
  expect(warning).toContain(words)
})

test.each([
  [200, 'Hello'],
  [200, 'How to fix: Invalid Host header'],
  [301, ''],
  [401, 'Who are you?'],
  [403, 'Forbidden'],
  [404, 'Not here'],
  [429, ''],
])('%s with %j is none', (status, text) => {
  expect(visitorWarning('shop.example.com', { status, text })).toBeUndefined()
})
