// What copying an image puts on the clipboard: the last choice, for one image and for many.
import { followStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

export const copyChoices = ['url', 'page', 'markdown', 'html', 'bbcode'] as const
export type CopyChoice = (typeof copyChoices)[number]

const key = 'copy_as'
const choice = createStore<CopyChoice>('url')
export const useCopyChoice = () => useStore(choice)

followStored(key, (text) => choice.set(copyChoices.find((known) => known === text) ?? 'url'))

export function setCopyChoice(next: CopyChoice): void {
  writeStored(key, next)
  choice.set(next)
}
