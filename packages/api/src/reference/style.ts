// The stylesheet of the reference page. It stands in the page; the header that allows it names its hash.

export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --text: #1c2330; --soft: #5a6475; --line: #d9dee7; --back: #fff; --panel: #f5f7fa; --link: #0b57b7; --mark: #8a3b00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e8ef; --soft: #a3adbd; --line: #343c4a; --back: #14181f; --panel: #1d232d; --link: #83b8ff; --mark: #f0b27a; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--back); }
header, main { padding: 0 1.25rem; max-width: 60rem; margin: 0 auto; }
header { padding-top: 2rem; }
nav { padding: 0 1.25rem 1rem; max-width: 60rem; margin: 0 auto; }
nav ul { list-style: none; margin: 0 0 .75rem; padding: 0; }
nav li { display: grid; grid-template-columns: 3.6rem 1fr; padding: .15rem 0; line-height: 1.35; }
nav li a { grid-column: 2; text-decoration: none; }
nav li a:only-child { grid-column: 1 / -1; }
nav li a:hover, nav li a:focus-visible { text-decoration: underline; }
nav section { padding-top: .75rem; }
nav h3 { margin: 0 0 .25rem; font-size: .95rem; border: 0; padding: 0; }
nav li > code { color: var(--soft); font-size: .75em; line-height: 1.8; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h1 small { font-size: 1rem; font-weight: 400; color: var(--soft); margin-left: .5rem; }
h2 { font-size: 1.5rem; margin: 3rem 0 0; padding-bottom: .3rem; border-bottom: 2px solid var(--line); }
h2 + p { margin-top: 1rem; }
h3 { font-size: 1.1rem; margin: 0 0 .35rem; }
h4 { font-size: .95rem; margin: 1.1rem 0 .35rem; color: var(--soft); }
p { margin: 0 0 .6rem; }
article { padding: 1.25rem 0 1.5rem; border-bottom: 1px solid var(--line); }
article h3 a { color: inherit; text-decoration: none; }
article h3 a:hover { text-decoration: underline; }
:target { background: var(--panel); box-shadow: 0 0 0 .75rem var(--panel); border-radius: 2px; }
.method { display: inline-block; min-width: 3.6rem; text-align: center; font: 600 .8rem/1.6 ui-monospace, Menlo, Consolas, monospace; border: 1px solid currentColor; border-radius: 4px; padding: 0 .35rem; }
.summary { font-size: 1.05rem; }
.who, .note { color: var(--soft); }
.names { line-height: 1.9; margin-top: .4rem; }
.names code { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: .05rem .3rem; }
.fields strong { color: var(--mark); font-weight: 600; }
.fields { margin: 0; border-top: 1px solid var(--line); }
.fields > div { display: grid; grid-template-columns: minmax(9rem, 17rem) minmax(0, 1fr); gap: .25rem 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line); }
.fields dd { margin: 0; }
.fields p { margin: 0; }
.fields ul { margin: .1rem 0 0; padding-left: 1.1rem; color: var(--soft); font-size: .93em; }
pre { margin: 0; padding: .75rem 1rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
@media (min-width: 48rem) { nav .groups { columns: 2; column-gap: 2.5rem; } nav section { break-inside: avoid; } }
@media (min-width: 84rem) {
  body { display: grid; grid-template-columns: 24rem minmax(0, 60rem); justify-content: center; column-gap: 2rem; }
  nav { grid-column: 1; grid-row: 1 / span 2; position: sticky; top: 0; height: 100vh; overflow-y: auto; margin: 0; padding-top: 2rem; border-right: 1px solid var(--line); }
  nav .groups { columns: 1; }
  header, main { grid-column: 2; margin: 0; width: 100%; }
}
@media (max-width: 36rem) { .fields > div { grid-template-columns: minmax(0, 1fr); gap: 0; } h1 { font-size: 1.6rem; } }
@media print {
  :root { --text: #000; --soft: #333; --line: #bbb; --back: #fff; --panel: #fff; --link: #000; --mark: #000; }
  body { display: block; font-size: 10pt; }
  nav { position: static; height: auto; border: 0; }
  header, main, nav { max-width: none; padding: 0; }
  .skip { display: none; }
  pre { white-space: pre-wrap; }
  .fields > div, pre { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
}
`
