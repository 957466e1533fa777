// Props of all sections of the project settings.
import type { Project } from '@shipway/api'

/** `disabledReason`: why the user may not change them. */
export type SettingsProps = { readonly project: Project; readonly disabledReason: string | undefined }
