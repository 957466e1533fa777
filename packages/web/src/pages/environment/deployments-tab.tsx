import { PageHead } from '../../components/page.tsx'

export function DeploymentsTab() {
  return <PageHead title="deployments" name="deployments" />
}
