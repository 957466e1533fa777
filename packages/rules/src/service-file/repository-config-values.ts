/**
 * Schemas of the single values in `.service.yml`, with their error messages. A `pattern` is for editors: it admits every value that the
 * checks admit, and refuses the usual mistakes.
 */
import { ServiceName } from '@shipway/api/values/name'
import { rule } from '@shipway/api/values/rule'
import { countBytes, hasControlCharacters, hasStoredForm, isVisible } from '@shipway/api/values/text'
import { z } from 'zod'
import {
  durationMs,
  isArtifactGlob,
  isServiceLabel,
  normaliseCheckoutPath,
  normaliseCustomDomain,
  serviceLabel,
} from './repository-config.ts'

export const Text = z.string({ error: 'Give a text; put numbers, true and false in quotes' })

export const RoutedServiceName = ServiceName.check(
  rule(
    'invalid_service_name',
    'Use at most 50 characters and a letter or digit at the end, since the name becomes part of a host name',
    (name) => isServiceLabel(serviceLabel(name)),
  ),
).meta({ pattern: '^[a-z0-9]([a-z0-9_.-]{0,48}[a-z0-9])?$' })

/** As Compose has them. */
export const Profile = Text.check(
  rule('invalid_profile', 'Give the name of a profile of the compose file', (name) =>
    /^[A-Za-z0-9][\w.-]{0,99}$/.test(name),
  ),
).meta({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$' })

export const Flag = z.boolean({ error: 'Give true or false' })

export const HealthPath = Text.check(
  rule(
    'invalid_path',
    'Give a path such as /healthz, without spaces, a host or a fragment',
    (path) => path.length <= 500 && /^\/(?!\/)[\x21-\x7e]*$/.test(path) && !/[#\\]/.test(path),
  ),
).meta({ pattern: '^/(?!/)[!"$-\\[\\]-~]*$', maxLength: 500 })

export const CustomDomain = Text.check(
  rule(
    'invalid_domain',
    'Give a host name such as api.example.com or "{env}-api.example.com", without scheme, port, path or wildcard',
    (domain) => normaliseCustomDomain(domain) !== undefined,
  ),
)
  .overwrite((domain) => normaliseCustomDomain(domain) ?? domain)
  // Names with other letters than these are encoded, so only what stands in no domain at all is named.
  .meta({ pattern: '^[^\\s/:@?#*`]+$' })

export const CheckoutPath = Text.check(
  rule(
    'invalid_path',
    'Give a path inside the repository such as deploy/compose.yml, without .. or a leading /, ~ or -',
    (path) => normaliseCheckoutPath(path) !== undefined,
  ),
)
  .overwrite((path) => normaliseCheckoutPath(path) ?? path)
  .meta({ pattern: '^(?![/~-])[^\\\\]+$', maxLength: 500 })

/** A context may be the repository itself; a file may not. */
export const CheckoutFile = CheckoutPath.check(
  rule('invalid_path', 'Give the path of a file', (path) => path !== '.' && !path.endsWith('/')),
).meta({ pattern: '^(?![/~-])(?!\\.$)[^\\\\]*[^\\\\/]$', maxLength: 500 })

export const ArtifactGlob = Text.check(
  rule(
    'invalid_glob',
    'Give a pattern inside the repository such as reports/**, with *, **, ?, [ ] and { } only, and few of them',
    isArtifactGlob,
  ),
).meta({ pattern: '^(?![/~!-])[^()|\\\\]*[^()|\\\\/]$', maxLength: 500 })

export const Script = Text.check(
  rule('required', 'Give a command to run', isVisible),
  rule('too_long', 'Use at most 64 KiB; move a long script into a file of its own', (run) => countBytes(run) <= 65_536),
  rule('invalid_script', 'Leave out the NUL character and broken Unicode', hasStoredForm),
).meta({ pattern: '\\S', maxLength: 65_536 })

export const ScriptName = Text.check(
  rule('required', 'Enter a name', isVisible),
  rule('too_long', 'Use at most 100 characters', (name) => name.length <= 100),
  rule('invalid_name', 'Use one line', (name) => hasStoredForm(name) && !hasControlCharacters(name)),
).meta({ pattern: '^[^\\n\\r]*\\S[^\\n\\r]*$', maxLength: 100 })

/** As it is written. */
export const DurationText = z
  .string({ error: 'Give a duration such as 90s, 10m or 1h' })
  .check(
    rule(
      'invalid_duration',
      'Give a duration such as 90s, 10m or 1h30m, at most a day',
      (duration) => durationMs(duration) !== undefined,
    ),
  )
  .meta({ pattern: '^(?=[0-9])([0-9]{1,5}h)?([0-9]{1,5}m)?([0-9]{1,5}s)?$' })

/** In milliseconds. */
export const Duration = DurationText.transform((duration) => durationMs(duration) ?? 0)
