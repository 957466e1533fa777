import { expect, test } from 'vitest'
import { faultOfCron } from './cron.ts'
import { isTimeZone, similarTimeZone } from './time-zone.ts'

test.each([
  ...[
    '* * * * *',
    '0 3 * * *',
    ' 0  3 * * mon-fri ',
    '*/15 8-18/2 1,15 JAN-mar,12 *',
    '0 0 29 2 *',
    '0 0 30 2 1',
    '59 23 31 12 7',
  ],
])('%j is an expression', (text) => {
  expect(faultOfCron(text)).toBeUndefined()
})

test.each([
  ['', 'Give five fields'],
  ['0 3 * *', 'Give five fields'],
  ['0 0 3 * * *', 'Give five fields'],
  ['@daily', 'Give five fields'],
  ['60 3 * * *', '60 is no minute. Give * or 0 to 59'],
  ['0 24 * * *', '24 is no hour'],
  [
    '0 22-2 * * *',
    '22-2 is no hour. Give * or 0 to 23; with ranges (2-5), lists (1,4) and steps (*/2), from low to high',
  ],
  ['0 0 0 * *', '0 is no day of the month'],
  ['0 0 L * *', 'L is no day of the month'],
  ['0 0 1W * *', '1W is no day of the month'],
  ['0 0 ? * *', '? is no day of the month'],
  ['0 0 * 13 *', '13 is no month'],
  ['0 0 * january *', 'january is no month'],
  ['0 0 * * 8', '8 is no day of the week'],
  ['0 0 * * fri#2', 'fri#2 is no day of the week'],
  ['*/0 * * * *', '*/0 is no minute'],
  ['1/5 * * * *', '1/5 is no minute'],
  ['0 0 30 2 *', 'It never comes due'],
  ['0 0 31 4,6,9,11 *', 'It never comes due'],
  [`${'1,'.repeat(150)}1 * * * *`, 'Give five fields'],
])('%j is refused', (text, sentence) => {
  expect(faultOfCron(text)).toContain(sentence)
})

test('time zones are those of the runtime, by their names', () => {
  for (const name of [
    'UTC',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
  ])
    expect([name, isTimeZone(name)]).toEqual([name, true])
  for (const name of ['', 'Berlin', 'Europe/Berlim', '+02:00', '../etc/passwd', 'Europe/Berlin\\n', 'x'.repeat(100)])
    expect([name, isTimeZone(name)]).toEqual([name, false])
  expect(similarTimeZone('europe/berlim')).toBe('Europe/Berlin')
  expect(similarTimeZone('Mars')).toBeUndefined()
})
