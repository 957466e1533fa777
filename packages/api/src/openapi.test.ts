// The OpenAPI document: complete, resolvable, valid JSON Schema, and the same text each time.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Operation, Schema } from './openapi/document.ts'
import { operationsOf } from './openapi/paths.ts'
import { errorsOf, GENERAL_ERRORS } from './openapi/route-errors.ts'
import { openApiOf } from './openapi.ts'
import { PROBLEMS } from './problem.ts'
import { type Route, SCOPES } from './route.ts'
import { type RouteName, routes } from './routes.ts'

const platform = { baseUrl: 'https://ship.example.com', version: 'v1.15.0' }
const document = openApiOf(routes, platform)
const operations = operationsOf(document)
const text = JSON.stringify(document)

function operation(name: string): Operation {
  const found = operations.find((candidate) => candidate.operation.operationId === name)?.operation
  if (!found) throw new Error(`The document has no ${name}`)
  return found
}

const header = (name: string) => operation(name).parameters.filter((parameter) => parameter.in === 'header')
const headerNames = (name: string): string[] => header(name).map((parameter) => parameter.name)
function answerOf(name: string, status: number | string) {
  const answer = operation(name).responses[status]
  if (answer && '$ref' in answer) throw new Error(`${name} refers to its ${status}`)
  return answer
}
const bodySchema = (name: string): Schema => operation(name).requestBody?.content['application/json']?.schema ?? {}

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
  expect(Object.keys(small.components.schemas)).toEqual(['Server', 'ServerName', 'SwarmNode', 'Problem', 'Fault'])
})

test('the text is the same each time', () => {
  expect(JSON.stringify(openApiOf(routes, platform))).toBe(JSON.stringify(document))
})

test('every reference leads somewhere', () => {
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '')
  expect(references.length).toBeGreaterThan(100)
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((at, key) => Reflect.get(Object(at), key), document)
    expect(target, reference).toBeTypeOf('object')
  }
  expect(text).not.toContain('$defs')
  expect(text).not.toMatch(/x-name|x-extends/)
})

test('the parameters of a path are exactly those that its address names', () => {
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const listed = operation.parameters.filter((parameter) => parameter.in === 'path')
    expect(listed.map(({ name }) => name).toSorted(), path).toEqual(named.toSorted())
    expect(listed.every(({ required }) => required)).toBe(true)
  }
})

test('the document is small: what operations have in common is written once', () => {
  expect(Buffer.byteLength(text)).toBeLessThan(1290 * operations.length)
  const inline = operations
    .flatMap(({ operation }) => Object.values(operation.responses))
    .map((one) => JSON.stringify(one))
  expect(inline.filter((answer) => answer.includes('problem+json'))).toEqual([])
  expect(document.paths['/api/environments/{id}/tasks']?.parameters).toEqual([
    { $ref: '#/components/parameters/id' },
    { $ref: '#/components/parameters/Organization' },
  ])
  expect(document.paths['/api/environments/{id}/tasks']?.get?.parameters?.slice(0, 2)).toEqual([
    { $ref: '#/components/parameters/limit' },
    { $ref: '#/components/parameters/cursor' },
  ])
})

test('every operation has a description beside its summary, and an answer of success and one of error', () => {
  for (const { operation } of operations) {
    const { operationId, summary, description, responses } = operation
    expect(description.length, operationId).toBeGreaterThan(10)
    expect(description, operationId).not.toBe(summary)
    expect(Object.keys(responses).filter((status) => status.startsWith('2')).length, operationId).toBeGreaterThan(0)
    expect(responses['4XX'], operationId).toEqual({ $ref: '#/components/responses/Error' })
  }
  expect(Object.keys(operation('checkServer').responses)).toContain('5XX')
})

test('every tag has a description', () => {
  expect(document.tags.map(({ name }) => name)).toEqual([
    ...new Set(operations.flatMap(({ operation }) => operation.tags)),
  ])
  for (const { name, description } of document.tags) expect(description, name).toMatch(/^[A-Z].{10,}/)
})

test('who to ask and what may be done with it is in the document', () => {
  expect(document.info.contact.url).toBe('https://ship.example.com')
  expect(document.info.license.identifier).toBe('Apache-2.0')
})

