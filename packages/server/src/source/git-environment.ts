// The environment of every git process: no settings but ours, no prompts, no programs that a repository could name.

export function gitEnvironment(protocols: readonly ('https' | 'ssh' | 'file')[]): Readonly<Record<string, string>> {
  return {
    ...constant,
    // Beats every protocol.*.allow, wherever it is set. None at all would mean the defaults, hence a name that is none.
    GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
  }
}

const constant = {
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  // Messages are matched, so they are asked for in one language.
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  GIT_SSH_VARIANT: 'ssh',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LFS_SKIP_SMUDGE: '1',
} as const
