// Loads TypeScript modules of a folder for a command, with Vite, which also resolves dynamic imports while they run.
import { createServer } from 'vite'

/**
 * @param {string} folder that contains the modules
 * @returns `load` imports a file of it, `close` stops Vite
 */
export async function modulesOf(folder) {
  // Not runnerImport(): it closes after the first module is loaded, and later dynamic imports fail.
  const vite = await createServer({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    // The oldest Node that runs the modules: it has no `await using`.
    oxc: { target: 'node20.19' },
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  return {
    load: (/** @type {string} */ file) => vite.ssrLoadModule(`${folder}/${file}`),
    close: () => vite.close(),
  }
}
