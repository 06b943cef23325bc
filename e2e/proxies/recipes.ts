// The files of deploy/proxy, changed where a test differs from a host: ports, certificate, folders.
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface TestHost {
  /** For the proxy's files. */
  folder: string
  httpPort: number
  httpsPort: number
  /** Of Image Host. */
  serverPort: number
  /** Paths of a certificate for img.example.com and its key. */
  certificate: string
  key: string
}

export interface Recipe {
  name: string
  /** Paths where its distribution installs the program. */
  programs: string[]
  /** Writes the configuration. @returns the arguments that start the proxy in the foreground */
  prepare(host: TestHost): Promise<string[]>
  env?(host: TestHost): Record<string, string>
}

const recipe = (name: string) => readFile(new URL(`../../deploy/proxy/${name}`, import.meta.url), 'utf8')

/** @throws when `from` is not in the text, so that a changed recipe does not pass untested */
function replaced(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The recipe does not contain ${from}`)
    return changed.replaceAll(from, to)
  }, text)
}

async function write(host: TestHost, name: string, text: string): Promise<string> {
  const path = join(host.folder, name)
  await writeFile(path, text)
  return path
}

const caddy: Recipe = {
  name: 'Caddy',
  programs: ['/usr/bin/caddy'],
  async prepare(host) {
    const text = replaced(await recipe('Caddyfile'), {
      '\tservers {': `\tadmin off\n\thttp_port ${host.httpPort}\n\thttps_port ${host.httpsPort}\n\tservers {`,
      'https://{$DOMAIN:localhost} {': `https://{$DOMAIN:localhost} {\n\ttls ${host.certificate} ${host.key}`,
    })
    return ['run', '--adapter', 'caddyfile', '--config', await write(host, 'Caddyfile', text)]
  },
  env: ({ folder, serverPort }) => ({
    DOMAIN: 'img.example.com',
    UPSTREAM: `127.0.0.1:${serverPort}`,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  }),
}

const nginx: Recipe = {
  name: 'nginx',
  programs: ['/usr/sbin/nginx'],
  async prepare(host) {
    const site = replaced(await recipe('nginx.conf'), {
      '\tlisten 80;\n\tlisten [::]:80;\n': `\tlisten 127.0.0.1:${host.httpPort};\n`,
      '\tlisten 443 ssl http2;\n\tlisten [::]:443 ssl http2;\n': `\tlisten 127.0.0.1:${host.httpsPort} ssl http2;\n`,
      '/etc/letsencrypt/live/img.example.com/fullchain.pem': host.certificate,
      '/etc/letsencrypt/live/img.example.com/privkey.pem': host.key,
      '127.0.0.1:3000': `127.0.0.1:${host.serverPort}`,
    })
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${host.folder}/${name};`)
      .join('\n')
    const main = `daemon off; pid ${host.folder}/nginx.pid; error_log stderr;
      events {}
      http { access_log off; ${folders}\n${site} }`
    return ['-c', await write(host, 'nginx.conf', main), '-p', host.folder]
  },
}

const modules = [
  'alias',
  'authz_core',
  'headers',
  'http2',
  'mpm_event',
  'proxy',
  'proxy_http',
  'reqtimeout',
  'rewrite',
  'socache_shmcb',
  'ssl',
]

const apache: Recipe = {
  name: 'Apache',
  programs: ['/usr/sbin/apache2'],
  async prepare(host) {
    const site = replaced(await recipe('apache.conf'), {
      'MDomain img.example.com\nMDCertificateAgreement accepted\n': '',
      '<VirtualHost *:80>': `<VirtualHost 127.0.0.1:${host.httpPort}>`,
      '<VirtualHost *:443>': `<VirtualHost 127.0.0.1:${host.httpsPort}>`,
      '\tSSLEngine on\n': `\tSSLEngine on\n\tSSLCertificateFile ${host.certificate}\n\tSSLCertificateKeyFile ${host.key}\n`,
      '127.0.0.1:3000': `127.0.0.1:${host.serverPort}`,
    })
    await mkdir(join(host.folder, 'empty'))
    const main = [
      `ServerRoot ${host.folder}`,
      `DocumentRoot ${host.folder}/empty`,
      'ServerName localhost',
      `PidFile ${host.folder}/apache.pid`,
      `Mutex file:${host.folder}`,
      `ErrorLog ${host.folder}/error.log`,
      'User www-data',
      'Group www-data',
      ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      `Listen 127.0.0.1:${host.httpPort}`,
      `Listen 127.0.0.1:${host.httpsPort} https`,
      site,
    ].join('\n')
    return ['-f', await write(host, 'apache.conf', main), '-DFOREGROUND']
  },
}

const traefik: Recipe = {
  name: 'Traefik',
  programs: ['/usr/bin/traefik', '/usr/local/bin/traefik'],
  async prepare(host) {
    const routes = replaced(await recipe('traefik-routes.yaml'), { '127.0.0.1:3000': `127.0.0.1:${host.serverPort}` })
    const certificate = `tls:\n  certificates:\n    - certFile: ${host.certificate}\n      keyFile: ${host.key}\n`
    const main = replaced(await recipe('traefik.yaml'), {
      "address: ':80'": `address: 127.0.0.1:${host.httpPort}`,
      "address: ':443'": `address: 127.0.0.1:${host.httpsPort}`,
      'tls:\n        certResolver: letsencrypt': 'tls: {}',
      '/etc/traefik/traefik-routes.yaml\n': `${await write(host, 'traefik-routes.yaml', routes + certificate)}\n`,
      '/var/lib/traefik/acme.json': join(host.folder, 'acme.json'),
    })
    return [`--configFile=${await write(host, 'traefik.yaml', main)}`]
  },
}

export const recipes = [caddy, nginx, apache, traefik]

/** The path of the first program that is installed. */
export async function findProgram({ programs }: Recipe): Promise<string | undefined> {
  for (const path of programs) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}
