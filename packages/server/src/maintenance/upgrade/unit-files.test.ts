import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceUnit, replaceUnits } from './unit-files.ts'

let folder: string
let places: { readonly versions: string; readonly units: string; readonly command: string }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-units-'))
  places = { versions: join(folder, 'versions'), units: join(folder, 'units'), command: join(folder, 'command') }
  mkdirSync(places.units)
  addVersion('1.15.0', ['shipway.service', 'shipway-next.service', 'shipway.socket'])
  addVersion('1.16.0', ['shipway.service', 'shipway-next.service', 'shipway.socket', 'shipway-report.timer'])
})
afterEach(() => rmSync(folder, { recursive: true }))

function addVersion(version: string, units: readonly string[]): void {
  const deploy = join(places.versions, version, 'deploy')
  mkdirSync(deploy, { recursive: true })
  for (const name of units) writeFileSync(join(deploy, name), `${name} of ${version}`)
  writeFileSync(join(deploy, 'run-command'), `command of ${version}`)
}

const installed = (name: string): string => readFileSync(join(places.units, name), 'utf8')

test('going back restores the units of the earlier version, and removes those that only the later one has', () => {
  replaceUnits('1.16.0', places)
  expect(installed('shipway-report.timer')).toBe('shipway-report.timer of 1.16.0')
  replaceUnits('1.15.0', places)
  expect(readdirSync(places.units).sort()).toEqual(['shipway-next.service', 'shipway.service', 'shipway.socket'])
  expect(installed('shipway.service')).toBe('shipway.service of 1.15.0')
  expect(readFileSync(places.command, 'utf8')).toBe('command of 1.15.0')
  expect(statSync(places.command).mode & 0o777).toBe(0o755)
})

test('the unit of a version that is tried comes alone', () => {
  replaceUnits('1.15.0', places)
  replaceUnit('1.16.0', 'shipway-next.service', places)
  expect(installed('shipway-next.service')).toBe('shipway-next.service of 1.16.0')
  expect(installed('shipway.service')).toBe('shipway.service of 1.15.0')
})

test('a reader of a unit has the earlier file or the later one, and a failure leaves the earlier one', () => {
  replaceUnits('1.15.0', places)
  const before = statSync(join(places.units, 'shipway.service')).ino
  replaceUnits('1.16.0', places)
  expect(statSync(join(places.units, 'shipway.service')).ino).not.toBe(before)
  rmSync(join(places.versions, '1.15.0/deploy/run-command'))
  expect(() => replaceUnits('1.15.0', places)).toThrow('ENOENT')
  expect(readFileSync(places.command, 'utf8')).toBe('command of 1.16.0')
  expect(existsSync(`${places.command}.next`)).toBe(false)
})

test('a version without its folder removes no units of others', () => {
  replaceUnits('1.16.0', places)
  const before = readdirSync(places.units)
  expect(() => replaceUnits('1.14.0', places)).toThrow('ENOENT')
  expect(readdirSync(places.units)).toEqual(before)
})

test('units of an administrator stay', () => {
  writeFileSync(join(places.units, 'shipway-mirror.service'), 'mine')
  chmodSync(join(places.units, 'shipway-mirror.service'), 0o600)
  replaceUnits('1.16.0', places)
  expect(installed('shipway-mirror.service')).toBe('mine')
})
