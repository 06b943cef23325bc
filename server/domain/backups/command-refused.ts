/** A command refuses to run. The message is one line for the operator; never an API response. */
export class CommandRefused extends Error {
  override name = 'CommandRefused'
}