test('the OAuth scheme lists every scope, and operations name no others', () => {
  const { type, flows } = document.components.securitySchemes.oauth ?? {}
  expect({ type, flows }).toEqual({
    type: 'oauth2',
    flows: {
      'x-deviceAuthorization': {
        deviceAuthorizationUrl: 'https://ship.example.com/oauth/device_authorization',
        tokenUrl: 'https://ship.example.com/oauth/token',
        refreshUrl: 'https://ship.example.com/oauth/token',
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, expect.stringMatching(/\w{3}/)])),
      },
    },
  })
  for (const { operation } of operations) {
    for (const [scheme, scopes] of operation.security.flatMap((way) => Object.entries(way))) {
      expect(Object.keys(document.components.securitySchemes), operation.operationId).toContain(scheme)
      const allowed: readonly string[] = scheme === 'oauth' ? SCOPES : []
      expect(
        scopes.filter((scope) => !allowed.includes(scope)),
        operation.operationId,
      ).toEqual([])
    }
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
          '$ref' in answer ? [] : Object.values(answer.content ?? {}).map((content) => content.schema),
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

  test('a body is checked as the server checks it', () => {
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
  expect(headerNames('signIn')).toEqual([])
  expect(headerNames('startSecondFactor')).toEqual([])
  expect(headerNames('updateMe')).toEqual(['X-Service-Organization'])
  expect(headerNames('changeVariables')).toEqual(['X-Service-Organization', 'Idempotency-Key', 'If-Match'])
  expect(headerNames('listVariables')).toEqual(['X-Service-Organization'])
  expect(Object.keys(answerOf('listVariables', 200)?.headers ?? {})).toContain('ETag')
  expect(document.info.description).toMatch(
    /`Link` header.*`X-Request-Id`.*`X-Service-Version`.*201 carries `Location`/,
  )
})

test('an output that is read in parts says so', () => {
  expect(answerOf('readTaskLog', 206)).toMatchObject({ content: { 'text/plain': { schema: { type: 'string' } } } })
  expect(operation('readTaskLog')['x-errors']).toEqual({ 410: ['log_expired'], 416: ['range_not_satisfiable'] })
  expect(answerOf('getTask', 206)).toBeUndefined()
})

test('a body is required unless the route takes none as well', () => {
  expect(operation('createProject').requestBody?.required).toBe(true)
  expect(operation('startDeployment').requestBody?.required).toBe(false)
  expect(operation('getProject').requestBody).toBeUndefined()
})

test('rules that JSON Schema cannot say stand beside the field with their code', () => {
  expect(bodySchema('createProject').properties?.domain).toEqual({ $ref: '#/components/schemas/Hostname' })
  expect(document.components.schemas.Hostname?.['x-rules']).toEqual([
    { code: 'invalid_domain', detail: expect.stringMatching(/host name such as/) },
  ])
})

test('an operation lists the errors that are special to it by their status', () => {
  expect(operation('startDeployment')['x-errors']).toEqual({
    403: ['environment_protected'],
    409: ['deployment_in_progress', 'approval_required', 'environment_removing', 'project_deleting'],
    503: ['task_not_created'],
  })
  expect(operation('getProject')['x-errors']).toBeUndefined()
  for (const [status, codes] of operations.flatMap(({ operation }) => Object.entries(operation['x-errors'] ?? {}))) {
    for (const code of codes) expect(PROBLEMS[code].status, code).toBe(Number(status))
  }
})

test('every error of a route is special to it or a general one, which the shared answer describes', () => {
  const { description = '' } = document.components.responses.Error ?? {}
  for (const { where, codes } of GENERAL_ERRORS) {
    const line = description.split('\n').find((text) => text.startsWith(`${where}: `))
    for (const code of codes) expect(line, where).toContain(`${PROBLEMS[code].status} \`${code}\``)
  }
  for (const [name, route] of Object.entries<Route>(routes)) {
    const general = GENERAL_ERRORS.filter(({ applies }) => applies(route)).flatMap(({ codes }) => codes)
    const special = Object.values(operation(name)['x-errors'] ?? {}).flat()
    expect([...new Set([...general, ...special])].toSorted(), name).toEqual(errorsOf(route).toSorted())
  }
})

test('the general errors of a route follow from who may call it and what it takes', () => {
  const errors = (name: RouteName, status: number) =>
    errorsOf(routes[name]).filter((code) => PROBLEMS[code].status === status)
  expect(errors('startDeployment', 401)).toEqual(['authentication_required', 'invalid_token', 'token_expired'])
  expect(errors('startDeployment', 409)).toContain('idempotency_key_reused')
  expect(errors('getProject', 403)).toEqual(['insufficient_scope', 'organization_not_accessible'])
  expect(errors('changeVariables', 412)).toEqual(['precondition_failed'])
  expect(errors('listVariables', 412)).toEqual([])
  expect(errors('getHealth', 403)).toEqual([])
})

test('an endpoint that was removed is marked so and promises no success', () => {
  expect(operation('readRemovedLogs')).toMatchObject({ deprecated: true, 'x-errors': { 410: ['endpoint_removed'] } })
  expect(answerOf('readRemovedLogs', 204)).toBeUndefined()
  expect(answerOf('readRemovedLogs', '2XX')?.description).toMatch(/^Never/)
})

test('what extends a named shape refers to it and lists the fields beyond it', () => {
  expect(answerOf('createProject', 201)?.content?.['application/json']?.schema).toEqual({
    allOf: [
      { $ref: '#/components/schemas/Project' },
      { type: 'object', properties: { webhook: { $ref: '#/components/schemas/Webhook' } }, required: ['webhook'] },
    ],
  })
})

test('permission, scope and ways to sign in are described for each operation', () => {
  expect(operation('createServer')).toMatchObject({
    'x-permission': 'administer',
    'x-scope': 'admin',
    security: [{ bearer: [] }, { oauth: ['admin'] }, { session: [] }],
  })
  expect(operation('getServer').security).toEqual([{ bearer: [] }, { oauth: ['read'] }, { session: [] }])
  expect(operation('signIn').security).toEqual([])
  expect(operation('answerDeviceRequest').security).toEqual([{ session: [] }])
})
