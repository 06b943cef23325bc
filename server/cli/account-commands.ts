import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { api } from '../../contract/api.ts'
import { createAccount, refuseShortPassword } from '../domain/accounts/accounts.ts'
import { promote } from '../domain/accounts/admins.ts'
import { resetPin } from '../domain/database/database-pin.ts'
import { Failure } from '../domain/failure.ts'
import { type Command, named, UsageError } from './command.ts'

export const accountCommands = {
  promote: {
    usage: 'promote EMAIL',
    help: 'makes the account with this email an admin',
    async run({ deps, args, say }) {
      const { EMAIL } = named(args, 'EMAIL')
      say(`${(await promote(deps, EMAIL)).email} is an admin now.`)
    },
  },

  'create-user': {
    usage: 'create-user EMAIL [--admin] [--generate]',
    help: 'makes an account',
    details:
      'The password is asked for, or read as the first line of standard input. With --generate, or when it is empty,\n' +
      'one is made and shown once.',
    options: { admin: { type: 'boolean' }, generate: { type: 'boolean' } },
    async run({ deps, args, options, say }) {
      const { EMAIL: email } = named(args, 'EMAIL')
      const given = options['generate'] === true ? '' : await readPassword()
      const password = given === '' ? deps.randomBytes(16).toString('base64url') : given
      const wrong = api.register.body.safeParse({ email, password }).error?.issues[0]
      if (wrong) throw new UsageError(`${wrong.path.join('.')}: ${wrong.message}`)
      refuseShortPassword(deps, 'password', password)
      const account = await createAccount(deps, { email, password, role: options['admin'] === true ? 'admin' : 'user' })
      if (!account) throw new Failure('registration_failed')
      say(`${account.email} has an account now${account.role === 'admin' ? ' and is an admin' : ''}.`)
      if (given === '') say(`Its password, shown only now: ${password}`)
    },
  },

  'reset-pin': {
    usage: 'reset-pin',
    help: 'makes a new PIN for the database view and clears its locks',
    async run({ deps, args, say }) {
      named(args)
      const pin = await resetPin(deps)
      say(
        pin === null ? 'The locks are cleared. The PIN is that of DB_VIEW_PIN.' : `The new PIN, shown only now: ${pin}`,
      )
    },
  },
} satisfies Record<string, Command>

async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? ''
  process.stderr.write('Password (empty: one is made): ')
  // The typed password is not echoed.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}
