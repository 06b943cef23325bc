/** A short run (scripts/test-selection.ts) takes some of the rows of tables with many of one kind. */
export const isShortRun = process.env['TEST_SCOPE'] === 'short'

/**
 * In a short run one in `every` rows, and others at the next turn, so that a table of turns and rows has each row and each turn
 * several times. Otherwise all rows.
 */
export const rowsInTurn = <Row>(rows: readonly Row[], turn: number, every = 4): Row[] =>
  rows.filter((_, n) => !isShortRun || (n + turn) % every === 0)
