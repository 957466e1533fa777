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
} as const

test('only what differs is sent', () => {
  expect(changesOf(environment, { title: 'Staging', branch: 'next', server_id: 1 })).toEqual({ branch: 'next' })
  expect(changesOf(environment, { recipe: 'docker', server_id: 2, title: '' })).toEqual({
    recipe: 'docker',
    server_id: 2,
    title: '',
  })
})

test('going back to what the project has is a change, and staying there is none', () => {
  expect(changesOf({ ...environment, recipe: 'docker' }, { recipe: null })).toEqual({ recipe: null })
  expect(isChanged(changesOf(environment, { recipe: null }))).toBe(false)
})

test('what somebody else saved meanwhile is no change any more', () => {
  expect(changesOf({ ...environment, sticky: true }, { sticky: true })).toEqual({})
})

const limited = { limits: { cpus: 2, memory_mb: 512, processes: null, defaults: ['cpus' as const] } }

test('a default is an empty field', () => {
  expect(limitText(limited, 'cpus')).toBe('')
  expect(limitText(limited, 'memory_mb')).toBe('512')
})

test('an empty field goes back to the default, a number is sent as one', () => {
  expect(limitChanges(limited, { cpus: '1,5', memory_mb: '', processes: '' }).limits).toEqual({
    cpus: 1.5,
    memory_mb: null,
  })
  expect(limitChanges(limited, { memory_mb: ' 512 ' }).limits).toBeUndefined()
})

test('what is no number is a fault and is not sent', () => {
  const { limits, faults } = limitChanges(limited, { cpus: 'two', memory_mb: '1024' })
  expect(limits).toBeUndefined()
  expect([...faults.keys()]).toEqual(['cpus'])
})
