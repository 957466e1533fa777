import { expect, test } from 'vitest'
import { commandLine, inShell } from './command-line.ts'

test.each([
  [['rails', 'console'], 'rails console'],
  [['echo', "it's", 'a b', ''], "echo 'it'\\''s' 'a b' ''"],
  [inShell('cd app\n\tmake | tee log'), 'cd app\n\tmake | tee log'],
  [['sh', '-c', 'echo $0', 'x'], "sh -c 'echo $0' x"],
])('the words %j are shown as %j', (words, line) => {
  expect(commandLine(words)).toBe(line)
})

test.each([
  [['echo', '\u202esyadot'], "echo '\\u202esyadot'"],
  [inShell('make\rtrue'), 'make\\u000dtrue'],
  [inShell('make \u2066# \u2069\u001b[2K\u2028'), 'make \\u2066# \\u2069\\u001b[2K\\u2028'],
])('what would make the line of %j look like another one is shown as a code', (words, line) => {
  expect(commandLine(words)).toBe(line)
})
