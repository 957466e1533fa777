// A form that the script of the pages sends as JSON, with a place for what is wrong beside every field.
import { type Html, html } from './html.ts'

type FormField = {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autocomplete: string
  readonly hint?: string
}

export type Form = {
  readonly action: string
  readonly method?: 'POST' | 'DELETE'
  readonly fields: readonly FormField[]
  readonly button: string
  /** A path of this site to go on to; without it the form gives way to `done`. */
  readonly next?: string
  readonly done?: string
  /** The token of the link goes along; a page opened without it says so. */
  readonly sendsToken?: boolean
}

export function form({ action, method = 'POST', fields, button, next, done, sendsToken = false }: Form): Html {
  return html`<form method="post" data-action="${action}" data-method="${method}"${next === undefined ? undefined : html` data-next="${next}"`}${sendsToken ? html` data-sends-token` : undefined}>
${fields.map(fieldOf)}
<p class="error" role="alert" hidden></p>
<button type="submit">${button}</button>
</form>
<p class="notice" role="status" tabindex="-1" hidden>${done}</p>
<noscript><p class="notice">This form needs JavaScript. Allow it for this site and load the page again.</p></noscript>`
}

function fieldOf({ name, label, type = 'text', autocomplete, hint }: FormField): Html {
  return html`<label for="${name}">${label}</label>
${hint === undefined ? undefined : html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required aria-describedby="${hint === undefined ? '' : `${name}-hint `}${name}-error">
<p class="error" id="${name}-error" hidden></p>
`
}
