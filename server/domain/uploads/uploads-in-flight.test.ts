import { expect, it } from 'vitest'
import { createUploadsInFlight } from './uploads-in-flight.ts'

it('counts uploads in flight per account, of all guests, and in all; each ends once', () => {
  const inFlight = createUploadsInFlight()
  const endAda = inFlight.add('ada', 100)
  inFlight.add('ada', 20)
  const endGuest = inFlight.add(null, 7)
  expect(inFlight.of('ada')).toEqual({ images: 2, bytes: 120 })
  expect(inFlight.of(null)).toEqual({ images: 1, bytes: 7 })
  expect(inFlight.total()).toEqual({ images: 3, bytes: 127 })
  endAda()
  endAda()
  endGuest()
  expect(inFlight.of('ada')).toEqual({ images: 1, bytes: 20 })
  expect(inFlight.of(null)).toEqual({ images: 0, bytes: 0 })
  expect(inFlight.total()).toEqual({ images: 1, bytes: 20 })
})

it('counts further images and bytes of an upload', () => {
  const inFlight = createUploadsInFlight()
  const endImages = inFlight.add('ada', 0, 9)
  const endBytes = inFlight.add('ada', 100, 0)
  expect(inFlight.of('ada')).toEqual({ images: 9, bytes: 100 })
  endImages()
  expect(inFlight.of('ada')).toEqual({ images: 0, bytes: 100 })
  endBytes()
  expect(inFlight.total()).toEqual({ images: 0, bytes: 0 })
})
