// Words of commands that the client suggests. They name the project, the environment and the server, so that a pasted command works in
// every folder.
import { plainText } from '../terminal/sanitize.ts'
import { readId } from './find-by-name.ts'

type Named = { readonly name: string }
type Target = { readonly project: Named; readonly environment: Named }

/** `-p bookshop -e staging` */
export const targetWords = ({ project, environment }: Target): string =>
  `-p ${shellWord(project.name)} -e ${shellWord(environment.name)}`

/** A name that looks like an id could be taken for one. */
export const serverWord = ({ id, name }: Named & { readonly id: number }): string =>
  readId(name) === undefined ? shellWord(name) : String(id)

/** Quoted for a shell where needed. */
export function shellWord(name: string): string {
  const text = plainText(name)
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** The platform's hints name commands such as `shipway logs`, without knowing where the reader is. */
export function completeCommands(
  hint: string,
  target: Target & { readonly environment: { readonly server: Named & { id: number } } },
): string {
  return plainText(hint)
    .replaceAll(
      /`shipway (vars (?:set|unset|list)|logs|deploy|diagnose)(?= |`)/g,
      (words) => `${words} ${targetWords(target)}`,
    )
    .replaceAll(/`shipway servers? check(?=`)/g, (words) => `${words} ${serverWord(target.environment.server)}`)
}
