// A Vite plugin: what the documentation shows of every endpoint, so that the page needs no zod to know it.
import type { Plugin } from 'vite'
import { buildCatalogue } from '../contract/catalogue.ts'

const virtualId = 'virtual:api-catalogue'

export function apiCatalogue(): Plugin {
  return {
    name: 'api-catalogue',
    resolveId: (id) => (id === virtualId ? `\0${virtualId}` : undefined),
    load: (id) => (id === `\0${virtualId}` ? makeModule() : undefined),
  }
}

/** Browsers read a string of JSON faster than the same as code. */
const makeModule = () => `export const catalogue = JSON.parse(${JSON.stringify(JSON.stringify(buildCatalogue()))})`
