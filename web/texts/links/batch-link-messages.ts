// The texts of the link to images that were uploaded together.
import { countedImages } from '../counts.ts'

export const batchLink = {
  copy: (n: number) => `Copy link to all ${n}`,
  copied: (n: number) => `Link to ${countedImages(n)} copied`,
  failed: 'The link could not be made',
  lost: 'Some of these images are gone. Remove them from the list and try again',
  shown: 'Everyone with this link sees the images:',
  options: 'Options',
  optionsNamed: 'Options of the link',
  end: 'End link',
  ended: 'The link has ended. The images stay',
  endFailed: 'The link could not be ended',
}
