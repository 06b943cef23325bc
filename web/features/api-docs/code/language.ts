// The language of the samples, which this browser remembers.
import { languages, type Language, type LanguageId } from '../../../../contract/samples/languages.ts'
import { readStored, writeStored } from '../../../data/storage.ts'
import { createStore, useStore } from '../../../data/store.ts'
import type { CodeLanguage } from './highlight.ts'

const key = 'docs_language'
const stored = typeof document === 'undefined' ? null : readStored(key)
const chosen = createStore<LanguageId>(languages.find(({ id }) => id === stored)?.id ?? 'curl')

/** Any but cURL where `isCode`. */
export function useLanguage(isCode = false): Language {
  const id = useStore(chosen)
  const offered = isCode ? codeLanguages : languages
  return offered.find((language) => language.id === id) ?? (offered[0] as Language)
}

export const codeLanguages = languages.filter(({ id }) => id !== 'curl')

export function chooseLanguage(id: LanguageId): void {
  writeStored(key, id)
  chosen.set(id)
}

/** How the code is coloured. */
export const colouring: Record<LanguageId, CodeLanguage> = {
  curl: 'shell',
  javascript: 'javascript',
  python: 'python',
  php: 'php',
  csharp: 'csharp',
}
