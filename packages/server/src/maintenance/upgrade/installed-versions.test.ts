// Which versions an installation has.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  earlierVersion,
  forgetPrevious,
  hasVersion,
  pointLink,
  refuseWithoutWayBack,
  removeTried,
} from './installed-versions.ts'

let installed: string
let versions: string
beforeEach(() => {
  installed = mkdtempSync(join(tmpdir(), 'shipway-versions-'))
  versions = join(installed, 'versions')
  mkdirSync(versions)
})
afterEach(() => rmSync(installed, { recursive: true }))

function addVersion(version: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(versions, version))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(versions, version, name), text)
}

test('a version is installed if its folder is complete', () => {
  addVersion('1.16.0', { version: '1.16.0\n', 'oldest-release': '1.15.0\n' })
  expect(hasVersion('1.16.0', versions)).toBe(true)
  expect(hasVersion('1.17.0', versions)).toBe(false)
  expect(hasVersion('../1.16.0', versions)).toBe(false)
})

test.each([
  ['empty files', { version: '', 'oldest-release': '' }],
  ['an empty version', { version: '', 'oldest-release': '1.15.0\n' }],
  ['an empty oldest release', { version: '1.16.0\n', 'oldest-release': '' }],
  ['no oldest release', { version: '1.16.0\n' }],
  ['no files', {}],
  ['the files of another version', { version: '1.17.0\n', 'oldest-release': '1.15.0\n' }],
])('a folder that a power cut left with %s is not installed', (_, files) => {
  addVersion('1.16.0', files)
  expect(hasVersion('1.16.0', versions)).toBe(false)
})

test('a version that was tried is removed, unless a process still runs it, also one that systemd does not know as shipway-next', async () => {
  addVersion('1.15.0', {})
  addVersion('1.16.0', {})
  symlinkSync('versions/1.16.0', join(installed, 'next'))
  copyFileSync('/bin/sleep', join(versions, '1.16.0/node'))
  const running = spawn(join(versions, '1.16.0/node'), ['60'], { stdio: 'ignore' })
  try {
    await once(running, 'spawn')
    removeTried('1.16.0', installed)
    expect(readdirSync(versions).sort()).toEqual(['1.15.0', '1.16.0'])
    expect(readdirSync(installed).sort()).toEqual(['next', 'versions'])
  } finally {
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
  removeTried('1.16.0', installed)
  expect(readdirSync(versions)).toEqual(['1.15.0'])
  expect(readdirSync(installed)).toEqual(['versions'])
})

test('the way back of an upgrade that was interrupted leads to the version before, also after the new one is current', () => {
  addVersion('1.15.0', { version: '1.15.0\n', 'oldest-release': '1.15.0\n' })
  addVersion('1.16.0', { version: '1.16.0\n', 'oldest-release': '1.15.0\n' })
  pointLink('current', '1.15.0', installed)
  pointLink('next', '1.16.0', installed)
  expect(earlierVersion(installed)).toBe('1.15.0')
  pointLink('previous', '1.15.0', installed)
  pointLink('current', '1.16.0', installed)
  expect(earlierVersion(installed)).toBe('1.15.0')
  forgetPrevious(installed)
  expect(earlierVersion(installed)).toBe('1.16.0')
})

test('a version that runs from elsewhere, such as a link made by hand, cannot be upgraded, as there is no way back to it', () => {
  const elsewhere = join(installed, 'elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(join(elsewhere, 'version'), '1.15.0\n')
  symlinkSync('elsewhere', join(installed, 'current'))
  expect(() => refuseWithoutWayBack(installed)).toThrow('Run install.sh of 1.15.0 again')
  addVersion('1.15.0', { version: '1.15.0\n', 'oldest-release': '1.15.0\n' })
  expect(() => refuseWithoutWayBack(installed)).not.toThrow()
})

test('the way back never leads to a version that is no longer installed', () => {
  addVersion('1.16.0', { version: '1.16.0\n', 'oldest-release': '1.15.0\n' })
  pointLink('current', '1.16.0', installed)
  pointLink('previous', '1.15.0', installed)
  expect(earlierVersion(installed)).toBe('1.16.0')
})

test('a copy that followed links is not upgraded before current is a link again, and other folders in place of links go', () => {
  addVersion('1.15.0', { version: '1.15.0\n', 'oldest-release': '1.15.0\n' })
  for (const name of ['current', 'next', 'previous']) {
    mkdirSync(join(installed, name))
    writeFileSync(join(installed, name, 'version'), '1.15.0\n')
  }
  expect(() => refuseWithoutWayBack(installed)).toThrow('current is a folder in place of a link')
  pointLink('next', '1.16.0', installed)
  expect(readlinkSync(join(installed, 'next'))).toBe('versions/1.16.0')
  forgetPrevious(installed)
  expect(readdirSync(installed).sort()).toEqual(['current', 'next', 'versions'])
  expect(readdirSync(versions)).toEqual(['1.15.0'])
})
