// What must not outlive this process, also when it ends by an error or by exit(): servers that it has started, folders that it has made.
const left = new Set<() => void>()

process.on('exit', () => {
  for (const undo of [...left].toReversed()) {
    try {
      undo()
    } catch (error) {
      console.error(error) // the others are undone all the same
    }
  }
})

/** @param undo at once: an ending process waits for nothing. @returns to be called when it was undone in time */
export function atExit(undo: () => void): () => void {
  left.add(undo)
  return () => void left.delete(undo)
}
