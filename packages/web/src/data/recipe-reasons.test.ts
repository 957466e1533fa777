import type { Me, Project, Role } from '@shipway/api'
import { expect, test } from 'vitest'
import { whyNotDefaultRecipe, whyNotFirstRecipe, whyNotRecipe } from './recipe-reasons.ts'

const as = (role: Role) => ({
  me: { organizations: [{ id: 1, name: 'Acme', role }] } as unknown as Me,
  organizationId: 1,
})
const project = (manual_recipe: 'off' | 'allowed', default_recipe: 'docker' | 'manual' = 'docker') =>
  ({ default_recipe, manual_recipe }) as Project

test("a member can only select the project's recipe", () => {
  expect(whyNotRecipe(as('member'), project('off'), 'docker')).toBeUndefined()
  expect(whyNotRecipe(as('member'), project('allowed', 'manual'), 'manual')).toBeUndefined()
  expect(whyNotRecipe(as('member'), project('allowed'), 'manual')).toMatch(/^Only administrators/)
  expect(whyNotRecipe(as('member'), project('allowed', 'manual'), 'docker')).toMatch(/^Only administrators/)
})

test('an administrator needs the consent of an owner, and an owner reads where to give it', () => {
  expect(whyNotRecipe(as('admin'), project('allowed'), 'manual')).toBeUndefined()
  expect(whyNotRecipe(as('admin'), project('off'), 'manual')).toMatch(/^An owner/)
  expect(whyNotRecipe(as('owner'), project('off'), 'manual')).toMatch(/^Allow the manual recipe/)
  expect(whyNotDefaultRecipe(as('admin'), project('off'), 'manual')).toMatch(/^An owner/)
  expect(whyNotDefaultRecipe(as('admin'), project('allowed'), 'manual')).toBeUndefined()
})

test('an owner can create projects with the manual recipe', () => {
  expect(whyNotFirstRecipe(as('owner'), 'manual')).toBeUndefined()
  expect(whyNotFirstRecipe(as('admin'), 'manual')).toMatch(/^Only owners/)
  expect(whyNotFirstRecipe(as('admin'), 'docker')).toBeUndefined()
})
