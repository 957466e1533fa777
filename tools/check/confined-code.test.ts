import { expect, test } from 'vitest'
import { confinedCode } from './confined-code.ts'
import { sourceFile } from './source-file.ts'

const server = 'packages/server/src'

test.each([
  [`${server}/config.ts`, 'process.env.SHIPWAY_PORT', 0],
  [`${server}/main.ts`, 'process.env.SHIPWAY_PORT', 1],
  [`${server}/main.ts`, '// process.env is read in config.ts', 0],
  [`${server}/main.ts`, 'const { env } = process', 1],
  [`${server}/main.ts`, "import { env } from 'node:process'", 1],
  [`${server}/main.test.ts`, 'process.env.SHIPWAY_PORT', 0],
  ['bench/projects.ts', 'process.env.SHIPWAY_PORT', 0],
  [`${server}/store/tasks.ts`, "db.selectFrom('tasks')", 0],
  [`${server}/operations/start.ts`, "db.selectFrom('tasks')", 1],
  [`${server}/operations/start.ts`, 'sql`select 1`', 1],
  [`${server}/operations/start.ts`, 'sql<{ a: number }>`select 1`', 1],
  [`${server}/operations/start.ts`, "const word = 'sql'", 0],
  [`${server}/progress/change-records.ts`, 'await db.transaction().execute(work)', 0],
  [`${server}/operations/start.ts`, 'await ctx.db.transaction().execute(work)', 1],
  [`${server}/operations/start.ts`, "ctx.bus.announce([{ about: 'queue' }])", 1],
  [`${server}/operations/mails/send-due-mails.ts`, 'await ctx.mail.send(mail)', 0],
  [`${server}/operations/people/allow-mail.ts`, 'await writeMail(ctx, tx, mail)', 0],
  [`${server}/operations/create-invitation.ts`, 'await writeMail(ctx, tx, mail)', 1],
  [`${server}/operations/channels/mail-to-channel.ts`, 'await ctx.mail.send(mail)', 0],
  [`${server}/operations/create-invitation.ts`, 'await ctx.mail.send(mail)', 1],
  [`${server}/commands/docker/engine.ts`, "['docker', 'info']", 0],
  [`${server}/recipes/docker/plan.ts`, "['docker', 'info']", 1],
  [`${server}/recipes/docker/plan.ts`, "[...(['docker', 'info'] as const), id]", 1],
  [`${server}/recipes/docker/plan.ts`, "[\n  'docker',\n  ...words,\n]", 1],
  [`${server}/store/projects.ts`, "const recipes = ['docker', 'manual']", 0],
  [`${server}/runtimes/runtimes.ts`, "import { composeRuntime } from './compose/compose-runtime.ts'", 0],
  [`${server}/background/a.ts`, "import { prune } from '../runtimes/compose/images/prune.ts'", 1],
  [`${server}/runtimes/compose/plan.ts`, 'await listContainers(host, owner)', 0],
  [`${server}/recipes/docker/deploy.ts`, 'await listContainers(host, owner)', 1],
  [`${server}/commands/script.ts`, "['sh', '-c', script]", 0],
  [`${server}/remote/ssh.ts`, "['sh', '-c', script]", 1],
  [`${server}/remote/ssh.ts`, "['bash', ...['-c', script]]", 1],
  [`${server}/remote/process.ts`, "import { spawn } from 'node:child_process'", 0],
  [`${server}/remote/ssh.ts`, "import { spawn } from 'node:child_process'", 1],
  [`${server}/remote/ssh.ts`, "const { spawn } = await import('child_process')", 1],
  [`${server}/source/git-process.ts`, "import { runProcess } from '../remote/process.ts'", 0],
  [`${server}/source/mirror.ts`, "import { runProcess } from '../remote/process.ts'", 1],
])('%s: %s has %i problems', (path, text, problems) => {
  expect(confinedCode([sourceFile(path, text)])).toHaveLength(problems)
})
