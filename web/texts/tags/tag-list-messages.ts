// The page of all tags.
import type { TagColour } from '../../../contract/plain/tag-names.ts'
import { countedImages } from '../counts.ts'

export const tagList = {
  title: 'Tags',
  text: 'Every tag of your images. Renaming or deleting one changes all images that have it, and the tags below it.',
  count: (n: number) => (n === 1 ? '1 tag' : `${n.toLocaleString('en-US')} tags`),
  found: (n: number) => (n === 1 ? '1 tag found' : `${n.toLocaleString('en-US')} tags found`),
  failed: 'Your tags could not be loaded',
  moreFailed: 'More tags could not be loaded',
  noneYet: 'No tags yet',
  noneYetText: 'Select images on the dashboard and press Tags. Each tag you give is listed here.',
  toImages: 'Choose among your images',
  none: 'No tag contains this',
  clear: 'Show all tags',
  search: 'Search tags',
  list: 'Your tags',
  images: countedImages,
  onlyBelow: 'Only tags below it',
  show: (tag: string) => `Show the images with ${tag}`,
  colour: (tag: string, colour: string) => `Colour of ${tag}: ${colour}`,
  colourMenu: (tag: string) => `Colour of ${tag}`,
  colours: {
    grey: 'Grey',
    red: 'Red',
    orange: 'Orange',
    yellow: 'Yellow',
    green: 'Green',
    teal: 'Teal',
    blue: 'Blue',
    purple: 'Purple',
    pink: 'Pink',
  } satisfies Record<TagColour, string>,
  noColour: 'None',
  colourFailed: 'The colour could not be changed',
  rename: (tag: string) => `Rename ${tag}`,
  delete: (tag: string) => `Delete ${tag}`,
}

export const tagRename = {
  title: 'Rename tag',
  name: 'Name',
  hint: 'travel/italy is a tag below travel. The tags below it move along.',
  invalid: 'Not a name for a tag',
  within: (tag: string) => `A tag cannot move below itself (${tag})`,
  save: 'Rename',
  saving: 'Renaming...',
  exists: (tag: string) => `There is a tag ${tag} already. Merge both into one?`,
  existsForGood: (tag: string, newName: string) =>
    `There is a tag ${newName} already. Merge both into one? ${tag} has so many images that this cannot be undone.`,
  merge: 'Merge',
  failed: 'The tag could not be renamed',
  renamed: (tag: string, newName: string) => `${tag} is ${newName} now`,
  merged: (tag: string, newName: string) => `${tag} is merged into ${newName}`,
  undone: 'The tag is as before',
  undoFailed: 'The tag could not be restored',
}

export const tagDeletion = {
  title: 'Delete this tag?',
  text: (tag: string) =>
    `${tag} has so many images that this cannot be undone. The tag, and those below it, are removed from all of them. The images stay.`,
  confirm: 'Delete',
  busy: 'Deleting...',
  deleted: (n: number) => `Tag removed from ${countedImages(n)}`,
  failed: 'The tag could not be deleted',
}
