// A real nginx with the configuration of deploy/proxy/nginx-cache.conf, and the receiver of its purge hook.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from './free-port.ts'

const recipes = new URL('../../deploy/proxy/', import.meta.url)
const nginxPath = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
})
/** False where nginx is not installed (apt-get install nginx-light). */
export const hasNginx = nginxPath !== undefined

export interface NginxCache {
  url: string
  /** The settings PURGE_URL and PURGE_SECRET. */
  environment: Record<string, string>
  /** Starts nginx in front of these servers, round robin. */
  forwardTo(servers: { url: string; dataDir: string }[]): Promise<void>
  stop(): Promise<void>
}

export async function startNginxCache(): Promise<NginxCache> {
  const folder = await mkdtemp(join(tmpdir(), 'image-host-nginx-'))
  const [port, hookPort] = [await freePort(), await freePort()]
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const receiver = spawn(
    process.execPath,
    [new URL('nginx-purge.mjs', recipes).pathname, join(folder, 'purged'), String(hookPort)],
    { env: { PURGE_SECRET: secret }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(receiver.stdout, 'data')
  let nginx: ChildProcess | undefined

  return {
    url: `http://127.0.0.1:${port}`,
    environment: { PURGE_URL: `http://127.0.0.1:${hookPort}/`, PURGE_SECRET: secret, TRUST_PROXY: '1' },

    async forwardTo(servers) {
      const documented = await readFile(new URL('nginx-cache.conf', recipes), 'utf8')
      const upstreams = servers.map(({ url }) => `server ${new URL(url).host};`).join(' ')
      const config = documented
        .replaceAll('/var/cache/nginx', folder)
        .replaceAll('/var/lib/image-host', servers[0]?.dataDir ?? '')
        .replace('listen 80;', `listen 127.0.0.1:${port};`)
        .replace('server 127.0.0.1:3000;', upstreams)
      await mkdir(join(folder, 'logs'))
      await writeFile(join(folder, 'nginx.conf'), withDefaults(config, folder))
      nginx = spawn(
        nginxPath ?? '',
        ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
        {
          stdio: 'inherit',
        },
      )
      await vi.waitFor(() => canConnect(port), { timeout: 10_000 })
    },

    async stop() {
      for (const child of [nginx, receiver]) {
        if (child === undefined || child.exitCode !== null) continue
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What a distribution has in nginx.conf around it. The folder belongs to the user of the test. */
const withDefaults = (config: string, folder: string) => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${config}
}
`

async function canConnect(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
