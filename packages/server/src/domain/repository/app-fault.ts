// Why GitHub gives an App no access, in a sentence that says what to do.

export type AppFaultCode =
  /** GitHub does not know the key: it was deleted or replaced, or the App was deleted with it. */
  | 'key_refused'
  | 'suspended'
  /** The App was uninstalled, or the installation is of another App. */
  | 'not_installed'
  /** GitHub knows no such App any more. */
  | 'deleted'
  | 'rate_limited'
  | 'code_refused'
  | 'repository_refused'
  | 'failed'

export class AppFault extends Error {
  override readonly name = 'AppFault'
  readonly code: AppFaultCode
  /** How long GitHub asks to wait; 0 if it does not ask. */
  readonly retryAfterMs: number
  /** Whatever else the App is used for will fail, too. */
  readonly isOfApp: boolean
  /** Only another key or another App helps. GitHub does not always say which. */
  readonly isLost: boolean

  constructor(code: AppFaultCode, { retryAfterMs = 0, cause }: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(SENTENCES[code](Math.ceil(retryAfterMs / 1000)), { cause })
    this.code = code
    this.retryAfterMs = retryAfterMs
    this.isOfApp = ['key_refused', 'suspended', 'not_installed', 'deleted'].includes(code)
    this.isLost = ['key_refused', 'deleted'].includes(code)
  }
}

const SENTENCES: Readonly<Record<AppFaultCode, (seconds: number) => string>> = {
  key_refused: () =>
    "GitHub refuses the key of the App. Generate a private key in the App's settings at GitHub, and save it in the connection. " +
    'If the App was deleted there, create a new one from the connection: its projects keep their repositories',
  suspended: () => "The App is suspended at GitHub. Unsuspend it in GitHub's settings of installed Apps",
  not_installed: () => 'The App is not installed at GitHub any more. Install it again from the connection',
  deleted: () =>
    'The App was deleted at GitHub. Create a new one from the connection: its projects keep their repositories',
  rate_limited: (seconds) => `GitHub limits the requests of the App. Try again in ${seconds} seconds`,
  code_refused: () => 'GitHub does not accept the code. It works once and within an hour: create the App again',
  repository_refused: () =>
    'The App may not read this repository. Add it to the App at GitHub, under Repository access',
  failed: () => 'GitHub did not answer as expected. Try again later',
}
