import { expect, test } from 'vitest'
import { maskSource } from './mask.ts'

test.each([
  ['a comment to the end of the line', "a // it's\nb", 'a        \nb'],
  ['a comment over lines', 'a /* x\ny */ b', 'a     \n     b'],
  ['a string', "f('await x')", "f('       ')"],
  ['an escaped quote', String.raw`f('a\'b') + c`, "f('    ') + c"],
  ['a template with an expression', '`a ${await b} c`', '`  ${await b}  `'],
  ['a template within a template', '`a ${f(`b ${c}`)} d` + e', '`  ${f(`  ${c}`)}  ` + e'],
  ['an object within a template', '`a ${f({ b })} c` + d', '`  ${f({ b })}  ` + d'],
  ['a regular expression', "x.match(/'[/']/) + y", 'x.match(/     /) + y'],
  ['a division', "a / b / 'c'", "a / b / ' '"],
  ['an apostrophe in the text of a page', "<p>don't</p>\nb", "<p>don'     \nb"],
])('masks %s', (_name, source, masked) => {
  expect(maskSource(source).trimEnd()).toBe(masked)
  expect(maskSource(source)).toHaveLength(source.length)
})
