// The exact words that ask Docker what it has.
import { expect, test } from 'vitest'
import { countProcessors, listVolumeLabels } from './engine.ts'

test('processors are counted', () => {
  expect(countProcessors().join(' ')).toBe('docker info --format {{.NCPU}}')
})

test('the label of volumes is listed of one environment of one installation, where a volume has it', () => {
  const command = listVolumeLabels({ installationId: 'abc', environmentId: 7, label: 'shipway.folder' })
  expect(command.join(' ')).toBe(
    'docker volume ls --format {{.Label "shipway.folder"}} --filter label=shipway.installation=abc ' +
      '--filter label=shipway.environment=7 --filter label=shipway.folder',
  )
})
