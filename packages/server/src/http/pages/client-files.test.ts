// The client is handed out as it was built, and where it was not the answer says so.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { AppError } from '../../domain/errors.ts'
import { registerClientFiles } from './client-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-client-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('each file has its type, and nothing else of the folder is there', async () => {
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof AppError ? error.status : 500).send(String(error)),
  )
  registerClientFiles(app, pathToFileURL(`${folder}/`))
  expect((await app.inject('/client/shipway.mjs')).payload).toContain('npm start')
  expect((await app.inject('/client/shipway.mjs')).statusCode).toBe(404)
  for (const name of ['shipway.mjs', 'shipway.tgz', 'other.mjs']) writeFileSync(join(folder, name), `this is ${name}`)
  const script = await app.inject('/client/shipway.mjs')
  expect([script.payload, script.headers['content-type']]).toEqual([
    'this is shipway.mjs',
    'text/javascript; charset=utf-8',
  ])
  expect((await app.inject('/client/shipway.tgz')).headers['content-type']).toBe('application/gzip')
  // As sha256sum writes them; of the files as they are now.
  const sums = (await app.inject('/client/SHA256SUMS')).payload
  expect(execFileSync('sha256sum', ['--check', '--strict', '-'], { cwd: folder, input: sums, encoding: 'utf8' })).toBe(
    'shipway.tgz: OK\nshipway.mjs: OK\n',
  )
  for (const path of ['other.mjs', '..%2fother.mjs', ''])
    expect((await app.inject(`/client/${path}`)).statusCode).toBe(404)
  await app.close()
})
