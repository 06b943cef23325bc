// What every other side of a comparison does with its process: takes a round by message, and answers with what it took.

/** @param {(round: any) => Promise<object>} run @returns {void} */
export function answerRounds(run) {
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
