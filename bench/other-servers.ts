// The servers that the product is compared with: nginx, and programs of this folder, each on a port of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { atExit } from '../e2e/at-exit.ts'
import { freePort } from '../e2e/free-port.ts'

interface Server {
  url: string
  pid: number
  stop(): Promise<void>
}

/** One process on two ports: with an access log, and without. */
export interface Nginx extends Server {
  loggingUrl: string
}

const readyTimeoutMs = 10_000

/** The path of nginx where it is installed; on Debian it is outside of the PATH of users. */
export const nginxPath = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path))

/**
 * Starts one worker with sendfile, in the foreground, with its own configuration: an installed one
 * is not used.
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

/** @param script in bench/; its first argument is the port */
export async function startProgram(script: string, ...args: string[]): Promise<Server> {
  const port = await freePort()
  return startOnPort(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), `${port}`, ...args], port)
}

function configuration(folder: string, files: string, port: number, loggingPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
    # A master started by root runs its workers as user nobody, who cannot read these folders.
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    pid ${join(folder, 'pid')};
    master_process off;
    events { worker_connections 1024; }
    http {
      ${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n')}
      types { image/webp webp; image/jpeg jpg; }
      sendfile on;
      tcp_nopush on;
      keepalive_requests 100000000;
      root ${files};
      # The same fields as a log line of the product.
      log_format facts escape=json '{"time":"$time_iso8601","id":"$request_id","method":"$request_method","url":"$request_uri","status":$status,"bytes":$body_bytes_sent,"seconds":$request_time,"address":"$remote_addr"}';
      server { listen 127.0.0.1:${port}; access_log off; }
      server { listen 127.0.0.1:${loggingPort}; access_log ${join(folder, 'access')} facts; }
    }`
}

/** Starts a process and waits until its port responds, with any status. */
async function startOnPort(command: string, args: string[], port: number): Promise<Server> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  child.stderr.on('data', (chunk) => (printed += chunk))
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  // Not SIGKILL: a master of nginx would leave its workers running.
  const cancelAtExit = atExit(() => child.kill())
  const stop = async () => {
    child.kill()
    await ended
    cancelAtExit()
  }
  const deadline = Date.now() + readyTimeoutMs
  for (;;) {
    const responds = await fetch(url).then(
      () => true,
      () => false,
    )
    if (responds) return { url, pid: child.pid ?? 0, stop }
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`${command} does not respond: ${printed}`)
    }
    await sleep(50)
  }
}
