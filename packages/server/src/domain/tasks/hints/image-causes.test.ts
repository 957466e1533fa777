// Hints about images, from the words of Docker, BuildKit and registries.
import { describe, expect, test } from 'vitest'
import { built, failed, printed, says } from '../../../../test/hints/failures.ts'
import type { Failure } from './failure.ts'

describe('images', () => {
  const pulled = (line: string): Failure =>
    failed({
      phase: 'Build',
      name: 'Pull images',
      kind: 'command',
      exitCode: 1,
      message: `shop/app:1 is missing and could not be pulled: ${line}`,
      lines: ['Pulling shop/app:1', line],
    })
  const resolve = (image: string, why: string): string =>
    `${image}: failed to resolve source metadata for ${image}: ${why}`
  const limit = 'You have reached your pull rate limit. You may increase the limit by authenticating and upgrading'
  test.each([
    [
      'refused, since a build would fetch it',
      failed({
        phase: 'Build',
        name: 'Build images',
        kind: 'check',
        exitCode: null,
        lines: [],
        message:
          'The image of web could not be built: it fetches http://127.0.0.1:1/x itself, in the network of the server, where builds may fetch nothing. Fetch it in RUN',
      }),
      /RUN curl/,
    ],
    [
      'refused, since its registry is private',
      failed({
        phase: 'Build',
        name: 'Pull images',
        kind: 'check',
        exitCode: null,
        lines: [],
        message:
          'a:5/x comes from the registry a:5, which leads to 10.0.0.1, an address that is not public. Docker would pull it in the network of the server. Use',
      }),
      /`docker login` there as the platform's user/,
    ],
    [
      'refused, since Docker is too old',
      failed({
        phase: 'Build',
        name: 'Build images',
        kind: 'check',
        exitCode: null,
        lines: [],
        message: 'Docker on the server does not obey source policies, so builds could read what is not theirs.',
      }),
      /shipway server check/,
    ],
    ['not found', pulled('Error response from daemon: manifest unknown'), /no such image as shop\/app:1/],
    ['not found, by name', pulled('Error response from daemon: name unknown'), /no such image as shop\/app:1/],
    [
      'not found, of Docker Hub',
      pulled('Error response from daemon: manifest for node:99 not found: manifest unknown: manifest unknown'),
      /no such image/,
    ],
    [
      'not found, built from',
      built(resolve('example.com/app:1', 'example.com/app:1: not found')),
      /no such image as example\.com\/app:1/,
    ],
    [
      'not allowed',
      pulled(
        "Error response from daemon: pull access denied for shop/app, repository does not exist or may require 'docker login': denied",
      ),
      /`docker login`/,
    ],
    ['not allowed, elsewhere', pulled('Error response from daemon: unauthorized'), /`docker login`/],
    [
      'not allowed, built from',
      built(
        resolve(
          'example.com/app:1',
          'unexpected status from HEAD request to http://example.com/v2/app/manifests/1: 401 Unauthorized',
        ),
      ),
      /`docker login`/,
    ],
    ['limited', pulled(`Error response from daemon: toomanyrequests: ${limit}`), /limits how often/],
    [
      'limited, built from',
      built(
        resolve(
          'node:22',
          'unexpected status from HEAD request to https://registry-1.docker.io/v2/library/node/manifests/22: 429 Too Many Requests',
        ),
      ),
      /limits how often/,
    ],
    [
      'another processor',
      pulled('no matching manifest for linux/arm64/v8 in the manifest list entries'),
      /another kind of processor/,
    ],
    [
      'another processor, built from',
      built(resolve('example.com/app:1', 'no match for platform in manifest: not found')),
      /another kind of processor/,
    ],
    ['another processor, when it runs', printed('exec /bin/app: exec format error'), /another kind of processor/],
    [
      'no registry',
      pulled(
        'Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on 10.0.0.53:53: no such host',
      ),
      /does not reach the registry/,
    ],
    [
      'no Dockerfile',
      built('failed to read dockerfile: open Dockerfile: no such file or directory'),
      /Capital letters count/,
    ],
    [
      'no folder of the Dockerfile',
      built('ERROR: resolve : lstat sub: no such file or directory', 'resolve : lstat sub: no such file or directory'),
      /Capital letters count/,
    ],
    ['no context', built('unable to prepare context: path "nosuchdir" not found'), /Capital letters count/],
    [
      'nothing to copy',
      built(
        'failed to compute cache key: failed to calculate checksum of ref 2367b0c3-32fa::x3wz: "/package-lock.json": not found',
      ),
      /^package-lock\.json is not in the build context.*\.dockerignore/,
    ],
    [
      'a word that no Dockerfile has',
      built('dockerfile parse error on line 2: unknown instruction: FRUM (did you mean FROM?)'),
      /Correct the Dockerfile/,
    ],
    ['no such stage', built('target stage "nope" could not be found'), /Correct the Dockerfile/],
    [
      'a lock file of another time',
      built(
        '#8 1.1 npm error `npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync.',
        'process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
      ),
      /The lock file does not fit/,
    ],
    [
      'Compose missing',
      failed({
        phase: 'Prepare',
        message: "Docker Compose cannot read this: docker: 'compose' is not a docker command.",
      }),
      /2\.24 or newer/,
    ],
    [
      'Compose too old',
      failed({
        phase: 'Prepare',
        message:
          'web: a.example.com is no domain\nDocker Compose cannot read this: services.a Additional property develop is not allowed',
      }),
      /2\.24 or newer/,
    ],
  ])('%s', (_name, failure, words) => expect(says(failure)).toMatch(words))

  test.each([
    'Error: unauthorized',
    'GET /api 403 Forbidden',
    'upstream answered 429 Too Many Requests',
    'dial tcp 10.0.0.5:5432: connect: connection refused',
    'Error: unknown flag: --verbose',
  ])('%j of an application that runs says nothing of images', (line) => {
    expect(says(printed(line))).toBe('')
  })
})
