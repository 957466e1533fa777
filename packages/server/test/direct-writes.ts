// Tests write records straight into the database, past the journal by which cached responses are valid. This counts such writes.
import { type Kysely, type KyselyPlugin, RawNode, type RootOperationNode } from 'kysely'
import type { Database } from '../src/store/database.ts'
import type { Tables } from '../src/store/tables/tables.ts'

type CountedDatabase = {
  /** For the test. The application has the database itself, so that nothing it writes past the journal is hidden. */
  readonly db: Kysely<Tables>
  readonly version: Database['version']
}

export function countDirectWrites(database: Database): CountedDatabase {
  let writes = 0
  const running = new WeakSet<object>()
  const counting: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (isWrite(node)) running.add(queryId)
      return node
    },
    transformResult: async ({ result, queryId }) => {
      if (running.has(queryId)) writes++
      return result
    },
  }
  return {
    db: database.db.withPlugin(counting),
    version: async () => {
      const version = await database.version()
      return version && `${version} ${writes}`
    },
  }
}

const isWrite = (node: RootOperationNode): boolean =>
  RawNode.is(node) ? !/^\s*select/i.test(node.sqlFragments[0] ?? '') : node.kind !== 'SelectQueryNode'
