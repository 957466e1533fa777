/** The name of a branch: whatever git itself takes for one, unchanged, since no shell ever reads it. */
import { z } from 'zod'
import { rule } from './rule.ts'
import { countBytes } from './text.ts'

const MAX_BRANCH_BYTES = 255

export const Branch = z.string().check(
  rule('required', 'Give a branch', (text) => text !== ''),
  rule('too_long', `Use at most ${MAX_BRANCH_BYTES} bytes`, (text) => countBytes(text) <= MAX_BRANCH_BYTES),
  rule('invalid_branch', 'Give a branch name that git accepts, such as main or feature/login', isBranch),
)

/**
 * The rules of `git check-ref-format --branch`, without its shorthand for earlier branches (`@{-1}`). The control
 * characters from U+0080 to U+009F are refused too: git lets them be, a terminal does not.
 */
function isBranch(text: string): boolean {
  if (!text.isWellFormed() || text.startsWith('-') || text === 'HEAD') return false
  if (/[\p{Cc} ~^:?*[\\]/u.test(text) || text.includes('..') || text.includes('@{')) return false
  return !text.endsWith('.') && text.split('/').every(isComponent)
}

function isComponent(component: string): boolean {
  return component !== '' && !component.startsWith('.') && !component.endsWith('.lock')
}
