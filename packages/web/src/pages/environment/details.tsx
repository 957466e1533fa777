// Details of an environment, with the origin of inherited values.
import type { Environment } from '@shipway/api'
import { Link } from '@tanstack/react-router'
import { GitBranch, GitPullRequest } from 'lucide-react'
import { BranchLink, PullRequestLink } from '../../components/git-links.tsx'
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
        <Fact term="Type">{environment.type === 'manual' ? 'Manual' : 'Pull request'}</Fact>
        <PullRequest request={environment.pull_request} />
        <Fact term="Branch">
          <span className="row">
            <GitBranch {...icon} />
            {/* The branch of a fork is in another repository. */}
            <BranchLink project={environment.pull_request?.is_fork ? undefined : project} branch={environment.branch} />
          </span>
        </Fact>
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
