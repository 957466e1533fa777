// How this client was installed: as one file, as a package of npm, or not at all.
declare const SHIPWAY_FORM: 'file' | 'package' | undefined

export type Form = 'file' | 'package' | 'source'

/** The bundler replaces the name. */
export const FORM: Form = typeof SHIPWAY_FORM === 'string' ? SHIPWAY_FORM : 'source'
