import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { CommandFailed } from '../server/command.ts'

type Environment = Record<string, string | undefined>

/** Programs that read standard input into the clipboard, for this desktop. Over SSH it would be that of the other machine. */
export function clipboardPrograms(environment: Environment, platform: NodeJS.Platform): string[][] {
  if (platform === 'win32') return [['clip']]
  if (environment['SSH_CONNECTION'] !== undefined) return []
  if (platform === 'darwin') return [['pbcopy']]
  return [
    ...(environment['WAYLAND_DISPLAY'] ? [['wl-copy']] : []),
    ...(environment['DISPLAY']
      ? [
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ]
      : []),
  ]
}

/**
 * Copies by a program of the desktop, else by the terminal (the sequence OSC 52, which also works over SSH).
 * @throws {CommandFailed}
 */
export async function copyToClipboard(text: string): Promise<void> {
  for (const [program = '', ...args] of clipboardPrograms(process.env, process.platform))
    if (await pipeTo(program, args, text)) return
  try {
    await writeFile('/dev/tty', `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`)
  } catch (error) {
    throw new CommandFailed(
      'Nothing was copied: there is no clipboard program (wl-copy, xclip, xsel) and no terminal',
      {
        cause: error,
      },
    )
  }
}

/** @returns whether the program exists and succeeded */
function pipeTo(program: string, args: string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    // xclip stays in the background, with the output that it inherits.
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0))
    child.stdin.on('error', () => {}).end(text)
  })
}
