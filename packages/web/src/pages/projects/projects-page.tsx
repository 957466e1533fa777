import { PageHead } from '../../components/page.tsx'

export function ProjectsPage() {
  return <PageHead title="Projects" name="Projects" />
}
