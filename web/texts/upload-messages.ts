// Texts of uploads by signed-in users. Texts of the guest's zone are in messages.ts.
import { formatList } from './format-list.ts'

const number = (n: number) => n.toLocaleString('en-US')

export const steps = {
  pasting: 'Processing pasted image...',
  pasted: 'Image processed successfully!',
  converting: 'Converting image to WebP format...',
  converted: 'Image converted to WebP format',
}

export const area = {
  limits: (size: string) => `${formatList('user')}, up to ${size}`,
  keepPhotographs: 'Keep photographs as they are',
  keepPhotographsText: 'Sent in full size and their own format, not as WebP. Camera data is still removed.',
  keepUploads: 'New images never expire',
  keepUploadsText: 'They are kept until you delete them.',
  private: 'New images are private',
  privateText: 'Only you can open them, until you share them.',
  privateFailed: 'The setting could not be saved',
  chooseFolder: 'Choose folder',
  nothingThere: 'No files in that folder',
  upload: 'Upload',
  shared: ([first = '', ...others]: readonly string[]) =>
    others.length === 0
      ? `Another app or site shared ${first}. Upload it?`
      : `Another app or site shared ${others.length + 1} images. Upload them?`,
}

/** Of folders whose images are uploaded. */
export const folderAlbum = {
  label: 'Folders',
  keep: (name: string) => `Keep as album “${name}”`,
  keepEach: (n: number) => `Keep the ${number(n)} folders as albums`,
  open: 'Open',
  openNamed: (name: string) => `Open the album “${name}”`,
  openAll: 'Open the albums',
  kept: (n: number) => (n === 1 ? 'Album created' : `${number(n)} albums created`),
  undone: (n: number) =>
    n === 1 ? 'The album is removed. Its images stay' : 'The albums are removed. Their images stay',
  failed: 'The album could not be made',
  undoFailed: 'The album could not be removed',
}

/** Before the link to the trash, for a user whose storage is full. */
export const trashCounts = 'Deleted images count for as long as they are in'

/** How fast a single upload is. */
export const pace = {
  /** `340 KB/s, about 12 s left` */
  speed: (speed: string, time: string | undefined) => (time === undefined ? `${speed}/s` : `${speed}/s, ${time} left`),
  seconds: (n: number) => `about ${n} s`,
  minutes: (n: number) => `about ${n} min`,
  restarted: 'Sending it again from the start',
}

/** More files at once than a guest may send. */
export const tooMany = {
  title: 'Too many files',
  text: (max: number, given: number) =>
    `Up to ${number(max)} at once without an account, and these are ${number(given)}.`,
  take: (max: number) => (max === 1 ? 'Take the first one' : `Take the first ${number(max)}`),
}

export const saving = {
  /** `10.6 MB to 419 KB, 96% smaller` */
  line: (from: string, to: string, percent: number) => `${from} to ${to}, ${percent}% smaller`,
  larger: 'Sent as it is: WebP would be larger',
  keptHint: 'It may fit once “Keep photographs as they are” is off',
}

export const uploadQueue = {
  label: 'Uploads',
  uploading: (at: number, of: number) => `Uploading ${number(at)} of ${number(of)}`,
  left: (size: string) => `${size} left`,
  /** `12 MB left at 340 KB/s, about 35 s` */
  leftAt: (size: string, speed: string, time: string) => `${size} left at ${speed}/s, ${time}`,
  finished: (done: number, of: number) =>
    of === 0
      ? 'Nothing uploaded'
      : done === of
        ? of === 1
          ? '1 image uploaded'
          : `${number(of)} images uploaded`
        : `${number(done)} of ${number(of)} uploaded`,
  waiting: 'Waiting',
  done: 'Uploaded',
  cancel: (name: string) => `Cancel ${name}`,
  retry: (name: string) => `Try again: ${name}`,
  remove: (name: string) => `Remove ${name}`,
  cancelAll: 'Cancel all',
  retryAll: 'Try all again',
  /** `Left out: notes.txt and cat.mov. File type must be PNG` */
  leftOut: (names: string, reason: string) => `Left out: ${names}. ${reason}`,
  others: (n: number) => (n === 1 ? '1 other' : `${number(n)} others`),
  copyAll: 'Copy all',
  copyAs: 'Copy all as',
  /** `3 images copied as Markdown` */
  copied: (n: number, format: string) => `${number(n)} images copied as ${format}`,
  more: (n: number) => (n === 1 ? '1 more' : `${number(n)} more`),
  shrink: 'Shrink uploads',
  show: 'Show uploads',
  remaining: (n: number) => `${number(n)} left`,
  problems: (n: number) => (n === 1 ? '1 not uploaded' : `${number(n)} not uploaded`),
}

export const announcements = {
  started: (n: number) => (n === 1 ? 'Uploading 1 image' : `Uploading ${number(n)} images`),
  half: '50% uploaded',
}
