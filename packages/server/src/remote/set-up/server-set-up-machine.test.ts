// The set-up script for real, on a private copy of this machine.
import { describe, expect, test, vi } from 'vitest'
import { canSetUp, machineToSetUp, script, words } from '../../../test/machine-to-set-up.ts'
import { isOurConfig } from '../../edge/haproxy/config-template.ts'
import { localGit, type RunOptions } from '../host.ts'
import { runProcess } from '../process.ts'
import { checkServer } from './check-server.ts'

describe.skipIf(!canSetUp)('a machine', () => {
  const { machine, setUp, shell, start, state } = machineToSetUp()

  test('becomes a server, and running the script again changes nothing', async () => {
    const first = setUp()
    expect(first).toMatchObject({ exitCode: 3, stderr: expect.not.stringContaining('ALERT') })
    expect(first.stdout).toContain('Open these ports in your firewall: 22 for the platform, 80 and 443 for everyone.')
    const was = state()
    const edge = shell('pgrep -x haproxy')
    const second = setUp()
    expect(second.exitCode).toBe(3)
    expect(second.stdout).not.toMatch(/Creating|Writing|Letting|Starting/)
    expect(state()).toBe(was)
    expect(shell('pgrep -x haproxy')).toBe(edge)
    // Not root, and no other user can read the platform's files there.
    expect(shell('ps -o user= -p "$(pgrep -x haproxy)"; stat -c %a /home/shipway/.shipway').split(/\s+/)).toEqual([
      'shipway',
      '700',
      '',
    ])
  })

  test('that became a server passes the check of the platform', async () => {
    setUp()
    const host = {
      name: 'one',
      git: localGit,
      run: (command: readonly string[], options: RunOptions = {}) =>
        runProcess(
          machine().inside(['runuser', '-u', 'shipway', '--', 'env', 'HOME=/home/shipway', ...command]),
          options,
        ),
    }
    const { checks } = await checkServer(host, {
      installationId: 'a1b2c3',
      folder: undefined,
      runtime: 'compose',
      edge: 'haproxy',
      setUpLine: null,
      isEdgeConfig: isOurConfig,
    })
    const bad = checks.filter(({ status, name }) => status !== 'ok' && !/docker|compose|buildx|disk|memory/.test(name))
    expect(bad).toEqual([])
    expect(checks.map(({ name }) => name)).toContain('edge_configuration')
  })

  test('prints what it would do, and changes nothing', () => {
    const was = state()
    const { exitCode, stdout } = setUp('--dry-run')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/would run: useradd .* shipway\n/)
    expect(stdout).toMatch(/TrustedUserCAKeys [\s\S]*Nothing was changed\.\n$/)
    expect(state()).toBe(was)
    expect(shell('pgrep -x haproxy')).toBe('')
  })

  test.each([
    [
      'in its home',
      'mkdir -p /home/shipway/data && touch /home/shipway/data/shipway.lock && chown -R shipway /home/shipway',
    ],
    [
      'where the unit has it',
      'mkdir -p /var/lib/shipway && touch /var/lib/shipway/shipway.lock && chown -R shipway /var/lib/shipway',
    ],
    [
      'by its unit',
      'mkdir -p /etc/systemd/system && printf "User=shipway\\nEnvironment=SHIPWAY_DATA=/data\\n" >/etc/systemd/system/ship.service',
    ],
    [
      'by what runs',
      `mkdir -p /run/place && touch /run/place/shipway.lock && cd / && {
        SHIPWAY_DATA=/run/place setpriv --reuid shipway --clear-groups --regid shipway sleep 100 >/dev/null 2>&1 &
        until grep -qz SHIPWAY_DATA /proc/$!/environ && [ "$(stat -c %U /proc/$!)" = shipway ]; do sleep 0.05; done; }`,
    ],
  ])("whose user is the platform's own, %s, is refused and left as it was", (_, platform) => {
    shell(`useradd -m -s /bin/sh shipway; ${platform}`)
    const was = state()
    const { exitCode, stderr } = setUp()
    expect(exitCode, stderr).toBe(18)
    expect(stderr).toMatch(/^shipway is the user that the platform itself runs as here: .*Choose another user/)
    expect(state()).toBe(was)
    expect(setUp('--user', 'shipway-deploy', '--edge', 'none')).toMatchObject({ exitCode: 3, stderr: '' })
  })

  test('without a given user gets a new one, and keeps it in later runs', () => {
    const without = words.toSpliced(2, 2)
    const run = () => machine().run(['sh', '-s', '--', ...without, '--edge', 'none'], { input: script })
    expect(run().stdout).toContain('The platform can sign in as shipway-deploy now.')
    shell('rm /etc/ssh/sshd_config.d/50-shipway-*')
    setUp('--edge', 'none')
    expect(run().stdout).toContain('The platform can sign in as shipway now.')
  })

  test('accepts other ports, or no edge', () => {
    expect(setUp('--edge', 'none').stdout).toContain('22 for the platform.')
    expect(shell('pgrep -x haproxy')).toBe('')
    expect(setUp('--edge-http-port', '8080', '--edge-https-port', '8443').stdout).toContain('8080 and 8443')
    expect(shell('curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:8080/')).toBe('404')
    const text = shell('cat /home/shipway/.shipway/a1b2c3/edge/haproxy.cfg')
    expect(isOurConfig(text, '/home/shipway/.shipway/a1b2c3/edge')).toBe(true)
    // Different ports than before: the edge uses them from now on.
    setUp('--edge-http-port', '9080', '--edge-https-port', '9443')
    expect(shell('curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:9080/')).toBe('404')
  })

  test('has an edge that answers on IPv6 too, where there is any', () => {
    const answer = (address: string): string => shell(`curl -s -g -o /dev/null -w "%{http_code}" http://${address}/`)
    const configuration = (): string => shell('cat /home/shipway/.shipway/a1b2c3/edge/haproxy.cfg')
    setUp()
    expect([answer('127.0.0.1'), answer('[::1]')]).toEqual(['404', '404'])
    expect(isOurConfig(configuration(), '/home/shipway/.shipway/a1b2c3/edge')).toBe(true)
    shell('echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; echo 1 >/proc/sys/net/ipv6/conf/lo/disable_ipv6')
    expect(shell('cat /proc/net/if_inet6')).toBe('')
    setUp()
    expect([answer('127.0.0.1'), answer('[::1]')]).toEqual(['404', '000'])
    expect(configuration()).not.toContain('v6only')
    expect(isOurConfig(configuration(), '/home/shipway/.shipway/a1b2c3/edge')).toBe(true)
  })

  test('with systemd gets a service that runs the edge', async () => {
    // Replaces systemd, which is missing here: records its calls, and starts the edge as the unit says.
    shell(`mkdir -p /run/systemd/system /etc/systemd/system; cat >/run/bin/systemctl <<'END'
#!/bin/sh
echo "$@" >>/run/asked
unit=/etc/systemd/system/$2
case $1 in
  is-active) [ "$3" != ssh.service ] ;;
  restart) cd / && setsid setpriv --reuid "$(sed -n 's/^User=//p' "$unit")" --regid shipway --clear-groups --inh-caps=+net_bind_service \\
    --ambient-caps=+net_bind_service $(sed -n 's/^ExecStart=//p' "$unit") >/dev/null 2>&1 </dev/null & ;;
esac
END
chmod +x /run/bin/systemctl`)
    expect(setUp()).toMatchObject({ stdout: expect.stringContaining('The edge answers.') })
    const unit = 'shipway-edge-a1b2c3.service'
    const asked = (): string[] => shell('grep edge /run/asked; rm /run/asked').trim().split('\n')
    expect(asked()).toEqual([`enable ${unit}`, `restart ${unit}`])
    expect(shell(`cat /etc/systemd/system/${unit}`)).toMatch(
      /^User=shipway$[\s\S]*^ExecReload=[\s\S]*^Restart=always$/m,
    )
    setUp()
    expect(asked()).toEqual([`start ${unit}`])
    setUp('--edge-http-port', '8080')
    expect(asked()).toEqual([`reload-or-restart ${unit}`])
  })

  // Replaces systemd and an Engine that manages a Swarm.
  const withSwarm = `mkdir -p /run/systemd/system /etc/systemd/system
cat >/run/bin/systemctl <<'END'
#!/bin/sh
echo "$@" >>/run/asked
unit=/etc/systemd/system/$2
case "$1 $2" in
  'restart shipway-edge-'*) cd / && setsid setpriv --reuid "$(sed -n 's/^User=//p' "$unit")" --regid shipway --clear-groups --inh-caps=+net_bind_service \\
    --ambient-caps=+net_bind_service $(sed -n 's/^ExecStart=//p' "$unit") >/dev/null 2>&1 </dev/null & ;;
esac
END
rm -f /run/bin/docker; cat >/run/bin/docker <<'END'
#!/bin/sh
case "$*" in
  *LocalNodeState*) echo active ;;
  *ControlAvailable*) echo true ;;
esac
END
chmod +x /run/bin/systemctl /run/bin/docker`
  const asManager = ['--swarm', 'manager', '--registry-authority', 'MIIB']
  const ofRegistry = () => shell('grep " docker-registry.service" /run/asked || true')

  test('that is a node of a Swarm reports what it uses at its address there, by a program without rights', () => {
    const address = "'info --format {{.Swarm.NodeAddr}}') echo 192.0.2.7 ;;"
    shell(withSwarm.replace('*LocalNodeState*)', `${address}\n  *LocalNodeState*)`))
    const socket = 'shipway-swarm-usage.socket'
    const asked = (): string[] => shell('grep swarm-usage /run/asked; rm /run/asked').trim().split('\n')
    const answer = (how: string) =>
      shell(`printf '%s\\n' '#!/bin/sh' '${how}' >/run/bin/iptables
        chmod +x /run/bin/iptables; cp /run/bin/iptables /run/bin/ip6tables`)
    // Anyone could connect where the rules of the ports cannot be made.
    answer('exit 1')
    expect(setUp(...asManager)).toMatchObject({ stdout: expect.stringContaining('may be open to everyone') })
    expect(asked()).toEqual([''])
    shell(`rm /etc/systemd/system/${socket}`)
    answer('[ "$4" != -D ]')
    expect(setUp(...asManager)).toMatchObject({ stdout: expect.stringContaining('The edge answers.') })
    expect(asked()).toEqual([`restart ${socket}`])
    expect(shell(`cat /etc/systemd/system/${socket}`)).not.toContain('WantedBy')
    expect(shell(`cat /etc/systemd/system/${socket}`)).toMatch(/^ListenStream=192\.0\.2\.7:5444$/m)
    const [, program = ''] =
      /^ExecStart=-(.*)$/m.exec(shell('cat /etc/systemd/system/shipway-swarm-usage@.service')) ?? []
    const report = shell(`runuser -u nobody -- ${program}`)
    expect(report).toMatch(/^disk [\s\S]*^uptime [\d.]+[\s\S]*^memory \d+ \d+$/m)
    expect(report.split('\n').filter((line) => !/^(disk|uptime|cpu|cores|memory|load|usage) /.test(line))).toEqual([''])
    // By the rules, as after each start of the machine, and by the set-up.
    setUp(...asManager)
    expect(asked()).toEqual([`start ${socket}`, `start ${socket}`])
  })

  test('keeps a registry that it had before, and stops the one that comes with the package', () => {
    shell(withSwarm)
    shell('ln -sf /bin/true /run/bin/docker-registry')
    expect(setUp(...asManager)).toMatchObject({ stdout: expect.stringContaining('The edge answers.') })
    expect(ofRegistry()).not.toContain('disable')
    shell(`rm /run/asked /run/bin/docker-registry /run/bin/apt-get
      printf '%s\\n' '#!/bin/sh' '[ "$1" = update ] || ln -s /bin/true /run/bin/docker-registry' >/run/bin/apt-get
      chmod +x /run/bin/apt-get`)
    setUp(...asManager)
    expect(ofRegistry()).toContain('disable --now docker-registry.service')
    // From now on it is the user's decision.
    shell('rm /run/asked')
    setUp(...asManager)
    expect(ofRegistry()).toBe('')
  })

  test('stops the registry that came with the package also after a run that was interrupted', () => {
    shell(`${withSwarm}
      rm -f /run/bin/apt-get /run/bin/docker-registry
      printf '%s\\n' '#!/bin/sh' '[ "$1" = update ] || { ln -s /bin/true /run/bin/docker-registry; kill -9 $PPID; }' >/run/bin/apt-get
      chmod +x /run/bin/apt-get`)
    expect(setUp(...asManager).exitCode).not.toBe(3)
    expect(ofRegistry()).toBe('')
    expect(setUp(...asManager)).toMatchObject({ stdout: expect.stringContaining('The edge answers.') })
    expect(ofRegistry()).toContain('disable --now docker-registry.service')
  })

  test('with a taken port is refused with the name of the program, and stays unchanged', async () => {
    const other = start(['socat', 'TCP-LISTEN:443,fork,reuseaddr', '/dev/null'])
    await vi.waitUntil(() => shell('grep -l ":01BB " /proc/net/tcp') !== '', waiting)
    const was = state()
    const { exitCode, stderr } = setUp()
    expect({ exitCode, stderr }).toEqual({
      exitCode: 14,
      stderr: expect.stringMatching(/^Port 443 is taken by socat \(process \d+\)\. Stop it, /),
    })
    expect(state()).toBe(was)
    other.kill()
  })

  test('without disk space is refused with the free space', () => {
    shell('mount -t tmpfs -o size=64m small /var/lib')
    expect(setUp()).toMatchObject({
      exitCode: 15,
      stderr: expect.stringMatching(/^\/var\/lib has 64 MiB of free room\. /),
    })
  })

  test('without apt-get the script says what to install', () => {
    shell('rm /run/bin/git /run/bin/curl /run/bin/apt-get')
    const { exitCode, stderr } = setUp()
    expect({ exitCode, stderr }).toEqual({
      exitCode: 11,
      stderr: expect.stringContaining('apt-get only: git curl. Install them by hand'),
    })
  })

  test('gets what is missing from apt-get', () => {
    shell(`rm /run/bin/git /run/bin/apt-get
      printf '%s\\n' '#!/bin/sh' 'echo "$@" >>/run/asked' '[ "$1" = update ] || ln -s /usr/bin/git /run/bin/git' >/run/bin/apt-get
      chmod +x /run/bin/apt-get`)
    expect(setUp()).toMatchObject({ exitCode: 3 })
    expect(shell('head -n 2 /run/asked')).toBe('update -qq\ninstall -y -qq --no-install-recommends git\n')
  })

  test.each([
    ["Docker's own packages", 'docker-ce 5:27.1.0-1', /docker-ce docker-ce-cli containerd.io docker-compose-plugin/],
    [
      'Debian',
      'docker.io 26.1.5+dfsg1-9 docker-compose 2.26.1-4 docker-cli 26.1.5',
      /docker.io docker-compose docker-buildx docker-cli\./,
    ],
    [
      'Ubuntu',
      'docker.io 27.5.1-0ubuntu3 docker-compose-v2 2.33.0 docker-compose 1.29.2',
      /docker.io docker-compose-v2 docker-buildx\./,
    ],
    ['an old release', 'docker.io 20.10.24+dfsg1 docker-compose 1.29.2', undefined],
    ['an old Compose', 'docker.io 26.1.5 docker-compose 1.29.2', undefined],
  ])('gets Docker from %s where it is new enough', (_, offered, installs) => {
    shell(`rm -f /run/bin/docker /run/bin/apt-cache; echo '${offered}' >/run/offered; cat >/run/bin/apt-cache <<'END'
#!/bin/sh
set -- "$2" $(cat /run/offered)
name=$1; shift
while [ $# -gt 0 ]; do
  if [ "$1" = "$name" ]; then printf '%s:\n  Installed: (none)\n  Candidate: %s\n' "$name" "$2"; fi
  shift 2
done
END
chmod +x /run/bin/apt-cache`)
    const { stdout } = setUp('--dry-run')
    if (installs) expect(stdout).toMatch(new RegExp(`^Installing: ${installs.source}`, 'm'))
    else
      expect(stdout).toMatch(
        /^- (Docker .* version 20, which is too old\. )?Install Docker Engine 24 .*get\.docker\.com/m,
      )
  })

  test('whose apt-get fails is not changed further', () => {
    shell('rm /run/bin/git /run/bin/apt-get; ln -s /bin/false /run/bin/apt-get')
    const was = state()
    expect(setUp()).toMatchObject({ exitCode: 16 })
    expect(state()).toBe(was)
  })

  test('is refused where the user is root, or has no shell', () => {
    expect(setUp('--user', 'root')).toMatchObject({ exitCode: 18, stderr: expect.stringContaining('root') })
    expect(setUp('--user', 'nobody')).toMatchObject({
      exitCode: 18,
      stderr: expect.stringContaining('usermod -s /bin/sh nobody'),
    })
  })

  test('is refused without root', () => {
    const ended = machine().run(['setpriv', '--reuid=nobody', '--clear-groups', 'sh', '-s', '--', ...words], {
      input: script,
    })
    expect(ended).toMatchObject({ exitCode: 10, stdout: '' })
  })

  test('does not follow links that its user put into the home', () => {
    setUp('--edge', 'none')
    shell('runuser -u shipway -- sh -c "rm -rf ~shipway/.shipway; ln -s /etc ~shipway/.shipway"')
    const was = shell('find /etc -newer /run/bin | sort')
    expect(setUp()).toMatchObject({ exitCode: 17, stderr: expect.stringContaining('could not be written') })
    expect(shell('find /etc -newer /run/bin | sort')).toBe(was)
  })
})

/** Far longer than needed, also on a busy machine. */
const waiting = { timeout: 120_000 }
