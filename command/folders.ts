import { homedir } from 'node:os'
import { join } from 'node:path'

interface Folders {
  /** Settings and login. */
  config: string
  /** DATA_DIR of a server that is started by the installed command. */
  data: string
  /** What may be lost: which files were uploaded. */
  state: string
}

type Environment = Record<string, string | undefined>

/** The folders of the product by the conventions of the platform: XDG Base Directory, Apple's or Windows' own. */
export function foldersOf(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): Folders {
  const folder = (variable: string, ...otherwise: string[]) => {
    const set = environment[variable]
    // The specification ignores relative paths and empty values.
    return join(set?.startsWith('/') || /^[a-z]:\\/i.test(set ?? '') ? (set as string) : join(home, ...otherwise), name)
  }
  const name = 'image-host'
  if (platform === 'win32')
    return {
      config: folder('APPDATA', 'AppData', 'Roaming'),
      data: join(folder('LOCALAPPDATA', 'AppData', 'Local'), 'data'),
      state: join(folder('LOCALAPPDATA', 'AppData', 'Local'), 'state'),
    }
  const isMac = platform === 'darwin'
  const support = ['Library', 'Application Support']
  return {
    config: folder('XDG_CONFIG_HOME', '.config'),
    data: folder('XDG_DATA_HOME', ...(isMac ? support : ['.local', 'share'])),
    state: folder('XDG_STATE_HOME', ...(isMac ? ['Library', 'Caches'] : ['.local', 'state'])),
  }
}
