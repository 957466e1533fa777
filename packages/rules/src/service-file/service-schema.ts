// The JSON Schema of `.service.yml` for editors, from the same values that the readers check. What a schema cannot say, such as that two
// services have the same label, is left to `shipway check`. Each key has a description, which the reference shows, too.
import { CheckName, MOST_CHECK_NAMES } from '@shipway/api/values/check-name'
import { Port } from '@shipway/api/values/hostname'
import { Lifetime } from '@shipway/api/values/lifetime'
import { EnvironmentName, ServiceName } from '@shipway/api/values/name'
import { FilterPattern, Label, MOST_FILTER_ENTRIES, PullRequestsEnabled } from '@shipway/api/values/pull-request-rules'
import { z } from 'zod'
import { MAX_COMPOSE_FILES, MAX_PROFILES, MAX_SERVICES } from './read-repository-config.ts'
import { MAX_ENVIRONMENTS } from './read-schedule.ts'
import { MAX_ACTIONS, MAX_PATHS, MAX_RELEASE_COMMANDS, MAX_STEPS } from './read-scripts.ts'
import {
  ArtifactGlob,
  CheckoutFile,
  CheckoutPath,
  CustomDomain,
  DurationText,
  Flag,
  HealthPath,
  Profile,
  RoutedServiceName,
  Script,
  ScriptName,
  Text,
} from './repository-config-values.ts'

export type SchemaNode = {
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | false
  readonly required?: readonly string[]
  readonly items?: SchemaNode
  readonly oneOf?: readonly SchemaNode[]
  readonly else?: SchemaNode
  readonly [keyword: string]: unknown
}

/** Draft 7, which editors know best. */
export function serviceSchema(): SchemaNode {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: '.service.yml of Shipway',
    ...section('How a repository is deployed', {
      services: services(),
      docker: docker(),
      manual: manual(),
      actions: actions(),
      pull_requests: pullRequests(),
      deploy_after: deployAfter(),
    }),
    minProperties: 1,
  }
}

/** What a value of the reader may be, without the parts that only a program can check. */
function value(schema: z.ZodType, description: string, example?: unknown): SchemaNode {
  const { $schema: _, ...node }: Record<string, unknown> = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-7',
  })
  return { ...node, description, ...(example === undefined ? {} : { examples: [example] }) }
}

function section(
  description: string,
  properties: Readonly<Record<string, SchemaNode>>,
  required: readonly string[] = [],
): SchemaNode {
  return {
    type: 'object',
    description,
    properties,
    additionalProperties: false,
    ...(required.length > 0 && { required }),
  }
}

/** One value, or a list of them. */
const oneOrMore = (item: SchemaNode, maxItems: number, minItems = 0): SchemaNode => {
  const { description = '', ...rest } = item
  return { description, oneOf: [rest, { type: 'array', items: rest, maxItems, minItems }] }
}

const names = (schema: z.ZodType, entry: SchemaNode, maxProperties: number, description: string): SchemaNode => ({
  type: 'object',
  description,
  propertyNames: value(schema, 'Name'),
  additionalProperties: entry,
  maxProperties,
})

/** The pattern of the API's own check, which reveals none. */
const Service = ServiceName.meta({ pattern: '^[a-z0-9][a-z0-9_.-]{0,62}$' })
const Environment = EnvironmentName.meta({ pattern: '^(?!..--)(?!pr-[0-9]+(-|$))[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$' })

const services = (): SchemaNode =>
  names(
    RoutedServiceName,
    {
      ...section('A service that answers requests', {
        port: value(Port, 'Port that it listens on. Default: the one port of the compose file or the image', 3000),
        health: value(HealthPath, 'Path that answers once the service is ready', '/healthz'),
        domain: value(
          CustomDomain,
          'A domain of its own. {env} is the name of the environment',
          '{env}-api.example.com',
        ),
        main: value(Flag, "Whether it answers at the environment's own domain. Default: the first service", true),
        sticky_sessions: value(Flag, 'Sends one browser to one container. For a Docker Swarm', true),
      }),
      type: ['object', 'null'],
    },
    MAX_SERVICES,
    'Services that answer requests. The first one answers at the domain of the environment',
  )

const docker = (): SchemaNode => ({
  ...section('The docker recipe: containers from a compose file or a Dockerfile', {
    compose: oneOrMore(
      value(CheckoutFile, 'Compose file, or several that are merged. Default: the usual names', 'deploy/compose.yml'),
      MAX_COMPOSE_FILES,
      1,
    ),
    build: {
      description: 'Folder or Dockerfile to build, in place of a compose file',
      oneOf: [
        value(CheckoutPath, 'Folder with the Dockerfile', '.'),
        section('Folder and Dockerfile', {
          context: value(CheckoutPath, 'Folder to build. Default: the root of the repository', 'apps/web'),
          dockerfile: value(CheckoutFile, 'Dockerfile, relative to the folder. Default: Dockerfile', 'Dockerfile.prod'),
        }),
      ],
    },
    profiles: oneOrMore(value(Profile, 'Profiles of the compose file to enable', 'tools'), MAX_PROFILES),
    release: commands('Commands that run before each switch, such as migrations', true),
    seed: commands('Commands that run once, for the first data of an environment', false),
  }),
  not: { required: ['compose', 'build'] },
})

