// What the product's delivery is compared with: nginx, and bare node:http, each serving the files of one folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atExit } from '../e2e/at-exit.ts'
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

/**
 * One worker with sendfile, in the foreground, with a configuration of its own: whatever is installed stays as it is.
 * @param own an empty folder
 */
export async function startNginx(files: string, own: string): Promise<Nginx> {
  if (nginxPath === undefined) throw new Error('nginx is not installed')
  const [port, loggingPort] = [await freePort(), await freePort()]
  const path = join(own, 'nginx.conf')
  await writeFile(path, configuration(own, files, port, loggingPort))
  const server = await startOnPort(nginxPath, ['-p', own, '-e', join(own, 'errors'), '-c', path], port)
  return { ...server, loggingUrl: `http://127.0.0.1:${loggingPort}` }
}

/** @param files read into memory at its start */
export async function startPictureServer(files: string): Promise<FileServer> {
  const port = await freePort()
  return startOnPort(
    process.execPath,
    [fileURLToPath(new URL('picture-server.mjs', import.meta.url)), files, `${port}`],
    port,
  )
}

/** What goes before `events`: in the foreground, with its files in a folder of its own. */
export const main = (folder: string) =>
  // Started by root it would give its workers to nobody, who may not look into our folders.
  `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${join(folder, 'pid')};`

export const temporary = (folder: string) =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n')

function configuration(folder: string, files: string, port: number, loggingPort: number): string {
  return `
    ${main(folder)}
    master_process off;
    events { worker_connections 1024; }
    http {
      ${temporary(folder)}
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

/** Starts it, and waits until it answers, whatever it says. */
export async function startOnPort(command: string, args: string[], port: number): Promise<FileServer> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  child.stderr.on('data', (piece) => (printed += piece))
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  // Not by SIGKILL: a master of nginx's would leave its workers.
  const undone = atExit(() => child.kill())
  const stop = async () => {
    child.kill()
    await ended
    undone()
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
