// Hints about missing variables and secrets.
import { describe, expect, test } from 'vitest'
import { built, failed, printed, says } from '../../../../test/hints/failures.ts'
import { hintsFor } from './failure-hints.ts'

describe('variables', () => {
  test.each([
    ['DATABASE_URL', printed("KeyError: 'DATABASE_URL'")],
    ['DATABASE_URL', printed('error: Environment variable not found: DATABASE_URL.', '  -->  schema.prisma:6')],
    ['SECRET_KEY', printed('django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.')],
    ['DJANGO_KEY', printed('django.core.exceptions.ImproperlyConfigured: Set the DJANGO_KEY environment variable')],
    ['API_KEY', printed('Error: Missing required environment variable: API_KEY')],
    ['STRIPE_KEY', printed('Error: STRIPE_KEY is not set')],
    ['PORT', printed('Error: environment variable PORT is required')],
    ['DATABASE_URL', printed('/entrypoint.sh: 3: DATABASE_URL: parameter not set')],
    ['DATABASE_URL', printed('/entrypoint.sh: line 3: DATABASE_URL: unbound variable')],
    ['DB_DSN', printed('2024/05/01 10:00:00 required key DB_DSN missing value')],
    ['DB_DSN', printed('env: required environment variable "DB_DSN" is not set')],
    [
      'POSTGRES_PASSWORD',
      printed(
        'Error: Database is uninitialized and superuser password is not specified.',
        '       You must specify POSTGRES_PASSWORD to a non-empty value for the',
      ),
    ],
    [
      'MYSQL_ROOT_PASSWORD',
      printed(
        '[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified',
        '    - MYSQL_ROOT_PASSWORD',
      ),
    ],
    ['SECRET_KEY_BASE', printed("ArgumentError: Missing `secret_key_base` for 'production' environment")],
    [
      'NEED',
      failed({
        phase: 'Transfer',
        name: 'Check',
        message:
          'Docker Compose cannot read this: error while interpolating services.a.environment.X: required variable NEED is missing a value: set it',
      }),
    ],
  ])('%s is named', (name, failure) => {
    expect(says(failure)).toContain(`Set ${name} as a variable of the environment`)
    expect(says(failure)).toContain(`shipway vars set ${name}=-`)
  })

  test('a program that has no such name in its code is another matter', () => {
    expect(hintsFor(printed('ReferenceError: CONFIG is not defined'))).toEqual([])
  })

  test.each([
    [
      'an address that is not set',
      printed('TypeError: Invalid URL', "  code: 'ERR_INVALID_URL',", "  input: 'undefined'"),
      /variable that is not set/,
    ],
    [
      'a build secret that is required',
      built('#5 ERROR: secret tok: not found', 'secret tok: not found'),
      /has no secret tok\. .*`build\.secrets`/,
    ],
    [
      'a build secret that is read',
      built(
        "#5 0.133 cat: can't open '/run/secrets/tok': No such file or directory",
        'process "/bin/sh -c cat /run/secrets/tok" did not complete successfully: exit code: 1',
      ),
      /has no secret tok/,
    ],
  ])('%s', (_name, failure, words) => expect(says(failure)).toMatch(words))
})
