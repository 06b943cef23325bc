// Starts Firefox and sends commands to its Marionette port, as geckodriver does, which Debian has no package for.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { driverProcesses, requireProgram, untilReady } from './driver-process.ts'
import { commands, type Session } from './session.ts'

/** An empty start page instead of an internal one, and no requests to Mozilla's servers, each slow on a closed network. */
const preferences = {
  'marionette.port': 0,
  'browser.startup.page': 0,
  'browser.aboutwelcome.enabled': false,
  'browser.backup.enabled': false,
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'nimbus.rollouts.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'ui.prefersReducedMotion': 1,
}

export async function startFirefox(preferred: Record<string, number | boolean | string> = {}): Promise<Session> {
  const program = requireProgram(['firefox-esr', 'firefox'], 'firefox-esr')
  const processes = await driverProcesses()
  try {
    const profile = join(processes.home, 'profile')
    await mkdir(profile)
    const lines = Object.entries({ ...preferences, ...preferred }).map(
      (entry) => `user_pref(${JSON.stringify(entry).slice(1, -1)});\n`,
    )
    await writeFile(join(profile, 'user.js'), lines.join(''))
    const args = ['--marionette', '--headless', '--no-remote', '--profile', profile, 'about:blank']
    const browser = processes.start(program, args)
    const port = await untilReady(browser, async () => Number(await readFile(join(profile, 'MarionetteActivePort'))))
    const socket = connect(port, '127.0.0.1')
    const call = marionetteClient(socket)
    await call('WebDriver:NewSession', { capabilities: {} })
    return {
      async send(command, parameters = {}) {
        return call(`WebDriver:${commands[command][2]}`, parameters)
      },
      async end() {
        socket.destroy()
        await processes.end()
      },
    }
  } catch (error) {
    await processes.end()
    throw error
  }
}

type Reply = [1, number, { error: string; message: string } | null, Record<string, unknown>]

/**
 * Messages are JSON after their length in bytes and a colon. The browser says hello first and replies in order.
 * https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
function marionetteClient(socket: Socket) {
  let received = Buffer.alloc(0)
  const waiting: ((message: unknown) => void)[] = []
  const failures: ((error: Error) => void)[] = []
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (let end = endOfMessage(received); end !== undefined; end = endOfMessage(received)) {
      const message: unknown = JSON.parse(received.subarray(received.indexOf(':') + 1, end).toString())
      received = received.subarray(end)
      failures.shift()
      waiting.shift()?.(message)
    }
  })
  socket.on('close', () => {
    for (const fail of failures) fail(new Error('Firefox has closed the connection'))
  })
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      waiting.push(resolve)
      failures.push(reject)
    })
  const hello = next()
  let id = 0
  return async (name: string, parameters: Record<string, unknown>) => {
    await hello
    const message = JSON.stringify([0, ++id, name, parameters])
    socket.write(`${Buffer.byteLength(message)}:${message}`)
    const [, , error, result] = (await next()) as Reply
    if (error !== null) throw new Error(`${error.error}: ${error.message}`)
    return 'value' in result ? result['value'] : result
  }
}

function endOfMessage(received: Buffer): number | undefined {
  const colon = received.indexOf(':')
  if (colon < 0) return undefined
  const end = colon + 1 + Number(received.subarray(0, colon))
  return received.length < end ? undefined : end
}
