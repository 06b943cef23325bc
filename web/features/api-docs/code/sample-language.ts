// The language of the samples, stored in the browser.
import { languages, type Language, type LanguageId } from '../../../../contract/derive/samples/languages.ts'
import { readStored, writeStored } from '../../../model/browser-storage.ts'
import { createStore, useStore } from '../../../model/store.ts'
import type { CodeLanguage } from './highlight.ts'

const key = 'docs_language'
const stored = typeof document === 'undefined' ? null : readStored(key)
const chosen = createStore<LanguageId>(languages.find(({ id }) => id === stored)?.id ?? 'curl')

/** With `isCode` any language except cURL. */
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

/** The highlighter of a language. */
export const highlightingOf: Record<LanguageId, CodeLanguage> = {
  curl: 'shell',
  javascript: 'javascript',
  python: 'python',
  php: 'php',
  csharp: 'csharp',
}
