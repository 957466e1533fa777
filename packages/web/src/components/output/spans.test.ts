import { expect, test } from 'vitest'
import { spansOf } from './spans.ts'

const ESC = '\u001b'

test.each([
  ['31', { ink: 'bad' }],
  ['92', { ink: 'good' }],
  ['33', { ink: 'warn' }],
  ['34', { ink: 'accent' }],
  ['95', { ink: 'accent' }],
  ['36', { ink: 'accent' }],
  ['90', { ink: 'faint' }],
  ['37', {}],
  ['30', {}],
  ['41', { ground: 'bad' }],
  ['1;31', { ink: 'bad', isBold: true }],
  ['7;31', { ground: 'bad' }],
  ['38;5;196', { ink: 'bad' }],
  ['38;5;208', { ink: 'warn' }],
  ['38;5;46', { ink: 'good' }],
  ['38;5;33', { ink: 'accent' }],
  ['38;5;244', { ink: 'faint' }],
  ['38;2;255;90;80', { ink: 'bad' }],
  ['38;2;10;200;200', { ink: 'accent' }],
  ['48;5;22', { ground: 'good' }],
  ['3;4;9', { isItalic: true, isUnderlined: true, isStruck: true }],
  ['8', { isFaint: true }],
])('%s has the style %j', (codes, style) => {
  expect(spansOf(`${ESC}[${codes}mx${ESC}[0m`)).toEqual([{ text: 'x', style }])
})

test('matches are marked, also across a change of color', () => {
  const marks = [{ from: 2, to: 6, isCurrent: true }]
  expect(spansOf(`ab${ESC}[31mcd${ESC}[0mefgh`, marks)).toEqual([
    { text: 'ab', style: {} },
    { text: 'cd', style: { ink: 'bad' }, mark: 'current' },
    { text: 'ef', style: {}, mark: 'current' },
    { text: 'gh', style: {} },
  ])
})

test('markup in the output stays text', () => {
  expect(spansOf('<b onclick=x>&amp;')).toEqual([{ text: '<b onclick=x>&amp;', style: {} }])
})
