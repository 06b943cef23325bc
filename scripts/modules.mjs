// Modules of a wing in TypeScript, for a command: loaded as Vite does, which also resolves what they import while they run.
import { createServer } from 'vite'

/**
 * @param {string} folder of the wing
 * @returns what loads a file of it, and what ends that
 */
export async function modulesOf(folder) {
  // Not runnerImport(): it is closed when the module is there, and what the module itself imports later finds nothing.
  const vite = await createServer({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  return {
    load: (/** @type {string} */ file) => vite.ssrLoadModule(`${folder}/${file}`),
    close: () => vite.close(),
  }
}
