// What the set-up of a client consists of.

export interface Site {
  /** Of this site, without a trailing slash. */
  origin: string
  siteName: string
  /** Of scope `upload`. Without a key the client uploads as a guest. */
  key?: string | undefined
}

/** One file, command or value to copy. */
export interface SetupPart {
  /** The name of the client's own field or file. */
  label: string
  text: string
  /** The part is a file of this name. */
  fileName?: string
}
