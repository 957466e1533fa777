// How each type of connection is read.
import type { ConnectionType } from '@shipway/api/connections'
import { bitbucket as bitbucketReports } from '../bitbucket.ts'
import { bitbucketDataCenter as dataCenterReports } from '../bitbucket-data-center.ts'
import { gitea as giteaReports } from '../gitea.ts'
import { github as githubReports } from '../github.ts'
import { gitlab as gitlabReports } from '../gitlab.ts'
import { bitbucket } from './bitbucket.ts'
import { bitbucketDataCenter } from './bitbucket-data-center.ts'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import type { ReadingDialect } from './reading-dialect.ts'

type Reading = ReadingDialect & { authorization(token: string): Readonly<Record<string, string>> }

export const READING: Readonly<Record<ConnectionType, Reading>> = {
  github_app: { ...github, authorization: githubReports.authorization },
  gitlab: { ...gitlab, authorization: gitlabReports.authorization },
  gitea: { ...gitea, authorization: giteaReports.authorization },
  forgejo: { ...gitea, authorization: giteaReports.authorization },
  bitbucket: { ...bitbucket, authorization: bitbucketReports.authorization },
  bitbucket_server: { ...bitbucketDataCenter, authorization: dataCenterReports.authorization },
}
