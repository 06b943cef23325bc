// What copying an image puts on the clipboard: what was used last is the first everywhere, for one image and for many.
import { followStored, writeStored } from './browser-storage.ts'
import { createStore, useStore } from './store.ts'

export const copyChoices = ['url', 'page', 'markdown', 'html', 'bbcode'] as const
export type CopyChoice = (typeof copyChoices)[number]

interface LastCopied {
  choice: CopyChoice
  /** Of the share sheet: the choice, or the id of an embed code, which it alone offers. Undefined: nothing yet. */
  format?: string
}

const key = 'copy_as'
const lastCopied = createStore<LastCopied>({ choice: 'url' })
export const useCopyChoice = () => useStore(lastCopied).choice
export const lastFormat = () => lastCopied.get().format

const isChoice = (id: string | undefined): id is CopyChoice => copyChoices.some((known) => known === id)

/** Stored as `markdown`, or as `markdown embed-react`. */
followStored(key, (text) => {
  const [choice, embed] = text?.split(' ') ?? []
  lastCopied.set(isChoice(choice) ? { choice, format: embed ?? choice } : { choice: 'url' })
})

/** @param format the id of a choice, or of an embed code, which leaves the choice as it is */
export function setLastFormat(format: string): void {
  const { choice } = lastCopied.get()
  writeStored(key, isChoice(format) ? format : `${choice} ${format}`)
  lastCopied.set({ choice: isChoice(format) ? format : choice, format })
}
