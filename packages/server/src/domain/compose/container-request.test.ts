// Which services can be made without Compose. That the container is the same is seen on a real Engine.
import type { JsonObject } from '@shipway/rules/compose/model'
import { expect, test } from 'vitest'
import { containerRequest } from './container-request.ts'

const usual = {
  image: 'web:42',
  pull_policy: 'never',
  restart: 'unless-stopped',
  networks: { default: null },
  env_file: ['/variables.env'],
  environment: {},
  labels: { 'shipway.hash': 'abc' },
  ports: ['127.0.0.1:20001:3000'],
}

function request(service: JsonObject, network: JsonObject = {}, name = 'web') {
  return containerRequest(name, {
    document: {
      name: 'shipway-main-7',
      services: { [name]: { ...usual, ...service } },
      networks: { default: { name: 'shipway-main-7_default', external: true, ...network } },
    },
    variables: new Map([
      ['TOKEN', 't0ken'],
      ['OVER', 'variable'],
    ]),
    imageId: 'sha256:1',
    number: 3,
    composeVersion: '2.26.1',
    directory: '/task',
    file: '/task/compose.json',
    variablesFile: '/variables.env',
  })
}

test('a service whose keys are all known becomes the request to the Engine', () => {
  expect(request({ environment: { OVER: 'file', TOKEN: null } })).toMatchObject({
    name: 'shipway-main-7-web-3',
    network: 'shipway-main-7_default',
    body: {
      Image: 'web:42',
      Env: ['TOKEN=t0ken', 'OVER=file'],
      Labels: {
        'shipway.hash': 'abc',
        'com.docker.compose.project': 'shipway-main-7',
        'com.docker.compose.service': 'web',
        'com.docker.compose.container-number': '3',
        'com.docker.compose.oneoff': 'False',
      },
      HostConfig: { PortBindings: { '3000/tcp': [{ HostIp: '127.0.0.1', HostPort: '20001' }] } },
      NetworkingConfig: {
        EndpointsConfig: { 'shipway-main-7_default': { Aliases: ['shipway-main-7-web-3', 'web'] } },
      },
    },
  })
})

test('further names in the network come after its own', () => {
  const made = request({ networks: { default: { aliases: ['api'] } } })
  expect(made?.body.NetworkingConfig).toEqual({
    EndpointsConfig: { 'shipway-main-7_default': { Aliases: ['shipway-main-7-web-3', 'web', 'api'] } },
  })
})

test('labels of the file are not those by which Compose knows its own', () => {
  const labels = { 'com.docker.compose.project': 'other', 'com.docker.compose.oneoff': 'True' }
  expect(request({ labels })?.body.Labels).toMatchObject({
    'com.docker.compose.project': 'shipway-main-7',
    'com.docker.compose.oneoff': 'False',
  })
})

test.each<[string, JsonObject, JsonObject?]>([
  ['a key that is not known', { privileged: true }],
  ['a mount', { volumes: [{ type: 'bind', source: '/release/x', target: '/x' }] }],
  ['a port of its own', { ports: [{ target: 3000 }] }],
  ['a port on every address', { ports: ['20001:3000'] }],
  ['two networks', { networks: { default: null, other: null } }],
  ['no network', { networks: {} }],
  ['an address of its own in the network', { networks: { default: { ipv4_address: '10.0.0.2' } } }],
  ['a network with settings', {}, { internal: true }],
  ['a network that is not there yet', {}, { external: undefined }],
  ['a network whose name could be a path', {}, { name: '../containers' }],
  ['a variable without a value', { environment: { HOME: null } }],
  ['a health check that is switched off', { healthcheck: { disable: true } }],
  ['a duration that is none', { stop_grace_period: 'soon' }],
  ['limits in another place', { deploy: { resources: {} } }],
])('Compose makes a service with %s', (_, service, network = {}) => {
  expect(request(service, network)).toBeUndefined()
})

test('Compose makes a service whose name could be more than one', () => {
  expect(request({}, {}, 'web?x=1')).toBeUndefined()
})
