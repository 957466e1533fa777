// A function for scripts on servers, which tells whether Docker there obeys source policies.
import { loadScript } from '../script.ts'

export const sourcePolicyScript = loadScript(import.meta.url, 'source-policy')
