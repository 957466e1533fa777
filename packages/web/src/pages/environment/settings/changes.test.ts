import { expect, test } from 'vitest'
import { changesOf, isChanged, limitChanges, limitText } from './changes.ts'

const environment = {
  title: 'Staging',
  branch: 'main',
  recipe: null,
  server: { id: 1, name: 'quay-1', hostname: 'localhost' },
  domain: 'staging.example.com',
  auto_deploy: true,
  sticky: false,
  protected: false,
  schedules: null,
} as const

test('only changed fields are sent', () => {
  expect(changesOf(environment, { title: 'Staging', branch: 'next', server_id: 1 })).toEqual({ branch: 'next' })
  expect(changesOf(environment, { recipe: 'docker', server_id: 2, title: '' })).toEqual({
    recipe: 'docker',
    server_id: 2,
    title: '',
  })
})

test('resetting to the value of the project is a change, keeping it is none', () => {
  expect(changesOf({ ...environment, recipe: 'docker' }, { recipe: null })).toEqual({ recipe: null })
  expect(isChanged(changesOf(environment, { recipe: null }))).toBe(false)
})

test('a value that another user saved meanwhile is no change', () => {
  expect(changesOf({ ...environment, sticky: true }, { sticky: true })).toEqual({})
})

const limited = { limits: { cpus: 2, memory_mb: 512, processes: null, defaults: ['cpus' as const] } }

test('a default is shown as an empty field', () => {
  expect(limitText(limited, 'cpus')).toBe('')
  expect(limitText(limited, 'memory_mb')).toBe('512')
})

test('an empty field resets to the default, a number is sent as a number', () => {
  expect(limitChanges(limited, { cpus: '1,5', memory_mb: '', processes: '' }).limits).toEqual({
    cpus: 1.5,
    memory_mb: null,
  })
  expect(limitChanges(limited, { memory_mb: ' 512 ' }).limits).toBeUndefined()
})

test('an invalid number is an error and is not sent', () => {
  const { limits, faults } = limitChanges(limited, { cpus: 'two', memory_mb: '1024' })
  expect(limits).toBeUndefined()
  expect([...faults.keys()]).toEqual(['cpus'])
})
