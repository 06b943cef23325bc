/** A download whose bytes are made while it is sent. */
export interface ServedStream {
  fileName: string
  mime: string
  /** Ends early when the client closes the connection. */
  chunks: () => AsyncIterable<string | Uint8Array>
}
