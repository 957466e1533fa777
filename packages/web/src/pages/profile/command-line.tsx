// How to install the command line and sign in.
import { Section } from '../../components/section.tsx'
import { Snippet } from '../../components/snippet.tsx'

export function CommandLine() {
  return (
    <Section
      title="Command line"
      about="Deploys, follows logs, sets variables, tells why something failed. It needs Node 24 or newer."
    >
      <div className="stack">
        <Snippet label="the line that installs it" prompt="$" text={`npm i -g ${location.origin}/client/shipway.tgz`} />
        <Snippet label="the line that signs in" prompt="$" text={`shipway login ${location.origin}`} />
      </div>
    </Section>
  )
}
