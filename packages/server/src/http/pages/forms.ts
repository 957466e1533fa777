// The pages around signing in, until the dashboard brings its own.
import { form } from './form.ts'
import { type Html, html } from './html.ts'
import type { HtmlPage } from './layout.ts'

const email = { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' } as const
const password = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' } as const
const newPassword = {
  ...password,
  autocomplete: 'new-password',
  hint: 'At least 12 characters. Several unrelated words are good.',
} as const
const name = { name: 'name', label: 'Your name', autocomplete: 'name' } as const

export const homePage = (baseUrl: string, visitor: { name: string } | undefined): HtmlPage => ({
  title: 'Welcome',
  content: html`<p>This is a deployment platform: it gives each pull request and each branch an environment of its own.</p>
${visitor ? signedIn(visitor.name) : html`<p>You are not signed in. <a href="/sign-in">Sign in</a></p>`}
<p>On the command line, with Node 24: <code>npm i -g ${baseUrl}/client/shipway.tgz</code>, then <code>shipway login ${baseUrl}</code></p>
<p>Scripts use the API. <a href="/api/reference">Read the reference</a></p>`,
})

const signedIn = (visitor: string): Html => html`<p>You are signed in as <strong>${visitor}</strong>.</p>
${form({ action: '/api/session', method: 'DELETE', fields: [], button: 'Sign out', next: '/' })}`

export const signInPage = (next: string): HtmlPage => ({
  title: 'Sign in',
  content: html`${form({ action: '/api/session', fields: [email, password], button: 'Sign in', next })}
<p><a href="/password-reset">Forgot the password</a></p>`,
})

export const setUpDonePage = (): HtmlPage => ({
  title: 'Set up the platform',
  content: html`<p>This platform is set up already: the set-up link worked once. <a href="/sign-in">Sign in</a></p>
<p>If you have no account here, ask an administrator of an organization for an invitation.</p>`,
})

export const setUpPage = (): HtmlPage => ({
  title: 'Set up the platform',
  content: html`${needsToken('Open the set-up link that the server printed when it started.')}
<div data-token="present" hidden>
<p>Make the first account, which administers the platform, and the first organization.</p>
${form({
  action: '/api/setup',
  fields: [
    name,
    email,
    newPassword,
    { name: 'organization', label: 'Name of the organization', autocomplete: 'organization' },
  ],
  button: 'Set up',
  next: '/',
  sendsToken: true,
})}
</div>`,
})

export const invitationPage = (visitor: { name: string } | undefined): HtmlPage => ({
  title: 'Join an organization',
  content: html`${needsToken('Open the link of the invitation mail.')}
<div data-token="present" hidden>
${visitor ? joinAs(visitor.name) : joinAsSomebodyNew()}
</div>`,
})

const joinAs = (visitor: string): Html => html`<p>You are signed in as <strong>${visitor}</strong>.</p>
${form({ action: '/api/invitations/acceptance', fields: [], button: 'Join', next: '/', sendsToken: true })}`

const joinAsSomebodyNew = (): Html =>
  html`<p>Do you have an account here? <a href="/sign-in?next=/invitation" data-keeps-fragment>Sign in first</a>. Otherwise make one:</p>
${form({ action: '/api/invitations/acceptance', fields: [name, newPassword], button: 'Join', next: '/', sendsToken: true })}`

export const passwordResetPage = ({ sendsMail }: { readonly sendsMail: boolean }): HtmlPage => ({
  title: 'Choose a new password',
  content: html`<div data-token="absent">
${sendsMail ? askForLink() : noMail()}
</div>
<div data-token="present" hidden>
${form({
  action: '/api/password-resets/redemption',
  fields: [newPassword],
  button: 'Save the password',
  next: '/sign-in',
  sendsToken: true,
})}
</div>`,
})

const askForLink = (): Html => html`<p>We send a link to the address of your account.</p>
${form({
  action: '/api/password-resets',
  fields: [email],
  button: 'Send the link',
  done: 'If there is an account with this address, a mail is on its way. The link in it works once.',
})}`

const noMail = (): Html =>
  html`<p>This platform sends no mails, so it cannot send you a link. Ask whoever runs it to set SHIPWAY_SMTP_URL to the
address of a mail server and to start it again; then come back to this page.</p>`

const needsToken = (what: string): Html =>
  html`<p class="notice" data-token="absent">This address is not complete. ${what}</p>
<noscript><p class="notice">This page needs JavaScript. Allow it for this site and load the page again.</p></noscript>`
