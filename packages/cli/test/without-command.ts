// Endpoints that no command reaches, and why. docs/command-line.md has the same table.
import type { RouteName } from '@shipway/api'

/** Each reason is one sentence. Endpoints that refuse tokens need no entry: they are for the dashboard alone. */
export const WITHOUT_COMMAND: Readonly<Record<string, readonly RouteName[]>> = {
  'A person signs in, or chooses a password, in a browser.': [
    'setUp',
    'getSetUp',
    'signIn',
    'requestPasswordReset',
    'resetPassword',
    'startProviderSignIn',
    'redeemProviderSignIn',
    'updateMe',
  ],
  'The link of an invitation opens in a browser.': ['previewInvitation', 'acceptInvitation'],
  'GitHub creates and installs an App in a browser.': ['startAppSetup', 'redeemAppCode', 'redeemAppInstallation'],
  'Git hosts call it.': ['receiveWebhook'],
  'Monitoring and load balancers call it.': ['getReadiness', 'getMetrics'],
  'It is documentation, to be read in a browser.': ['getOpenApi', 'readReference'],
  'A list that a command reads has the same record.': ['getOrganization', 'getConnection', 'listOverviews'],
  'It was removed and always answers 410.': ['readRemovedLogs'],
}

/** Fields of requests that no command sends, and why. */
export const FIELDS_WITHOUT_FLAG: Readonly<Partial<Record<RouteName, Readonly<Record<string, string>>>>> = {
  issueSshCertificate: { ttl_seconds: 'The default is long enough to connect' },
  readTaskLog: { offset: 'The client asks for parts by the header Range' },
}
