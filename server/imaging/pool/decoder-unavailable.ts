/** No decoder process can start: the installation is incomplete, or does not suit this machine. Only its operator can help. */
export class DecoderUnavailable extends Error {
  override name = 'DecoderUnavailable'

  /** @param trace what the process wrote before it ended */
  constructor(trace: string) {
    super(
      `The decoder cannot start: ${reasonOf(trace)}. Install the package again; in a clone of the repository run npm ci`,
    )
  }
}

/** Of a trace of Node, the line of the error, and the path it is about. */
function reasonOf(trace: string): string {
  const line = /^\w*Error\b.*$/m.exec(trace)?.[0] ?? trace.trim().split('\n', 1)[0]
  const path = /^ {2}resource: '(.*)'/m.exec(trace)?.[1]
  return `${line || 'its process ends without a message'}${path === undefined ? '' : ` (${path})`}`
}
