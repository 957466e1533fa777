// A shell function that checks whether Docker on a server obeys source policies.
import { loadScript } from '../script.ts'

export const sourcePolicyScript = loadScript(import.meta.url, 'source-policy')
