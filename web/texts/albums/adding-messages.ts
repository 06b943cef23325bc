// How images get into albums and out of them, and where they are in one.
import { countedImages } from '../counts.ts'

export const inAlbum = {
  add: 'Album',
  addTo: 'Add to album',
  remove: 'Remove from album',
  removeShort: 'Remove',
  cover: 'Use as cover',
  added: (n: number, where: string) => `${countedImages(n)} added to ${where}`,
  several: (n: number) => `${n} albums`,
  alreadyIn: 'The images are in it already',
  addFailed: 'The images could not be added',
  removed: (n: number, title: string) => `${countedImages(n)} removed from ${title}`,
  removeFailed: 'The images could not be removed',
  noneRemoved: 'No image was removed: they are out of the album already, or others added them',
  covered: 'Cover changed',
  coverFailed: 'The cover could not be changed',
  open: 'Open album',
  back: 'The album is as it was',
  ownBack: 'Your images are in the album again, those of others are not',
  undoFailed: 'This could not be undone',
  moved: (n: number) => `${countedImages(n)} moved`,
  /** Said while an image is moved. */
  movedTo: (place: number, of: number) => `Moved to ${place} of ${of}`,
  movedSome: (n: number, place: number, of: number) => `${countedImages(n)} moved to ${place} of ${of}`,
  moveFailed: 'The order could not be saved, and is as before',
  cannotMove: 'The images below are not loaded yet: scroll down first',
}

export const addDialog = {
  title: (n: number) => (n === 1 ? 'Add to album' : `Add ${countedImages(n)} to album`),
  find: 'Find or name an album',
  list: 'Albums',
  new: (title: string) => `New album “${title}”`,
  submit: (n: number) => (n > 1 ? `Add to ${n} albums` : 'Add'),
  make: 'Create album',
  busy: 'Adding...',
  hint: 'Enter chooses the first.',
  failed: 'The images could not be added',
  nothing: 'Choose an album, or name a new one',
}

export const liveAlbum = {
  save: 'Save this search as album',
}
