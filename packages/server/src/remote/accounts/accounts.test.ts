// Commands of the manual recipe as users of their environments: a machine that was set up for it, a real sshd, real durable steps.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Commands,
  contextOf,
  deploymentOf,
  hostOver,
  INSTALLATION,
  runOn,
} from '../../../test/accounts/machine-deployments.ts'
import { canSetUp, machineToSetUp } from '../../../test/machine-to-set-up.ts'
import { isOurConfig } from '../../edge/haproxy/config-template.ts'
import { runActionProgram } from '../../recipes/actions/run-action.ts'
import { deployManually } from '../../recipes/manual/deploy.ts'
import { removeFromServer } from '../../recipes/remove.ts'
import { checkServer } from '../set-up/check-server.ts'
import { cancelStep, runStep } from '../steps/durable-step.ts'
import { handOver } from './account-scripts.ts'

const base = `/home/shipway/.shipway/${INSTALLATION}`
const users = `/var/lib/shipway-commands/${INSTALLATION}`
const waiting = { timeout: 120_000 }

describe.skipIf(!canSetUp)('a machine with users for environments', () => {
  const { machine, setUp, shell, start } = machineToSetUp()
  const files = mkdtempSync(join(tmpdir(), 'shipway-accounts-'))
  afterAll(() => rmSync(files, { recursive: true }))
  const host = hostOver(machine, files)

  beforeEach(async () => {
    // A listener at Docker's socket, with the owner, group and mode that Docker sets.
    shell('getent group docker >/dev/null || groupadd docker')
    setUp('--edge', 'none')
    shell('mkdir -p /run/sshd')
    start(['/usr/sbin/sshd', '-D', '-e'])
    // It reads a file and starts no program for an answer, so no end of a program can race with what it printed.
    shell('echo docker answers >/run/docker-answer; chmod a+r /run/docker-answer')
    start(['socat', '-U', 'UNIX-LISTEN:/run/docker.sock,fork,mode=0660,group=docker', 'OPEN:/run/docker-answer,rdonly'])
    await vi.waitUntil(
      () => shell('grep -q ":0016 .* 0A " /proc/net/tcp && ls /run/docker.sock').includes('docker'),
      waiting,
    )
  })

  async function deploy(commands: Commands) {
    const run = runOn(host)
    await deployManually(run, deploymentOf(commands), contextOf(commands))
    return run
  }
  async function remove(commands: Commands, undoTaskId: number) {
    const run = runOn(host)
    const undo = {
      taskId: undoTaskId,
      commitSha: 'c'.repeat(40),
      recipe: 'manual',
      isLive: true,
      serviceFile: null,
    } as const
    const deployment = deploymentOf({ ...commands, deployment: { undo } })
    await removeFromServer(run, contextOf(commands), { deployment, recipe: 'manual', phase: 'Switch' })
    return run
  }

  test('the check reports them, and the set-up line adds them to a machine that an earlier version set up', async () => {
    const commandUsers = async () => {
      const options = {
        installationId: INSTALLATION,
        folder: undefined,
        runtime: 'compose' as const,
        setUpLine: 'the line',
        isEdgeConfig: isOurConfig,
      }
      const { checks } = await checkServer(host, { ...options, edge: 'embedded' })
      return checks.find(({ name }) => name === 'command_users')
    }
    expect(await commandUsers()).toMatchObject({ status: 'ok' })
    shell(`rm /etc/sudoers.d/shipway-${INSTALLATION} /usr/local/lib/shipway/commands-${INSTALLATION}`)
    expect(await commandUsers()).toMatchObject({ status: 'warning', fix: expect.stringContaining('the line') })
    const run = await deploy({ environmentId: 4, taskId: 40, deploy: ['id -un'] })
    expect(run.output()).toBe('shipway\n')
    expect(run.said.join('\n')).toContain("Commands run as the platform's user, since this server has no users")
    setUp('--edge', 'none')
    expect(await commandUsers()).toMatchObject({ status: 'ok' })
    // The platform's user started the live release, so no other user could stop it.
    const undo = { taskId: 40, commitSha: 'c'.repeat(40), recipe: 'manual', isLive: true, serviceFile: null } as const
    const next = await deploy({ environmentId: 4, taskId: 41, deploy: ['id -un'], deployment: { undo, live: undo } })
    expect(next.output()).toBe('shipway\n')
    expect(next.said.join('\n')).toContain('Reset the environment')
  })

  test('commands of one project read nothing of another, of the docker recipe or of the platform, and do not reach Docker', async () => {
    shell(`runuser -u shipway -- sh -c 'mkdir -p ${base}/environments/9/releases/1 ${base}/environments/9/tasks/1 && cd ${base}/environments/9 &&
      for file in variables.env releases/1/compose.yml tasks/1/judged.json; do echo docker-secret >$file; done; mkdir output; echo docker-secret >output/x.gz; chmod -R a+rX .'`)
    await deploy({
      environmentId: 7,
      taskId: 70,
      variables: { TOKEN: 'secret-of-seven' },
      deploy: [
        'echo "$TOKEN" >kept; echo "$TOKEN" >"$HOME/kept"; echo "$TOKEN" >>"$SERVICE_LOG"; setsid sleep 1000 >/dev/null 2>&1 &',
      ],
    })
    const spy = `
      id -un; id -Gn
      socat -u UNIX-CONNECT:/run/docker.sock - && echo REACHED || echo no docker
      sudo -n true && echo REACHED || echo no sudo
      sudo -n /usr/local/lib/shipway/commands-${INSTALLATION} check && echo REACHED || echo no program
      cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep secret-of-seven && echo REACHED
      for place in ${base}/environments/9 ${base}/environments/7 ${users}/7; do
        grep -rs secret "$place" && echo REACHED
        ls "$place" && echo REACHED
      done
      for file in ${base}/environments/9/variables.env ${base}/environments/7/variables.env ${base}/environments/9/tasks/1/judged.json \\
        ${users}/7/releases/70/kept ${users}/7/home/kept ${users}/7/output/70.web.log; do
        cat "$file" && echo REACHED
        echo x >>"$file" && echo REACHED
      done
      echo looked`
    const run = await deploy({
      environmentId: 8,
      taskId: 80,
      deploy: [`{ ${spy}\n} 2>/dev/null`],
      variables: { TOKEN: 'eight' },
    })
    expect(run.output().split('\n')).toEqual([
      ...[`shipway-${INSTALLATION}-8`, `shipway-${INSTALLATION}-8`],
      ...['no docker', 'no sudo', 'no program', 'looked', ''],
    ])
    // The platform's user can reach everything, so this looks for the places that contain it.
    const platform = (text: string) => machine().run(['runuser', '-u', 'shipway', '--', 'sh', '-c', text])
    expect(platform('socat -u UNIX-CONNECT:/run/docker.sock -')).toEqual({
      exitCode: 0,
      stdout: 'docker answers\n',
      stderr: '',
    })
    expect(platform(`cat ${base}/environments/7/variables.env`).stdout).toContain('secret-of-seven')
    expect(platform(`cat ${users}/7/output/70.web.log`).stdout).toBe('secret-of-seven\n')
    expect(
      shell(`stat -c '%a %U' ${base} ${base}/environments/7/variables.env ${users}/7/releases ${users}/7/home`),
    ).toBe(`700 shipway\n600 shipway\n700 shipway-${INSTALLATION}-7\n700 shipway-${INSTALLATION}-7\n`)
  })

  test('commands have their variables, their release and their streams, and earlier releases are removed unless a process runs there', async () => {
    const script = `pwd; cat bin/code; echo "$TOKEN $RANDOM $HOME"; echo by name >/dev/stdout; echo error >/dev/stderr; cat; echo new >bin/new`
    const first = await deploy({ environmentId: 7, taskId: 70, variables: { TOKEN: `it's "here"` }, deploy: [script] })
    expect(first.output()).toBe(`${users}/7/releases/70\ncode\nit's "here"  ${users}/7/home\nby name\nerror\n`)
    await deploy({
      environmentId: 7,
      taskId: 71,
      deploy: ['echo two >>"$SERVICE_LOG"; setsid sleep 1000 >>"$SERVICE_LOG" 2>&1 &'],
    })
    expect(shell(`ls ${users}/7/releases ${base}/environments/7/releases/71`)).toBe(
      `${base}/environments/7/releases/71:\n\n${users}/7/releases:\n71\n`.replace(':\n\n', ':\n\n'),
    )
    const third = await deploy({ environmentId: 7, taskId: 72 })
    expect(third.said.join('\n')).toContain('environments/7/releases/71 stays for now: a process works in it')
    expect(shell(`ls ${users}/7/releases ${users}/7/output`)).toBe(
      `${users}/7/output:\n71.web.log\n72.web.log\n\n${users}/7/releases:\n71\n72\n`,
    )
  })

  test('cancel and time limits end the whole group of the other user', async () => {
    await deploy({ environmentId: 7, taskId: 70 })
    const account = { installationId: INSTALLATION, environmentId: 7 }
    const left = () => shell(`ps -o args= -u shipway-${INSTALLATION}-7 | grep -c 'sleep 123[45]'`).trim()
    const script = "trap 'echo told; exit 3' TERM; sleep 1234 & sleep 1235 & echo ready; wait"
    const step = { folder: `${base}/environments/7/tasks/90/1`, run: { script }, account, environment: new Map() }
    const printed: string[] = []
    const following = runStep(host, step, { fromOffset: 0, onOutput: (bytes) => void printed.push(bytes.toString()) })
    await vi.waitUntil(() => printed.join('').includes('ready'), waiting)
    expect(left()).toBe('2')
    await cancelStep(host, step.folder)
    expect(await following).toMatchObject({ state: 'canceled' })
    expect(printed.join('')).toBe('ready\ntold\n')
    expect(left()).toBe('0')
    const limited = { ...step, folder: `${base}/environments/7/tasks/90/2`, timeoutMs: 1000 }
    expect(await runStep(host, limited, { fromOffset: 0, onOutput: () => undefined })).toMatchObject({
      state: 'timed_out',
    })
    expect(left()).toBe('0')
  })

  test('actions run as the user, and their files are kept as the platform’s own', async () => {
    await deploy({ environmentId: 7, taskId: 70, variables: { TOKEN: 'here' } })
    const run = runOn(host)
    const context = contextOf({ environmentId: 7, taskId: 71 })
    const kept = await runActionProgram(run, context, {
      deployment: deploymentOf({ environmentId: 7, taskId: 71, variables: { TOKEN: 'now' } }),
      action: {
        name: 'dump',
        service: null,
        mainService: 'web',
        timeoutMs: null,
        artifactPaths: ['*.sql', 'stolen'],
        run: `id -un; echo "$TOKEN" >dump.sql; ln -s ${base}/environments/7/variables.env stolen`,
      },
      servingTaskId: 70,
      recipe: 'manual',
      mostArtifactBytes: 1024,
    })
    expect(run.output()).toContain(`shipway-${INSTALLATION}-7\n`)
    expect(kept).toMatchObject([{ path: 'dump.sql', size: 4 }])
    expect(
      shell(`cat ${base}/environments/7/artifacts/71/1; stat -c '%a %U' ${base}/environments/7/artifacts/71/1`),
    ).toBe('now\n600 shipway\n')
  })

  test('a removal runs the destroy tasks as the user, and leaves no process, file or account', async () => {
    const deployed = {
      environmentId: 7,
      taskId: 70,
      destroy: ['id -un; test -e mark; echo stopped'],
      deploy: [
        'touch mark "$HOME/data"; mkdir shut; chmod 0 shut; touch /tmp/of-seven /var/tmp/of-seven; setsid sleep 1000 >/dev/null 2>&1 &',
      ],
    }
    await deploy(deployed)
    await deploy({ environmentId: 8, taskId: 80, deploy: ['setsid sleep 1000 >/dev/null 2>&1 &'] })
    const run = await remove({ ...deployed, taskId: 71 }, 70)
    expect(run.output()).toBe(`shipway-${INSTALLATION}-7\nstopped\n`)
    expect(
      shell(
        `ls -d ${users}/* ${base}/environments/*; ls /tmp/of-seven /var/tmp/of-seven; getent passwd group | grep -- -7:`,
      ),
    ).toBe(`${base}/environments/8\n${users}/8\n`)
    expect(shell(`getent passwd shipway-${INSTALLATION}-7; getent group shipway-${INSTALLATION}-7`)).toBe('')
    expect(shell('ps -eo user:32=,args= | grep "sleep 1000" | grep -v grep | tr -s " "')).toBe(
      `shipway-${INSTALLATION}-8 sleep 1000\n`,
    )
  })

  test('a new user does not get the uid of an earlier user', async () => {
    const uids: string[] = []
    for (const environmentId of [7, 8, 7]) {
      const taskId = environmentId * 10 + uids.length
      const run = await deploy({ environmentId, taskId, deploy: ['id -u; id -g'] })
      uids.push(run.output())
      await remove({ environmentId, taskId: taskId + 5 }, taskId)
    }
    expect(new Set(uids).size).toBe(3)
    for (const uid of uids) expect(uid).toMatch(/^(3\d{4})\n\1\n$/)
  })

  test('commands never get the platform’s rights when their users cannot be used', async () => {
    await deploy({ environmentId: 7, taskId: 70 })
    shell(`mv /etc/sudoers.d/shipway-${INSTALLATION} /run/rule`)
    for (const environmentId of [7, 8]) {
      const run = runOn(host)
      const commands = { environmentId, taskId: 71, deploy: ['id -un'] }
      const deployed = deployManually(run, deploymentOf(commands), contextOf(commands))
      await expect(deployed).rejects.toThrow('cannot be called through sudo')
      expect(run.output()).toBe('')
    }
    shell(`mv /run/rule /etc/sudoers.d/shipway-${INSTALLATION}`)
    // As after a removal that is canceled between deleting the user and the files.
    shell(`/usr/local/lib/shipway/commands-${INSTALLATION} remove 7`)
    const action = { name: 'who', run: 'id -un', service: null, mainService: 'web', timeoutMs: null, artifactPaths: [] }
    const ran = runActionProgram(runOn(host), contextOf({ environmentId: 7, taskId: 71 }), {
      deployment: deploymentOf({ environmentId: 7, taskId: 71 }),
      action,
      servingTaskId: 70,
      recipe: 'manual',
      mostArtifactBytes: 1024,
    })
    await expect(ran).rejects.toThrow('The user of the environment was removed')
    const undo = { taskId: 70, commitSha: 'c'.repeat(40), recipe: 'manual', isLive: true, serviceFile: null } as const
    const next = await deploy({ environmentId: 7, taskId: 72, deploy: ['id -un'], deployment: { undo, live: undo } })
    expect(next.output()).toBe(`shipway-${INSTALLATION}-7\n`)
  })

  test('the program accepts only verbs and numbers, and only the platform can call it', () => {
    const program = `/usr/local/lib/shipway/commands-${INSTALLATION}`
    expect(shell(`stat -c '%a %U' ${program} /etc/sudoers.d/shipway-${INSTALLATION}`)).toBe('755 root\n440 root\n')
    const call = (...given: string[]) =>
      machine().run(['runuser', '-u', 'shipway', '--', 'sudo', '-n', '--', program, ...given], { input: 'id\n: end\n' })
    const words = ['', 'prepare', 'prepare 0', 'prepare -1', 'prepare 7;id', 'prepare ../7', 'prepare 7 8', 'remove ']
    words.push('remove .', `remove ${'1'.repeat(12)}`, 'run 7', 'run 7 x', 'run 7 9', 'chown 7')
    for (const given of words)
      expect(call(...(given ? given.split(' ') : [])), given).toMatchObject({ exitCode: 2, stdout: '' })
    expect(call('prepare', '7')).toMatchObject({ exitCode: 0 })
    expect(call('run', '7', '3')).toMatchObject({
      exitCode: 126,
      stdout: '',
      stderr: 'The commands did not arrive whole\n',
    })
    expect(call('run', '7', '8')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^uid=\d+\(shipway-a1b2c3-7\)/),
    })
    expect(call('check')).toMatchObject({ exitCode: 0, stdout: 'shipway-commands 1\n' })
    const other = machine().run(['runuser', '-u', 'nobody', '--', 'sudo', '-n', '--', program, 'check'])
    expect(other).toMatchObject({ exitCode: 1, stdout: '' })
  })

  test('root and the platform do not follow links of the user', async () => {
    const secret = `${base}/environments/9/variables.env`
    shell(`runuser -u shipway -- sh -c 'mkdir -p ${base}/environments/9; echo kept >${secret}'`)
    await deploy({
      environmentId: 7,
      taskId: 70,
      deploy: [
        `rm -rf "$HOME"/* ; ln -s ${base} "$HOME/link"; ln -s /etc ../linked; rm "$SERVICE_LOG" 2>/dev/null || echo kept
        mv ${users}/7/output ${users}/7/gone 2>/dev/null || echo kept; ln -s ${secret} ${users}/7/output/71.web.log 2>/dev/null || echo kept
        ln -s ${secret} ${users}/7/releases/71; rm -rf ${users}/7/releases 2>/dev/null || :; rmdir ${users}/7/releases 2>/dev/null || :; ln -s / ${users}/7/releases 2>/dev/null || echo kept`,
      ],
    }).then((run) => expect(run.output()).toBe('kept\nkept\nkept\nkept\n'))
    await deploy({ environmentId: 7, taskId: 72 })
    // A failed commit may be checked out again for its destroy tasks.
    const release = `${base}/environments/7/releases/74`
    shell(`runuser -u shipway -- sh -c 'mkdir ${release}; ln -s ${secret} ${release}/.service.yml'`)
    const account = { installationId: INSTALLATION, environmentId: 7 }
    await host.run(handOver({ account, folder: base, taskId: 74, liveTaskId: 72, services: [] }))
    expect(shell(`ls -A ${release}`)).toBe('')
    await remove({ environmentId: 7, taskId: 73 }, 72)
    expect(shell(`cat ${secret}; ls -d ${users}/*; ls /etc/passwd`)).toBe('kept\n/etc/passwd\n')
  })
})
