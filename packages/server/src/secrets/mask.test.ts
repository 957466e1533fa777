import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildEncodingTrie } from './encoding-trie.ts'
import { buildTrieOf, createMask, maskOf } from './mask.ts'
import { prepareMask } from './prepare-mask.ts'
import { Secret } from './secret.ts'
import { encodingsOf, isMaskable } from './secret-encodings.ts'

/** Number of generated values and texts. */
const masks = Number(process.env.MASKS ?? 250)

const mask = (values: readonly string[], pieces: readonly (string | Buffer)[]): string => {
  const stream = createMask(values.map((value) => new Secret(value))).stream()
  const masked = [...pieces.flatMap((piece) => stream.write(Buffer.from(piece))), ...stream.end()]
  return Buffer.concat(masked.map(({ bytes }) => bytes)).toString('latin1')
}

test('a value is hidden wherever it occurs, and every other byte stays', () => {
  expect(mask(['hunter2!'], ['the password is hunter2!, not hunter3!\n'])).toBe(
    'the password is [hidden], not hunter3!\n',
  )
})

test('a value that arrives in several chunks is hidden as one', () => {
  expect(mask(['hunter2!'], [...'a hunter2!b hunter2!'])).toBe('a [hidden]b [hidden]')
  expect(mask(['hunter2!'], ['hunte', 'r2', ' hunter2', '?'])).toBe('hunter2 hunter2?')
})

test('values that overlap, touch or contain each other are hidden as one', () => {
  expect(mask(['abcdefgh', 'efghijkl'], ['-abcdefghijkl-'])).toBe('-[hidden]-')
  expect(mask(['abcdef', 'abcdefgh', 'cdefgh'], ['-abcdefgh-abcdefg-cdefgh-'])).toBe('-[hidden]-[hidden]g-[hidden]-')
  expect(mask(['secret'], ['secretsecret', 'secret', '-'])).toBe('[hidden]-')
})

test('values of fewer than six characters are left alone', () => {
  expect(mask(['12345', ' abc\n', ''], ['12345 abc\n'])).toBe('12345 abc\n')
  expect(['12345', '', '1\n2\n', '123456', 'abcdef\n'].map(isMaskable)).toEqual([false, false, false, true, true])
})

test('each long line of a multi-line value is hidden, and PEM boundaries stay', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\nBCIEIJ9yX1vK3aQ0\nok\n-----END PRIVATE KEY-----\n'
  expect(mask([key], [key])).toBe('[hidden]')
  const logged = key
    .split('\n')
    .map((line) => `web | ${line}`)
    .join('\n')
  expect(mask([key], [logged])).toBe(
    'web | -----BEGIN PRIVATE KEY-----\nweb | [hidden]\nweb | [hidden]\nweb | ok\nweb | -----END PRIVATE KEY-----\nweb | ',
  )
})

test('a stream holds back only what may become a value', () => {
  const stream = createMask(['hunter2!']).stream()
  const masked = (text: string) =>
    stream.write(Buffer.from(text)).map(({ bytes, readBytes }) => [String(bytes), readBytes])
  expect(masked('ready\n')).toEqual([['ready\n', 6]])
  expect(masked('wait hun')).toEqual([['wait ', 5]])
  expect(masked('ger')).toEqual([['hunger', 6]])
  expect(masked(' hunter2')).toEqual([[' ', 1]])
  expect(masked('!')).toEqual([])
  expect(masked('.')).toEqual([
    ['[hidden]', 8],
    ['.', 1],
  ])
  expect(stream.end()).toEqual([])
})

