/** What a command does not do, said to the operator in one line. Never an answer of the API. */
export class CommandRefused extends Error {
  override name = 'CommandRefused'
}
