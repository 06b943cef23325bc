// Clients that upload to this site, and the files and settings that set each of them up.
import { uploadPath } from '../derive/client.ts'
import { markdownImageScript, screenshotScript } from './scripts.ts'
import type { SetupPart, Site } from './setup.ts'
import { shareXUploader, siteFileName } from './sharex.ts'

interface Client {
  name: string
  group: 'screenshots' | 'uploaders' | 'writing' | 'phones' | 'automation'
  platforms: readonly Platform[]
  /** The client cannot upload without a key. */
  needsKey?: true
  parts: (site: Site) => readonly SetupPart[]
}

export type Platform = 'Windows' | 'macOS' | 'Linux' | 'iOS' | 'Android' | 'Web'

const desktops = ['Windows', 'macOS', 'Linux'] as const

/** In the order of the page, within each group. */
export const clients = {
  sharex: {
    name: 'ShareX',
    group: 'screenshots',
    platforms: ['Windows'],
    parts: (site) => [file(siteFileName(site.siteName, 'sxcu'), shareXUploader(site))],
  },
  greenshot: {
    name: 'Greenshot',
    group: 'screenshots',
    platforms: ['Windows'],
    // An external command: since 2026 Greenshot's own upload to Imgur is removed. Windows has curl since version 10.
    parts: (site) => [
      { label: 'Name', text: site.siteName },
      { label: 'Command', text: String.raw`C:\Windows\System32\curl.exe` },
      { label: 'Argument', text: curlArguments(site, 'image=@{0}') },
    ],
  },
  flameshot: {
    name: 'Flameshot',
    group: 'screenshots',
    platforms: ['Linux'],
    parts: (site) => [
      file('flameshot-upload.sh', screenshotScript(site, 'Flameshot', 'flameshot gui --raw > "$file"')),
    ],
  },
  spectacle: {
    name: 'Spectacle',
    group: 'screenshots',
    platforms: ['Linux'],
    parts: (site) => [
      file(
        'spectacle-upload.sh',
        screenshotScript(site, 'Spectacle', 'spectacle --background --nonotify --region --output "$file"'),
      ),
    ],
  },
  ksnip: {
    name: 'ksnip',
    group: 'screenshots',
    platforms: desktops,
    parts: (site) => [{ label: 'Base Url', text: keyedOrigin(site) }],
  },
  picgo: {
    name: 'PicGo',
    group: 'uploaders',
    platforms: desktops,
    parts: (site) => [file('config.json', picGoConfig(site))],
  },
  piclist: {
    name: 'PicList',
    group: 'uploaders',
    platforms: desktops,
    needsKey: true,
    parts: ({ origin, key }) => [
      { label: 'Host', text: origin },
      { label: 'Auth token', text: `Bearer ${key}` },
    ],
  },
  upic: {
    name: 'uPic',
    group: 'uploaders',
    platforms: ['macOS'],
    parts: (site) => [file('upic-hosts.json', uPicHosts(site))],
  },
  obsidian: {
    name: 'Obsidian',
    group: 'writing',
    platforms: [...desktops, 'iOS', 'Android'],
    parts: ({ origin, key }) => [
      { label: 'PicGo server upload route', text: `${origin}/upload${key === undefined ? '' : `?key=${key}`}` },
      { label: 'PicGo server delete route', text: `${origin}/delete` },
    ],
  },
  vscode: {
    name: 'VS Code',
    group: 'writing',
    platforms: desktops,
    parts: (site) => [
      file('image-host.js', markdownImageScript(site)),
      {
        label: 'settings.json',
        text: '"markdown-image.base.uploadMethod": "DIY",\n"markdown-image.DIY.path": "/path/to/image-host.js"',
      },
    ],
  },
  ios: {
    name: 'iPhone and iPad',
    group: 'phones',
    platforms: ['iOS'],
    parts: (site) => [{ label: 'URL', text: linkUrl(site) }, ...authorization(site)],
  },
  android: { name: 'Android phone', group: 'phones', platforms: ['Android'], parts: () => [] },
  curl: {
    name: 'cURL',
    group: 'automation',
    platforms: desktops,
    parts: (site) => [{ label: 'Command', text: curlCommand(site) }],
  },
  wget: {
    name: 'wget',
    group: 'automation',
    platforms: ['Linux', 'macOS'],
    parts: (site) => [{ label: 'Command', text: wgetCommand(site) }],
  },
  command: {
    name: 'image-host',
    group: 'automation',
    platforms: desktops,
    needsKey: true,
    parts: ({ origin, key }) => [
      { label: 'Command', text: `image-host login ${origin}` },
      { label: 'Key', text: String(key) },
    ],
  },
  n8n: {
    name: 'n8n',
    group: 'automation',
    platforms: ['Web'],
    parts: (site) => [{ label: 'Node', text: n8nNode(site) }],
  },
  zapier: {
    name: 'Zapier',
    group: 'automation',
    platforms: ['Web'],
    parts: (site) => [{ label: 'URL', text: site.origin + uploadPath }, ...authorization(site)],
  },
  mcp: {
    name: 'Assistants (MCP)',
    group: 'automation',
    platforms: [...desktops, 'Web'],
    needsKey: true,
    parts: ({ origin, key }) => [
      {
        label: 'mcp.json',
        text: json({ mcpServers: { images: { type: 'http', url: `${origin}/mcp`, headers: bearer(key) } } }),
      },
      {
        label: 'Claude Code',
        text: `claude mcp add --transport http images ${origin}/mcp --header "Authorization: Bearer ${key}"`,
      },
    ],
  },
  other: {
    name: 'Another app',
    group: 'automation',
    platforms: [...desktops, 'iOS', 'Android', 'Web'],
    needsKey: true,
    parts: ({ origin, key }) => [
      { label: 'Imgur API', text: `${origin}/3` },
      { label: 'Chevereto API', text: `${origin}/api/1/upload` },
      { label: 'imgbb API', text: `${origin}/1/upload` },
      { label: 'Lsky Pro API', text: `${origin}/api/v1` },
      { label: 'Client ID, API key or token', text: String(key) },
    ],
  },
} as const satisfies Record<string, Client>

