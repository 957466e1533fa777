/**
 * Names for the texts of statements that come again, so that PostgreSQL parses and plans each of them once for a connection. Without
 * them it took longer to plan the list of environments than to run it. The first uses go without a name: migrations and what is done
 * once are not worth one. PostgreSQL keeps a plan for each name on each connection, hence the limit.
 */
export type StatementNames = { readonly of: (text: string) => { readonly name?: string } }

const USES_BEFORE = 3
const MOST_NAMES = 200
const MOST_COUNTED = 2000

export function createStatementNames(): StatementNames {
  const names = new Map<string, { readonly name: string }>()
  const uses = new Map<string, number>()
  return {
    of: (text) => {
      const known = names.get(text)
      if (known) return known
      if (names.size >= MOST_NAMES) return UNNAMED
      const count = (uses.get(text) ?? 0) + 1
      if (count <= USES_BEFORE) {
        // Lists of many lengths make many texts: those that came so far are counted anew.
        if (uses.size >= MOST_COUNTED) uses.clear()
        uses.set(text, count)
        return UNNAMED
      }
      uses.delete(text)
      const named = { name: `shipway_${names.size + 1}` }
      names.set(text, named)
      return named
    },
  }
}

const UNNAMED = {}
