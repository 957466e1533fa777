// Artifacts over HTTP: whole, in parts, never as something to be shown, and never short.

import { beforeEach, describe, expect, test } from 'vitest'
import { buildArtifact } from '../../../test/action-records.ts'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildTask, buildUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import { ArtifactNotFound, ServerNotReached, ServerTimeout } from '../../domain/errors.ts'
import { attachment } from './content-disposition.ts'

/** What the server of the tests does next in place of giving the bytes. */
const server = { content: Buffer.alloc(0), failsAt: Number.POSITIVE_INFINITY, error: new Error('none') }
const artifacts = {
  readPart: async (_server: unknown, _file: unknown, { from, length }: { from: number; length: number }) => {
    if (from + length > server.failsAt) throw server.error
    return server.content.subarray(from, from + length)
  },
}

describe.each(databases)('artifacts on $name', (source) => {
  const app = stageApp(source, {}, { artifacts })
  const { member, viewer, project } = stageProject(app, { member: 'member', viewer: 'viewer' })
  let taskId: number

  beforeEach(async () => {
    Object.assign(server, { content: Buffer.from('0123456789'), failsAt: Number.POSITIVE_INFINITY })
    const environment = await buildEnvironment(app.ctx, project)
    const at = app.ctx.clock()
    const ended = { kind: 'action', action: 'dump', status: 'succeeded', started_at: at, finished_at: at } as const
    taskId = (await buildTask(app.ctx, environment.id, ended)).id
  })

  const get = async (id: number, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
    const answer = await app.app.inject({
      method,
      url: `/api/artifacts/${id}`,
      headers: { host: 'ship.example.com', authorization: `Bearer ${member.token}`, ...headers },
    })
    return { status: answer.statusCode, headers: answer.headers, text: answer.payload, bytes: answer.rawPayload }
  }
  const code = ({ text }: { text: string }): unknown => JSON.parse(text).code

  test('are listed for those who may run actions, page by page', async () => {
    const first = await buildArtifact(app.ctx, taskId, { path: 'a' })
    const second = await buildArtifact(app.ctx, taskId, { path: 'b' })
    const url = `/api/tasks/${taskId}/artifacts`
    const { body, headers } = await app.call('GET', `${url}?limit=1`, { as: member })
    expect(body).toEqual([
      {
        id: first.id,
        task_id: taskId,
        path: 'a',
        size: 10,
        url: `https://ship.example.com/api/artifacts/${first.id}`,
        created_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ])
    const next = /<(.+)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
    expect((await app.call('GET', next, { as: member })).body).toMatchObject([{ id: second.id }])
    expect((await app.call('GET', url, { as: viewer })).status).toBe(403)
  })

  test('leave as an attachment that no browser shows', async () => {
    const { id } = await buildArtifact(app.ctx, taskId, { path: 'out/x.svg' })
    const { status, headers, text } = await get(id)
    expect({ status, text }).toEqual({ status: 200, text: '0123456789' })
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="x.svg"',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'no-store',
    })
  })

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=-4', 206, '6789', 'bytes 6-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=3-2', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('Range: %s', async (range, status, text, contentRange) => {
    const { id } = await buildArtifact(app.ctx, taskId)
    const answer = await get(id, { range })
    expect(answer).toMatchObject({ status, text })
    expect(answer.headers['content-range']).toBe(contentRange)
    expect(answer.headers['content-length']).toBe(String(text.length))
  })

  test('give a part only of the file that the caller began with', async () => {
    const { id } = await buildArtifact(app.ctx, taskId)
    const { headers } = await get(id)
    expect(await get(id, { range: 'bytes=2-3', 'if-range': String(headers.etag) })).toMatchObject({ status: 206 })
    expect(await get(id, { range: 'bytes=2-3', 'if-range': '"another"' })).toMatchObject({ status: 200 })
    const beyond = await get(id, { range: 'bytes=10-' })
    expect([beyond.status, beyond.headers['content-range'], code(beyond)]).toEqual([
      416,
      'bytes */10',
      'range_not_satisfiable',
    ])
  })

  test('can be asked about without being sent', async () => {
    const { id } = await buildArtifact(app.ctx, taskId)
    const answer = await get(id, {}, 'HEAD')
    expect([answer.status, answer.headers['content-length'], answer.text]).toEqual([200, '10', ''])
  })

  test('are an error where the server or the file is not there, before anything is sent', async () => {
    const { id } = await buildArtifact(app.ctx, taskId)
    for (const [error, status, word] of [
      [ArtifactNotFound('gone'), 404, 'artifact_not_found'],
      [ServerNotReached('connect', 'out of reach'), 502, 'server_unreachable'],
      [ServerTimeout('one', 60), 504, 'server_timeout'],
    ] as const) {
      Object.assign(server, { failsAt: 0, error })
      const answer = await get(id)
      expect([answer.status, code(answer)]).toEqual([status, word])
      expect(answer.headers['content-disposition']).toBeUndefined()
    }
  })

  test('break the connection where that happens in the middle', async () => {
    const size = 5 * 1024 * 1024
    Object.assign(server, {
      content: Buffer.alloc(size, 'x'),
      failsAt: 3 * 1024 * 1024,
      error: ArtifactNotFound('gone'),
    })
    const { id } = await buildArtifact(app.ctx, taskId, { size })
    await expect(get(id)).rejects.toThrow()
  })

  test('of any size come whole, piece by piece', async () => {
    for (const size of [0, 1, 2 * 1024 * 1024, 5_000_000]) {
      server.content = Buffer.alloc(size, 'y')
      const { id } = await buildArtifact(app.ctx, taskId, { size })
      const { status, bytes } = await get(id)
      expect([status, bytes.length]).toEqual([200, size])
    }
  })

  test('are gone after their time', async () => {
    const { id } = await buildArtifact(app.ctx, taskId, { expires_at: app.ctx.clock() })
    const answer = await get(id)
    expect([answer.status, code(answer)]).toEqual([410, 'artifact_expired'])
  })

  test('of another organization, and of no task at all, are not there', async () => {
    const stranger = await buildUser(app.ctx)
    const { id } = await buildArtifact(app.ctx, taskId)
    const headers = { 'x-request-id': 'the-same-id' }
    const foreign = await app.call('GET', `/api/artifacts/${id}`, { as: stranger, headers })
    const absent = await app.call('GET', '/api/artifacts/987654321', { as: stranger, headers })
    expect(foreign).toMatchObject({ status: 404, text: absent.text })
    expect(await app.call('GET', `/api/tasks/${taskId}/artifacts`, { as: stranger })).toMatchObject({ status: 404 })
  })
})

test.each([
  ['out/report.txt', 'attachment; filename="report.txt"'],
  ['"q".txt', `attachment; filename="_q_.txt"; filename*=UTF-8''%22q%22.txt`],
  ['new\r\nline: x', `attachment; filename="new__line_ x"; filename*=UTF-8''new%0D%0Aline%3A%20x`],
  ['-rf', `attachment; filename="_rf"; filename*=UTF-8''-rf`],
  ['..', `attachment; filename="_"; filename*=UTF-8''..`],
  ['.env', `attachment; filename="_env"; filename*=UTF-8''.env`],
  ['a\\..\\b', `attachment; filename="a_.._b"; filename*=UTF-8''a%5C..%5Cb`],
  ["ü'(x)*.txt", `attachment; filename="___x__.txt"; filename*=UTF-8''%C3%BC%27%28x%29%2a.txt`],
  ['\ud800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
  ['', 'attachment; filename="artifact"; filename*=UTF-8\'\''],
])('%j is saved under a name that is safe', (path, expected) => {
  expect(attachment(path)).toBe(expected)
})
