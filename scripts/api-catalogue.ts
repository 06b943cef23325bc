// A Vite plugin: provides the endpoint catalogue as a module, so that the page does not load zod.
import type { Plugin } from 'vite'
import { buildCatalogue } from '../contract/derive/catalogue.ts'

const virtualId = 'virtual:api-catalogue'

export function apiCatalogue(): Plugin {
  return {
    name: 'api-catalogue',
    resolveId: (id) => (id === virtualId ? `\0${virtualId}` : undefined),
    load: (id) => (id === `\0${virtualId}` ? makeModule() : undefined),
  }
}

/** Browsers parse JSON in a string faster than an object literal. */
const makeModule = () => `export const catalogue = JSON.parse(${JSON.stringify(JSON.stringify(buildCatalogue()))})`
