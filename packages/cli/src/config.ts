// The settings that come from the environment of the process. Nothing else reads it.
import { homedir } from 'node:os'
import { join } from 'node:path'

export type Config = {
  readonly url: string | undefined
  readonly token: string | undefined
  readonly organization: string | undefined
  /** Of the platform that `shipway import` reads. */
  readonly importToken: string | undefined
  readonly credentialsFile: string
  readonly isColorWanted: boolean
  /** A terminal that cannot move its cursor, such as the one inside an editor. */
  readonly isDumbTerminal: boolean
  readonly isUtf8: boolean
  readonly hasDesktop: boolean
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { SHIPWAY_URL, SHIPWAY_TOKEN, SHIPWAY_ORG, SHIPWAY_IMPORT_TOKEN, XDG_CONFIG_HOME, NO_COLOR, TERM } = environment
  return {
    url: given(SHIPWAY_URL),
    token: given(SHIPWAY_TOKEN),
    organization: given(SHIPWAY_ORG),
    importToken: given(SHIPWAY_IMPORT_TOKEN),
    credentialsFile: join(given(XDG_CONFIG_HOME) ?? join(homedir(), '.config'), 'shipway', 'credentials.json'),
    isColorWanted: given(NO_COLOR) === undefined && TERM !== 'dumb',
    isDumbTerminal: TERM === 'dumb',
    isUtf8: writesUtf8(environment),
    hasDesktop: hasDesktop(environment),
  }
}

/** An empty variable counts as not set. */
const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

/** As in the C library, the first of the three that is set decides. */
function writesUtf8({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  if (process.platform !== 'linux') return true
  return /utf-?8/i.test(given(LC_ALL) ?? given(LC_CTYPE) ?? given(LANG) ?? '')
}

/** Whether a browser can appear in front of the user: not over ssh, and on Linux only with a display. */
function hasDesktop({ SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): boolean {
  if (given(SSH_CONNECTION) !== undefined) return false
  if (process.platform !== 'linux') return true
  return (given(DISPLAY) ?? given(WAYLAND_DISPLAY)) !== undefined
}

/** The environment of the client with more variables, for a program that it starts. */
export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
})
