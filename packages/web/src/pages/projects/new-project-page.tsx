import { PageHead } from '../../components/page.tsx'

export function NewProjectPage() {
  return <PageHead title="New project" name="New project" />
}
