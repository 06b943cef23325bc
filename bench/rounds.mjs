// The message protocol of a worker process: receives a round, runs it, and sends the result.

/** @param {(round: any) => Promise<object>} run @returns {void} */
export function serveRounds(run) {
  process.on('message', (round) => {
    run(round).then(
      (found) => process.send?.(found),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit(0))
}
