import { readFile } from 'node:fs/promises'

/** Of this product, from package.json, which stands two folders up here and three above the compiled file. */
export async function appVersion(): Promise<string> {
  for (const path of ['../../package.json', '../../../package.json']) {
    const text = await readFile(new URL(path, import.meta.url), 'utf8').catch(() => undefined)
    if (text !== undefined) return (JSON.parse(text) as { version: string }).version
  }
  return 'unknown'
}
