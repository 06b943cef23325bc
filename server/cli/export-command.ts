import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { findByEmail } from '../domain/accounts/account-rows.ts'
import { auditAlone, targetUser } from '../domain/audit/audit.ts'
import { CommandRefused } from '../domain/backups/command-refused.ts'
import { Failure } from '../domain/shared/failure.ts'
import { makeFolders } from '../make-folders.ts'
import { bytesText, type Command, namedArguments } from '../command.ts'
import { exportAccount, exportInstance } from './export/write-export.ts'
import { untilStopped } from './until-stopped.ts'

export const exportCommand: Command = {
  usage: 'export FOLDER [--user EMAIL]',
  help: 'writes all images, or those of one user, to a folder: files with their names, JSON and HTML',
  details:
    'FOLDER is created, or must be empty. Each account has a folder with its pictures, images.json (names, dates, sizes,\n' +
    'checksums, tags), albums.json if it has albums or links, and index.html, which shows them in a browser. With --user\n' +
    'they are in FOLDER itself, without pictures in quarantine. Passwords and keys are not exported: to move an\n' +
    'instance use backup and restore.\n' +
    'The command import-from files reads the folder. The server may be running.',
  options: { user: { type: 'string' } },
  async run({ deps, args, options, print }) {
    const { FOLDER } = namedArguments(args, 'FOLDER')
    const folder = resolve(FOLDER)
    const email = options['user'] as string | undefined
    const account = email === undefined ? undefined : await findByEmail(deps, email)
    if (email !== undefined && !account) throw new Failure('user_not_found')
    await makeFolders(folder, 0o700)
    if ((await readdir(folder)).length > 0) throw new CommandRefused(`${folder} is not empty`)
    return untilStopped('The export was stopped', async (signal) => {
      const target = account && targetUser(account)
      await auditAlone(deps, {
        actor: 'command_line',
        action: 'export_started',
        ...(target && { target }),
        details: {},
      })
      const { images, bytes, missing } = account
        ? await exportAccount(deps, account, { folder, signal })
        : await exportInstance(deps, { folder, signal })
      for (const { id, problem } of missing) print(`${id}  ${problem}`)
      print(
        `${folder}: ${images} ${images === 1 ? 'picture' : 'pictures'} of ${bytesText(bytes)}. Open ${folder}/index.html in a browser.`,
      )
      return missing.length === 0 ? 0 : 1
    })
  },
}
