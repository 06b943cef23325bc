// Generates docs/configuration.md and .env.example from server/config.ts. `npm run docs` writes them.
import { secretSettings, settingsByTopic } from '../config.ts'

interface Setting {
  name: string
  /** As it would be in the environment; undefined: none. */
  defaultValue: string | undefined
  description: string
  example: string
}

const introduction = `# Configuration
Generated from \`server/config.ts\` by \`npm run docs\`; a test fails when this page is stale.

Settings are environment variables, or lines of a \`.env\` file next to \`package.json\`; the environment takes precedence.
Every setting is optional. Copy [\`.env.example\`](../.env.example) to start with. Where the package is installed, the file is
\`server.env\` ([command.md](command.md#folders)).

- An invalid value stops the start with a message that names the setting. A name that is not a setting has no effect; the
  log and \`doctor\` warn of it.
- Sizes are bytes or have a unit: \`10MB\` and \`10MiB\` both mean 10 x 1024 x 1024 bytes.
- A secret can come from a file, as Docker, Kubernetes, systemd and Vault provide it: add \`_FILE\` to its name, such as
  \`SMTP_URL_FILE=/run/secrets/smtp-url\`. This works for ${listOf([...secretSettings])}.
`

/** The content of docs/configuration.md. */
export function configurationPage(): string {
  const sections = topics().map(([topic, list]) => {
    const rows = list.map(
      ({ name, defaultValue, description }) =>
        `| \`${name}\` | ${shownDefault(name, defaultValue)} | ${description.replaceAll(/docs\/([\w-]+\.md)/g, '[$1]($1)')} |`,
    )
    return [`## ${topic}`, '| Setting | Default | What it does |', '|---|---|---|', ...rows].join('\n')
  })
  return `${[introduction, ...sections].join('\n')}\n`.replaceAll('|\n## ', '|\n\n## ')
}

/** The content of .env.example. */
export function envExample(): string {
  const sections = topics().map(([topic, list]) => {
    const lines = list.flatMap(({ name, defaultValue, description, example }) => [
      ...wrapped(description.replaceAll('`', '')),
      `# ${name}=${defaultValue ?? example}`,
    ])
    return [`# --- ${topic} ---`, ...lines].join('\n')
  })
  const head = '# Copy this file to .env and remove the # of what you change. docs/configuration.md has the same texts.'
  return `${[head, ...sections].join('\n\n')}\n`
}

function topics(): [string, Setting[]][] {
  return Object.entries(settingsByTopic).map(([topic, settings]) => [
    topic,
    Object.entries(settings).map(([name, schema]) => {
      const { description = '', example = '' } = schema.meta() ?? {}
      return { name, description, example: String(example), defaultValue: defaultOf(schema) }
    }),
  ])
}

interface Schema {
  def: { type: string; in?: unknown; defaultValue?: unknown }
}

/** The default that a schema declares, before anything transforms it. */
function defaultOf(schema: Schema): string | undefined {
  const { type, in: input, defaultValue } = schema.def
  if (type === 'pipe') return defaultOf(input as Schema)
  if (type !== 'default' || defaultValue === '') return undefined
  if (typeof defaultValue === 'boolean') return defaultValue ? 'on' : 'off'
  return String(defaultValue)
}

function shownDefault(name: string, value: string | undefined): string {
  if (value === undefined) return 'none'
  const bytes = name.endsWith('_BYTES') ? sizeOf(Number(value)) : undefined
  return bytes === undefined ? `\`${value}\`` : `\`${value}\` (${bytes})`
}

function sizeOf(bytes: number): string | undefined {
  const [unit, size] = bytes >= 1024 ** 3 ? ['GiB', 1024 ** 3] : ['MiB', 1024 ** 2]
  return bytes === 0 ? undefined : `${bytes / size} ${unit}`
}

function listOf(names: string[]): string {
  const quoted = names.map((name) => `\`${name}\``)
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

/** Comment lines of at most 100 characters. */
function wrapped(text: string): string[] {
  const lines = ['#']
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > 100) lines.push('#')
    lines[lines.length - 1] += ` ${word}`
  }
  return lines
}
