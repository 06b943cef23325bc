// Runs cleanups when this process exits, also after an error or exit(): stops started servers, removes folders.
const left = new Set<() => void>()

process.on('exit', () => {
  for (const undo of [...left].toReversed()) {
    try {
      undo()
    } catch (error) {
      console.error(error) // the remaining cleanups still run
    }
  }
})

/** @param undo runs synchronously: an exiting process awaits nothing. @returns a function that cancels the cleanup */
export function atExit(undo: () => void): () => void {
  left.add(undo)
  return () => void left.delete(undo)
}
