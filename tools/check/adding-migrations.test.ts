import { expect, test } from 'vitest'
import { addingMigrations } from './adding-migrations.ts'
import { sourceFile } from './source-file.ts'

const migrate = sourceFile('packages/server/src/store/migrate.ts', "export const OLDEST_RELEASE = '1.16.0'\n")
const problems = (text: string, name = '0045-ships') =>
  addingMigrations([migrate, sourceFile(`packages/server/migrations/${name}.sql`, text)])

test.each([
  'create table ships (id {{id}}, name text not null);',
  'alter table ships add column colour text;',
  "alter table ships add column colour text not null default 'red' check (colour in ('red', 'blue'));",
  'create index ships_name on ships (name);',
  'create table piers (id {{id}}, name text not null);\ncreate unique index piers_name on piers (name);\nupdate piers set name = name;',
  'create table piers (ship_id bigint references ships (id) on delete cascade on update cascade);',
  '-- This will rename and drop table in its time.\ncreate table piers (id {{id}});',
])('what only adds is accepted: %s', (text) => {
  expect(problems(text)).toEqual([])
})

test.each([
  ['drop table ships;', 'removes'],
  ['alter table ships\n  drop column colour;', 'removes'],
  ['alter table ships rename column name to title;', 'renames'],
  ['alter table ships rename to boats;', 'renames'],
  ['alter table ships add column colour text not null;', 'default'],
  ['alter table ships alter column colour set not null;', 'changes'],
])('what the release before cannot work on is refused: %s', (text, word) => {
  expect(problems(text)).toMatchObject([{ message: expect.stringContaining(word) }])
})

test.each([
  ['create unique index ships_name on ships (name);', 'may refuse rows'],
  ['create unique index ships_name\n  on ships (name) where name is not null;', 'may refuse rows'],
  ["alter table ships add constraint ships_name check (name <> '');", 'may refuse rows'],
  ['drop index ships_name;', 'takes away'],
  ['alter table ships drop constraint ships_name;', 'takes away'],
  ['create table piers (id {{id}});\nupdate ships set name = 1;', 'changes rows'],
  ['-- Old ones.\ndelete from ships;', 'changes rows'],
])('what may stop the release before needs a reason: %s', (text, word) => {
  expect(problems(text)).toMatchObject([{ message: expect.stringContaining(word) }])
  expect(problems(`-- Harmless to the release before: it writes no ships.\n${text}`)).toEqual([])
  expect(problems(`-- Harmless to the release before:\n${text}`)).toHaveLength(1)
})

test('no reason makes a removal harmless, and the line of each problem is named', () => {
  const reason = '-- Harmless to the release before: it writes no ships.\n'
  expect(problems(`${reason}drop table ships;`)).toHaveLength(1)
  expect(problems('create table piers (id {{id}});\n\nupdate ships set name = 1;')).toMatchObject([{ line: 3 }])
})

test('a column goes once the oldest release that may run does not use it', () => {
  const drop = 'alter table ships drop column colour;'
  expect(problems(`-- Unused since 1.16.0: the colour.\n${drop}`)).toEqual([])
  expect(problems(`-- Unused since 1.17.0: the colour.\n${drop}`)).toHaveLength(1)
})

test('migrations of the releases before the rule stay as they are', () => {
  expect(problems('drop table ships;', '0044-ships')).toEqual([])
})
