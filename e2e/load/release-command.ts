// The repository that is deployed under load with a release command, which runs before each switch.
import { sampleFiles, serviceFile } from './sample.ts'

export const releaseCommandFiles = (version: string) => ({
  ...sampleFiles(version),
  '.service.yml': `${serviceFile}  release: { name: Migrate, run: echo migrated to ${version}, service: web }\n`,
})
