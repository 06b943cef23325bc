import type { Command, Task } from '../server/command.ts'
import { imageCommands } from './image-commands.ts'
import { loginCommands } from './login-commands.ts'
import { uploadCommand } from './upload-command.ts'

/** The commands that send requests to a server. They do not load its code. */
export const clientCommands: Record<string, Command<Task>> = {
  ...loginCommands,
  upload: uploadCommand,
  ...imageCommands,
}
