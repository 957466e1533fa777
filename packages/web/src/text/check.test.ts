import type { Check } from '@shipway/api'
import { expect, test } from 'vitest'
import { checkLabel } from './check.ts'

test.each<[Check['name'], Check['status'], string, string]>([
  ['docker', 'ok', 'Docker 27.3.1 answers shipway', 'Docker 27.3'],
  ['docker', 'failed', 'Docker is version 19.03.8; deployments need 24 or newer', 'Docker'],
  ['compose', 'ok', 'Compose 2.29.7', 'Compose 2.29'],
  ['disk', 'ok', '118.2 GiB are free where the folder of the platform lies', 'disk'],
  ['haproxy', 'ok', 'HAProxy 2.8.5 runs as the edge', 'edge'],
  ['what_comes_later', 'ok', 'Fine', 'what comes later'],
])('%s, %s: “%s” has the label %s', (name, status, message, words) => {
  expect(checkLabel({ name, status, message })).toBe(words)
})
