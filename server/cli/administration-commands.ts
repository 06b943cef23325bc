// What admins do on the page, for the operator: users, API keys and reports.
import type { User } from '../../contract/endpoints/accounts.ts'
import { formatBytes } from '../../contract/plain/format-bytes.ts'
import { reasonNames } from '../../contract/plain/report-reasons.ts'
import { reports, type ReportCase } from '../../contract/endpoints/reports.ts'
import { getByEmail, toUser } from '../domain/accounts/account-rows.ts'
import { changeAsOperator, deleteAsOperator } from '../domain/accounts/operator-accounts.ts'
import { listKeysWithOwners, removeApiKey } from '../domain/accounts/api-keys.ts'
import { decideCase } from '../domain/moderation/reports/decide-report.ts'
import { listReports } from '../domain/moderation/reports/list-reports.ts'
import { listUsers } from '../domain/accounts/manage-users.ts'
import type { Deps } from '../domain/shared/deps.ts'
import { Failure } from '../domain/shared/failure.ts'
import type { Page } from '../domain/shared/keyset-page.ts'
import { type Command, namedArguments, type ServerTask, UsageError } from '../command.ts'

const json = { json: { type: 'boolean' } } as const
const operator = { actor: 'command_line' } as const

export const administrationCommands = {
  users: {
    usage: 'users list|show|activate|deactivate|demote|delete [EMAIL...] [--json]',
    help: 'lists users, shows one, or activates, deactivates, demotes or deletes some',
    details:
      'list shows every account, the newest first. A deactivated user cannot log in, and their images are not served until\n' +
      'activate. The sessions of an account that is changed end now. delete asks nothing: the images of the account end with\n' +
      'it. The last active admin cannot be demoted, deactivated or deleted. An account that is refused does not stop the\n' +
      'others, and the exit code is 1. --json prints lists and accounts as JSON.',
    options: json,
    run: actionsOf({
      async list({ deps, args, options, print }) {
        namedArguments(args)
        const users = await allPages((page) => listUsers(deps, { query: page }))
        printAll(users, options, print, userLine)
      },
      async show({ deps, args, options, print }) {
        const { EMAIL } = namedArguments(args, 'EMAIL')
        const account = await getByEmail(deps, EMAIL)
        const user = toUser(deps, account)
        if (options['json'] === true) print(JSON.stringify(user, null, 2))
        else for (const [name, value] of Object.entries(user)) print(`${name}: ${textOf(value)}`)
      },
      activate: changing({ status: 'Active' }, 'is active now'),
      deactivate: changing({ status: 'Inactive' }, 'is deactivated. Its images are not served'),
      demote: changing({ role: 'user' }, 'is no admin any more'),
      delete: forEachEmail(async (deps, given) => {
        const { email, image_count: images } = await deleteAsOperator(deps, given)
        return `${email} is deleted, with ${images} ${images === 1 ? 'image' : 'images'}.`
      }),
    }),
  },

  keys: {
    usage: 'keys list [EMAIL] [--json] | keys revoke ID',
    help: 'lists the API keys of all users or of one, or revokes a key',
    details:
      'list shows the id, owner, name, beginning and scopes of each key, and when it was last used. A revoked key ends now.',
    options: json,
    run: actionsOf({
      async list({ deps, args, options, print }) {
        const { EMAIL } = args.length === 0 ? {} : namedArguments(args, 'EMAIL')
        const owner = EMAIL === undefined ? undefined : await getByEmail(deps, EMAIL)
        printAll(await listKeysWithOwners(deps, owner?.id), options, print, (key) => [
          key.id,
          key.owner,
          key.name,
          `${key.prefix}...`,
          key.scopes.join(','),
          key.lastUsed === null ? 'never used' : `used ${key.lastUsed}`,
        ])
      },
      async revoke({ deps, args, print }) {
        const { ID } = namedArguments(args, 'ID')
        const { name, prefix } = await removeApiKey(deps, { id: ID }, operator)
        print(`The key ${name} (${prefix}...) is revoked.`)
      },
    }),
  },

  reports: {
    usage: 'reports list [--decided] [--json] | reports decide ID ACTION [--note TEXT]',
    help: 'lists reported images, or decides about one',
    details:
      'list shows the open cases, the oldest first; with --decided the others, the newest decision first. ACTION is dismiss,\n' +
      'quarantine, remove, or block, which also refuses the same file at every upload. The owner gets a mail as after a\n' +
      'decision on the page. The note is shown to admins only.',
    options: { ...json, decided: { type: 'boolean' }, note: { type: 'string' } },
    run: actionsOf({
      async list({ deps, args, options, print }) {
        namedArguments(args)
        const status = options['decided'] === true ? 'decided' : 'open'
        // Commands know the address of the server only by the setting.
        const siteUrl = deps.config.PUBLIC_URL ?? ''
        const origins = { baseUrl: deps.config.MEDIA_ORIGIN ?? siteUrl, siteUrl }
        const cases = await allPages((page) =>
          listReports(deps, { query: { ...page, status }, address: '', ...origins }),
        )
        printAll(cases, options, print, caseLine)
      },
      async decide({ deps, args, options, print }) {
        const { ID, ACTION } = namedArguments(args, 'ID', 'ACTION')
        const { data: body, error } = reports.decideReport.body.safeParse({ action: ACTION, note: options['note'] })
        if (error) throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join())
        await decideCase(deps, { ...operator, params: { caseId: ID }, body })
        print(`The report is decided: ${body.action}.`)
      },
    }),
  },
} satisfies Record<string, Command>

