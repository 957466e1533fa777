// The OpenAPI document: complete, resolvable, valid JSON Schema, and the same text each time.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Operation, Schema } from './openapi/document.ts'
import { openApiOf } from './openapi.ts'
import { PROBLEMS } from './problem.ts'
import { routes } from './routes.ts'

const platform = { baseUrl: 'https://ship.example.com', version: 'v1.15.0' }
const document = openApiOf(routes, platform)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

function operation(name: string): Operation {
  const found = operations.find((candidate) => candidate.operation.operationId === name)?.operation
  if (!found) throw new Error(`The document has no ${name}`)
  return found
}

const header = (name: string) => operation(name).parameters.filter((parameter) => parameter.in === 'header')
const headerNames = (name: string): string[] => header(name).map((parameter) => parameter.name)
const answerOf = (name: string, status: number) => operation(name).responses[status]
const bodySchema = (name: string): Schema => operation(name).requestBody?.content['application/json']?.schema ?? {}
const codesOf = (name: string, status: number): unknown =>
  answerOf(name, status)?.content?.['application/problem+json']?.schema.properties?.code?.enum

test('every route is an operation under its own name, method and path', () => {
  const found = operations.map(({ path, method, operation }) => [operation.operationId, method.toUpperCase(), path])
  expect(found.toSorted()).toEqual(
    Object.entries(routes)
      .map(([name, { method, path }]) => [name, method, path])
      .toSorted(),
  )
})

test('only the routes that are handed in are in the document, and only the shapes that they use', () => {
  const small = openApiOf({ getServer: routes.getServer }, platform)
  expect(Object.keys(small.paths)).toEqual(['/api/servers/{id}'])
  expect(Object.keys(small.components.schemas)).toEqual(['Server', 'Problem', 'Fault'])
})

test('the text is the same each time', () => {
  expect(JSON.stringify(openApiOf(routes, platform))).toBe(JSON.stringify(document))
})

test('every reference leads somewhere', () => {
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '')
  expect(references.length).toBeGreaterThan(100)
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((at, key) => Reflect.get(Object(at), key), document)
    expect(target, reference).toBeTypeOf('object')
  }
  expect(text).not.toContain('$defs')
  expect(text).not.toContain('x-name')
})

test('the parameters of a path are exactly those that its address names', () => {
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const listed = operation.parameters.filter((parameter) => parameter.in === 'path')
    expect(listed.map(({ name }) => name).toSorted(), path).toEqual(named.toSorted())
    expect(listed.every(({ required }) => required)).toBe(true)
  }
})

describe('JSON Schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'contract', components: document.components })
  const compile = (schema: Schema) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/')))

  test('every schema is valid under draft 2020-12', () => {
    const schemas = [
      ...Object.values(document.components.schemas),
      ...operations.flatMap(({ operation }) => [
        ...operation.parameters.map((parameter) => parameter.schema),
        ...Object.values(operation.requestBody?.content ?? {}).map((content) => content.schema),
        ...Object.values(operation.responses).flatMap((answer) =>
          Object.values(answer.content ?? {}).map((content) => content.schema),
        ),
      ]),
    ]
    expect(schemas.length).toBeGreaterThan(200)
    // Most of them say the same: to compile one takes long.
    const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]))
    for (const schema of different.values()) {
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true)
      compile(schema)
    }
  })

  test('a body is judged as the server judges it', () => {
    const valid = compile(bodySchema('createServer'))
    expect(valid({ name: 'One', hostname: 'one.example.com' })).toBe(true)
    expect(valid({ name: 'One' })).toBe(false)
    expect(valid({ name: 'One', hostname: 'one.example.com', colour: 'red' })).toBe(false)
  })

  test('an answer may gain fields', () => {
    const valid = compile({ $ref: '#/components/schemas/ServerName' })
    expect(valid({ id: 1, name: 'One', hostname: 'one.example.com', colour: 'red' })).toBe(true)
    expect(valid({ id: 1, name: 'One' })).toBe(false)
  })
})

test('ids and limits in an address are whole numbers', () => {
  const schemas = operation('listTasks').parameters.map(({ name, schema }) => [name, schema])
  expect(Object.fromEntries(schemas)).toMatchObject({
    id: { type: 'integer', minimum: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 200 },
    before: { type: 'integer', minimum: 1 },
  })
})

test('headers are named where they count', () => {
  expect(headerNames('getMe')).toEqual([])
  expect(headerNames('getHealth')).toEqual([])
  expect(headerNames('updateMe')).toEqual(['X-Service-Organization'])
  expect(headerNames('changeVariables')).toEqual(['X-Service-Organization', 'Idempotency-Key', 'If-Match'])
  expect(headerNames('listVariables')).toEqual(['X-Service-Organization'])
  expect(Object.keys(answerOf('listVariables', 200)?.headers ?? {})).toContain('ETag')
  expect(Object.keys(answerOf('listProjects', 200)?.headers ?? {})).toContain('Link')
  expect(Object.keys(answerOf('createProject', 201)?.headers ?? {})).toContain('Location')
})

test('an output that is read in parts says so', () => {
  expect(answerOf('readTaskLog', 206)).toMatchObject({ content: { 'text/plain': { schema: { type: 'string' } } } })
  expect(answerOf('readTaskLog', 416)).toBeDefined()
  expect(answerOf('getTask', 206)).toBeUndefined()
})

test('a body is required unless the route takes none as well', () => {
  expect(operation('createProject').requestBody?.required).toBe(true)
  expect(operation('startDeployment').requestBody?.required).toBe(false)
  expect(operation('getProject').requestBody).toBeUndefined()
})

test('rules that JSON Schema cannot say stand beside the field with their code', () => {
  expect(bodySchema('createProject').properties?.domain?.['x-rules']).toEqual([
    { code: 'invalid_domain', detail: expect.stringMatching(/host name such as/) },
  ])
})

test('errors are grouped by status, those of the route and those that follow from what it takes', () => {
  expect(codesOf('startDeployment', 409)).toEqual([
    'deployment_in_progress',
    'approval_required',
    'environment_removing',
    'project_deleting',
    'idempotency_key_reused',
    'request_in_progress',
  ])
  expect(codesOf('startDeployment', 401)).toEqual(['authentication_required', 'invalid_token', 'token_expired'])
  expect(codesOf('getProject', 403)).toEqual(['insufficient_scope', 'organization_not_accessible'])
  expect(codesOf('changeVariables', 412)).toEqual(['precondition_failed'])
  expect(answerOf('listVariables', 412)).toBeUndefined()
  expect(answerOf('getHealth', 403)).toBeUndefined()
  for (const { operation } of operations) {
    for (const code of operation.responses['401']?.content?.['application/problem+json']?.schema.properties?.code
      ?.enum ?? []) {
      expect(Object.entries(PROBLEMS).find(([name]) => name === code)?.[1].status).toBe(401)
    }
  }
})

test('an endpoint that was removed is marked so and promises no success', () => {
  expect(operation('readRemovedLogs')).toMatchObject({ deprecated: true })
  expect(answerOf('readRemovedLogs', 204)).toBeUndefined()
  expect(codesOf('readRemovedLogs', 410)).toEqual(['endpoint_removed'])
})

test('permission, scope and ways to sign in are told for each operation', () => {
  expect(operation('createServer')).toMatchObject({
    'x-permission': 'administer',
    'x-scope': 'admin',
    security: [{ bearer: ['admin'] }, { oauth: ['admin'] }, { session: [] }],
  })
  expect(operation('signIn').security).toEqual([])
  expect(operation('answerDeviceRequest').security).toEqual([{ session: [] }])
})
