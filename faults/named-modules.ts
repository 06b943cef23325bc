// The modules of a folder that a command runs by name.
import { readdir } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Form } from './scenario.ts'

export const formOf = (args: readonly string[]): Form => (args.includes('--short') ? 'short' : 'full')

/**
 * Those that are named, or all, to be loaded one by one. Ends the process when there is none of a name.
 * @param ending of their files, such as `.fault.ts`
 */
export async function loadNamed<T>(folder: string, ending: string, args: readonly string[]) {
  const files = (await readdir(folder)).filter((file) => file.endsWith(ending))
  const names = files.map((file) => file.slice(0, -ending.length))
  const asked = args.filter((arg) => arg !== '--short')
  const unknown = asked.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}. There are: ${names.join(', ')}`)
    process.exit(2)
  }
  return (asked.length > 0 ? asked : names).map((name) => ({
    name,
    module: () => import(/* @vite-ignore */ pathToFileURL(`${folder}/${name}${ending}`).href) as Promise<T>,
  }))
}
