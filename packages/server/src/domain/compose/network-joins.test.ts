import type { DeployMode, ServicePlan } from '@shipway/rules/compose/model'
import { expect, test } from 'vitest'
import { networkJoins } from './network-joins.ts'

const project = 'shipway-main-7'
const network = (key: string) => ({
  key,
  name: `${project}r0000000042_${key}`,
  isInternal: false,
  isAttachable: false,
  hasIpv6: false,
  mtu: null,
})
const services = {
  db: { networks: { back: { aliases: ['database'] } } },
  web: { networks: { front: null, back: null } },
  proxy: { networks: { front: null } },
}

function joins(modes: Readonly<Record<string, DeployMode>>) {
  const containers = Object.keys({ ...services, gone: {} }).map((service) => {
    const keys = service === 'gone' ? ['back'] : Object.keys(Object(Object(services)[service].networks))
    // Of the time before releases had networks.
    return { id: service, service, status: 'running', networks: keys.map((key) => `${project}_${key}`) }
  })
  const plans = Object.entries(modes).map(([name, mode]) => Object({ name, mode }) as ServicePlan)
  return networkJoins(plans, {
    document: { services },
    project,
    networks: [network('front'), network('back')],
    containers,
  })
}

test('what did not change joins under its names, in the networks that its file names', () => {
  expect(joins({ db: 'unchanged', web: 'beside', proxy: 'beside' })).toEqual([
    { containerId: 'db', service: 'db', networks: [{ name: network('back').name, aliases: ['db', 'database'] }] },
  ])
})

test('what is replaced joins under no name where something is recreated in place, to find that one until it goes', () => {
  expect(joins({ db: 'in_place', web: 'beside', proxy: 'unchanged' })).toEqual([
    { containerId: 'web', service: 'web', networks: [{ name: network('back').name, aliases: [] }] },
    { containerId: 'proxy', service: 'proxy', networks: [{ name: network('front').name, aliases: ['proxy'] }] },
    { containerId: 'gone', service: 'gone', networks: [{ name: network('back').name, aliases: [] }] },
  ])
})
