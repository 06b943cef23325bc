// Which commands of the palette were used last in this browser.
import { readStored, writeStored } from '../../model/storage.ts'
import type { Command } from './rank-commands.ts'

const key = 'palette_used'
const maxUsed = 3

export const usedIds = (): readonly string[] => readStored(key)?.split('\n') ?? []

/** Actions on images are about what is selected now: they are not kept. */
export function rememberUsed({ id, group }: Command): void {
  if (group === 'selection' || group === 'recent' || group === 'images') return
  writeStored(key, [id, ...usedIds().filter((used) => used !== id)].slice(0, maxUsed).join('\n'))
}
