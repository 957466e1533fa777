// How to install the command line and sign in.
import { Section } from '../../components/section.tsx'
import { Snippet } from '../../components/snippet.tsx'

export function CommandLine() {
  return (
    <Section
      title="Command line"
      about="Deploy, follow logs, set variables, diagnose failures. Requires Node 20.16 or newer."
    >
      <div className="stack">
        <Snippet label="the install command" prompt="$" text={`npm i -g ${location.origin}/client/shipway.tgz`} />
        <Snippet label="the sign-in command" prompt="$" text={`shipway login ${location.origin}`} />
      </div>
    </Section>
  )
}