test('a long value is hidden, also if most of its start or end is missing', () => {
  const long = Array.from({ length: 64 * 1024 }, (_, at) =>
    String.fromCharCode(33 + ((at * at + (at >> 3)) % 90)),
  ).join('')
  expect(mask([long], ['<', long, '>'])).toBe('<[hidden]>')
  expect(mask([long], [Buffer.from(long).toString('hex')])).toBe('[hidden]')
  const lines = (
    Buffer.from(long)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\n')
  expect(mask([long], [lines])).toBe('[hidden]')
  const logged = lines.split('\n').map((line) => `web | ${line}`)
  expect(mask([long], [logged.join('\n')])).toBe(logged.map(() => 'web | [hidden]').join('\n'))
})

test('a value inside encoded text is hidden wherever its lines break, in any chunks', () => {
  const secret = 'canary-5f2c9e1b77a04d'
  const forms = [...encodingsOf(secret)].filter((form) => /^[A-Za-z0-9+/=_-]+$/.test(form) && form !== secret)
  const text = fc.record({
    before: fc.string({ unit: 'binary-ascii', maxLength: 200 }),
    after: fc.string({ unit: 'binary-ascii', maxLength: 200 }),
    encoding: fc.constantFrom('base64' as const, 'hex' as const),
    width: fc.constantFrom(60, 64, 76),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    cuts: fc.array(fc.nat(600), { maxLength: 5 }),
  })
  const property = fc.property(text, ({ before, after, encoding, width, lineEnd, cuts }) => {
    const digits = Buffer.from(`${before}${secret}${after}`).toString(encoding)
    const printed = (digits.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(lineEnd)
    const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, printed.length)), printed.length])].sort(
      (a, b) => a - b,
    )
    const masked = mask(
      [secret],
      places.slice(1).map((place, at) => printed.slice(places[at], place)),
    )
    const left = masked.replaceAll(/[\r\n]/g, '')
    expect(forms.filter((form) => left.includes(form))).toEqual([])
    // Nothing but the value is hidden, with at most the digits that it shares.
    const kept = masked.split('[hidden]').map((part) => part.replaceAll(/[\r\n]/g, ''))
    expect(kept).toHaveLength(2)
    expect(digits.startsWith(kept[0] ?? '') && digits.endsWith(kept[1] ?? '')).toBe(true)
    expect(digits.length - kept.join('').length).toBeLessThanOrEqual(secret.length * 2 + 4)
  })
  fc.assert(property, { numRuns: masks })
}, 3_600_000)

test('a mask without values leaves all bytes unchanged', () => {
  const bytes = Buffer.from([0, 255, 10, 13])
  expect(createMask([]).stream().write(bytes)[0]?.bytes).toBe(bytes)
  expect(createMask([]).text('[hidden]')).toBe('[hidden]')
})

test('a complete text is masked like a stream, and keeps its characters', () => {
  expect(createMask([new Secret('pässword')]).text('é pässword ✓')).toBe('é [hidden] ✓')
})

const sharp = [
  ...'abcXYZ019',
  "'",
  '"',
  '\\',
  '`',
  '$',
  '&',
  '<',
  '/',
  '+',
  '=',
  ' ',
  '\n',
  '\t',
  '%',
  'é',
  '😀',
  '[',
  ']',
]
const value = fc.oneof(
  fc.array(fc.constantFrom(...sharp), { minLength: 6, maxLength: 24 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom('a', 'b'), { minLength: 6, maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 }),
)

/** How people and programs encode a value. */
const encoders: readonly ((value: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text),
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams({ key: text }).toString(),
  (text) => Buffer.from(text).toString('hex'),
  (text) => Buffer.from(text).toString('hex').toUpperCase(),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
  (text) => Buffer.from(`${text}\n`).toString('base64'),
  (text) => Buffer.from(`user:${text}@host`).toString('base64'),
  (text) => Buffer.from(`users:${text}`).toString('base64url'),
  (text) => Buffer.from(`${text}?`).toString('base64'),
  (text) => `'${text.replaceAll("'", "'\\''")}'`,
  (text) => `"${text.replaceAll(/[\\"$`]/g, '\\$&')}"`,
  (text) => `'${text.replaceAll('$', '$$$$').replaceAll("'", "''")}'`,
]

const scene = fc.record({
  values: fc.array(value, { minLength: 1, maxLength: 5 }),
  parts: fc.array(
    fc.oneof(
      fc.record({ which: fc.nat(4), encoder: fc.nat(encoders.length - 1), cut: fc.constantFrom(0, 0, 0, 1, 3) }),
      fc.array(fc.constantFrom(...sharp, 'a', 'b'), { maxLength: 10 }).map((parts) => parts.join('')),
      fc.string({ maxLength: 10 }),
    ),
    { maxLength: 8 },
  ),
  cuts: fc.array(fc.nat(400), { maxLength: 8 }),
})

describe('any values in any text, cut anywhere', () => {
  test('no form survives, and all other bytes are unchanged', () => {
    const property = fc.property(scene, ({ values, parts, cuts }) => {
      const text = Buffer.from(
        parts
          .map((part) => {
            if (typeof part === 'string') return part
            const spelled = encoders[part.encoder]?.(values[part.which % values.length] ?? '') ?? ''
            return spelled.slice(0, spelled.length - part.cut)
          })
          .join(''),
      )
      const places = [...new Set([0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length])].sort(
        (a, b) => a - b,
      )
      const pieces = places.slice(1).map((place, at) => text.subarray(places[at], place))
      const forms = new Set(values.flatMap((one) => [...encodingsOf(one)]))
      const masked = mask(values, pieces)
      expect(masked).toBe(expected(forms, text))
      const left = masked.split('[hidden]')
      expect([...forms].filter((form) => left.some((plain) => plain.includes(form)))).toEqual([])
    })
    fc.assert(property, { numRuns: masks })
  }, 3_600_000)

  test('independent encoders find nothing of a value', () => {
    const property = fc.property(value, fc.nat(encoders.length - 1), (text, which) => {
      const spelled = encoders[which]?.(text) ?? ''
      const masked = mask([text], [`<${spelled}>`])
      expect(masked).toContain('[hidden]')
      // Around a value within something longer its first and last digit are shared; nothing else of it may be left.
      expect(masked.replaceAll('[hidden]', '').length).toBeLessThanOrEqual(2 + '"dXNlcnM6'.length + 'QGhvc3Q='.length)
    })
    fc.assert(property, { numRuns: masks })
  }, 3_600_000)
})

