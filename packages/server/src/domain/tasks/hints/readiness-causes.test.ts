// Hints about containers that run and do not become ready.
import { describe, expect, test } from 'vitest'
import { failed, says } from '../../../../test/hints/failures.ts'
import type { Failure } from './failure.ts'
import { hintsFor } from './failure-hints.ts'

describe('a container that does not get ready', () => {
  const waited = (...lines: string[]): Failure => failed({ message: 'web did not get ready', lines })
  const silent = 'Nothing answers on port 3000 of web within 180 seconds. Let it listen there, on 0.0.0.0'
  test.each([
    [
      'another port',
      waited('No request gets in at port 3000: it listens on 8080'),
      /^Write `port: 8080` .* listen on 3000 .*`PORT`/,
    ],
    [
      'several ports',
      waited('No request gets in at port 3000: it listens on 8080, 9090'),
      /the one of 8080, 9090 that answers/,
    ],
    [
      '127.0.0.1 inside the container',
      waited('No request gets in at port 3000: it listens on 127.0.0.1:3000'),
      /0\.0\.0\.0.*`-b 0\.0\.0\.0:3000`/,
    ],
    [
      'another port, and 127.0.0.1',
      waited('No request gets in at port 3000: it listens on 127.0.0.1:5173'),
      /^Let the program listen on 0\.0\.0\.0:3000/,
    ],
    [
      'no port, as an earlier release wrote it',
      failed({ message: silent.replace('Nothing', 'Nobody'), lines: ['Its image exposes 8080'] }),
      /Its image exposes 8080, not 3000/,
    ],
    ['no port', failed({ message: silent, lines: ['Its image exposes 8080'] }), /Its image exposes 8080, not 3000/],
    [
      'no port, exposed as named',
      failed({ message: silent, lines: ['Its image exposes 3000'] }),
      /yet when the time was up\. See/,
    ],
    ['404', waited('/healthz answers with 404'), /answers with 404.*`health:`/],
    ['401', waited('/healthz answers with 401'), /does not sign in/],
    ['400', waited('/ answers with 400'), /ALLOWED_HOSTS/],
    ['503', waited('/healthz answers with 503'), /its output says why/],
    [
      'a check without its program',
      waited('Its health check ended with exit code 127:', '/bin/sh: curl: not found'),
      /many images have no curl/,
    ],
    [
      'a check without its program, as docker runs it',
      waited(
        'Its health check ended with exit code -1:',
        'OCI runtime exec failed: exec failed: unable to start container process: exec: "curl": executable file not found in $PATH: unknown',
      ),
      /many images have no curl/,
    ],
    [
      'a check that is slow',
      waited('Its health check ended with exit code -1:', 'Health check exceeded timeout (1s)'),
      /its own `timeout:`/,
    ],
    [
      'a check without an answer',
      waited(
        'Its health check ended with exit code 1:',
        "wget: can't connect to remote host (127.0.0.1): Connection refused",
      ),
      /gets no answer at its address.*`start_period:`/,
    ],
    [
      'a check that says no',
      waited('Its health check ended with exit code 1:', 'queue is stuck'),
      /stands in the output/,
    ],
  ])('%s', (_name, failure, words) => expect(says(failure)).toMatch(words))

  test('an application cannot pose as the platform in another step', () => {
    expect(hintsFor({ ...waited('No request gets in at port 3000: it listens on 8080'), phase: 'Build' })).toEqual([])
  })
})
