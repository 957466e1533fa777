// What an alert says, for mails, channels and pages. Titles are constant: no user text can speak for the platform.

export type AlertFacts =
  | { readonly rule: 'server_unreachable'; readonly server: string; readonly since: number }
  | {
      readonly rule: 'disk_low' | 'disk_high'
      readonly server: string
      readonly freeBytes: number
      readonly totalBytes: number
    }
  | {
      readonly rule: 'certificate_ending'
      readonly project: string
      readonly domain: string | null
      readonly until: number
    }
  | { readonly rule: 'backup_failed'; readonly reason: string }
  | {
      readonly rule: 'deployment_failed'
      readonly project: string
      readonly environment: string
      /** Where it failed, if that is known. */
      readonly step: string | null
    }
  | {
      readonly rule: 'schedule_failed'
      readonly project: string
      readonly environment: string
      readonly action: string
    }
  | (ServiceFacts & { readonly rule: 'memory_high'; readonly percent: number })
  | (ServiceFacts & { readonly rule: 'restarts'; readonly count: number })
  | (ServiceFacts & { readonly rule: 'oom_kill' })

type ServiceFacts = { readonly project: string; readonly environment: string; readonly service: string }

type Words = { readonly title: string; readonly sentence: string }

export type AlertWording = {
  readonly subject: string
  readonly opened: Words & { readonly advice: string }
  readonly resolved: Words
}

/** `show` makes user text safe for where the words are read. */
export function describeAlert(facts: AlertFacts, show: (text: string) => string): AlertWording {
  switch (facts.rule) {
    case 'server_unreachable':
      return describeReach(facts, show)
    case 'disk_low':
    case 'disk_high':
      return describeDisk(facts, show)
    case 'certificate_ending':
      return describeCertificate(facts, show)
    case 'backup_failed':
      return describeBackup(facts, show)
    case 'deployment_failed':
      return describeDeployment(facts, show)
    case 'schedule_failed':
      return describeSchedule(facts, show)
    case 'memory_high':
    case 'restarts':
    case 'oom_kill':
      return describeService(facts, show)
  }
}

type Show = (text: string) => string
type FactsOf<Rule extends AlertFacts['rule']> = Extract<AlertFacts, { readonly rule: Rule }>

function describeReach({ server, since }: FactsOf<'server_unreachable'>, show: Show): AlertWording {
  return {
    subject: show(server),
    opened: {
      title: 'A server is out of reach',
      sentence: `The platform has not reached the server "${show(server)}" since ${timeOf(since)}.`,
      advice:
        'What runs there may still run. Deployments to it fail until it answers again. You get a message when it does.',
    },
    resolved: {
      title: 'A server answers again',
      sentence: `The platform reaches the server "${show(server)}" again.`,
    },
  }
}

function describeDisk(
  { rule, server, freeBytes, totalBytes }: Extract<AlertFacts, { readonly freeBytes: number }>,
  show: Show,
): AlertWording {
  const sentence = `The server "${show(server)}" has ${gigabytesOf(freeBytes)} of ${gigabytesOf(totalBytes)} left.`
  const isLow = rule === 'disk_low'
  return {
    subject: show(server),
    opened: {
      title: isLow ? 'The disk of a server is almost full' : 'The disk of a server fills up',
      sentence,
      advice: 'Deployments that build images fail once there is too little. Free some, or enlarge the disk.',
    },
    resolved: { title: isLow ? 'The disk of a server has room again' : 'The disk of a server is less full', sentence },
  }
}

function describeCertificate(facts: FactsOf<'certificate_ending'>, show: Show): AlertWording {
  const { domain, project, until } = facts
  const shown = `${domain === null ? 'all domains' : show(domain)} of the project "${show(project)}"`
  return {
    subject: `${domain === null ? 'all domains' : show(domain)} (${show(project)})`,
    opened: {
      title: 'A certificate is about to end',
      sentence: `The certificate of ${shown} ends on ${timeOf(until)}.`,
      advice:
        domain === null
          ? 'Supply a new one in the settings of the project. Visitors are warned by their browsers afterwards.'
          : 'It could not be renewed so far. The settings of the project say why.',
    },
    resolved: {
      title: 'A certificate was renewed',
      sentence: `The certificate of ${shown} is valid until ${timeOf(until)}.`,
    },
  }
}

function describeBackup({ reason }: FactsOf<'backup_failed'>, show: Show): AlertWording {
  return {
    subject: 'The platform',
    opened: {
      title: 'The backup of the platform failed',
      sentence: `The last backup failed: ${show(reason)}`,
      advice: 'Until one succeeds, the last good one is older than you expect. The log of the platform says more.',
    },
    resolved: { title: 'The backup of the platform works again', sentence: 'The last backup succeeded.' },
  }
}

function describeDeployment(facts: FactsOf<'deployment_failed'>, show: Show): AlertWording {
  const shown = `${show(facts.project)} / ${show(facts.environment)}`
  const where = facts.step === null ? '' : ` at "${show(facts.step)}"`
  return {
    subject: shown,
    opened: {
      title: 'A deployment failed',
      sentence: `The last deployment of ${shown} failed${where}.`,
      advice: 'The page of the deployment says why.',
    },
    resolved: { title: 'A deployment succeeded again', sentence: `The last deployment of ${shown} succeeded.` },
  }
}

function describeSchedule(facts: FactsOf<'schedule_failed'>, show: Show): AlertWording {
  const shown = `${show(facts.action)} of ${show(facts.project)} / ${show(facts.environment)}`
  return {
    subject: shown,
    opened: {
      title: 'A scheduled action failed',
      sentence: `The last scheduled run of ${shown} failed.`,
      advice: 'The log of the run says why. It runs again when its schedule is due; you can also run it now.',
    },
    resolved: { title: 'A scheduled action succeeded again', sentence: `The last run of ${shown} succeeded.` },
  }
}

function describeService(
  facts: FactsOf<'memory_high'> | FactsOf<'restarts'> | FactsOf<'oom_kill'>,
  show: Show,
): AlertWording {
  const subject = `${show(facts.service)} of ${show(facts.project)} / ${show(facts.environment)}`
  switch (facts.rule) {
    case 'memory_high':
      return {
        subject,
        opened: {
          title: 'A service has almost used up its memory',
          sentence: `${subject} used at least ${Math.floor(facts.percent)} % of its memory limit for ten minutes.`,
          advice: 'It is killed when it reaches the limit. Raise the limit, or find what it keeps.',
        },
        resolved: { title: 'A service has memory again', sentence: `${subject} uses less of its memory limit.` },
      }
    case 'restarts':
      return {
        subject,
        opened: {
          title: 'A service restarts again and again',
          sentence: `${subject} restarted ${facts.count} times within ten minutes.`,
          advice: 'Its log says why it ended.',
        },
        resolved: { title: 'A service no longer restarts', sentence: `${subject} did not restart for ten minutes.` },
      }
    case 'oom_kill':
      return {
        subject,
        opened: {
          title: 'A service ran out of memory',
          sentence: `A process of ${subject} was killed because it ran out of memory.`,
          advice: 'Raise its memory limit, or find what it keeps.',
        },
        resolved: {
          title: 'A service no longer runs out of memory',
          sentence: `No process of ${subject} was killed for ten minutes.`,
        },
      }
  }
}

const timeOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const gigabytesOf = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`
