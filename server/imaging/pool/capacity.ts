// How many decoder processes this machine can use.
import { availableParallelism, totalmem } from 'node:os'

/**
 * Memory for each decoder of a lane. A server with two, all its other processes included, stays within 768 MB under a
 * flood of the worst images (`npm run faults -- flood`).
 */
const bytesPerDecoder = 384_000_000

interface Machine {
  cores: number
  /** That this process may use. */
  memoryBytes: number
}

/** @param setting the number that the operator chose; 0: as many as cores and memory allow */
export function decoderCount(setting: number, { cores, memoryBytes }: Machine = thisMachine()): number {
  if (setting > 0) return setting
  return Math.max(1, Math.min(cores, Math.floor(memoryBytes / bytesPerDecoder)))
}

function thisMachine(): Machine {
  // The limit of the container or the service; without one 0, undefined or more than there is, by version of Node.
  const limitBytes = process.constrainedMemory() || Infinity
  return { cores: availableParallelism(), memoryBytes: Math.min(limitBytes, totalmem()) }
}

/**
 * Jobs of the lanes whose jobs each fill hundreds of megabytes for seconds, all of them together: one beside two decoders.
 */
export const heavyJobs = (decoders: number): number => Math.max(1, Math.floor(decoders / 2))
