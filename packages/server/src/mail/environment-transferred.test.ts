import { expect, test } from 'vitest'
import { environmentTransferredMail } from './environment-transferred.ts'

const transfer = {
  to: 'anna@example.com',
  environment: 'staging',
  domain: 'staging.example.com',
  from: 'Anna',
  newOwner: 'Ben',
  by: 'Carl',
}

test('the mail says what changed hands, from whom to whom, and by whom', () => {
  expect(environmentTransferredMail(transfer)).toMatchObject({
    to: 'anna@example.com',
    subject: 'An environment on Shipway has a new owner',
    text:
      '"Carl" handed the environment "staging" (staging[.]example[.]com) over.\n\n' +
      'Earlier owner: "Anna"\nNew owner: "Ben"\n\n' +
      'While an environment is protected, only its owner can change, deploy or remove it.\n',
  })
})

test('a name adds no line, no link and nothing to the subject', () => {
  const name = 'Eve\r\nBcc: x@evil.example https://evil.example'
  const mail = environmentTransferredMail({ ...transfer, from: name, newOwner: name, by: name })
  expect(mail.subject).toBe('An environment on Shipway has a new owner')
  expect(mail.text.split('\n')).toHaveLength(7)
  expect(mail.text).not.toContain('://')
})
