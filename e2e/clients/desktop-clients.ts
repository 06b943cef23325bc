// Clients from Debian, on a virtual display.
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientId, setupParts } from '../../contract/client-setups/clients.ts'
import { type ClientRun, type Context, outputOf } from './client-run.ts'

/** @param versionOf the version of a Debian package */
export const desktopClients = (versionOf: (name: string) => string): ClientRun[] => [
  {
    client: `ksnip ${versionOf('ksnip')}`,
    api: 'Imgur v3 (XML), the address of /tools',
    programs: ['ksnip', 'Xvfb', 'xclip'],
    upload: (context) =>
      onDisplay(context, async (env, home) => {
        const settings = {
          BaseUrl: part('ksnip', context),
          OpenLinkDirectlyToImage: true,
          AlwaysCopyToClipboard: true,
          OpenLinkInBrowser: false,
        }
        const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
        await mkdir(join(home, '.config/ksnip'), { recursive: true })
        await writeFile(join(home, '.config/ksnip/ksnip.conf'), ['[Imgur]', ...lines, ''].join('\n'))
        // The window stays open: it prints the link.
        return { link: await printedLink('ksnip', ['--fullscreen', '--upload'], env) }
      }),
  },
  {
    client: `Flameshot ${versionOf('flameshot')}`,
    api: 'native, the script of /tools',
    programs: ['flameshot', 'Xvfb', 'xclip', 'xdotool', 'dbus-run-session'],
    upload: (context) =>
      onDisplay(context, async (env, home) => {
        const script = join(home, 'flameshot-upload.sh')
        await writeFile(script, part('flameshot', context))
        const running = outputOf('dbus-run-session', ['--', 'sh', script], { env, cwd: home })
        // A user selects a region and confirms it.
        const confirm = 'mousemove 100 100 mousedown 1 mousemove 400 300 mouseup 1 sleep 1 key Return'
        await sleep(4000)
        await outputOf('xdotool', confirm.split(' '), { env })
        const link = /https?:\/\/\S+/.exec(await running)?.[0] ?? ''
        const copied = await outputOf('xclip', ['-selection', 'clipboard', '-o'], { env })
        if (copied !== link) throw new Error(`The clipboard has ${copied}`)
        return { link }
      }),
  },
]

const part = (id: ClientId, { origin, key }: Context) =>
  setupParts(id, { origin, siteName: 'Image Host', key })[0]?.text ?? ''

const startMs = 1500

/** Starts a display, and a home that is empty. */
async function onDisplay<T>(
  { folder, photo }: Context,
  use: (env: NodeJS.ProcessEnv, home: string) => Promise<T>,
): Promise<T> {
  const home = join(folder, `home-${crypto.randomUUID()}`)
  await mkdir(join(home, 'run'), { recursive: true, mode: 0o700 })
  const display = `:${70 + Math.floor(Math.random() * 20)}`
  const server = spawn('Xvfb', [display, '-screen', '0', '800x600x24'], { stdio: 'ignore' })
  try {
    await sleep(startMs)
    const env = {
      DISPLAY: display,
      HOME: home,
      XDG_RUNTIME_DIR: join(home, 'run'),
      XDG_CONFIG_HOME: join(home, '.config'),
      WAYLAND_DISPLAY: '',
      PHOTO: photo,
    }
    return await use(env, home)
  } finally {
    server.kill()
  }
}

const linkWithinMs = 20_000

/** Waits for the first link that a program prints, and ends it. */
async function printedLink(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  try {
    for (const since = Date.now(); Date.now() - since < linkWithinMs; await sleep(200)) {
      const link = /Upload result: '?(https?:\/\/[^\s']+)/.exec(output)?.[1]
      if (link !== undefined) return link
    }
    throw new Error(output)
  } finally {
    child.kill()
  }
}
