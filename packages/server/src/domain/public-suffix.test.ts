import { expect, test } from 'vitest'
import { isPublicSuffix } from './public-suffix.ts'

test.each([
  'co.uk',
  'com.au',
  'github.io',
  'pages.dev',
  'herokuapp.com',
  's3.amazonaws.com',
  'xn--55qx5d.cn',
  'kawasaki.jp',
  'any.kawasaki.jp',
  'foo.ck',
])('%s is a public suffix', (domain) => expect(isPublicSuffix(domain)).toBe(true))

test.each([
  'example.co.uk',
  'a.example.co.uk',
  'alice.github.io',
  'example.com',
  'city.kawasaki.jp',
  'www.ck',
  'apps.internal',
  'x.localhost',
  'a.test',
  'home.arpa',
  'apps.home.arpa',
  'nip.io',
  '127-0-0-1.sslip.io',
])('%s can be registered', (domain) => expect(isPublicSuffix(domain)).toBe(false))
