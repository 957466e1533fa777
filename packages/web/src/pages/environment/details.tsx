// Details of an environment, with the origin of inherited values.
import type { Environment } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { GitBranch, GitPullRequest } from 'lucide-react'
import { BranchLink, CommitLink, linkedProject, PullRequestLink } from '../../components/git-links.tsx'
import { Fact, Facts } from '../../components/page.tsx'
import { useCurrentPage } from '../../layout/current-page.ts'
import { formatDate, formatExact } from '../../text/ago.ts'
import { describeAutoDeploy, describeBasicAuth, describeLimits, recipeOrigin } from './describe-settings.ts'

const icon = { size: 13, strokeWidth: 1.5, 'aria-hidden': true } as const

export function Details({ environment }: { readonly environment: Environment }) {
  const { organization, project } = useCurrentPage()
  const { server, created_at } = environment
  const auth = describeBasicAuth(environment)
  const limits = describeLimits(environment)
  return (
    <section aria-labelledby="details">
      <h2 id="details">Details</h2>
      <Facts>
        <Fact term="Type">{typeOf(environment)}</Fact>
        <PullRequest request={environment.pull_request} />
        <Fact term="Branch">
          <span className="row">
            <GitBranch {...icon} />
            <BranchLink project={linkedProject(project, environment)} branch={environment.branch} />
          </span>
        </Fact>
        <Upload environment={environment} />
        <Fact term="Server">
          {organization ? (
            <Link
              className="link"
              to="/organizations/$organizationId/servers"
              params={{ organizationId: organization.id }}
            >
              {server.name}
            </Link>
          ) : (
            server.name
          )}
        </Fact>
        <Fact term="Recipe" from={recipeOrigin(environment)}>
          {environment.effective_recipe}
        </Fact>
        <Fact term="Auto-deploy">{describeAutoDeploy(environment)}</Fact>
        <Fact term="Protected">
          {environment.protected ? `Yes, only ${environment.owner.name} can change it` : 'No'}
        </Fact>
        <Fact term="Basic auth" {...(auth.from && { from: auth.from })}>
          {auth.words}
        </Fact>
        <Fact term="Owner">{environment.owner.name}</Fact>
        <Fact term="Limits" {...(limits.from && { from: limits.from })}>
          {limits.words}
        </Fact>
        <Fact term="Created">
          <time dateTime={created_at} title={formatExact(new Date(created_at))}>
            {formatDate(new Date(created_at))}
          </time>
        </Fact>
      </Facts>
    </section>
  )
}

const typeOf = ({ type, upload }: Environment): string =>
  upload ? 'Upload' : type === 'manual' ? 'Manual' : 'Pull request'

function Upload({ environment: { upload } }: { readonly environment: Environment }) {
  const { project } = useCurrentPage()
  if (upload === null) return null
  return (
    <Fact term="Upload" from="not at the git host">
      <span>
        Working tree of {upload.by.name}
        {upload.head_sha === null ? undefined : (
          <>
            , based on <CommitLink project={project} sha={upload.head_sha} />
          </>
        )}
      </span>
    </Fact>
  )
}

function PullRequest({ request }: { readonly request: Environment['pull_request'] }) {
  if (request === null) return null
  const from = [request.state, request.author, request.is_fork && 'from a fork'].filter(Boolean).join(', ')
  return (
    <Fact term="Request" from={from}>
      <span className="row">
        <GitPullRequest {...icon} />
        <PullRequestLink request={request} />
      </span>
      <span className="small">{request.title}</span>
    </Fact>
  )
}