/** Searches for every form at every position, and across every line break between digits. */
function expected(forms: ReadonlySet<string>, bytes: Buffer): string {
  const text = bytes.toString('latin1')
  const isHidden = new Uint8Array(text.length)
  for (const form of forms)
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) isHidden.fill(1, at, at + form.length)
  for (const lineEnd of text.matchAll(/(?<=[A-Za-z0-9+/=_-]{56})\r?\n/g)) {
    const before = /[A-Za-z0-9+/=_-]{0,127}$/.exec(text.slice(0, lineEnd.index))?.[0].length ?? 0
    const after = /^[A-Za-z0-9+/=_\r\n-]*/.exec(text.slice(lineEnd.index))?.[0].length ?? 0
    const places = Array.from({ length: before + after }, (_, at) => lineEnd.index - before + at).filter(
      (place) => !/[\r\n]/.test(text[place] ?? ''),
    )
    const digits = places.map((place) => text[place]).join('')
    for (const form of forms)
      for (let at = digits.indexOf(form); at >= 0; at = digits.indexOf(form, at + 1))
        if (at < before && at + form.length > before)
          isHidden.fill(1, places[at], (places[at + form.length - 1] ?? 0) + 1)
  }
  return [...text]
    .map((character, at) => (isHidden[at] === 0 ? character : isHidden[at - 1] === 1 ? '' : '[hidden]'))
    .join('')
}

describe('values chosen to have many forms', () => {
  const oddLines = (bytes: number): string => {
    const lines: string[] = []
    for (let length = 0; length < bytes; length += Buffer.byteLength(lines.at(-1) ?? '') + 1)
      lines.push(`é"$\\'<\`${lines.length.toString(36).padStart(4, '0')}`)
    return lines.join('\n')
  }

  test('take memory in proportion to their size', () => {
    const bytesFor = (value: string): number =>
      [buildTrieOf([value])].reduce(
        (sum, { nodes, branches, starts }) => sum + nodes.byteLength + branches.byteLength + starts.byteLength,
        0,
      )
    const [small, large] = [bytesFor(oddLines(16 * 1024)), bytesFor(oddLines(64 * 1024))]
    expect(large).toBeLessThan(5 * small)
    expect(large).toBeLessThan(300 * 64 * 1024)
  })

  test('are hidden if the trie keeps only the first bytes of their forms', () => {
    const property = fc.property(scene, ({ values, parts, cuts }) => {
      const forms = new Set(values.flatMap((one) => [...encodingsOf(one)]))
      const text = Buffer.from(
        parts
          .map((part) =>
            typeof part === 'string'
              ? part
              : (encoders[part.encoder]?.(values[part.which % values.length] ?? '') ?? ''),
          )
          .join(' '),
      )
      const stream = maskOf(buildEncodingTrie(forms, { wholeNodes: 40 })).stream()
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort((a, b) => a - b)
      const masked = [
        ...places.slice(1).flatMap((place, at) => stream.write(text.subarray(places[at], place))),
        ...stream.end(),
      ]
      const left = masked.filter(({ isHidden }) => !isHidden).map(({ bytes }) => bytes.toString('latin1'))
      expect([...forms].filter((form) => left.some((plain) => plain.includes(form)))).toEqual([])
      expect(masked.reduce((sum, { readBytes }) => sum + readBytes, 0)).toBe(text.length)
    })
    fc.assert(property, { numRuns: masks })
  }, 3_600_000)

  test('are prepared in a worker thread, with the same result', async () => {
    const values = [oddLines(8 * 1024), 'hunter2!'].map((value) => new Secret(value))
    const text = `the password is hunter2!, not hunter3!\n${oddLines(2 * 1024)}`
    const prepared = (await prepareMask(values)).text(text)
    expect(prepared).toBe(createMask(values).text(text))
    expect(prepared).toMatch(/^the password is \[hidden\], not hunter3!\n\[hidden\]$/)
  })
})

test('a very long text is cut, and never inside a secret', () => {
  const long = `${'x'.repeat(64 * 1024 - 4)}hunter2!`
  expect(createMask(['hunter2!']).text(long)).toBe(`${'x'.repeat(64 * 1024 - 4)}…`)
})
