// Opens the target of a restore in a data folder, and stops for ever before it is complete: FOLDER.
import { readConfig } from '../../src/config.ts'
import { openRestoreTarget } from '../../src/maintenance/restore-target.ts'

const [folder] = process.argv.slice(2)

await openRestoreTarget(readConfig({ SHIPWAY_DATA: folder }))
console.log('hanging')
process.stdin.resume()
