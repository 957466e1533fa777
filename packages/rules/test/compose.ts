// Compose models for tests: written by hand, or resolved by the real Compose, which needs no engine for that.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ComposeModel, JsonObject } from '../src/compose/model.ts'
import { readComposeModel } from '../src/compose/read-compose-model.ts'

/** Compose itself: `docker compose` asks each of its plugins who they are before it starts one, which takes longer than the rest. */
const compose = ['/usr/libexec', '/usr/lib', '/usr/local/lib', '/usr/local/libexec']
  .map((folder) => `${folder}/docker/cli-plugins/docker-compose`)
  .find((file) => existsSync(file))

export const hasCompose = compose !== undefined

export const PROJECT = 'shipway-main-7'

/** A model as Compose would print it; each service runs an image unless it says otherwise. */
export function modelOf(services: Readonly<Record<string, JsonObject>>, top: JsonObject = {}): ComposeModel {
  const complete = Object.entries(services).map(([name, service]) => [
    name,
    'build' in service ? service : { image: 'busybox', ...service },
  ])
  return readComposeModel(JSON.stringify({ name: PROJECT, services: Object.fromEntries(complete), ...top }))
}

/** The text of the model, or what Compose says against the files; the first file is the repository's. */
export async function resolve(
  files: Readonly<Record<string, unknown>>,
  { composeFiles = ['compose.yml'], envFile = null as string | null, profiles = [] as readonly string[] } = {},
): Promise<{ checkout: string; text: string; refused: string | null }> {
  const checkout = mkdtempSync(join(tmpdir(), 'shipway-compose-'))
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(checkout, name)), { recursive: true })
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      writeFileSync(join(checkout, name), text.replaceAll('{checkout}', checkout))
    }
    const words = composeFiles.flatMap((file) => ['-f', join(checkout, file)])
    const env = envFile === null ? [] : ['--env-file', join(checkout, envFile)]
    const { stdout } = await promisify(execFile)(
      compose ?? 'docker-compose',
      [
        ...['-p', PROJECT, '--project-directory', checkout, ...env, ...words],
        ...[...profiles.flatMap((profile) => ['--profile', profile]), 'config', '--format', 'json'],
      ],
      { env: { PATH: process.env.PATH, HOME: tmpdir(), COMPOSE_EXPERIMENTAL_OCI_REMOTE: '0' } },
    )
    return { checkout, text: stdout, refused: null }
  } catch (error) {
    if (!(error instanceof Error && 'stderr' in error)) throw error
    return { checkout, text: '', refused: String(error.stderr) }
  } finally {
    rmSync(checkout, { recursive: true, force: true })
  }
}
