// Diagnostics of a deployment whose steps printed something: the output of the step that failed, and what it hints at.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildCertificate, buildEnvironment, buildRunningTask } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import { appendOutput, beginStep, endStep, endTask, type StepEnd } from '../../progress/progress.ts'
import type { Lease } from '../../store/tasks/task-queue.ts'

describe.each(databases)('diagnostics on $name', (source) => {
  const app = stageApp(source)
  const { viewer, project } = stageProject(app, { viewer: 'viewer' })
  let environmentId: number
  let lease: Lease

  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, project)).id
    lease = await buildRunningTask(app.ctx, environmentId)
  })

  async function runStep(position: number, name: string, output: readonly (string | Buffer)[], end: StepEnd) {
    await beginStep(app.ctx, lease, { position, phase: 'Build', key: name, name })
    for (const bytes of output) await appendOutput(app.ctx, lease, { position, bytes: Buffer.from(bytes) })
    await endStep(app.ctx, lease, position, end)
  }
  const failed = (more: Partial<StepEnd> = {}): StepEnd => ({ status: 'failed', kind: 'command', exitCode: 1, ...more })
  const diagnostics = async () =>
    (await app.call('GET', `/api/environments/${environmentId}/diagnostics`, { as: viewer })).body

  test('the output is that of the step that failed, and of no other', async () => {
    await runStep(1, 'Install', ['installed\n'], { status: 'succeeded', kind: 'command', exitCode: 0 })
    const message = 'npm run build ended with exit code 2'
    await runStep(2, 'Compile', ['first\nsec', 'ond\n'], failed({ exitCode: 2, message }))
    await runStep(3, 'Clean up', ['cleaned\n'], { status: 'succeeded' })
    await endTask(app.ctx, lease, { status: 'failed' })
    const { output, failed_step, hints } = await diagnostics()
    expect(failed_step).toMatchObject({ phase: 'Build', name: 'Compile', kind: 'command', exit_code: 2, message })
    expect(output.text).toMatch(/first\nsecond\n$/)
    expect(output.text).not.toMatch(/installed|cleaned|Install|Clean up/)
    expect(output).toMatchObject({ first_line: 1, last_line: output.total_lines, truncated: false })
    expect(output.text.split('\n')).toHaveLength(output.total_lines + 1)
    expect(hints).toEqual([])
  })

  test('of much output the end is shown, with its place in the whole', async () => {
    const chunks = Array.from({ length: 60 }, (_, chunk) =>
      Array.from({ length: 500 }, (_, line) => `line ${chunk * 500 + line + 1}\n`).join(''),
    )
    await runStep(1, 'Compile', chunks, failed())
    await endTask(app.ctx, lease, { status: 'failed' })
    const { output } = await diagnostics()
    const shown = output.text.split('\n')
    expect(shown.slice(0, -1)).toEqual(Array.from({ length: 200 }, (_, index) => `line ${29_801 + index}`))
    expect(output.total_lines).toBeGreaterThanOrEqual(30_000)
    expect(output).toMatchObject({
      first_line: output.total_lines - 199,
      last_line: output.total_lines,
      truncated: true,
    })
  })

  test('one endless line hides neither what stands before it nor what comes after', async () => {
    await runStep(1, 'Compile', ['Error: the real reason\n', 'ä'.repeat(70_000), '\nexit\n'], failed())
    const { output } = await endedDiagnostics()
    const kept = 'ä'.repeat(1_000)
    expect(output.text).toBe(`Error: the real reason\n${kept} [68000 characters of this line left out] ${kept}\nexit\n`)
    expect(output).toMatchObject({ first_line: 1, last_line: 3, total_lines: 3, truncated: true })
  })

  test('what steers a terminal is left out here, and stays in the raw log', async () => {
    const hostile = Buffer.concat([
      Buffer.from('\u001b[2J\u001b[Ha\u001b]8;;javascript:alert(1)\u0007b\u001b]8;;\u0007\0\u202ec\r\n'),
      Buffer.from([0xed, 0xa0, 0x80, 0xc0, 0xaf, 0x0a]),
    ])
    await runStep(1, 'Compile', [hostile], failed())
    const { output, log_url } = await endedDiagnostics()
    expect(output.text).toMatch(/(^|\n)abc\n\ufffd{5}\n$/)
    const log = await app.app.inject({
      url: new URL(log_url).pathname,
      headers: { host: 'ship.example.com', authorization: `Bearer ${viewer.token}` },
    })
    expect(log.rawPayload.includes(hostile)).toBe(true)
  })

  test.each([
    [{ kind: 'timeout', exitCode: 137 }, /longer than it may/],
    [{ kind: 'server' }, /could not be reached/],
    [{ exitCode: 137 }, /memory/],
    [{ exitCode: 126 }, /not executable/],
    [{ exitCode: 127 }, /not found/],
  ] satisfies [Partial<StepEnd>, RegExp][])('%j gives a hint', async (end, words) => {
    await runStep(1, 'Compile', ['x\n'], failed(end))
    const { hints } = await endedDiagnostics()
    expect(hints).toEqual([expect.stringMatching(words)])
  })

  test('what the failed step printed gives a hint, without what steers a terminal', async () => {
    await runStep(1, 'Compile', ["Traceback\n\u001b[31mKeyError: 'DATABASE_URL'\u001b[0m\r\n"], failed())
    const { hints } = await endedDiagnostics()
    expect(hints).toEqual([
      'Set DATABASE_URL as a variable of the environment and deploy again: `shipway vars set DATABASE_URL=-` asks for its value',
    ])
  })

  test('a certificate that could not be ordered is named if nothing else failed', async () => {
    await app.ctx.db.updateTable('projects').set({ tls: 'automatic' }).where('id', '=', project.id).execute()
    const { domain } = await app.ctx.db
      .selectFrom('domains')
      .where('environment_id', '=', environmentId)
      .select('domain')
      .executeTakeFirstOrThrow()
    await buildCertificate(app.ctx, project.id, {
      source: 'acme',
      domain,
      failures: 2,
      last_error: 'Connection refused',
    })
    const words = new RegExp(`^The certificate of ${domain} could not be ordered.* port 80`)
    expect(await diagnostics()).toMatchObject({ task: null, hints: [expect.stringMatching(words)] })
    await app.ctx.db.updateTable('projects').set({ tls: 'off' }).where('id', '=', project.id).execute()
    expect(await diagnostics()).toMatchObject({ hints: [] })
  })

  async function endedDiagnostics() {
    await endTask(app.ctx, lease, { status: 'failed' })
    return diagnostics()
  }
})
