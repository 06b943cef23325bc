// Starts WebKitGTK's driver, which starts WebKit's MiniBrowser, on a screen of its own.
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { freePort } from '../../server/testing/free-port.ts'
import { type DriverProcesses, driverProcesses, requireProgram, untilReady } from './driver-process.ts'
import { type Command, commands, type Session } from './session.ts'

const debianPackages = 'webkit2gtk-driver xvfb'

export async function startWebKit(): Promise<Session> {
  const program = requireProgram(['WebKitWebDriver'], debianPackages)
  const xvfb = requireProgram(['Xvfb'], debianPackages)
  const processes = await driverProcesses()
  try {
    const display = await startScreen(processes, xvfb)
    const port = await freePort()
    const driver = processes.start(program, [`--port=${port}`], { DISPLAY: display, GDK_BACKEND: 'x11' })
    const call = httpClient(`http://127.0.0.1:${port}`)
    await untilReady(driver, async () => call('GET', '/status'))
    const { sessionId } = (await call('POST', '/session', { capabilities: {} })) as { sessionId: string }
    return {
      async send(command, parameters = {}) {
        const { method, path, body } = requestOf(command, parameters)
        return call(method, `/session/${sessionId}/${path}`, body)
      },
      async end() {
        // Ends MiniBrowser too, which is no child of this process.
        await call('DELETE', `/session/${sessionId}`)
        await processes.end()
      },
    }
  } catch (error) {
    await processes.end()
    throw error
  }
}

async function startScreen({ start }: DriverProcesses, xvfb: string): Promise<string> {
  const child = start(xvfb, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'])
  const [number] = (await once(child.stdio[3] as Readable, 'data')) as [Buffer]
  return `:${number.toString().trim()}`
}

function requestOf(command: Command, parameters: Record<string, unknown>) {
  const [method, path] = commands[command]
  const { id, ...body } = parameters
  return { method, path: path.replace('{id}', String(id)), ...(method === 'POST' && { body }) }
}

function httpClient(site: string) {
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(site + path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const { value } = (await response.json()) as { value: unknown }
    if (response.ok) return value
    const { error, message } = value as { error: string; message: string }
    throw new Error(`${error}: ${message}`)
  }
}
