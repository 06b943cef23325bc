// The files of deploy/, the Dockerfile and the compose files against docs/configuration.md and each other.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { limits } from '../contract/plain/limits.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Every setting with its default, from the tables of docs/configuration.md. */
const settings = new Map(
  [...read('docs/configuration.md').matchAll(/^\| `(.+?)` \| (?:`(.+?)`)?/gm)].map(([, name = '', value]) => [
    name,
    value,
  ]),
)

interface Service {
  image?: string
  build?: string
  environment?: Record<string, string | number>
  volumes?: string[]
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  stop_grace_period?: string
}

const compose = (path: string) =>
  Object.entries((parseYaml(read(path)) as { services: Record<string, Service> }).services)
const composeFiles = ['compose.yaml', 'compose.scale.yaml']
const services = composeFiles.flatMap((path) => compose(path).map(([name, service]) => ({ path, name, ...service })))
const servers = services.filter(({ build }) => build !== undefined)
const manifests = read('deploy/kubernetes.yaml')
  .split('\n---\n')
  .map((text) => parseYaml(text) as Record<string, any>) // eslint-disable-line typescript/no-explicit-any -- Kubernetes has no types here
const [pod] = manifests.flatMap(({ spec }) => spec?.template?.spec ?? [])
const dockerfile = read('Dockerfile')
const imageSettings = Object.fromEntries(
  [...(/^ENV (.+)$/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
)

const serverEnv = new Map(
  [...read('deploy/systemd/server.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
)
const deploymentFiles = [
  'Dockerfile',
  ...composeFiles,
  ...readdirSync(new URL('deploy', root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.pathname.length)),
]

describe('settings', () => {
  it.each<[string, string[]]>([
    ['Dockerfile', Object.keys(imageSettings)],
    ...servers.map(({ path, name, environment = {} }): [string, string[]] => [
      `${path}, ${name}`,
      Object.keys(environment),
    ]),
    ['deploy/kubernetes.yaml', manifests.flatMap(({ stringData = {} }) => Object.keys(stringData as object))],
    ['deploy/systemd/server.env', [...serverEnv.keys()]],
  ])('of %s are in docs/configuration.md', (_where, names) => {
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !settings.has(name))).toEqual([])
  })

  it('in the texts of all deployment files exist: a renamed one is renamed there, too', () => {
    // Of other programs.
    const foreign = /^(POSTGRES|GARAGE|GRAFANA|GF|XDG|COMPOSE|AF|REQUEST)_/
    const named = deploymentFiles.flatMap((path) =>
      [...read(path).matchAll(/\b[A-Z][A-Z\d]*(_[A-Z\d]+)+\b/g)].map(([name]) => `${path}: ${name}`),
    )
    expect(named.length).toBeGreaterThan(20)
    const nameOf = (line: string) => line.split(': ')[1] ?? ''
    expect(named.filter((line) => !foreign.test(nameOf(line)) && !settings.has(nameOf(line)))).toEqual([])
  })

  it('that compose.scale.yaml reads from .env are in docs/scale.md', () => {
    const required = [...read('compose.scale.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
    expect(required).toContain('POSTGRES_PASSWORD')
    expect(required.filter((name) => !read('docs/scale.md').includes(name))).toEqual([])
  })
})

describe('the port of docs/configuration.md', () => {
  const port = settings.get('PORT')
  const containerPort = (published: string) => published.split(':').at(-1)

  it('is that of the image, of Kubernetes and of the compose files', () => {
    expect(imageSettings['PORT']).toBe(port)
    expect(dockerfile).toContain(`\nEXPOSE ${port}\n`)
    expect(pod.containers[0].ports).toEqual([{ name: 'http', containerPort: Number(port) }])
    for (const { environment } of servers) expect(String(environment?.['PORT'])).toBe(port)
    expect(servers.flatMap(({ ports = [] }) => ports.map(containerPort))).toEqual([port])
  })

  it.each(['Caddyfile', 'nginx.conf', 'apache.conf', 'traefik-routes.yaml'])('is that of deploy/proxy/%s', (name) => {
    expect(read(`deploy/proxy/${name}`)).toContain(`127.0.0.1:${port}`)
  })

  it('is that of deploy/scale and deploy/monitoring', () => {
    for (const path of ['deploy/scale/Caddyfile', 'deploy/monitoring/prometheus.yaml'])
      expect([...read(path).matchAll(/server-\d:(\d+)/g)].map(([, found]) => found)).toEqual([port, port])
  })
})

it('the files of deployments know every port and time of the settings', () => {
  const known = ['PORT', 'DRAIN_SECONDS']
  expect([...settings.keys()].filter((name) => /(^|_)PORT$|_(SECONDS|MINUTES|MS|TIMEOUT)$/.test(name))).toEqual(known)
  const source = read('scripts/deploy.test.ts')
  // Compared by a test of this file.
  expect(known.filter((name) => !source.includes(`settings.get('${name}')`))).toEqual([])
})

/** The server writes there, and everything else of a container or a service is read-only. */
const folders = [...settings.keys()].filter((name) => /_(DIR|FOLDER|PATH)$/.test(name))

describe.each(folders)('the folder %s', (name) => {
  it('is a volume wherever the image runs', () => {
    const folder = imageSettings[name]
    expect(dockerfile).toContain(`\nVOLUME ${folder}\n`)
    for (const { environment, volumes } of servers) {
      expect(environment?.[name]).toBe(folder)
      expect(volumes?.some((volume) => volume.endsWith(`:${folder}`))).toBe(true)
    }
    expect(pod.containers[0].volumeMounts).toContainEqual(expect.objectContaining({ mountPath: folder }))
  })

  it('is the state folder of the service, or the unit may write there', () => {
    const written = /^ReadWritePaths=(.*)$/m.exec(read('deploy/systemd/image-host.service'))?.[1] ?? ''
    if (name !== 'DATA_DIR') expect(written.split(' ')).toContain(serverEnv.get(name))
  })
})

describe('the data folder', () => {
  it('of the service is the one that its units, its user and the documents name', () => {
    const folder = '/var/lib/image-host'
    for (const unit of ['image-host.service', 'image-host-backup.service'])
      expect(read(`deploy/systemd/${unit}`)).toContain('Environment=XDG_CONFIG_HOME=/etc XDG_DATA_HOME=/var/lib\n')
    expect(read('deploy/systemd/image-host.service')).toContain('\nStateDirectory=image-host\n')
    expect(read('deploy/systemd/image-host.sysusers.conf')).toContain(folder)
    expect(read('docs/install.md')).toContain(folder)
  })
})

const units: Record<string, number> = { '': 1, m: 1024 ** 2, MiB: 1024 ** 2 }

it.each([
  ['deploy/proxy/Caddyfile', /max_size (\d+)(MiB)/],
  ['deploy/scale/Caddyfile', /max_size (\d+)(MiB)/],
  ['deploy/proxy/nginx.conf', /client_max_body_size (\d+)(m)/],
  ['deploy/proxy/nginx-cache.conf', /client_max_body_size (\d+)(m)/],
  ['deploy/proxy/apache.conf', /LimitRequestBody (\d+)()/],
  ['deploy/kubernetes.yaml', /proxy-body-size: (\d+)(m)/],
])('%s passes the largest body of an upload', (path, pattern) => {
  const [, size, unit = ''] = pattern.exec(read(path)) ?? []
  expect(Number(size) * (units[unit] ?? NaN)).toBe(16 * limits.user.maxBytes)
})

it('no setting but USER_MAX_BYTES lets a body be larger than proxies pass by default', () => {
  const sizes = [...settings].filter(([name]) => name.endsWith('_MAX_BYTES') && name !== 'CACHE_MAX_BYTES')
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.filter(([, value]) => !(Number(value) <= limits.user.maxBytes))).toEqual([])
})

it('every service manager waits until requests are drained and finished, and decoders ended', () => {
  const neededS = Number(settings.get('DRAIN_SECONDS')) + 14
  const unit = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/systemd/image-host.service'))?.[1]
  const graces = [...servers.map(({ stop_grace_period: grace = '' }) => grace.replace(/s$/, '')), unit]
  for (const grace of [...graces, pod.terminationGracePeriodSeconds]) expect(Number(grace)).toBeGreaterThan(neededS)
})

it('Caddy notices a server that stops while it drains', () => {
  const [, everyS, withinS] =
    /health_interval (\d+)s\n\s*health_timeout (\d+)s/.exec(read('deploy/scale/Caddyfile')) ?? []
  expect(Number(everyS) + Number(withinS)).toBeLessThan(Number(settings.get('DRAIN_SECONDS')))
})

describe('containers', () => {
  it('have images of a fixed version', () => {
    const used = [
      ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image),
      ...services.map(({ image = '' }) => image),
    ]
    const loose = used.filter(
      (image) =>
        !/:v?\d+\.\d+\.\d+(-\w|$)|^postgres:\d+\.\d+-|^image-host$|^gcr\.io\/distroless\/\w+-debian\d+:nonroot$/.test(
          image,
        ),
    )
    expect(loose).toEqual([])
  })

  it('of the product have a read-only root, no capabilities and no root user', () => {
    for (const { read_only: isReadOnly, cap_drop: dropped } of servers)
      expect({ isReadOnly, dropped }).toEqual({ isReadOnly: true, dropped: ['ALL'] })
    const uid = Number(/^USER (\d+)/m.exec(dockerfile)?.[1])
    expect(uid).toBeGreaterThan(0)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: uid, fsGroup: uid })
    expect(pod.containers[0].securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  it('mount files that exist', () => {
    const mounted = services
      .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
      .filter((path) => path.startsWith('./'))
    expect(mounted.length).toBeGreaterThan(5)
    expect(mounted.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
  })

  it('on Kubernetes have the version of package.json', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(pod.containers[0].image).toBe(`registry.example.com/image-host:${version}`)
  })
})

it('every file of deploy/ is named in docs/install.md, docs/scale.md or in a file that it names', () => {
  const all = readdirSync(new URL('deploy', root), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const text = [
    read('docs/install.md'),
    read('docs/scale.md'),
    ...composeFiles.map(read),
    read('deploy/proxy/traefik.yaml'),
  ].join('\n')
  expect(all.map(({ name }) => name).filter((name) => !text.includes(name))).toEqual([])
})

it('docs/scale.md says what to do about every alert', () => {
  const alerts = [...read('deploy/monitoring/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  expect(alerts.length).toBeGreaterThan(10)
  expect(alerts.filter((name) => !read('docs/scale.md').includes(`\`${name}\``))).toEqual([])
})

describe('the units of systemd', () => {
  const systemdAnalyze = (...args: string[]) =>
    execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: 'pipe' })
  const isInstalled = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].some((path) => existsSync(path))
  const services = ['image-host.service', 'image-host-backup.service']

  it('start the server until its database and its bucket respond, which may be minutes after the machine', () => {
    const unit = read('deploy/systemd/image-host.service')
    // By default, systemd gives up after five starts in ten seconds.
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
    expect(unit).toMatch(/^Restart=always$/m)
  })

  // An exposure of 2.0; a unit without any of these settings has 9.6.
  it.skipIf(!isInstalled).each(services)('%s is hardened', (name) => {
    expect(() =>
      systemdAnalyze('security', '--offline=true', '--threshold=20', new URL(`deploy/systemd/${name}`, root).pathname),
    ).not.toThrow()
  })
})
