import { PageHead } from '../../components/page.tsx'

export function ProjectVariablesTab() {
  return <PageHead title="variables" name="variables" />
}