function commands(description: string, hasRollback: boolean): SchemaNode {
  const command = section(
    description,
    {
      name: value(ScriptName, 'Name of the step. Default: the first line of the command', 'Migrate'),
      run: value(Script, 'Command; the shell sh -e runs it', 'npm run migrate'),
      service: value(Service, 'Service whose image and variables it gets. Default: the main service', 'web'),
      timeout: value(DurationText, 'Time after which it fails, at most a day', '10m'),
      ...(hasRollback && { on_rollback: value(Flag, 'Whether it also runs on a rollback. Default: false', true) }),
    },
    ['run'],
  )
  return oneOrMore(command, MAX_RELEASE_COMMANDS)
}

function manual(): SchemaNode {
  const step = section(
    'A step',
    {
      name: value(ScriptName, 'Name of the step. Default: the first line of the command', 'Restart'),
      run: value(Script, 'Command; it runs in the folder of the release', './restart.sh'),
      timeout: value(DurationText, 'Time after which it fails, at most a day', '5m'),
    },
    ['run'],
  )
  const steps = (description: string, minItems: number): SchemaNode => ({
    type: 'array',
    description,
    items: step,
    minItems,
    maxItems: MAX_STEPS,
  })
  return section(
    'The manual recipe: your own commands on the server',
    {
      deploy: steps('Steps that deploy, one after the other', 1),
      destroy: steps('Steps that stop everything before a removal', 0),
    },
    ['deploy'],
  )
}

function actions(): SchemaNode {
  const action = {
    ...section(
      'An action',
      {
        run: value(
          Script,
          'Command to run on demand',
          'PGPASSWORD=$POSTGRES_PASSWORD pg_dump -h db -U app app > dump.sql',
        ),
        service: value(Service, 'Service to run it in. Default: the main service', 'db'),
        timeout: value(DurationText, 'Time after which it fails, at most a day', '10m'),
        artifacts: section('Files that you can download afterwards', {
          paths: {
            type: 'array',
            description: 'Patterns of paths',
            items: value(ArtifactGlob, 'Pattern of paths', 'dump*.sql'),
            maxItems: MAX_PATHS,
          },
        }),
        schedule: value(Text, 'Times at which it runs: minute, hour, day, month, day of the week', '0 3 * * *'),
        timezone: value(Text, 'Time zone of the schedule. Default: UTC', 'Europe/Berlin'),
        environments: oneOrMore(
          value(Environment, 'Environments where the schedule counts', 'production'),
          MAX_ENVIRONMENTS,
          1,
        ),
        catch_up: value(Flag, 'Whether a missed run is made up for once. Default: false', true),
      },
      ['run'],
    ),
    dependencies: { timezone: ['schedule'], environments: ['schedule'], catch_up: ['schedule'] },
  }
  return names(
    Service,
    {
      // An action of an earlier release: it is listed and disabled, whatever else it holds.
      if: { type: 'object', properties: { result: { const: 'file' } }, required: ['result'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {},
      else: action,
    },
    MAX_ACTIONS,
    'Commands that you run on demand, or at fixed times',
  )
}

const pullRequests = (): SchemaNode => ({
  ...section('Which pull requests get an environment. Counts on the default branch only', {
    enabled: value(PullRequestsEnabled, 'true: all; label: those with one of the labels; false: none', 'label'),
    labels: oneOrMore(value(Label, 'Labels of which a pull request needs one', 'preview'), MOST_FILTER_ENTRIES),
    drafts: value(Flag, 'Whether drafts get one', false),
    bots: value(Flag, 'Whether pull requests of bots get one', false),
    target_branches: oneOrMore(
      value(FilterPattern, 'Patterns of the branches they lead to', 'main'),
      MOST_FILTER_ENTRIES,
    ),
    paths: oneOrMore(
      value(FilterPattern, 'Patterns of the files they must change', 'apps/shop/**'),
      MOST_FILTER_ENTRIES,
    ),
    comments: value(Flag, 'Whether /preview in a comment counts', true),
    expire_after: value(Lifetime, 'Time without a deployment after which an environment is removed', '72h'),
  }),
  if: { properties: { enabled: { const: 'label' } }, required: ['enabled'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['labels'], properties: { labels: { not: { type: 'array', maxItems: 0 } } } },
})

const deployAfter = (): SchemaNode => ({
  description: 'What pushes and pull requests wait for. Counts on the default branch only',
  oneOf: [
    { const: 'checks', description: 'Wait for all checks' },
    section('Checks to wait for', {
      checks: oneOrMore(value(CheckName, 'Names of checks, as the git host shows them', 'build'), MOST_CHECK_NAMES),
      timeout: value(DurationText, 'Time after which the wait ends. Default: 30 minutes', '20m'),
    }),
  ],
})
