import { expect, test } from 'vitest'
import { scaleOf } from './scale.ts'

test.each([
  [0, ['0', '0.2 s', '0.4 s']],
  [3_400, ['0', '1 s', '2 s', '3 s']],
  [45_000, ['0', '10 s', '20 s', '30 s', '40 s']],
  [226_000, ['0', '1:00', '2:00', '3:00']],
  [3 * 3_600_000, ['0', '1:00:00', '2:00:00', '3:00:00']],
])('%i ms have the labels %j', (ms, words) => {
  expect(scaleOf(ms).figures.map((figure) => figure.words)).toEqual(words)
})

test('a few segments fill the scale, whatever the duration', () => {
  for (let ms = 1; ms < 400 * 3_600_000; ms = Math.ceil(ms * 1.7)) {
    const { segments, figures } = scaleOf(ms)
    expect(segments.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(1)
    expect(segments.length).toBeLessThanOrEqual(12)
    expect(figures.length).toBeLessThanOrEqual(6)
  }
})
