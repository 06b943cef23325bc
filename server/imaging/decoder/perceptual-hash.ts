// Perceptual hashes: images that look the same have hashes that differ in few bits, across formats, sizes
// and qualities (docs/decisions/0036).

import { fromPixels, type Pixels, rawPixels } from './pixels.ts'

/** Side of the grey square that is hashed. */
const sidePx = 32
/** Frequencies 1 to 8 in both directions: without 0, which is the brightness, and without fine detail. */
const frequencies = 8

export interface PerceptualHash {
  /**
   * 16 hex digits each. The first is of the image; the others are of its copies that are mirrored or
   * turned by a multiple of 90 degrees.
   */
  phashes: string[]
  /** How distinctive the hashes are, 0 to 100: a blank, striped or symmetric image has 0. */
  phashQuality: number
}

/** Transparent pixels are white. */
export async function perceptualHash(pixels: Pixels): Promise<PerceptualHash> {
  const square = await rawPixels(
    fromPixels(pixels).flatten({ background: '#fff' }).resize(sidePx, sidePx, { fit: 'fill' }),
  )
  const grey = luminanceOf(square)
  const spectrum = lowFrequencies(grey)
  return {
    phashes: orientations(spectrum).map(hashOf),
    phashQuality: Math.min(gradientQuality(grey), decidedQuality(spectrum)),
  }
}

/** ITU-R BT.601 luma, 0 to 255. */
function luminanceOf({ data, channels }: Pixels): Float64Array {
  const grey = new Float64Array(sidePx * sidePx)
  for (let pixel = 0, at = 0; pixel < grey.length; pixel++, at += channels) {
    grey[pixel] =
      channels < 3
        ? data.readUInt8(at)
        : 0.299 * data.readUInt8(at) + 0.587 * data.readUInt8(at + 1) + 0.114 * data.readUInt8(at + 2)
  }
  return grey
}

/** Row f of the DCT-II for frequency f + 1. */
const cosines = Float64Array.from({ length: frequencies * sidePx }, (_, at) => {
  const frequency = Math.floor(at / sidePx) + 1
  return Math.cos((Math.PI * frequency * ((at % sidePx) + 0.5)) / sidePx)
})

/** Returns 8 x 8 coefficients: horizontal frequency by row, vertical one by column. */
function lowFrequencies(grey: Float64Array): Float64Array {
  return project(transposed(project(grey, sidePx), sidePx, frequencies), frequencies)
}

/** Multiplies rows of 32 values with the cosines. @returns one row of 8 coefficients for each */
function project(values: Float64Array, rows: number): Float64Array {
  const found = new Float64Array(rows * frequencies)
  for (let row = 0; row < rows; row++) {
    for (let frequency = 0; frequency < frequencies; frequency++) {
      let sum = 0
      for (let x = 0; x < sidePx; x++) sum += (values[row * sidePx + x] ?? 0) * (cosines[frequency * sidePx + x] ?? 0)
      found[row * frequencies + frequency] = sum
    }
  }
  return found
}

function transposed(matrix: Float64Array, rows: number, columns: number): Float64Array {
  return matrix.map((_, at) => matrix[(at % rows) * columns + Math.floor(at / rows)] ?? 0)
}

/**
 * Mirroring an image negates its odd frequencies in that direction, and swapping its axes transposes
 * the coefficients: no orientation needs its own DCT.
 */
function orientations(spectrum: Float64Array): Float64Array[] {
  const oddColumn = (at: number) => at % 2 === 0
  const oddRow = (at: number) => Math.floor(at / frequencies) % 2 === 0
  const negated = (matrix: Float64Array, isNegated: (at: number) => boolean) =>
    matrix.map((value, at) => (isNegated(at) ? -value : value))
  return [spectrum, transposed(spectrum, frequencies, frequencies)].flatMap((matrix) => [
    matrix,
    negated(matrix, oddColumn),
    negated(matrix, oddRow),
    negated(matrix, (at) => oddColumn(at) !== oddRow(at)),
  ])
}

/** A bit for each coefficient above the median, which half of them are. */
function hashOf(coefficients: Float64Array): string {
  const median = medianOf(coefficients)
  const bits = Array.from(coefficients, (value) => (value > median ? '1' : '0')).join('')
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0')
}

function medianOf(coefficients: Float64Array): number {
  const sorted = coefficients.toSorted()
  return ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2
}

/** About the error of a coefficient when each pixel is off by two levels, as after compression. */
const errorOfCopies = 32
/** Of the root mean square of the coefficients. */
const undecidedShare = 0.02

/**
 * Coefficients next to the median have a bit that the slightest change flips. Half of them are 0 in a
 * symmetric image, and all of them in one with stripes. @returns 50 for 16 such coefficients
 */
function decidedQuality(coefficients: Float64Array): number {
  const median = medianOf(coefficients)
  const rootMeanSquare = Math.sqrt(coefficients.reduce((sum, value) => sum + value * value, 0) / coefficients.length)
  const tolerance = Math.max(errorOfCopies, undecidedShare * rootMeanSquare)
  const undecided = coefficients.filter((value) => Math.abs(value - median) <= tolerance).length
  return Math.max(0, Math.floor(100 - (100 * undecided) / 32))
}

/**
 * The sum of the differences between neighbours, each as a whole per cent of the range, as in PDQ
 * (facebook/ThreatExchange). PDQ divides by 90, of 64 x 64 pixels, whose sum is about twice this one.
 */
function gradientQuality(grey: Float64Array): number {
  let sum = 0
  for (let at = 0; at < grey.length; at++) {
    const value = grey[at] ?? 0
    if (at % sidePx > 0) sum += percentOf(value - (grey[at - 1] ?? 0))
    if (at >= sidePx) sum += percentOf(value - (grey[at - sidePx] ?? 0))
  }
  return Math.min(100, Math.floor(sum / 45))
}

const percentOf = (difference: number) => Math.trunc((Math.abs(difference) * 100) / 255)
