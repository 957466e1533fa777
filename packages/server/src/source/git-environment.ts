// The environment of every git process: only our settings, no prompts, no programs that a repository could name.

export function gitEnvironment(protocols: readonly ('https' | 'ssh' | 'file')[]): Readonly<Record<string, string>> {
  return {
    ...constant,
    // Overrides every protocol.*.allow. An empty value would mean the defaults, hence a name that is no protocol.
    GIT_ALLOW_PROTOCOL: protocols.length === 0 ? 'none' : protocols.join(':'),
  }
}

const constant = {
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  // Messages are matched, so they must be in one language.
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
