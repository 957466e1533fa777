// What each part of the settings is given.
import type { Project } from '@shipway/api'

/** `disabledReason`: why this person may not change them now. */
export type SettingsProps = { readonly project: Project; readonly disabledReason: string | undefined }
