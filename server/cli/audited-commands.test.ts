// Every command of the operator is found in the audit log, or has a reason not to be.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditAction } from '../../contract/plain/audit-actions.ts'
import type { Command } from '../command.ts'
import type { UsersTable } from '../db/schema.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { jpeg } from '../testing/test-images.ts'
import { accountCommands } from './account-commands.ts'
import { administrationCommands } from './administration-commands.ts'
import { backupCommands } from './backup-commands.ts'
import { exportCommand } from './export-command.ts'
import { importCommand } from './import-command.ts'
import { importFromCommand } from './import-from-command.ts'
import { seedCommand } from './seed-command.ts'
import { serverCommands } from './server-commands.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'image-host-audited-'))
  // The last admin can be neither demoted nor deleted.
  await run(accountCommands['create-user'], ['admin@example.com'], { admin: true, generate: true })
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

/** Runs in this process, as `server-commands.ts` runs it in another. */
async function run(command: Command, args: string[], options: Record<string, unknown> = {}): Promise<void> {
  await command.run({ deps: app.deps, args, options, print() {} })
}
const { users, keys, reports } = administrationCommands

/** Runs a command for a new account, whose row is as given. */
async function runFor(command: Command, args: string[] = [], row: Partial<UsersTable> = {}): Promise<string> {
  const { id, email } = await app.newUser()
  await app.deps.db
    .updateTable('users')
    .set({ name: email, ...row })
    .where('id', '=', id)
    .execute()
  await run(command, [...args, email])
  return email
}

/** Does what the command is for, and returns the name or id of what the entry is about. */
const audited: Record<string, [action: AuditAction, act: () => Promise<string | null>]> = {
  promote: ['role_changed', () => runFor(accountCommands.promote)],
  'create-user': [
    'user_created',
    async () => {
      await run(accountCommands['create-user'], ['made@example.com'], { generate: true })
      return 'made@example.com'
    },
  ],
  'reset-password': ['password_changed', () => runFor(accountCommands['reset-password'])],
  'reset-factors': [
    'factor_removed',
    async () => {
      const { id, email } = await app.newUser()
      const factor = { user_id: id, secret: 'ABC', created_at: 1, confirmed_at: 1, last_step: 0 }
      await app.deps.db.insertInto('totp_factors').values(factor).execute()
      await run(accountCommands['reset-factors'], [email])
      return email
    },
  ],
  'reset-pin': [
    'pin_reset',
    async () => {
      await run(accountCommands['reset-pin'], [])
      return null
    },
  ],
  unblock: [
    'block_removed',
    async () => {
      const block = { network: '192.0.2.0/24', note: '', expires_at: null, created_at: 1, created_by: 'an admin' }
      await app.deps.db.insertInto('blocked_networks').values(block).execute()
      await run(accountCommands.unblock, ['192.0.2.1'])
      return block.network
    },
  ],
  'users deactivate': ['status_changed', () => runFor(users, ['deactivate'])],
  'users activate': ['status_changed', () => runFor(users, ['activate'], { status: 'Inactive' })],
  'users demote': ['role_changed', () => runFor(users, ['demote'], { role: 'admin' })],
  'users delete': ['user_deleted', () => runFor(users, ['delete'])],
  'keys revoke': [
    'api_key_deleted',
    async () => {
      const { token } = await app.newUser()
      const { body } = await app.call('POST', '/api/api-keys', { token, body: { name: 'Phone' } })
      await run(keys, ['revoke', body.id])
      return body.id
    },
  ],
  'reports decide': [
    'report_decided',
    async () => {
      const { id } = await app.guestImage(await jpeg(20, 20))
      await app.call('POST', '/api/reports', { body: { image: id, reason: 'spam' } })
      const cases = app.deps.db.selectFrom('report_cases').select('id').where('image_id', '=', id)
      await run(reports, ['decide', (await cases.executeTakeFirstOrThrow()).id, 'dismiss'])
      return id
    },
  ],
  backup: [
    'backup_created',
    async () => {
      await run(backupCommands.backup, [join(folder, 'backup.tar')])
      return null
    },
  ],
  export: [
    'export_started',
    async () => {
      const { email } = await app.newUser()
      await run(exportCommand, [join(folder, 'export')], { user: email })
      return email
    },
  ],
  import: [
    'documents_added',
    async () => {
      const file = join(folder, 'documents.json')
      await writeFile(file, '[{ "_id": "a" }]')
      await run(importCommand, ['things', file])
      return 'things'
    },
  ],
  'import-from': [
    'import_started',
    async () => {
      await run(importFromCommand, ['files', folder], { owner: (await app.newUser()).email })
      return null
    },
  ],
  seed: [
    'documents_added',
    async () => {
      await run(seedCommand, [], { pictures: '1', force: true })
      return 'destinations'
    },
  ],
}

/** Expected by server-commands.test.ts, which has instances that no server runs on. */
const auditedElsewhere: Record<string, AuditAction> = { restore: 'backup_restored', move: 'instance_copied' }

const unaudited: Record<string, string[]> = {
  'reads only': ['check', 'doctor', 'users list', 'users show', 'keys list', 'reports list'],
  'an instance of its own, which ends with it': ['demo'],
  'as a start does, whose log lines say it': ['upgrade'],
}

/** The actions of a command are the words after its name: `users list|show [EMAIL]`, `keys list | keys revoke ID`. */
function actionsOf(name: string, { usage }: { usage: string }): string[] {
  const actions = [...usage.matchAll(new RegExp(`(?:^| \\| )${name} ([a-z|]+)(?= |$)`, 'g'))].flatMap(
    ([, words = '']) => words.split('|'),
  )
  return actions.length === 0 ? [name] : actions.map((action) => `${name} ${action}`)
}

describe('the audit log', () => {
  it('has a decision about every command and action', () => {
    const actions = Object.entries(serverCommands).flatMap(([name, command]) => actionsOf(name, command))
    const decided = [...Object.keys(audited), ...Object.keys(auditedElsewhere), ...Object.values(unaudited).flat()]
    expect(decided.toSorted()).toEqual(actions.toSorted())
  })

  it.each(Object.entries(audited))('has an entry of %s', async (_, [action, act]) => {
    const since = app.deps.now()
    const target = await act()
    const entries = app.deps.db.selectFrom('audit_log').select(['target', 'target_label'])
    const found = await entries
      .where('actor', '=', 'command_line')
      .where('action', '=', action)
      .where('created_at', '>=', since)
      .execute()
    expect(found.flatMap((entry) => [entry.target, entry.target_label])).toContain(target)
  })

  it.each(Object.entries(auditedElsewhere))('has an entry of %s, as another test expects', async (_, action) => {
    const test = await readFile(new URL('server-commands.test.ts', import.meta.url), 'utf8')
    expect(test).toContain(`toContainEqual(['${action}', `)
  })
})
