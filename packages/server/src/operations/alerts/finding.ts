// What a rule finds: a subject, the facts about it, and whether something is wrong with it.
import type { Context } from '../../context.ts'
import type { AlertFacts } from '../../domain/alert-wording.ts'
import type { AlertVerdict } from '../../domain/alerts.ts'
import type { RuleSettings } from '../../store/alerts/alert-rules.ts'

export type AlertSubject = AlertFacts & {
  /** Of the server, certificate, environment or organization; 0 for the whole platform. */
  readonly targetId: number
  /** Null: for platform administrators. */
  readonly organizationId: number | null
  readonly environmentId?: number
  /** A path of the dashboard. */
  readonly page: string
  /** Whether owners and administrators get a mail, channels aside. */
  readonly isMailed: boolean
}

export type Finding = { readonly alert: AlertSubject; readonly verdict: AlertVerdict }

/** Returns every subject that the rule checks, with its verdict. A subject missing from the list no longer exists: its alert is closed. */
export type Find = (ctx: Context, settings: RuleSettings) => Promise<readonly Finding[]>
