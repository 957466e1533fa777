// For each typical repository, the suggested `.service.yml` is the one that a person would write.
import { describe, expect, test } from 'vitest'
import { expectedSuggestions } from '../test/corpus/expected-suggestions.ts'
import { fileLocations } from '../test/corpus/file-locations.ts'
import { forms } from '../test/corpus/forms.ts'
import { infrastructure } from '../test/corpus/infrastructure.ts'
import { ports } from '../test/corpus/ports.ts'
import { repositories } from '../test/corpus/repositories.ts'
import { treeOf } from '../test/corpus/tree.ts'
import { webApplications } from '../test/corpus/web-applications.ts'
import { readContents } from './service-file/read-contents.ts'
import { readRepositoryConfig } from './service-file/read-repository-config.ts'
import { suggestServiceFile } from './service-file/suggest-service-file.ts'

const corpus = [...webApplications, ...infrastructure, ...forms, ...fileLocations, ...ports, ...repositories]

test('each repository has an expectation, and no other does', () => {
  expect(corpus.map(({ name }) => name).toSorted()).toEqual(Object.keys(expectedSuggestions).toSorted())
})

describe('suggested', () => {
  test.each(corpus.map((one) => [one.name, one.files] as const))('%s', async (name, files) => {
    const { '.service.yml': _own, ...others } = files
    const text = suggestServiceFile(await readContents(treeOf(others)))
    const config = readRepositoryConfig(text, 'docker')
    const given = expectedSuggestions[name] ?? ''
    const {
      routes,
      files: named = ['compose.yml'],
      profiles = [],
    } = typeof given === 'string' ? { routes: given } : given
    const suggested = config.services.map((service) => `${service.name}:${service.port ?? '-'}`)
    const [main, ...rest] = routes === '' ? [] : routes.split(' ')
    expect(suggested[0], text).toBe(main)
    expect(suggested.slice(1).toSorted(), text).toEqual(rest.toSorted())
    expect(config.source?.type === 'compose' ? config.source.files : ['Dockerfile'], text).toEqual(named)
    expect(config.profiles.toSorted(), text).toEqual(profiles.toSorted())
  })
})
