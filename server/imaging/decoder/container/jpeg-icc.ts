// The colour profile of a JPEG, split over APP2 segments (ICC.1:2022 Annex B.4).

import { limits } from '../../../../contract/plain/limits.ts'
import { validIcc } from './icc.ts'
import { segment } from './jpeg-segments.ts'

const { maxIccInflatedBytes } = limits.image

export const iccPrefix = 'ICC_PROFILE\0'
const maxSegmentBody = 65_533

export interface IccParts {
  parts: Buffer[]
  total: number
  isWhole: boolean
}

/** Parts are numbered from 1. A profile whose parts are out of order is dropped. */
export function addIcc(profile: IccParts, body: Buffer): void {
  const number = body[iccPrefix.length]
  const total = body[iccPrefix.length + 1]
  if (profile.parts.length === 0) profile.total = total ?? 0
  profile.isWhole &&= number === profile.parts.length + 1 && total === profile.total
  if (profile.isWhole) profile.parts.push(body.subarray(iccPrefix.length + 2))
}

export function iccSegments({ parts, total, isWhole }: IccParts): Buffer[] {
  if (!isWhole || parts.length === 0 || parts.length !== total) return []
  const profile = validIcc(Buffer.concat(parts), maxIccInflatedBytes)
  if (!profile) return []
  const maxPart = maxSegmentBody - iccPrefix.length - 2
  const count = Math.ceil(profile.length / maxPart)
  return Array.from({ length: count }, (_, i) =>
    segment(
      0xe2,
      Buffer.concat([
        Buffer.from(iccPrefix, 'latin1'),
        Buffer.from([i + 1, count]),
        profile.subarray(i * maxPart, (i + 1) * maxPart),
      ]),
    ),
  )
}
