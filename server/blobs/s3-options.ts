// Options of the S3 store.

export interface S3Options {
  bucket: string
  /** Absent: Amazon's endpoint of the region. */
  endpoint?: string | undefined
  region: string
  /** Absent together with the secret: the SDK finds credentials, such as the machine's role. */
  accessKeyId?: string | undefined
  secretAccessKey?: string | undefined
  /** For the files of `withLocalFile`. */
  tempDir: string
  /** Prepended to the key of each blob. */
  prefix?: string | undefined
  /** Appended to it. */
  suffix?: string | undefined
  /** The largest blob that can be put. Default: that of an upload. */
  maxPutBytes?: number | undefined
  /** Before S3_ in the names of the settings that its errors name. */
  settingsPrefix?: string | undefined
  /** Time limit for a response of S3, all attempts together. */
  responseMs?: number | undefined
  /** A transfer that is slower is an outage. Default: 256, where somebody waits for it. */
  slowestBytesPerMs?: number | undefined
  /** A monotonic clock, milliseconds. Default: performance.now. */
  monotonicMs?: (() => number) | undefined
}
