// The order of the test files: the long ones first, so that none of them runs alone at the end.
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that take half a minute or more on two cores, the longest first. */
export const longFiles: readonly string[] = [
  'e2e/dashboard/screens.test.ts',
  'e2e/load/unread.test.ts',
  'e2e/persistent-folders.test.ts',
  'e2e/docker.test.ts',
  'e2e/networks/release-networks.test.ts',
  'e2e/cli/commands.test.ts',
  'e2e/faults.test.ts',
  'e2e/networks/inner-proxies.test.ts',
  'e2e/orphaned-containers.test.ts',
  'e2e/move.test.ts',
  'e2e/many.test.ts',
  'e2e/actions.test.ts',
  'e2e/in-place.test.ts',
  'e2e/cli/logs.test.ts',
  'e2e/operations/scale-out.test.ts',
  'packages/server/src/remote/steps/follow-step.test.ts',
  'e2e/corpus.test.ts',
  'e2e/load.test.ts',
  'packages/server/src/remote/set-up/server-set-up-people.test.ts',
  'packages/server/test/permissions/matrix.test.ts',
  'e2e/cli/credentials.test.ts',
  'e2e/cli/terminal.test.ts',
  'e2e/isolation.test.ts',
  'e2e/foreign-ports.test.ts',
  'packages/server/src/background/servers/cleanup/prune-servers.test.ts',
  'e2e/operations/backup.test.ts',
  'packages/server/src/remote/ssh/ssh-failure.test.ts',
  'e2e/docker-kill.test.ts',
  'e2e/dashboard/output.test.ts',
  'e2e/live.test.ts',
  'packages/server/src/store/tasks/task-life.test.ts',
  'e2e/artifacts.test.ts',
  'packages/server/src/remote/set-up/check-server.test.ts',
  'e2e/cli/words.test.ts',
  'packages/server/src/http/live/slow-reader.test.ts',
  'packages/server/test/certificates/life-of-a-certificate.test.ts',
  'packages/server/test/docker/docker-engine.test.ts',
  'e2e/operations/upgrade.test.ts',
  'packages/server/src/source/hostile-repository.test.ts',
  'packages/server/src/http/webhooks/hostile-deliveries.test.ts',
  'e2e/kill.test.ts',
  'packages/server/src/remote/steps/durable-step.test.ts',
  'packages/server/src/source/mirror.test.ts',
  'packages/server/src/http/webhooks/large-deliveries.test.ts',
  'packages/server/src/source/server-copy.test.ts',
  'e2e/foreign-images.test.ts',
  'packages/server/src/remote/ssh/ssh-host.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longFiles.indexOf(relative(this.ctx.config.root, moduleId))
      if (place !== -1) return place
      // Vitest takes large files for long ones; those of the whole platform are small, and take many seconds.
      return moduleId.startsWith(`${this.ctx.config.root}/e2e/`) ? longFiles.length : longFiles.length + 1
    }
    // The sort is stable: what is not in the list stays in the order that vitest gave it.
    return others.sort((left, right) => placeOf(left) - placeOf(right))
  }
}
