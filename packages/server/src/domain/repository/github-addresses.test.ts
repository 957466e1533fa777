import { expect, test } from 'vitest'
import { gitHubApiOf, installationUrl } from './github-addresses.ts'

test.each([
  ['https://github.com', 'https://api.github.com', 'https://github.com/apps/ship'],
  ['https://acme.ghe.com', 'https://api.acme.ghe.com', 'https://acme.ghe.com/apps/ada/ship'],
  ['https://git.example.com', 'https://git.example.com/api/v3', 'https://git.example.com/github-apps/ship'],
  ['https://a.b.ghe.com', 'https://a.b.ghe.com/api/v3', 'https://a.b.ghe.com/github-apps/ship'],
  ['https://acme.ghe.com.evil.example', 'https://acme.ghe.com.evil.example/api/v3', undefined],
  ['https://aghe.com', 'https://aghe.com/api/v3', undefined],
])('%s has its API at %s, and installs an App at %s', (baseUrl, api, page) => {
  expect(gitHubApiOf(baseUrl)).toBe(api)
  const url = installationUrl(baseUrl, { slug: 'ship', owner: 'ada' }, 'a&b')
  if (page !== undefined) expect(url).toBe(`${page}/installations/new?state=a%26b`)
})
