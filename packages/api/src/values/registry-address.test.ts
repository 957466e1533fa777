import { expect, test } from 'vitest'
import { RegistryAddress } from './registry-address.ts'

test.each(['registry.example.com', 'localhost:5000', '192.0.2.1:5443', 'docker.io/acme', 'ghcr.io/acme/previews_1'])(
  '%s is the address of a registry',
  (address) => expect(RegistryAddress.safeParse(address).success).toBe(true),
)

test.each([
  'acme/images',
  'registry',
  'https://registry.example.com',
  'Registry.example.com',
  'registry.example.com:0',
  'registry.example.com/',
  'registry.example.com/../x',
  'registry.example.com/a:1',
  'user@registry.example.com',
  '-h.example.com',
  'registry.example.com --help',
  '',
])('"%s" is none', (address) => expect(RegistryAddress.safeParse(address).success).toBe(false))
