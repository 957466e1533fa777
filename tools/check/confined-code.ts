// Keeps some things in one place: the environment of the process, SQL, shell and docker, and the starting of processes.
import type { Problem, Rule } from './problem.ts'
import { isProductCode, lineAt, type SourceFile } from './source-file.ts'

type Confinement = Readonly<{ pattern: RegExp; home: RegExp; advice: string }>

const confinements: readonly Confinement[] = [
  {
    pattern: /\bprocess\s*\.\s*env\b|\benv\b[^;\n]*=\s*process\b/g,
    home: /^packages\/(server|cli)\/src\/config\.ts$/,
    advice: 'only config.ts reads the environment; take the setting as an argument',
  },
  {
    pattern: /\bsql(<[^`\n]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/g,
    home: /^packages\/server\/src\/store\//,
    advice: 'SQL lives in packages/server/src/store; add a function there and call it',
  },
  {
    pattern: /\.transaction\(\)/g,
    home: /^packages\/server\/src\/(store\/|progress\/change-records\.ts$)/,
    advice: 'records are changed in one place; call ctx.change',
  },
  {
    pattern: /\bbus\.announce\b/g,
    home: /^packages\/server\/src\/progress\/change-records\.ts$/,
    advice: 'events are announced by the change that causes them, after its commit; call tx.notify',
  },
  {
    pattern: /\bctx\.mail\.send\b/g,
    home: /^packages\/server\/src\/operations\/(mails\/send-due-mails|channels\/mail-to-channel)\.ts$/,
    advice: 'mails are counted by their receiver and sent from a queue; ask allowMail for one',
  },
  {
    pattern: /\bwriteMail\b/g,
    home: /^packages\/server\/src\/operations\/(people\/allow-mail|mails\/sealed-mail)\.ts$/,
    advice: 'mails are counted by their receiver; ask allowMail for one',
  },
  {
    pattern: /\b(listContainers|containerId)\b/g,
    home: /^packages\/server\/src\/(runtimes|domain)\/compose\//,
    advice: 'only runtimes/compose knows containers; give the Runtime what it needs to find them',
  },
]

/** Words of commands, which are strings: these are looked for in the text. */
const confinedWords: readonly Confinement[] = [
  {
    // The names of the two recipes are no command.
    pattern: /\[\s*'docker',(?!\s*'manual')/g,
    home: /^packages\/server\/src\/commands\/docker\//,
    advice: 'the words of docker live in packages/server/src/commands/docker; add a command there and run it',
  },
  {
    pattern: /'(ba)?sh',\s*(\.\.\.\[\s*)?'-e?c'/g,
    home: /^packages\/server\/src\/commands\/script\.ts$/,
    advice: 'a shell script is a file of a scripts folder; load and run it with commands/script.ts',
  },
]

/** Modules that only some files may import. */
const confinedModules: readonly Readonly<{ specifier: RegExp; home: RegExp; advice: string }>[] = [
  {
    specifier: /^(node:)?process$/,
    home: /^packages\/(server|cli)\/src\/config\.ts$/,
    advice: 'use the global process; only config.ts reads the environment',
  },
  {
    specifier: /^(node:)?(child_process|cluster)$/,
    home: /^packages\/(server\/src\/remote|cli\/src)\/process\.ts$/,
    advice: 'only remote/process.ts starts processes; call what it exports',
  },
  {
    specifier: /\/remote\/process\.ts$/,
    home: /^packages\/server\/src\/(?!source\/)|^packages\/server\/src\/source\/git-process\.ts$/,
    advice: 'only source/git-process.ts starts git here, with a bound on its memory; call runGitProcess',
  },
  {
    specifier: /\/runtimes\/compose\//,
    home: /^packages\/server\/src\/(runtimes\/runtimes\.ts$|runtimes\/compose\/)/,
    advice: 'only runtimes/compose knows how containers are run; call the Runtime that runtimeOf gives',
  },
  {
    specifier: /^(node:)?worker_threads$/,
    home: /^packages\/server\/src\/threads\//,
    advice: 'only threads/ starts threads, with their limits; call runInThread',
  },
]

export const confinedCode: Rule = (files) =>
  files
    .filter((file) => isProductCode(file.path))
    .flatMap((file) => [...inCode(file), ...inWords(file), ...inImports(file)])

function inCode({ path, text, code }: SourceFile): Problem[] {
  return confinements
    .filter(({ home }) => !home.test(path))
    .flatMap(({ pattern, advice }) =>
      [...code.matchAll(pattern)].map((match) => ({ path, line: lineAt(text, match.index), message: advice })),
    )
}

/** What begins in a comment, or within a string, is blank in the code. */
function inWords({ path, text, code }: SourceFile): Problem[] {
  return confinedWords
    .filter(({ home }) => !home.test(path))
    .flatMap(({ pattern, advice }) =>
      [...text.matchAll(pattern)]
        .filter(({ index }) => code.charAt(index) === text.charAt(index))
        .map(({ index }) => ({ path, line: lineAt(text, index), message: advice })),
    )
}

function inImports({ path, text, imports }: SourceFile): Problem[] {
  return imports.flatMap(({ specifier, offset }) =>
    confinedModules
      .filter((module) => module.specifier.test(specifier) && !module.home.test(path))
      .map(({ advice }) => ({ path, line: lineAt(text, offset), message: advice })),
  )
}
