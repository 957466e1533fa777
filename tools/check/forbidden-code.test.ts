import { expect, test } from 'vitest'
import { forbiddenCode } from './forbidden-code.ts'
import { sourceFile } from './source-file.ts'

// Written in two parts, so that this file passes the rule that it tests.
const ignore = '// @ts-'.concat('ignore')

test.each([
  ['const a = b as string', 0],
  ['const a = b as any', 1],
  ["const text = 'as any'", 0],
  ['const company = many', 0],
  [ignore, 1],
  ['try { a() } catch {}', 1],
  ['try { a() } catch (error) {\n}', 1],
  ['try { a() } catch { // nothing to do\n}', 1],
  ['try { a() } catch (error) { report(error) }', 0],
  ['test.only("a", b)', 1],
  ['describe.skip.only("a", b)', 1],
  ['it.todo("a")', 1],
  ['test("a", b)', 0],
  ['query.only("a")', 0],
])('%s has %i problems', (text, problems) => {
  expect(forbiddenCode([sourceFile('packages/server/src/a.test.ts', text)])).toHaveLength(problems)
})