type Run = (task: ServerTask) => Promise<number | void>

/** The first argument is the action. */
function actionsOf(actions: Record<string, Run>): Run {
  return async ({ args: [name = '', ...args], ...task }) => {
    const run = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!run) throw new UsageError(`the action must be one of ${Object.keys(actions).join(', ')}`)
    return run({ ...task, args })
  }
}

function changing(changes: Parameters<typeof changeAsOperator>[2], result: string): Run {
  return forEachEmail(async (deps, given) => `${(await changeAsOperator(deps, given, changes)).email} ${result}.`)
}

/** Does the same with each account, of which a script registers hundreds; one that is refused does not stop the others. */
function forEachEmail(work: (deps: Deps, email: string) => Promise<string>): Run {
  return async ({ deps, args, print }) => {
    if (args.length === 0) throw new UsageError('EMAIL is missing')
    let refused = 0
    for (const email of args) {
      try {
        print(await work(deps, email))
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        refused++
        process.stderr.write(`${email}: ${error.message}\n`)
      }
    }
    return refused === 0 ? 0 : 1
  }
}

/** All items of a list in pages. */
async function allPages<T>(read: (page: { cursor?: string; limit: number }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = []
  let cursor: string | undefined
  do {
    const page = await read({ limit: 100, ...(cursor !== undefined && { cursor }) })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items
}

/** Prints an array of JSON, or a line for each item. */
function printAll<T>(
  items: T[],
  options: ServerTask['options'],
  print: (line: string) => void,
  columnsOf: (item: T) => string[],
): void {
  if (options['json'] === true) return print(JSON.stringify(items, null, 2))
  const rows = items.map(columnsOf)
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  for (const row of rows)
    print(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

const userLine = ({ email, role, status, imageCount, imageBytes, created_at: createdAt }: User) => [
  email,
  role,
  status,
  `${imageCount} images`,
  formatBytes(imageBytes),
  `since ${createdAt.slice(0, 10)}`,
]

const caseLine = ({
  id,
  image_id: imageId,
  owner,
  count,
  reports: given,
  opened_at: openedAt,
  decision,
}: ReportCase) => [
  id,
  `image ${imageId}`,
  owner?.email ?? 'guest',
  `${count} x ${reasonNames([...new Set(given.map(({ reason }) => reason))])}`,
  `since ${openedAt.slice(0, 10)}`,
  decision?.action ?? 'open',
]

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
