// Where libjpeg goes on in a scan whose restart markers are not those that it expects. It complains of them, but in the last rows
// of a picture nobody hears that. As jpeg_resync_to_restart has it (jdmarker.c of libjpeg-turbo).

export interface Restart {
  /** Where in the file the marker stands behind which it goes on. */
  at: number
  /** How many intervals it leaves empty before, because their markers seem to be lost: two at most. */
  empty: number
}

/**
 * @param marker the first that stands behind an interval; `end` is the one that ends the scan
 * @param interval the number of that interval, from 0
 * @returns undefined when nothing of the scan is read any more
 */
export function nextRestart(source: Buffer, marker: number, end: number, interval: number): Restart | undefined {
  let empty = 0
  for (let at = marker; at < end;) {
    const ahead = ((source[at + 1] as number) - 0xd0 - interval - empty) & 7
    if (ahead === 1 || ahead === 2) empty++
    else if (ahead >= 6) at = markerFrom(source, at + 2)
    else return { at, empty }
  }
  return undefined
}

/** Whether a marker stands there, and not a byte of data. */
export const isMarker = (source: Buffer, at: number) => source[at] === 0xff && source[behindFill(source, at)] !== 0

/** The next marker. One must come. */
function markerFrom(source: Buffer, from: number): number {
  for (let at = source.indexOf(0xff, from); ; at = source.indexOf(0xff, at)) {
    at = behindFill(source, at)
    if (source[at] !== 0) return at - 1
  }
}

function behindFill(source: Buffer, from: number): number {
  let at = from
  while (source[at] === 0xff) at++
  return at
}
