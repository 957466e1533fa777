// Commands for administration: an organization and its members, webhooks, certificates, alerts, and the platform.
import { type CommandGroup, entry } from '../command-entry.ts'

export const organizationGroups: readonly CommandGroup[] = [
  {
    name: 'members',
    summary: 'Manage members of an organization',
    examples: [
      ['shipway members list', 'List them'],
      ['shipway members invite ada@example.com --role admin', 'Invite a user'],
    ],
    commands: [
      entry(
        'list',
        'List the members and their roles',
        async () => (await import('../commands/members/list.ts')).membersList,
      ),
      entry(
        'invite',
        'Invite a user by e-mail',
        async () => (await import('../commands/members/invite.ts')).membersInvite,
      ),
      entry(
        'role',
        'Change the role of a member',
        async () => (await import('../commands/members/role.ts')).membersRole,
      ),
      entry('remove', 'Remove a member', async () => (await import('../commands/members/remove.ts')).membersRemove),
      entry(
        'invitations',
        'List the open invitations',
        async () => (await import('../commands/members/invitations.ts')).membersInvitations,
      ),
      entry(
        'withdraw',
        'Withdraw an invitation',
        async () => (await import('../commands/members/withdraw.ts')).membersWithdraw,
      ),
    ],
  },
  {
    name: 'orgs',
    summary: 'Manage organizations',
    examples: [['shipway orgs list', 'List them']],
    commands: [
      entry('list', 'List your organizations', async () => (await import('../commands/orgs/list.ts')).orgsList),
      entry('create', 'Create an organization', async () => (await import('../commands/orgs/create.ts')).orgsCreate),
      entry('rename', 'Rename an organization', async () => (await import('../commands/orgs/rename.ts')).orgsRename),
      entry(
        'two-factor',
        'Require two-factor codes of every member',
        async () => (await import('../commands/orgs/two-factor.ts')).orgsTwoFactor,
      ),
      entry(
        'delete',
        'Delete an empty organization',
        async () => (await import('../commands/orgs/delete.ts')).orgsDelete,
      ),
    ],
  },
  {
    name: 'tokens',
    summary: 'Manage your personal tokens',
    examples: [
      ['shipway tokens create CI --scope deploy', 'Create one; it is shown only once'],
      ['shipway tokens revoke CI', 'Revoke it'],
    ],
    commands: [
      entry('list', 'List your tokens', async () => (await import('../commands/tokens/list.ts')).tokensList),
      entry('create', 'Create a token', async () => (await import('../commands/tokens/create.ts')).tokensCreate),
      entry('revoke', 'Revoke a token', async () => (await import('../commands/tokens/revoke.ts')).tokensRevoke),
    ],
  },
  {
    name: 'sessions',
    summary: 'Show where you are signed in',
    examples: [['shipway sessions list', 'List them']],
    commands: [
      entry(
        'list',
        'List where you are signed in',
        async () => (await import('../commands/sessions/list.ts')).sessionsList,
      ),
      entry(
        'end',
        'Sign out somewhere else, or everywhere',
        async () => (await import('../commands/sessions/end.ts')).sessionsEnd,
      ),
    ],
  },
  {
    name: 'webhooks',
    summary: 'Send events of a project to your own programs',
    examples: [
      ['shipway webhooks add https://example.com/hook -p bookshop', 'Add one'],
      ['shipway webhooks deliveries 4', 'Whether messages arrived'],
    ],
    commands: [
      entry(
        'list',
        'List the webhooks of a project',
        async () => (await import('../commands/webhooks/list.ts')).webhooksList,
      ),
      entry('add', 'Add a webhook', async () => (await import('../commands/webhooks/add.ts')).webhooksAdd),
      entry(
        'edit',
        'Change a webhook, or turn it off and on',
        async () => (await import('../commands/webhooks/edit.ts')).webhooksEdit,
      ),
      entry('remove', 'Delete a webhook', async () => (await import('../commands/webhooks/remove.ts')).webhooksRemove),
      entry('test', 'Send a test message', async () => (await import('../commands/webhooks/test.ts')).webhooksTest),
      entry(
        'deliveries',
        'List the messages that were sent',
        async () => (await import('../commands/webhooks/deliveries.ts')).webhooksDeliveries,
      ),
      entry(
        'redeliver',
        'Send a message again',
        async () => (await import('../commands/webhooks/redeliver.ts')).webhooksRedeliver,
      ),
      entry(
        'rotate',
        'Replace the secret',
        async () => (await import('../commands/webhooks/rotate.ts')).webhooksRotate,
      ),
    ],
  },
  {
    name: 'certificates',
    summary: 'Manage certificates of a project',
    examples: [['shipway certificates list -p bookshop', 'List them']],
    commands: [
      entry(
        'list',
        'List the certificates',
        async () => (await import('../commands/certificates/list.ts')).certificatesList,
      ),
      entry(
        'supply',
        'Supply a certificate',
        async () => (await import('../commands/certificates/supply.ts')).certificatesSupply,
      ),
      entry(
        'remove',
        'Delete the supplied certificate',
        async () => (await import('../commands/certificates/remove.ts')).certificatesRemove,
      ),
    ],
  },
  {
    name: 'rules',
    summary: 'Manage what opens an alert',
    examples: [['shipway rules list', 'List them']],
    commands: [
      entry('list', 'List the rules for alerts', async () => (await import('../commands/rules/list.ts')).rulesList),
      entry(
        'edit',
        'Turn a rule off and on, or change its threshold',
        async () => (await import('../commands/rules/edit.ts')).rulesEdit,
      ),
    ],
  },
  {
    name: 'platform',
    summary: 'Manage the installation (platform admins)',
    examples: [['shipway platform show', 'Version, database and counts']],
    commands: [
      entry(
        'show',
        'Show how the installation is set up',
        async () => (await import('../commands/platform/show.ts')).platformShow,
      ),
      entry('users', 'List all accounts', async () => (await import('../commands/platform/users.ts')).platformUsers),
      entry('orgs', 'List all organizations', async () => (await import('../commands/platform/orgs.ts')).platformOrgs),
      entry(
        'two-factor',
        'Require two-factor codes of every user',
        async () => (await import('../commands/platform/two-factor.ts')).platformTwoFactor,
      ),
      entry(
        'sessions',
        'List where a user is signed in',
        async () => (await import('../commands/platform/sessions.ts')).platformSessions,
      ),
      entry(
        'end-sessions',
        'Sign a user out, somewhere or everywhere',
        async () => (await import('../commands/platform/end-sessions.ts')).platformEndSessions,
      ),
      entry(
        'delete-user',
        'Delete an account',
        async () => (await import('../commands/platform/delete-user.ts')).platformDeleteUser,
      ),
    ],
  },
]