export type ClientId = keyof typeof clients

export const clientIds = Object.keys(clients) as ClientId[]

export const isClientId = (id: string | null): id is ClientId => id !== null && Object.hasOwn(clients, id)

export const setupParts = (id: ClientId, site: Site): readonly SetupPart[] => clients[id].parts(site)

/** Uploads photo.jpg and prints the response. */
export const curlCommand = ({ origin, key }: Site) =>
  [
    `curl -X POST ${origin}${uploadPath}`,
    ...(key === undefined ? [] : [`-H "Authorization: Bearer ${key}"`]),
    '-F "image=@photo.jpg"',
  ].join(' \\\n  ')

const file = (fileName: string, text: string): SetupPart => ({ label: fileName, text, fileName })

/** The address whose response is the link alone. */
const linkUrl = ({ origin }: Site) => `${origin}${uploadPath}?format=txt`

const authorization = ({ key }: Site): SetupPart[] =>
  key === undefined ? [] : [{ label: 'Authorization', text: `Bearer ${key}` }]

/** For clients that can change the host of their API and nothing else. */
const keyedOrigin = ({ origin, key }: Site) => (key === undefined ? origin : `${origin}/k/${key}`)

/** Double quotes, which Windows and shells both understand. */
const curlArguments = (site: Site, field: string) =>
  [
    '--silent --show-error --fail-with-body',
    ...(site.key === undefined ? [] : [`-H "Authorization: Bearer ${site.key}"`]),
    `-F "${field}" "${linkUrl(site)}"`,
  ].join(' ')

/** wget has no forms: the file is the body, which the Chevereto API accepts. */
const wgetCommand = (site: Site) =>
  [
    'wget --quiet --output-document=-',
    ...(site.key === undefined ? [] : [`--header="Authorization: Bearer ${site.key}"`]),
    '--header="Content-Type: image/jpeg"',
    '--post-file=photo.jpg',
    `"${site.origin}/api/1/upload?format=txt"`,
  ].join(' \\\n  ')

/** PicGo with its plug-in web-uploader, whose headers are JSON in a string. */
const picGoConfig = ({ origin, key }: Site) =>
  json({
    picBed: {
      uploader: 'web-uploader',
      current: 'web-uploader',
      'web-uploader': {
        url: origin + uploadPath,
        paramName: 'image',
        jsonPath: 'url',
        customHeader: JSON.stringify(bearer(key)),
      },
    },
    picgoPlugins: { 'picgo-plugin-web-uploader': true },
  })

/**
 * What uPic exports: a list of hosts, each JSON in a string, whose settings are JSON in a string too
 * (uPic, Host.swift). Without a form as Content-Type uPic sends base64 in JSON.
 */
const uPicHosts = ({ origin, siteName, key }: Site) => {
  const headers = { 'Content-Type': 'multipart/form-data', ...bearer(key) }
  const data = {
    url: origin + uploadPath,
    method: 'POST',
    field: 'image',
    headers: JSON.stringify(Object.entries(headers).map(([name, value]) => ({ key: name, value }))),
    resultPath: JSON.stringify(['url']),
    domain: '',
    suffix: '',
    useBase64: false,
  }
  // uPic imports no second host with the same id.
  return json([JSON.stringify({ id: origin, name: siteName, type: 'custom', data: JSON.stringify(data) })])
}

/** A workflow with one HTTP request, which the canvas of n8n takes from the clipboard. */
const n8nNode = ({ origin, siteName, key }: Site) =>
  json({
    nodes: [
      {
        name: `Upload to ${siteName}`,
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        position: [0, 0],
        parameters: {
          method: 'POST',
          url: origin + uploadPath,
          sendHeaders: true,
          headerParameters: { parameters: Object.entries(bearer(key)).map(([name, value]) => ({ name, value })) },
          sendBody: true,
          contentType: 'multipart-form-data',
          bodyParameters: {
            parameters: [{ parameterType: 'formBinaryData', name: 'image', inputDataFieldName: 'data' }],
          },
        },
      },
    ],
    connections: {},
  })

const bearer = (key: string | undefined) => (key === undefined ? {} : { Authorization: `Bearer ${key}` })

const json = (value: unknown) => JSON.stringify(value, null, 2)
