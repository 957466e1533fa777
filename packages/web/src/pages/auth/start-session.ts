// Goes on as somebody else than before. The page is loaded anew: nothing of whoever was here, or of nobody, is left in it.
import { cache } from '../../data/cache.ts'

export function startSession(path: string): void {
  cache.clear()
  location.assign(path)
}
