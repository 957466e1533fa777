// Takes the lock on a data folder, says so, and holds it until it is killed; says why when it is refused.
import { CannotStart } from '../../src/domain/cannot-start.ts'
import { openDataFolder } from '../../src/store/data-folder.ts'

try {
  openDataFolder(process.argv[2] ?? '')
  console.log('held')
  process.stdin.resume()
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.log(error.message)
}
