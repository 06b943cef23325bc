// What the product's delivery is compared with: nginx, and bare node:http, each serving the files of one folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../e2e/free-port.ts'

export interface FileServer {
  url: string
  pid: number
  stop(): Promise<void>
}

/** With its access log, and without: one process on two ports. */
export interface Nginx extends FileServer {
  loggingUrl: string
}

const readyWithinMs = 10_000

/** Where it is installed; Debian keeps it out of the PATH of users. */
export const nginxPath = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path))

/** One worker with sendfile, in the foreground, with a configuration of its own: whatever is installed stays as it is. */
export async function startNginx(files: string): Promise<Nginx> {
  if (nginxPath === undefined) throw new Error('nginx is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'image-host-nginx-'))
  const [port, loggingPort] = [await freePort(), await freePort()]
  const path = join(folder, 'nginx.conf')
  await writeFile(path, configuration(folder, files, port, loggingPort))
  const server = await start(nginxPath, ['-p', folder, '-e', join(folder, 'errors'), '-c', path], port)
  const stop = () => server.stop().then(() => rm(folder, { recursive: true, force: true }))
  return { ...server, loggingUrl: `http://127.0.0.1:${loggingPort}`, stop }
}

/** @param files read into memory at its start */
export async function startPictureServer(files: string): Promise<FileServer> {
  const port = await freePort()
  return start(
    process.execPath,
    [fileURLToPath(new URL('picture-server.mjs', import.meta.url)), files, `${port}`],
    port,
  )
}

function configuration(folder: string, files: string, port: number, loggingPort: number): string {
  // Started by root it would give its worker to nobody, who may not look into our folders.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  return `
    ${user}
    daemon off;
    master_process off;
    pid ${join(folder, 'pid')};
    events { worker_connections 1024; }
    http {
      ${temporary.join('\n')}
      types { image/webp webp; image/jpeg jpg; }
      sendfile on;
      tcp_nopush on;
      keepalive_requests 100000000;
      root ${files};
      # As much as a line of the product's log tells.
      log_format facts escape=json '{"time":"$time_iso8601","id":"$request_id","method":"$request_method","url":"$request_uri","status":$status,"bytes":$body_bytes_sent,"seconds":$request_time,"address":"$remote_addr"}';
      server { listen 127.0.0.1:${port}; access_log off; }
      server { listen 127.0.0.1:${loggingPort}; access_log ${join(folder, 'access')} facts; }
    }`
}

async function start(command: string, args: string[], port: number): Promise<FileServer> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  child.stderr.on('data', (piece) => (printed += piece))
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const deadline = Date.now() + readyWithinMs
  for (;;) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return { url, pid: child.pid ?? 0, stop }
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`${command} does not answer: ${printed}`)
    }
    await sleep(50)
  }
}
