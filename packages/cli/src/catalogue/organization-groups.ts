// Commands for an organization and its people, and for webhooks.
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
]
