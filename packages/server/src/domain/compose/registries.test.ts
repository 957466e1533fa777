import { expect, test } from 'vitest'
import { modelOf } from '../../../../rules/test/compose.ts'
import { imageBuild } from './image-build.ts'
import { isRegistryName, likelyRegistries, registriesOfCaches, registryOf } from './registries.ts'

test.each([
  ['alpine', null],
  ['library/alpine:3', null],
  ['docker.io/library/alpine', null],
  ['index.docker.io/library/alpine', null],
  ['shop/web@sha256:abc', null],
  ['ghcr.io/shop/web:1', 'ghcr.io'],
  ['localhost/web', 'localhost'],
  ['LOCALHOST/web', 'LOCALHOST'],
  ['127.0.0.1:5000/web', '127.0.0.1:5000'],
  ['registry:5000/web', 'registry:5000'],
  ['[::1]:5000/web', '[::1]:5000'],
  ['localhost', null],
])('%s comes from %s', (image, registry) => {
  expect(registryOf(image)).toBe(registry)
})

test.each([
  ['ghcr.io', true],
  ['127.0.0.1:5000', true],
  ['-x', false],
  ['a b', false],
  ['*', false],
  ['[::1]:5000', false],
  ['a'.repeat(300), false],
])('%s can be looked up: %s', (text, isName) => {
  expect(isRegistryName(text)).toBe(isName)
})

test('the registries that a build is likely to take from are seen in its Dockerfile, its arguments and contexts', () => {
  const build = {
    context: '/c',
    args: { BASE: 'args.example.com/x', REGISTRY: 'alone.example.com:5000', FILE: './a/b' },
    additional_contexts: { a: 'docker-image://context.example.com/x', b: '/c/docs' },
    cache_from: ['cache.example.com/x', 'alpine', 'localhost./x'],
  }
  const model = modelOf({ web: { build } })
  const service = model.services.get('web')
  if (!service) throw new Error('There is no service')
  const dockerfile = [
    '# syntax=syntax.example.com/x:1',
    'ARG R=arg.example.com',
    'from --platform=linux/arm64 from.example.com:443/x as base',
    'FROM alpine',
    'COPY --from=copy.example.com/x /a /b',
    'RUN --mount=type=bind,from=mount.example.com/x,target=/y go install github.com/x/y && curl example.com/z',
    'RUN go install github.com/x/y',
  ].join('\n')
  expect(likelyRegistries([imageBuild(model, service)], [dockerfile])).toEqual([
    ...['args.example.com', 'alone.example.com:5000', 'context.example.com'],
    ...['syntax.example.com', 'arg.example.com', 'from.example.com:443', 'copy.example.com', 'mount.example.com'],
    ...['github.com', 'example.com'],
  ])
  expect(registriesOfCaches([imageBuild(model, service)])).toEqual(['cache.example.com', 'localhost.'])
  const many = Array.from({ length: 50 }, (_, at) => `FROM r${at}.example.com/x`).join('\n')
  expect(likelyRegistries([], [many])).toHaveLength(10)
})
